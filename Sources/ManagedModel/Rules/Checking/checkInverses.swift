extension ModelIndex {
  /// Relationships have inverses (MC1301) that exist, point back and lead to the right entity (MC1302).
  func checkInverse(
    _ relationship: RelationshipDescription, _ entity: EntityDescription
  ) -> [Diagnostic] {
    let destination = relationship.destinationEntityName
    guard hasEntity(named: destination) else { return [] }
    guard let inverseName = relationship.inverseName else {
      return relationship.isTransient ? [] : [.noInverse(relationship, of: entity.name, self)]
    }
    guard let inverse = self.relationship(named: inverseName, of: destination) else {
      return [.unknownInverse(relationship, of: entity.name, inverseName, self)]
    }
    // That it leads nowhere is reported there.
    guard hasEntity(named: inverse.destinationEntityName) else { return [] }
    // Along a hierarchy the two sides may name an ancestor or a descendant of each other's entity.
    let hierarchy = self.hierarchy
    guard
      hierarchy.isKind(entity.name, of: inverse.destinationEntityName)
        || hierarchy.isKind(inverse.destinationEntityName, of: entity.name)
    else { return [.inverseLeadsElsewhere(relationship, of: entity.name, inverse)] }
    guard inverse.inverseName == relationship.name else {
      // An inverse that does not exist is reported on the other side already.
      if let name = inverse.inverseName,
        self.relationship(named: name, of: inverse.destinationEntityName) == nil
      {
        return []
      }
      return [.inverseDoesNotPointBack(relationship, of: entity.name, inverse, self)]
    }
    return []
  }

  /// The relationship leads to an entity that exists (MC1303).
  func checkDestination(
    _ relationship: RelationshipDescription, _ entity: EntityDescription
  ) -> [Diagnostic] {
    let destination = relationship.destinationEntityName
    guard !hasEntity(named: destination) else { return [] }
    // The reader of the language has asked for the key already.
    if destination.isEmpty, sourceMap?.file.hasSuffix(".yaml") == true { return [] }
    return [.unknownDestination(relationship, of: entity.name, self)]
  }
}

extension Diagnostic.Code {
  package static let noInverse = Self("MC1301")
  package static let asymmetricInverse = Self(
    "MC1302",
    accepted: .init(
      "inverses that do not agree", "each side is stored by itself; nothing keeps the two in step"))
  package static let unknownDestination = Self("MC1303")
}

extension Diagnostic {
  fileprivate static func noInverse(
    _ relationship: RelationshipDescription, of entity: String, _ index: ModelIndex
  ) -> Diagnostic {
    let mend = index.missingInverse(of: relationship, of: entity)
    let destination = relationship.destinationEntityName
    // SwiftData keeps it as a column of the other side, which goes with its row.
    let isColumnThere = index.isSwiftSource && relationship.isToMany
    return Diagnostic(
      .noInverse, isColumnThere ? .information : .warning,
      "'\(entity).\(relationship.name)' has no inverse",
      subject: ModelSubject(entity: entity, property: relationship.name),
      notes: [
        isColumnThere
          ? "an object of '\(destination)' is in one of them at most: adding it to another takes it away"
          : "when an object of '\(destination)' is deleted, references to it dangle"
      ],
      help: [mend.help]
    ).with { $0.edits = mend.edits }
  }

  fileprivate static func unknownInverse(
    _ relationship: RelationshipDescription, of entity: String, _ inverse: String, _ index: ModelIndex
  ) -> Diagnostic {
    let destination = relationship.destinationEntityName
    return asymmetric(
      relationship, of: entity,
      "the inverse of '\(entity).\(relationship.name)', '\(destination).\(inverse.abridged)', does not exist"
    ).suggesting(nearestTo: inverse, among: index.relationshipNames(of: destination))
  }

  fileprivate static func inverseLeadsElsewhere(
    _ relationship: RelationshipDescription, of entity: String, _ inverse: RelationshipDescription
  ) -> Diagnostic {
    let name = "\(relationship.destinationEntityName).\(inverse.name)"
    return asymmetric(
      relationship, of: entity,
      "'\(name)' leads to '\(inverse.destinationEntityName.abridged)': it is not an inverse of '\(entity).\(relationship.name)'",
      help: ["name a relationship that leads to '\(entity)', or change where '\(name)' leads"])
  }

  fileprivate static func inverseDoesNotPointBack(
    _ relationship: RelationshipDescription, of entity: String, _ inverse: RelationshipDescription,
    _ index: ModelIndex
  ) -> Diagnostic {
    let name = "\(relationship.destinationEntityName).\(inverse.name)"
    let what = inverse.inverseName.map { "names '\($0.abridged)' as its inverse" } ?? "has no inverse"
    let diagnostic = asymmetric(
      relationship, of: entity, "'\(name)', the inverse of '\(entity).\(relationship.name)', \(what)",
      help: ["add 'inverse: \(relationship.name)' to '\(name)'"])
    guard inverse.inverseName == nil else { return diagnostic }
    return diagnostic.fixed(
      by: ModelEdit(
        "add 'inverse: \(relationship.name)' to '\(name)'",
        at: ModelSubject(
          entity: index.owner(of: inverse.name, relationship.destinationEntityName), property: inverse.name),
        .add(key: "inverse", .text(relationship.name))))
  }

  private static func asymmetric(
    _ relationship: RelationshipDescription, of entity: String, _ message: String, help: [String] = []
  ) -> Diagnostic {
    Diagnostic(
      .asymmetricInverse, .error, message,
      subject: ModelSubject(entity: entity, property: relationship.name, key: "inverse"), help: help)
  }

  fileprivate static func unknownDestination(
    _ relationship: RelationshipDescription, of entity: String, _ index: ModelIndex
  ) -> Diagnostic {
    let name = "'\(entity).\(relationship.name)'"
    let destination = relationship.destinationEntityName
    return Diagnostic(
      .unknownDestination, .error,
      destination.isEmpty
        ? "\(name) has no destination" : "\(name) leads to '\(destination.abridged)', which does not exist",
      subject: ModelSubject(
        entity: entity, property: relationship.name, key: relationship.isToMany ? "toMany" : "to")
    ).suggesting(nearestTo: destination, among: index.entityNames)
  }
}
