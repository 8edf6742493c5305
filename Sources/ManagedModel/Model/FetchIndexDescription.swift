/// An index over an entity's rows (`NSFetchIndexDescription`, iOS 11). Never part of a version hash.
package struct FetchIndexDescription: Hashable, Sendable {
  package var name: String
  package var elements: [FetchIndexElement]
  /// The predicate of a partial index, where there is one.
  package var partialIndexPredicate: String?

  package init(name: String, elements: [FetchIndexElement], partialIndexPredicate: String? = nil) {
    (self.name, self.elements, self.partialIndexPredicate) = (name, elements, partialIndexPredicate)
  }

  /// Whether `#Index` made it: such an index marks no attribute as indexed for older systems.
  package var isOfSwiftData: Bool { name.hasPrefix(Self.swiftDataPrefix) }

  /// As SwiftData names an index, before the names of its properties.
  package static let swiftDataPrefix = "SwiftDataIndexOn"
}

/// One column of a fetch index.
package struct FetchIndexElement: Hashable, Sendable {
  /// The property's name, or the expression's text where ``isExpression``.
  package var property: String
  package var isExpression: Bool
  package var collation: FetchIndexCollation
  package var isAscending: Bool

  /// `NSManagedObject.entity`, which Core Data takes in indexes as it takes a property.
  package static let entityKey = "entity"

  package init(
    property: String, isExpression: Bool = false, collation: FetchIndexCollation = .binary,
    isAscending: Bool = true
  ) {
    self.property = property
    self.isExpression = isExpression
    self.collation = collation
    self.isAscending = isAscending
  }
}

/// How an index element compares. Raw values equal `NSFetchIndexElementType`'s.
package enum FetchIndexCollation: Int, Hashable, Sendable, CaseIterable {
  case binary = 0
  case rtree = 1
}
