/// Which children of an element are the same before and after an edit, by their names.
struct ElementAlignment {
  /// What one child is known by among its siblings.
  struct Key: Hashable {
    var element: String
    var name: String
    /// Siblings of one name are told apart by their order.
    var occurrence: Int
  }

  /// By the place after the edit: the place before it.
  private(set) var origins: [Int?]
  /// Those that were there before, and now come elsewhere among their siblings.
  private(set) var moved: Set<Int> = []

  init(_ before: [XcodeElement], _ after: [XcodeElement]) {
    let old = Dictionary(uniqueKeysWithValues: zip(before.keys, before.indices))
    origins = after.keys.map { old[$0] }
    pairRenamed(before, after)
    findMoved()
  }

  /// Takes a child that is new for one that is gone, where nothing but its name tells them apart, or it says itself
  /// that it had the other name.
  private mutating func pairRenamed(_ before: [XcodeElement], _ after: [XcodeElement]) {
    let kept = Set(origins)
    var gone = before.indices.filter { !kept.contains($0) }
    for index in after.indices where origins[index] == nil {
      let former = after[index]["elementID"]
      let match = gone.firstIndex { place in
        let (old, new) = (before[place], after[index])
        guard old.name == new.name, let name = old["name"] else { return false }
        return name == former || old.rest == new.rest
      }
      if let match { origins[index] = gone.remove(at: match) }
    }
  }

  /// All but the longest run of children that kept their order.
  private mutating func findMoved() {
    let kept = origins.enumerated().compactMap { place, origin in origin.map { (place, $0) } }
    var lengths = [Int](repeating: 1, count: kept.count)
    var previous = [Int?](repeating: nil, count: kept.count)
    if zip(kept, kept.dropFirst()).allSatisfy({ $0.1 < $1.1 }) { return }
    for index in kept.indices {
      for other in 0..<index where kept[other].1 < kept[index].1 && lengths[other] >= lengths[index] {
        (lengths[index], previous[index]) = (lengths[other] + 1, other)
      }
    }
    moved = Set(kept.map(\.0))
    var next = lengths.indices.max { lengths[$0] < lengths[$1] }
    while let index = next {
      moved.remove(kept[index].0)
      next = previous[index]
    }
  }
}

extension [XcodeElement] {
  var keys: [ElementAlignment.Key] {
    var counts: [ElementAlignment.Key: Int] = [:]
    return map { element in
      // One of them names every element that has siblings of its kind.
      let name = ["name", "key", "value", "property", "expression"].lazy.compactMap { element[$0] }.first
      var key = ElementAlignment.Key(element: element.name, name: name ?? "", occurrence: 0)
      key.occurrence = counts[key, default: 0]
      counts[ElementAlignment.Key(element: key.element, name: key.name, occurrence: 0), default: 0] += 1
      return key
    }
  }

}

extension XcodeElement {
  /// All that it says but its name, and how it was called before.
  fileprivate var rest: [String] {
    let attributes = attributes.filter { $0.name != "name" && $0.name != "elementID" }
    return attributes.map { "\($0.name)=\(rawValue($0.name) ?? "")" }
      + [String(decoding: bytes(content), as: UTF8.self)]
  }
}
