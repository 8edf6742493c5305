public import ManagedModel

// Descriptions as ported code asks for them: an entity's properties with what it inherits.
extension EntityDescription {
  /// The attributes of an entity that a policy was given, by name; inherited ones too.
  ///
  /// An entity of ``ManagedObjectModel/entities`` has its own alone; ``ManagedObjectModel/entitiesByName`` has all.
  public var attributesByName: [String: AttributeDescription] {
    Dictionary(attributes.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
  }

  /// The same for its relationships.
  public var relationshipsByName: [String: RelationshipDescription] {
    Dictionary(relationships.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
  }

  /// Whether there is an attribute or a relationship of the name.
  public func hasProperty(named name: String) -> Bool {
    attributes.contains { $0.name == name } || relationships.contains { $0.name == name }
  }

  /// A second name, for ModelMigrationCompatibility, as those below.
  package var plainName: String { name }
}

extension ManagedObjectModel {
  /// The model's entities by name, each with what it inherits.
  public var entitiesByName: [String: EntityDescription] {
    let hierarchy = EntityHierarchy(self)
    return Dictionary(firstOf: entities.map { ($0.name, hierarchy.complete($0)) })
  }
}

extension EntityHierarchy {
  /// The entity with the attributes and relationships that it inherits before its own.
  func complete(_ entity: EntityDescription) -> EntityDescription {
    guard entity.superentityName != nil else { return entity }
    var complete = entity
    complete.attributes = attributes(of: entity.name)
    complete.relationships = relationships(of: entity.name)
    return complete
  }
}

// Properties under second names, for ModelMigrationCompatibility, where the first names are Core Data's optionals.
extension MigratingObject {
  package var plainContext: ManagedObjectContext { managedObjectContext }
}

extension EntityMapping {
  package var plainName: String { name }
  package var plainUserInfo: [String: String] { userInfo }
  package var plainAttributeMappings: [PropertyMapping] { attributeMappings }
  package var plainRelationshipMappings: [PropertyMapping] { relationshipMappings }
}

extension PropertyMapping {
  package var plainName: String { name }
  package var plainUserInfo: [String: String] { userInfo }
}
