import ManagedModel

/// A relationship as its class declares it.
struct FoundRelationship: Hashable {
  /// The full name of the class.
  var owner: [String]
  var name: String
  var destination: [String]
  var place: SourceRange
  var scope: Scope { Scope(path: owner, file: place.file) }
}

extension VersionReader {
  mutating func state(_ inverse: SwiftExpression, of relationship: FoundRelationship) {
    guard case .keyPath(let root, let keys) = inverse.form,
      let (type, names) = table.split(root, keys, from: relationship.scope), names.count == 1
    else {
      return refuse(
        "the inverse '\(inverse.text.visible)' of '\(relationship.name.visible)' is not a key path of one property",
        at: inverse.place, help: "write it as `inverse: \\Stop.trip`")
    }
    if let type, case .entry(let entry) = table.lookUp(type, from: relationship.scope),
      entry.path != relationship.destination
    {
      refuse(
        "the inverse of '\(relationship.name.visible)' begins at '\(type.description.visible)', but the relationship leads to "
          + "'\(relationship.destination.fullName.visible)'", at: inverse.place,
        notes: ["in a schema of several versions each has its own class of that name"],
        help: "name the class of the same schema")
    }
    inverses.append((relationship, names[0], inverse.place))
  }

  /// First those that are stated, each for both sides; then those that can be meant only one way.
  mutating func resolveInverses() {
    var resolved: Set<FoundRelationship> = []
    func pair(_ one: FoundRelationship, _ other: FoundRelationship) {
      setInverse(other.name, of: one)
      setInverse(one.name, of: other)
      resolved.formUnion([one, other])
    }
    for stated in inverses {
      let relationship = stated.relationship
      guard
        let other = relationships.first(where: {
          $0.name == stated.inverse && table.lineage(of: relationship.destination).contains($0.owner)
        })
      else {
        let entity = name(of: relationship.destination)
        if !unread.contains(ModelSubject(entity: entity, property: stated.inverse)) {
          refuse(
            "the inverse '\(stated.inverse.visible)' of '\(relationship.name.visible)' is not a relationship of "
              + "'\(entity.visible)'", at: stated.place,
            help: "name a property of '\(entity.visible)' that is a @Model class")
        }
        continue
      }
      pair(relationship, other)
    }
    let byEnds = Dictionary(grouping: relationships) { [$0.owner, $0.destination] }
    for relationship in relationships where !resolved.contains(relationship) {
      let back = candidates(for: relationship, resolved, byEnds)
      guard back.count == 1, let other = back.first,
        candidates(for: other, resolved, byEnds) == [relationship]
      else { continue }
      pair(relationship, other)
    }
  }

  private func candidates(
    for relationship: FoundRelationship, _ resolved: Set<FoundRelationship>,
    _ byEnds: [[[String]]: [FoundRelationship]]
  ) -> [FoundRelationship] {
    byEnds[[relationship.destination, relationship.owner], default: []].filter {
      $0 != relationship && !resolved.contains($0)
    }
  }
}
