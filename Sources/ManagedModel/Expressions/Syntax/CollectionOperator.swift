/// A key that computes over a collection. Raw values are the keys in a path, at sign included.
package enum CollectionOperator: String, Hashable, Sendable, CaseIterable {
  case count = "@count"
  case sum = "@sum"
  case average = "@avg"
  case minimum = "@min"
  case maximum = "@max"
  case unionOfObjects = "@unionOfObjects"
  case distinctUnionOfObjects = "@distinctUnionOfObjects"
  case unionOfArrays = "@unionOfArrays"
  case distinctUnionOfArrays = "@distinctUnionOfArrays"
  case distinctUnionOfSets = "@distinctUnionOfSets"
}

/// A key path taken apart at its first collection operator: `items.@sum.price` is `items`, sum, `price`.
package struct CollectionKeyPath: Hashable, Sendable {
  package var collection: [String]
  package var `operator`: CollectionOperator
  package var operand: [String]

  /// - Returns: nil if no key is an operator.
  package init?(_ keys: [String]) {
    let found = keys.lazy.compactMap(CollectionOperator.init).first
    guard let found, let index = keys.firstIndex(of: found.rawValue) else { return nil }
    (collection, `operator`) = (Array(keys[..<index]), found)
    operand = Array(keys[(index + 1)...])
  }
}
