import ManagedModel

/// A relationship by the entity that declares it.
struct RelationshipKey: Hashable {
  var entity: String
  var name: String
}

/// Which relationships are inverses of each other in SwiftData.
///
/// One side names the other, and that counts for both. What nobody names is implied where it can be meant only one way.
struct RelationshipPairs {
  private(set) var partners: [RelationshipKey: RelationshipKey] = [:]
  /// The relationships that have to name their inverse in source.
  private(set) var named: Set<RelationshipKey> = []

  private let all: [(key: RelationshipKey, relationship: RelationshipDescription)]
  private let hierarchy: EntityHierarchy

  init(_ model: ManagedObjectModel) {
    hierarchy = EntityHierarchy(model)
    all = model.entities.flatMap { entity in
      entity.relationships.map { (RelationshipKey(entity: entity.name, name: $0.name), $0) }
    }
    // First what both sides say, then what one says.
    for (key, relationship) in all {
      guard let other = inverse(of: relationship), let back = self.relationship(other) else { continue }
      if inverse(of: back) == key { pair(key, other) }
    }
    for (key, relationship) in all { inverse(of: relationship).map { pair(key, $0) } }
    for (key, relationship) in all where partners[key] == nil {
      let back = candidates(for: key, relationship)
      guard back.count == 1, candidates(for: back[0].key, back[0].relationship).map(\.key) == [key] else {
        continue
      }
      (partners[key], partners[back[0].key]) = (back[0].key, key)
    }
  }

  private func relationship(_ key: RelationshipKey) -> RelationshipDescription? {
    hierarchy.entity(named: key.entity)?.relationships.first { $0.name == key.name }
  }

  private func inverse(of relationship: RelationshipDescription) -> RelationshipKey? {
    guard let name = relationship.inverseName,
      let entity = hierarchy.declaringEntityName(of: name, seenFrom: relationship.destinationEntityName)
    else { return nil }
    return RelationshipKey(entity: entity, name: name)
  }

  /// A macro that names its own property refers to itself, so that no relationship is its own inverse.
  private mutating func pair(_ key: RelationshipKey, _ other: RelationshipKey) {
    guard key != other, partners[key] == nil, partners[other] == nil, let one = relationship(key),
      let two = relationship(other)
    else { return }
    (partners[key], partners[other]) = (other, key)
    let isOther = one.isToMany == two.isToMany ? two.deleteRule == .cascade : two.isToMany
    named.insert(isOther ? other : key)
  }

  private func candidates(
    for key: RelationshipKey, _ relationship: RelationshipDescription
  ) -> [(key: RelationshipKey, relationship: RelationshipDescription)] {
    all.filter { other in
      other.key.entity == relationship.destinationEntityName
        && other.relationship.destinationEntityName == key.entity && other.key != key
        && partners[other.key] == nil
    }
  }
}

extension ManagedObjectModel {
  /// Inverses that SwiftData sees otherwise than the model.
  func inexpressibleInverses() -> [InexpressibleFact] {
    let pairs = RelationshipPairs(self)
    return entities.flatMap { entity in
      entity.relationships.compactMap { relationship -> InexpressibleFact? in
        let inverse = pairs.partners[RelationshipKey(entity: entity.name, name: relationship.name)]?.name
        guard inverse != relationship.inverseName else { return nil }
        let part = "'\(entity.name).\(relationship.name)'"
        let isOwn = relationship.inverseName == relationship.name
        return InexpressibleFact(
          subject: ModelSubject(entity: entity.name, property: relationship.name, key: "inverse"),
          what: relationship.inverseName.map {
            isOwn ? "that \(part) is its own inverse" : "that '\($0)' is the inverse of \(part)"
          } ?? "that \(part) has no inverse",
          instead: inverse.map { "its inverse is '\($0)'" } ?? "it has none"
        ) { $0.changeRelationship(relationship.name, of: entity.name) { $0.inverseName = inverse } }
      }
    }
  }
}
