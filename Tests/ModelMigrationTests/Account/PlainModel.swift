import ManagedModel

/// A model as the account of a migration reads it: names and the numbers in `userInfo`, nothing that the engine derives.
struct PlainModel {
  let model: ManagedObjectModel
  private let entities: [String: EntityDescription]
  private let composites: [String: CompositeDescription]

  init(_ model: ManagedObjectModel) {
    self.model = model
    entities = Dictionary(model.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    composites = Dictionary(model.composites.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  func entity(_ name: String) -> EntityDescription? { entities[name] }

  /// What makes an entity the same one in every version; its name where nobody gave it a number.
  func id(of entity: String) -> String { entities[entity]?.userInfo["id"] ?? entity }

  func name(ofEntity id: String) -> String? {
    model.entities.first { ($0.userInfo["id"] ?? $0.name) == id }?.name
  }

  /// The entity and those above it.
  func lineage(_ name: String) -> [EntityDescription] {
    var found: [EntityDescription] = []
    var next = entities[name]
    while let entity = next, found.count < 100 {
      found.append(entity)
      next = entity.superentityName.flatMap { entities[$0] }
    }
    return found
  }

  func root(_ name: String) -> String { lineage(name).last?.name ?? name }

  func isKind(_ name: String, of ancestor: String) -> Bool { lineage(name).contains { $0.name == ancestor } }

  func hasSubentities(_ name: String) -> Bool { model.entities.contains { $0.superentityName == name } }

  // MARK: what an object has a value for

  /// An attribute, or a member of a composite however deep.
  struct Leaf {
    var id: String
    var entity: String
    var path: [String]
    var attribute: AttributeDescription
    var isOptional: Bool

    var name: String { path.joined(separator: ".") }
  }

  /// What the entity itself declares, in the order in which columns get their names.
  func ownLeaves(_ entity: EntityDescription) -> [Leaf] {
    entity.attributes.sorted { $0.name.unicodeScalars.lexicographicallyPrecedes($1.name.unicodeScalars) }
      .flatMap { leaves($0, entity.name, [], "", false) }
  }

  private func leaves(
    _ attribute: AttributeDescription, _ entity: String, _ path: [String], _ prefix: String,
    _ isOptional: Bool
  ) -> [Leaf] {
    let path = path + [attribute.name]
    let id = prefix + (attribute.userInfo["id"] ?? attribute.name)
    let isOptional = isOptional || attribute.isOptional
    guard attribute.type == .composite else {
      return [Leaf(id: id, entity: entity, path: path, attribute: attribute, isOptional: isOptional)]
    }
    let members = attribute.compositeName.flatMap { composites[$0] }?.elements ?? []
    return members.sorted { $0.name < $1.name }.flatMap { leaves($0, entity, path, id + "/", isOptional) }
  }

  /// What objects of the entity have values for, inherited ones too; nothing that is computed.
  func leaves(_ entity: String) -> [Leaf] {
    lineage(entity).flatMap(ownLeaves).filter { !$0.attribute.isDerived && !$0.attribute.isTransient }
  }

  // MARK: relationships

  struct Relationship {
    var id: String
    var entity: String
    var description: RelationshipDescription

    var name: String { description.name }
  }

  func ownRelationships(_ entity: EntityDescription) -> [Relationship] {
    entity.relationships.filter { !$0.isTransient }.map {
      Relationship(id: $0.userInfo["id"] ?? $0.name, entity: entity.name, description: $0)
    }
  }

  var relationships: [Relationship] { model.entities.flatMap(ownRelationships) }

  func relationship(_ id: String, of entity: String) -> Relationship? {
    lineage(entity).flatMap(ownRelationships).first { $0.id == id }
  }

  func inverse(of relationship: Relationship) -> Relationship? {
    guard let name = relationship.description.inverseName else { return nil }
    return lineage(relationship.description.destinationEntityName).flatMap(ownRelationships)
      .first { $0.name == name }
  }
}
