/// An index over an entity's rows (`NSFetchIndexDescription`, iOS 11). Never part of a version hash.
public struct FetchIndexDescription: Hashable, Sendable {
  public var name: String
  public var elements: [FetchIndexElement]
  /// The predicate of a partial index, where there is one.
  public var partialIndexPredicate: String?

  public init(name: String, elements: [FetchIndexElement], partialIndexPredicate: String? = nil) {
    self.name = name
    self.elements = elements
    self.partialIndexPredicate = partialIndexPredicate
  }
}

/// One column of a fetch index.
public struct FetchIndexElement: Hashable, Sendable {
  /// The property's name, or the expression's text where ``isExpression``.
  public var property: String
  public var isExpression: Bool
  public var collation: FetchIndexCollation
  public var isAscending: Bool

  public init(
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
public enum FetchIndexCollation: Int, Hashable, Sendable, CaseIterable {
  case binary = 0
  case rtree = 1
}
