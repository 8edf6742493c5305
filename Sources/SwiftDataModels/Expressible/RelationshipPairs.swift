import ManagedModel

/// Which relationships are inverses of each other in SwiftData.
///
/// One side names the other, and that counts for both. What nobody names is implied where it can be meant only one way.
struct RelationshipPairs {
  private(set) var partners: [PropertyReference: PropertyReference] = [:]
  /// The relationships that have to name their inverse in source.
  private(set) var named: Set<PropertyReference> = []

  private let all: [(key: PropertyReference, relationship: RelationshipDescription)]
  private let hierarchy: EntityHierarchy

  init(_ model: ManagedObjectModel) {
    hierarchy = EntityHierarchy(model)
    all = model.entities.flatMap { entity in
      entity.relationships.map { (PropertyReference(entity: entity.name, property: $0.name), $0) }
    }
    // First what both sides say, then what one says.
    for (key, _) in all {
      if let other = hierarchy.inverse(of: key), hierarchy.inverse(of: other) == key { pair(key, other) }
    }
    for (key, _) in all { hierarchy.inverse(of: key).map { pair(key, $0) } }
    for (key, relationship) in all where partners[key] == nil {
      let back = candidates(for: key, relationship)
      guard back.count == 1, candidates(for: back[0].key, back[0].relationship).map(\.key) == [key] else {
        continue
      }
      (partners[key], partners[back[0].key]) = (back[0].key, key)
    }
  }

  /// A macro that names its own property refers to itself, so that no relationship is its own inverse.
  private mutating func pair(_ key: PropertyReference, _ other: PropertyReference) {
    guard key != other, partners[key] == nil, partners[other] == nil, let one = hierarchy.relationship(key),
      let two = hierarchy.relationship(other)
    else { return }
    (partners[key], partners[other]) = (other, key)
    let isOther = one.isToMany == two.isToMany ? two.deleteRule == .cascade : two.isToMany
    named.insert(isOther ? other : key)
  }

  private func candidates(
    for key: PropertyReference, _ relationship: RelationshipDescription
  ) -> [(key: PropertyReference, relationship: RelationshipDescription)] {
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
        let inverse = pairs.partners[PropertyReference(entity: entity.name, property: relationship.name)]?
          .property
        guard inverse != relationship.inverseName else { return nil }
        let part = "'\(entity.name).\(relationship.name)'"
        let isOwn = relationship.inverseName == relationship.name
        return InexpressibleFact(
          subject: ModelSubject(entity: entity.name, property: relationship.name, key: "inverse"),
          what: relationship.inverseName.map {
            isOwn ? "that \(part) is its own inverse" : "that '\($0)' is the inverse of \(part)"
          } ?? "that \(part) has no inverse",
          instead: inverse.map { "its inverse is '\($0)'" } ?? "it has none"
        ) { $0.change(relationship.name, of: entity.name, in: \.relationships) { $0.inverseName = inverse } }
      }
    }
  }
}
