import ManagedModel

/// One of the two stores.
enum StoreEnd { case before, after }

/// How the objects of one entity are compared.
struct ComparedEntity {
  /// An attribute that both stores have.
  struct Attribute {
    /// By side; the later name is the one that is shown.
    var before: String
    var after: String
    /// Whether its type is another one in the later store.
    var isConverted: Bool
    /// What stands for nil in the earlier store.
    var fallback: AttributeValue?
  }

  struct Relationship {
    var before: String
    var after: String
    var isToMany: Bool
    var isOrdered: Bool
  }

  var before: String?
  var after: String?
  var attributes: [Attribute] = []
  var relationships: [Relationship] = []
  var onlyBefore: [String] = []
  var onlyAfter: [String] = []
  /// What can identify its objects, best first.
  var candidates: [StoreDifference.Identity] = [.content]

  var name: String { after ?? before ?? "" }

  /// The attributes that an identity takes.
  func attributes(of identity: StoreDifference.Identity) -> [Attribute] {
    identity == .content
      ? attributes : identity.attributes.compactMap { name in attributes.first { $0.after == name } }
  }

  fileprivate mutating func pairProperties(
    _ mapping: EntityMapping, _ old: EntityHierarchy, _ new: EntityHierarchy
  ) {
    guard let before, let after else {
      // One side alone: its objects are described by its own names.
      let hierarchy = after == nil ? old : new
      attributes = storedMembers(of: name, hierarchy).map {
        Attribute(before: $0, after: $0, isConverted: false)
      }
      relationships = hierarchy.relationships(of: name)
        .filter { !$0.isTransient && !followsFromInverse($0, hierarchy) }
        .map { Relationship(before: $0.name, after: $0.name, isToMany: $0.isToMany, isOrdered: $0.isOrdered) }
      return
    }
    for property in mapping.attributeMappings {
      guard let name = property.value.sourceName else { continue }
      attributes.append(Attribute(before: name, after: property.name, property.value))
    }
    for property in mapping.relationshipMappings {
      guard let name = property.value.sourceName,
        let relationship = new.relationship(named: property.name, of: after),
        let past = old.relationship(named: name, of: before),
        past.isToMany != relationship.isToMany || !followsFromInverse(relationship, new)
      else { continue }
      relationships.append(
        Relationship(
          before: name, after: property.name, isToMany: past.isToMany || relationship.isToMany,
          isOrdered: relationship.isOrdered))
    }
    let links = mapping.relationshipMappings.filter { $0.value.sourceName != nil }
    let kept = Set(attributes.map(\.before) + links.compactMap(\.value.sourceName))
    let names = Set(attributes.map(\.after) + links.map(\.name))
    func stored(_ entity: String, _ hierarchy: EntityHierarchy) -> [String] {
      let own = hierarchy.relationships(of: entity).filter {
        !$0.isTransient && !followsFromInverse($0, hierarchy)
      }
      return storedMembers(of: entity, hierarchy) + own.map(\.name)
    }
    onlyBefore = stored(before, old).filter { !kept.contains($0) }
    onlyAfter = stored(after, new).filter { !names.contains($0) }
  }

  /// Constraints first, then an attribute whose name says that it names objects.
  fileprivate func knownIdentities(_ hierarchy: EntityHierarchy) -> [StoreDifference.Identity] {
    guard let after, before != nil else { return [.content] }
    let names = Set(attributes.map(\.after))
    let unique = hierarchy.lineage(of: after).flatMap(\.uniquenessConstraints)
    let constraints = unique.filter { $0.allSatisfy(names.contains) }
    let usual: Set = ["id", "uuid", "identifier", "guid", "uid", after.lowercased() + "id"]
    let telling = attributes.map(\.after).filter { usual.contains($0.lowercased()) }
    return constraints.map(StoreDifference.Identity.constraint)
      + telling.map(StoreDifference.Identity.identifier) + [.content]
  }
}

extension ModelVersion {
  /// The entities of two versions as pairs, by name or renaming identifier, as inference pairs them.
  ///
  /// - Parameters:
  ///   - chosen: attributes that identify objects of an entity and its sub-entities, by its name in either version.
  ///   - byKey: whether primary keys identify those of the others.
  func comparedEntities(to destination: ModelVersion, identifiedBy chosen: [String: [String]], byKey: Bool)
    -> [ComparedEntity]
  {
    let (old, new) = (EntityHierarchy(model), EntityHierarchy(destination.model))
    return inferMappingModel(from: self, to: destination).mappingModel.entityMappings.compactMap { mapping in
      let isAbstract =
        mapping.destinationEntityName.map { new.entity(named: $0)?.isAbstract != false }
        ?? mapping.sourceEntityName.map { old.entity(named: $0)?.isAbstract != false }
      if isAbstract != false { return nil }
      var entity = ComparedEntity(before: mapping.sourceEntityName, after: mapping.destinationEntityName)
      entity.pairProperties(mapping, old, new)
      func named(_ name: String?, _ hierarchy: EntityHierarchy) -> [String]? {
        name.flatMap { hierarchy.lineage(of: $0).reversed().lazy.compactMap { chosen[$0.name] }.first }
      }
      let named = named(entity.after, new) ?? named(entity.before, old)
      entity.candidates = named.map { [.chosen($0)] } ?? (byKey ? [.primaryKey] : entity.knownIdentities(new))
      return entity
    }
  }
}

extension ComparedEntity.Attribute {
  fileprivate init(before: String, after: String, _ value: PropertyMappingValue) {
    self.init(before: before, after: after, isConverted: false)
    var value = value
    while true {
      switch value {
      case .converted(let inner, _, _): (isConverted, value) = (true, inner)
      case .defaulted(let inner, let fallback): (self.fallback, value) = (fallback, inner)
      case .source, .constant, .expression: return
      }
    }
  }
}

private func storedMembers(of entity: String, _ hierarchy: EntityHierarchy) -> [String] {
  hierarchy.members(of: entity).filter { !$0.isTransient }.map(\.name)
}

/// Whether the objects at the other end say the same, each of one owner.
private func followsFromInverse(_ relationship: RelationshipDescription, _ hierarchy: EntityHierarchy) -> Bool
{
  guard relationship.isToMany, !relationship.isOrdered, let inverse = hierarchy.inverse(of: relationship)
  else { return false }
  return !inverse.isToMany
}
