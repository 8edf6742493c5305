/// What a list has lost and gained, and whether the rest has another order.
struct ListDifference<Element: Hashable> {
  private(set) var removed: [Element] = []
  private(set) var added: [Element] = []
  private(set) var isReordered = false

  init(from old: [Element], to new: [Element]) {
    let kept = new.elements(in: old)
    removed = old.elements(in: kept, false)
    added = new.elements(in: kept, false)
    isReordered = old.elements(in: new) != kept
  }
}

extension ChangedItem {
  /// A change for each element that one of the item's lists has lost or gained.
  func changes<Element: Hashable>(
    in list: WritableKeyPath<Item, [Element]>, _ difference: ListDifference<Element>,
    _ part: (Element) -> ListedPart
  ) -> [PendingChange] {
    func only(_ kind: ModelChange.Kind, _ element: Element) -> PendingChange {
      change(
        kind, of: part(element), put: { $0[keyPath: list].append(element) },
        take: { $0[keyPath: list].removeFirst(equalTo: element) })
    }
    return difference.removed.map { only(.removed, $0) } + difference.added.map { only(.added, $0) }
  }
}

extension Array where Element: Hashable {
  /// The elements that the other list has too, each as often as it has it; or those that it does not have.
  fileprivate func elements(in other: [Element], _ isIn: Bool = true) -> [Element] {
    var counts = other.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    return filter { element in
      guard let count = counts[element], count > 0 else { return !isIn }
      counts[element] = count - 1
      return isIn
    }
  }
}

/// The elements in the order of `model`; elements that it does not have come last.
func sorted<Element: Hashable>(_ elements: [Element], like model: [Element]) -> [Element] {
  let ranks = Dictionary(firstOf: model.enumerated().map { ($0.element, $0.offset) })
  return elements.enumerated().sorted {
    (ranks[$0.element] ?? .max, $0.offset) < (ranks[$1.element] ?? .max, $1.offset)
  }.map(\.element)
}
