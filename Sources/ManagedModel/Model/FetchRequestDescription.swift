/// A fetch request as a model states it: a template, or the request of a fetched property.
package struct FetchRequestDescription: Hashable, Sendable {
  package var name: String
  package var entityName: String
  /// The predicate's text, where there is one; `$NAME` stands for a value that the caller supplies.
  package var predicate: String?
  package var sortDescriptors: [SortDescription]
  /// Rows; 0 means no limit.
  package var fetchLimit: Int
  /// Rows; 0 means all at once.
  package var fetchBatchSize: Int
  package var includesSubentities: Bool
  package var includesPropertyValues: Bool
  package var includesPendingChanges: Bool
  package var returnsDistinctResults: Bool
  /// Whether objects come without their values, which are read when one is asked for.
  package var returnsObjectsAsFaults: Bool
  /// Raw value of `NSFetchRequestResultType`.
  package var resultType: Int

  /// What the model language calls its values; a sum of them has no word.
  package static let resultTypes = [("objects", 0), ("objectIDs", 1), ("dictionaries", 2), ("count", 4)]

  package init(
    name: String, entityName: String, predicate: String? = nil, sortDescriptors: [SortDescription] = [],
    fetchLimit: Int = 0, fetchBatchSize: Int = 0, includesSubentities: Bool = true,
    includesPropertyValues: Bool = true, includesPendingChanges: Bool = true,
    returnsDistinctResults: Bool = false, returnsObjectsAsFaults: Bool = true, resultType: Int = 0
  ) {
    self.name = name
    self.entityName = entityName
    self.predicate = predicate
    self.sortDescriptors = sortDescriptors
    self.fetchLimit = fetchLimit
    self.fetchBatchSize = fetchBatchSize
    self.includesSubentities = includesSubentities
    self.includesPropertyValues = includesPropertyValues
    self.includesPendingChanges = includesPendingChanges
    self.returnsDistinctResults = returnsDistinctResults
    self.returnsObjectsAsFaults = returnsObjectsAsFaults
    self.resultType = resultType
  }
}

/// One key of a fetch request's order.
public struct SortDescription: Hashable, Sendable {
  /// A path of attributes and to-one relationships, such as `area.name`.
  public var keyPath: String
  /// The least value first.
  public var isAscending: Bool

  /// Sorts by the values at a key path.
  public init(keyPath: String, isAscending: Bool = true) {
    (self.keyPath, self.isAscending) = (keyPath, isAscending)
  }
}

/// A one-way, computed property: an array that a fetch yields. Never stored, never hashed.
package struct FetchedPropertyDescription: Hashable, Sendable {
  package var name: String
  package var isOptional: Bool
  package var fetchRequest: FetchRequestDescription
  package var userInfo: [String: String]

  package init(
    name: String, isOptional: Bool = true, fetchRequest: FetchRequestDescription,
    userInfo: [String: String] = [:]
  ) {
    self.name = name
    self.isOptional = isOptional
    self.fetchRequest = fetchRequest
    self.userInfo = userInfo
  }
}
