/// One relationship of an entity, as `NSRelationshipDescription` describes it.
public struct RelationshipDescription: Hashable, Sendable {
  /// Unique among the properties of the entity and of its parents.
  public var name: String
  /// The entity that it leads to, or whose sub-entities it leads to.
  public var destinationEntityName: String
  /// The relationship of the destination that points back; nil if absent.
  public var inverseName: String?
  /// Whether an object may be without any.
  public var isOptional: Bool
  /// Whether it is kept in memory only.
  public var isTransient: Bool
  /// 0 where nothing is demanded.
  public var minCount: Int
  /// 1 for a to-one; 0 for a to-many without a bound.
  public var maxCount: Int
  /// Whether a to-many keeps the order of its objects.
  public var isOrdered: Bool
  /// What becomes of the objects that it leads to when their owner is deleted.
  public var deleteRule: DeleteRule
  package var isIndexed: Bool
  package var isIndexedBySpotlight: Bool
  /// `storedInTruthFile` of old models.
  package var isStoredInExternalRecord: Bool
  /// The name by which a migration knows it; nil for its own name.
  public var renamingIdentifier: String?
  /// A text that distinguishes otherwise equal versions; nil if absent.
  public var versionHashModifier: String?
  /// The model's own notes.
  public var userInfo: [String: String]

  package init(
    name: String, destinationEntityName: String, inverseName: String? = nil, isOptional: Bool = true,
    isTransient: Bool = false, minCount: Int = 0, maxCount: Int = 1, isOrdered: Bool = false,
    deleteRule: DeleteRule = .nullify, isIndexed: Bool = false,
    isIndexedBySpotlight: Bool = false, isStoredInExternalRecord: Bool = false,
    renamingIdentifier: String? = nil,
    versionHashModifier: String? = nil, userInfo: [String: String] = [:]
  ) {
    self.name = name
    self.destinationEntityName = destinationEntityName
    self.inverseName = inverseName
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.minCount = minCount
    self.maxCount = maxCount
    self.isOrdered = isOrdered
    self.deleteRule = deleteRule
    self.isIndexed = isIndexed
    self.isIndexedBySpotlight = isIndexedBySpotlight
    self.isStoredInExternalRecord = isStoredInExternalRecord
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
  }

  /// Core Data's rule: whatever has no maximum of exactly one is to-many.
  public var isToMany: Bool { maxCount != 1 }

  /// Whether Core Data saves no object without it. A to-many is never nil, and may be empty where it has no minimum: so are
  /// SwiftData's arrays, and those of apps that ship.
  package var mustLeadSomewhere: Bool { !isOptional && (!isToMany || minCount > 0) }
}

/// What happens to the destination when an object is deleted. Raw values equal `NSDeleteRule`'s.
public enum DeleteRule: Int, Hashable, Sendable, CaseIterable {
  /// They keep a reference to a missing object.
  case noAction = 0
  /// Their reference to the owner is cleared.
  case nullify = 1
  /// They are deleted too.
  case cascade = 2
  /// The owner stays as long as there are any.
  case deny = 3

  package var name: String { "\(self)" }
}
