/// One relationship of an entity, as `NSRelationshipDescription` describes it.
public struct RelationshipDescription: Hashable, Sendable {
  public var name: String
  public var destinationEntityName: String
  /// The relationship of the destination that points back; nil where there is none.
  public var inverseName: String?
  public var isOptional: Bool
  public var isTransient: Bool
  /// 0 where nothing is demanded.
  public var minCount: Int
  /// 1 for a to-one; 0 for a to-many without a bound.
  public var maxCount: Int
  public var isOrdered: Bool
  public var deleteRule: DeleteRule
  public var isIndexed: Bool
  public var isIndexedBySpotlight: Bool
  /// `storedInTruthFile` of old models.
  public var isStoredInExternalRecord: Bool
  public var renamingIdentifier: String?
  public var versionHashModifier: String?
  public var userInfo: [String: String]

  public init(
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
  public var canonicalName: String { renamingIdentifier ?? name }
}

/// What happens to the destination when an object is deleted. Raw values equal `NSDeleteRule`'s.
public enum DeleteRule: Int, Hashable, Sendable, CaseIterable {
  case noAction = 0
  case nullify = 1
  case cascade = 2
  case deny = 3

  public var name: String {
    switch self {
    case .noAction: "noAction"
    case .nullify: "nullify"
    case .cascade: "cascade"
    case .deny: "deny"
    }
  }

  public init?(name: String) {
    guard let rule = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = rule
  }
}
