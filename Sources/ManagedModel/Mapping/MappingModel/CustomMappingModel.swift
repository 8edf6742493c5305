/// A mapping model as a person writes it, or as Xcode stores it: only what differs from inference.
///
/// It is unchecked text: its entities may not exist, its expressions may be invalid. With the two models it becomes a
/// ``MappingModel``.
public struct CustomMappingModel: Hashable, Sendable {
  /// The version whose objects it migrates.
  public var sourceVersionName: String
  /// The version that it leads to.
  public var destinationVersionName: String
  /// Whether an entity that no mapping names is inferred. False in a mapping model of Xcode's: there, a source
  /// without a mapping is removed.
  package var infersOthers: Bool
  /// What the two versions were when it was written: version → entity → the first hexadecimal digits of the
  /// entity's version hash. Empty if it is bound to nothing.
  package var versionHashes: [String: [String: String]]
  /// In a mapping model of Xcode's, the hashes that its compiler writes into the app, in the same form: those of the snapshots
  /// that Xcode took of the versions. Equality leaves them out.
  @Aside package var snapshotHashes: [String: [String: String]] = [:]
  /// Tables for the function `lookup`: by name, each value by its key.
  package var lookupTables: [String: [String: String]] = [:]
  /// Properties of the source, as `Entity.property`, whose values or links are dropped on purpose.
  package var drops: [String]
  /// Questions that a draft leaves to its author; as long as one stands there, nothing is migrated by it.
  package var undecided: [String] = []
  /// In the order in which they are carried out.
  package var entityMappings: [CustomEntityMapping]
  /// The mapping model for the downgrade, where one is stated: one at most, with the versions the other way round.
  package private(set) var reverse: [CustomMappingModel] = []
  /// Where its parts stand, where it was read from a file: an entity mapping's name as the subject's entity, a
  /// property mapping's as its property. It is not a part of what the mapping model says, and equality leaves it out.
  @Aside package var sourceMap: SourceMap? = nil
  /// The file of one of Xcode's that was found near a package; of several for a step nothing but these names says which
  /// one comes first. Equality leaves it out too.
  @Aside package var foundPath: String? = nil

  package init(
    sourceVersionName: String, destinationVersionName: String, infersOthers: Bool = true,
    versionHashes: [String: [String: String]] = [:], drops: [String] = [],
    entityMappings: [CustomEntityMapping] = []
  ) {
    self.sourceVersionName = sourceVersionName
    self.destinationVersionName = destinationVersionName
    self.infersOthers = infersOthers
    self.versionHashes = versionHashes
    self.drops = drops
    self.entityMappings = entityMappings
  }

  /// States the downgrade. It lies between the same versions, bound to the same hashes.
  package mutating func setReverse(_ mapping: CustomMappingModel) {
    var mapping = mapping
    (mapping.sourceVersionName, mapping.destinationVersionName) = (destinationVersionName, sourceVersionName)
    mapping.versionHashes = versionHashes
    reverse = [mapping]
  }

  /// Whether it was read from Xcode's files, which app and Core Data have as they are.
  var isOfXcode: Bool { !infersOthers && sourceMap == nil }

  /// Of the two versions, the source's first.
  package var versionNames: [String] { [sourceVersionName, destinationVersionName] }

  /// The mapping model there and the one back.
  package var bothDirections: [CustomMappingModel] { [self] + reverse }
}

/// What becomes of the objects of one entity, as it is written.
package struct CustomEntityMapping: Hashable, Sendable {
  package var name: String
  /// Nil for a mapping that adds an entity.
  package var sourceEntityName: String?
  /// Nil for a mapping that removes an entity.
  package var destinationEntityName: String?
  /// Nil if source, destination and policy say it.
  package var mappingType: MappingType?
  /// A predicate over the source's objects; the others are dropped.
  package var filter: String?
  /// The class of the entity migration policy, with its module where it was written so.
  package var policyName: String?
  package var attributeMappings: [CustomPropertyMapping]
  package var relationshipMappings: [CustomPropertyMapping]
  /// Expressions over the source object; objects for which they give the same become one object of the destination.
  /// Empty if every object becomes one of its own.
  package var groupBy: [String]
  /// Which object of a group gives the values. Nil if it is not stated; then the first does, if all agree.
  package var keep: KeepRule?
  /// The order within a group, as an expression over the source object; nil for that of the primary keys.
  package var orderBy: String?
  /// Whether the source's objects are dropped on purpose.
  package var dropsObjects = false
  /// Nil for the usual rule: repoint where objects are grouped, else nullify.
  package var onDrop: DropRule?
  /// Whether required relationships of the objects that it makes may be empty.
  package var allowsEmpty = false
  /// Texts for the policy.
  package var userInfo: [String: String]

  package init(
    name: String, sourceEntityName: String? = nil, destinationEntityName: String? = nil,
    mappingType: MappingType? = nil, filter: String? = nil, policyName: String? = nil,
    attributeMappings: [CustomPropertyMapping] = [], relationshipMappings: [CustomPropertyMapping] = [],
    groupBy: [String] = [], keep: KeepRule? = nil, orderBy: String? = nil, onDrop: DropRule? = nil,
    userInfo: [String: String] = [:]
  ) {
    self.name = name
    self.sourceEntityName = sourceEntityName
    self.destinationEntityName = destinationEntityName
    self.mappingType = mappingType
    self.filter = filter
    self.policyName = policyName
    self.attributeMappings = attributeMappings
    self.relationshipMappings = relationshipMappings
    self.groupBy = groupBy
    self.keep = keep
    self.orderBy = orderBy
    self.onDrop = onDrop
    self.userInfo = userInfo
  }
}

/// Where one property of the destination gets its value, as it is written. A property that is not written takes the
/// source's value of the same name.
package struct CustomPropertyMapping: Hashable, Sendable {
  /// The destination's property.
  package var name: String
  /// The value expression; without one an attribute keeps its default and a relationship stays empty.
  package var expression: String?
  /// Texts for the policy.
  package var userInfo: [String: String]

  package init(name: String, expression: String?, userInfo: [String: String] = [:]) {
    (self.name, self.expression, self.userInfo) = (name, expression, userInfo)
  }
}

/// What becomes of references to objects that a mapping drops.
package enum DropRule: String, Hashable, Sendable, CaseIterable {
  case nullify
  /// They follow the object that stayed.
  case repoint
  /// The objects that hold them are dropped too.
  case cascade
  /// The migration is refused.
  case deny
}
