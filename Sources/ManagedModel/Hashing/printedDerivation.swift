extension String {
  /// A derivation as Core Data prints its expression, which is what the version hash contains.
  ///
  /// A key path that ends in a collection operator prints as a function call (`pages.@count` → `count:(pages)`,
  /// `items.@sum.price` → `sum:(items.price)`); a plain key path and a function call print as they are.
  /// Only `@count` and plain key paths are confirmed by genuine files; see ``ManagedObjectModel/unverifiedHashRules``.
  package var printedDerivation: String {
    let text = filter { !$0.isWhitespace }
    let keys = text.split(separator: ".", omittingEmptySubsequences: false)
    guard let index = keys.firstIndex(where: { $0.hasPrefix("@") }), index > 0 else { return text }
    let collection = keys[..<index] + keys[(index + 1)...]
    return "\(keys[index].dropFirst()):(\(collection.joined(separator: ".")))"
  }
}
