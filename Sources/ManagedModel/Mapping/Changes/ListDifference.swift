/// What a list has lost and gained, and whether the rest has another order.
struct ListDifference<Element: Hashable> {
  private(set) var removed: [Element] = []
  private(set) var added: [Element] = []
  private(set) var isReordered = false

  init(from old: [Element], to new: [Element]) {
    let kept = common(new, with: old)
    removed = rest(old, without: kept)
    added = rest(new, without: kept)
    isReordered = common(old, with: new) != kept
  }
}

/// The elements of `list`, each as often as `other` has it too.
private func common<Element: Hashable>(_ list: [Element], with other: [Element]) -> [Element] {
  var counts = other.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  return list.filter { element in
    guard let count = counts[element], count > 0 else { return false }
    counts[element] = count - 1
    return true
  }
}

private func rest<Element: Hashable>(_ list: [Element], without taken: [Element]) -> [Element] {
  var counts = taken.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  return list.filter { element in
    guard let count = counts[element], count > 0 else { return true }
    counts[element] = count - 1
    return false
  }
}

/// The elements in the order of `model`; elements that it does not have come last.
func sorted<Element: Hashable>(_ elements: [Element], like model: [Element]) -> [Element] {
  let ranks = Dictionary(firstOf: model.enumerated().map { ($0.element, $0.offset) })
  return elements.enumerated().sorted {
    (ranks[$0.element] ?? .max, $0.offset) < (ranks[$1.element] ?? .max, $1.offset)
  }.map(\.element)
}

extension Sequence<String> {
  var sortedByCodePoint: [String] { sorted { $0.precedesInCodePointOrder($1) } }
}
