/// How the objects of one model version become objects of another (`NSMappingModel`).
public struct MappingModel: Hashable, Sendable {
  /// In the order in which they are carried out.
  public var entityMappings: [EntityMapping]
  /// Whether the two models alone gave it, or a person wrote some of it.
  public var isInferred: Bool

  package init(entityMappings: [EntityMapping], isInferred: Bool) {
    (self.entityMappings, self.isInferred) = (entityMappings, isInferred)
  }

  /// The mappings that yield objects of the entity.
  package func mappings(toEntity name: String) -> [EntityMapping] {
    entityMappings.filter { $0.destinationEntityName == name }
  }

  /// The mappings that read objects of the entity.
  package func mappings(fromEntity name: String) -> [EntityMapping] {
    entityMappings.filter { $0.sourceEntityName == name }
  }

  /// The source's relationships whose references reach the destination, on their own side or because the other side
  /// takes them over, with the entities of the source that they lead to.
  package var carriedRelationships: [PropertyReference: Set<String>] {
    var carried: [PropertyReference: Set<String>] = [:]
    for mapping in entityMappings {
      for property in mapping.relationshipMappings {
        for past in property.sources(in: mapping) {
          let isOther = property.referrers.contains(past)
          carried[past, default: []]
            .formUnion(isOther ? [mapping.sourceEntityName ?? ""] : property.reachableEntities)
        }
      }
    }
    return carried
  }
}

/// What becomes of the objects of one entity (`NSEntityMapping`).
public struct EntityMapping: Hashable, Sendable {
  /// Unique in its mapping model.
  public var name: String
  /// How objects come about.
  public var mappingType: MappingType
  /// Nil for a mapping that adds an entity.
  public var sourceEntityName: String?
  /// Nil for a mapping that removes an entity.
  public var destinationEntityName: String?
  /// Nil if the mapping adds objects.
  public var sourceEntityVersionHash: VersionHash?
  /// Nil if the mapping removes objects.
  public var destinationEntityVersionHash: VersionHash?
  /// One for each persistent attribute of the destination, inherited ones included.
  public var attributeMappings: [PropertyMapping] = []
  /// One for each persistent relationship of the destination, inherited ones included.
  public var relationshipMappings: [PropertyMapping] = []
  /// Which of the source's objects it takes; nil for all. The others are dropped, unless another mapping takes them.
  package var filter: Predicate?
  /// The class of its entity migration policy, as it is written (`entityMigrationPolicyClassName`).
  public var policyName: String?
  /// Which source objects become one object of the destination; nil if each becomes one of its own.
  package var grouping: GroupingRule?
  /// What becomes of references to objects that it drops: those that ``filter`` leaves out, those of a group that
  /// ``grouping`` does not keep, or all of a mapping without a destination.
  ///
  /// - `nullify`: the references become nil, or leave the collection.
  /// - `repoint` (with ``grouping`` only): they follow the object that the group became. The executor associates every
  ///   source object of a group with that one; with any other rule only the object whose values it has.
  /// - `cascade`: the objects of the source that hold such a reference are dropped as well, and so on.
  /// - `deny`: the migration is refused if such a reference exists.
  package var onDrop = DropRule.nullify
  /// Whether the objects that it drops are dropped on purpose (`drop: true`): their loss needs no `--allow-loss`.
  package var dropsObjects = false
  /// Attributes and relationships of the source that are dropped on purpose when nothing reads them; nil if all are,
  /// as in a mapping model of Xcode's.
  package var droppedProperties: Set<String>? = []
  /// Whether required relationships of the objects that it makes may be empty, as Core Data leaves them until an object
  /// is saved. What a person has written says so where it is meant; see ``CustomEntityMapping/allowsEmpty``.
  package var allowsEmpty = true
  /// Texts for the policy.
  public var userInfo: [String: String] = [:]

  /// The mapping of the destination's property, attribute or relationship.
  public func propertyMapping(named name: String) -> PropertyMapping? {
    attributeMappings.first { $0.name == name } ?? relationshipMappings.first { $0.name == name }
  }

  /// Whether a value of the source's property reaches the destination.
  package func carries(sourceProperty name: String) -> Bool {
    (attributeMappings + relationshipMappings).contains { $0.value.sourceName == name }
  }

