/// A fetch request as a model states it: a template, or the request of a fetched property.
public struct FetchRequestDescription: Hashable, Sendable {
  public var name: String
  public var entityName: String
  /// The predicate's text, where there is one; `$NAME` stands for a value that the caller supplies.
  public var predicate: String?
  public var sortDescriptors: [SortDescription]
  /// Rows; 0 means no limit.
  public var fetchLimit: Int
  /// Rows; 0 means all at once.
  public var fetchBatchSize: Int
  public var includesSubentities: Bool
  public var includesPropertyValues: Bool
  public var includesPendingChanges: Bool
  public var returnsDistinctResults: Bool
  /// Whether objects come without their values, which are read when one is asked for.
  public var returnsObjectsAsFaults: Bool
  /// Raw value of `NSFetchRequestResultType`: 0 objects, 1 object IDs, 2 dictionaries, 4 count.
  public var resultType: Int

  public init(
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
  public var keyPath: String
  public var isAscending: Bool

  public init(keyPath: String, isAscending: Bool = true) {
    self.keyPath = keyPath
    self.isAscending = isAscending
  }
}

/// A one-way, computed property: an array that a fetch yields. Never stored, never hashed.
public struct FetchedPropertyDescription: Hashable, Sendable {
  public var name: String
  public var isOptional: Bool
  public var fetchRequest: FetchRequestDescription
  public var userInfo: [String: String]

  public init(
    name: String, isOptional: Bool = true, fetchRequest: FetchRequestDescription,
    userInfo: [String: String] = [:]
  ) {
    self.name = name
    self.isOptional = isOptional
    self.fetchRequest = fetchRequest
    self.userInfo = userInfo
  }
}
