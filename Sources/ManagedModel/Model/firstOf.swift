extension Dictionary {
  /// Each key with the value of the first pair that has it.
  package init(firstOf pairs: some Sequence<(Key, Value)>) {
    self.init(pairs, uniquingKeysWith: { first, _ in first })
  }
}

extension Sequence {
  /// Of each key the first element, in the order of all.
  package func unique<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
    var seen: Set<Key> = []
    return filter { seen.insert(key($0)).inserted }
  }
}

extension Sequence where Element: Hashable {
  /// Each once, in the order of their first appearance.
  package var unique: [Element] { unique(by: \.self) }
}