  /// The mapping of an entity whose objects all go.
  package static func removing(_ entity: String, _ hash: VersionHash? = nil) -> Self {
    Self(
      name: "IEM_Remove_\(entity)", mappingType: .remove, sourceEntityName: entity,
      sourceEntityVersionHash: hash)
  }

  /// The mapping of an entity that begins without objects, so that no relationship of it leads anywhere.
  package static func adding(
    _ entity: String, _ hash: VersionHash? = nil, attributes: [PropertyMapping] = [],
    relationships: [String] = []
  ) -> Self {
    Self(
      name: "IEM_Add_\(entity)", mappingType: .add, destinationEntityName: entity,
      destinationEntityVersionHash: hash, attributeMappings: attributes,
      relationshipMappings: relationships.map { PropertyMapping(name: $0, value: .constant(nil)) })
  }
}

/// Raw values equal `NSEntityMappingType`'s.
public enum MappingType: Int, Hashable, Sendable, CaseIterable {
  /// Not said; the entities and the policy decide.
  case undefined = 0
  /// By a policy.
  case custom = 1
  /// Destination only: begins without objects.
  case add = 2
  /// Source only: its objects go.
  case remove = 3
  /// Both, with equal hashes.
  case copy = 4
  /// Both, with different hashes.
  case transform = 5
}

/// Where one property of the destination has its value from (`NSPropertyMapping`).
public struct PropertyMapping: Hashable, Sendable {
  /// The destination's property.
  public var name: String
  package var value: PropertyMappingValue
  /// For a relationship that its inverse gives: the relationships of the source that led to this object, by every entity
  /// that has them.
  /// It begins with the objects that had them; ``value`` is then a null constant, or the list that they join.
  package var referrers: [PropertyReference] = []
  /// Whether the objects of an ordered relationship keep the places that they had; they come by primary key where
  /// there was no order, on this way or in a version between.
  package var keepsOrder = false
  /// For a relationship, the entities of the source whose objects it may lead to. References to others are
  /// forgotten: their entity is gone, or was not a destination of the relationship in some version on the way.
  package var reachableEntities: Set<String> = []
  /// Whether a mapping of some of the objects that it led to gives the other end other links: it takes none of theirs over, and
  /// keeps what they were given.
  package var givesWay = false
  /// Texts for the policy.
  public var userInfo: [String: String] = [:]
  /// Of a property that a policy gets: where the value expressions are kept that it sets.
  @Aside package var setExpressions: (any AnyObject & Sendable)? = nil

  /// The relationships of the source whose references come here, from its own side or the other.
  package func sources(in mapping: EntityMapping) -> [PropertyReference] {
    guard let entity = mapping.sourceEntityName, let name = value.sourceName else { return referrers }
    return referrers + [PropertyReference(entity: entity, property: name)]
  }

  /// Whether it may lead to objects that a mapping makes: links of the source to those of any, unless it gives way, and a
  /// lookup to those of the mapping that it names.
  package func leads(to mapping: EntityMapping) -> Bool {
    if case .expression(let value) = value, let asked = value.lookup { return asked.mapping == mapping.name }
    return !givesWay || reachableEntities.contains(mapping.sourceEntityName ?? "")
  }

  /// Whether anything of the source comes here.
  package var hasSource: Bool { value.sourceName != nil || !referrers.isEmpty }
}

extension PropertyMapping {
  package init(name: String, value: PropertyMappingValue) { (self.name, self.value) = (name, value) }
}

/// The value of one property: a value expression, or one of the few forms that inference needs.
package indirect enum PropertyMappingValue: Hashable, Sendable {
  /// The source object's property of that name: `$source.<name>`.
  case source(String)
  /// The same for every object; nil is a null attribute or an empty relationship.
  case constant(AttributeValue?)
  /// A number as another type of number, or bytes that change their meaning.
  case converted(PropertyMappingValue, from: AttributeType, to: AttributeType)
  /// The value, or what stands beside it where the value is null.
  case defaulted(PropertyMappingValue, AttributeValue)
  /// What a custom mapping computes, over `$source`, `$destination`, `$manager` and the policy. Inference never gives
  /// one, and a step that holds one runs by the three passes, not as statements on the store's own tables.
  case expression(Expression)

  /// The source property that it reads, where it reads one.
  package var sourceName: String? {
    switch self {
    case .source(let name): name
    case .constant, .expression: nil
    case .converted(let value, _, _), .defaulted(let value, _): value.sourceName
    }
  }
}
