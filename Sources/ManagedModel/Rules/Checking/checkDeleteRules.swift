extension ModelIndex {
  /// `noAction` leaves dangling references (MC1304).
  func checkDeleteRule(
    _ relationship: RelationshipDescription, _ entity: EntityDescription
  ) -> [Diagnostic] {
    relationship.deleteRule == .noAction ? [.noAction(relationship.name, of: entity.name)] : []
  }

  /// Two ends that both cascade delete more than one object's own (MC1308); two that both deny can never be deleted
  /// (MC1312). Each pair once.
  func checkDeleteRulePair(
    _ relationship: RelationshipDescription, _ entity: EntityDescription
  ) -> [Diagnostic] {
    guard relationship.deleteRule == .cascade || relationship.deleteRule == .deny,
      let pair = self.pair(of: relationship, entity), pair.inverse.deleteRule == relationship.deleteRule,
      pair.isFirst
    else { return [] }
    return relationship.deleteRule == .cascade
      ? [.cascadePair(relationship, of: entity.name, pair)]
      : [.denyPair(relationship, of: entity.name, pair)]
  }
}

/// A relationship with its inverse, seen from one of the two.
struct RelationshipPair {
  var inverse: RelationshipDescription
  /// The entity that declares the inverse.
  var inverseOwner: String
  /// Whether this side comes first by name, so that a finding about both is made once.
  var isFirst: Bool

  var inverseName: String { "'\(inverseOwner).\(inverse.name)'" }
  var inverseSubject: ModelSubject { ModelSubject(entity: inverseOwner, property: inverse.name) }
}

extension ModelIndex {
  /// The inverse that points back; nil if absent, or where the relationship is its own.
  func pair(of relationship: RelationshipDescription, _ entity: EntityDescription) -> RelationshipPair? {
    let destination = relationship.destinationEntityName
    guard let name = relationship.inverseName, let inverse = self.relationship(named: name, of: destination),
      inverse.inverseName == relationship.name,
      let owner = declaringEntityName(of: name, seenFrom: destination)
    else { return nil }
    let (here, there) = ([entity.name, relationship.name], [owner, name])
    guard here != there else { return nil }
    return RelationshipPair(
      inverse: inverse, inverseOwner: owner, isFirst: here.lexicographicallyPrecedes(there))
  }
}

extension Diagnostic.Code {
  package static let noActionRule = Self("MC1304")
  package static let cascadePair = Self("MC1308")
  package static let denyPair = Self("MC1312")
}

extension Diagnostic {
  fileprivate static func noAction(_ name: String, of entity: String) -> Diagnostic {
    let subject = ModelSubject(entity: entity, property: name, key: "deleteRule")
    return Diagnostic(
      .noActionRule, .warning, "'\(entity).\(name)' has the delete rule noAction", subject: subject,
      notes: ["when the object is deleted, the other side keeps a dangling reference"],
      help: ["use nullify, unless the app cleans up by itself"]
    ).fixed(by: ModelEdit("write 'nullify'", at: subject, .replace(with: .word("nullify"))))
  }

  fileprivate static func cascadePair(
    _ relationship: RelationshipDescription, of entity: String, _ pair: RelationshipPair
  ) -> Diagnostic {
    let subject = ModelSubject(entity: entity, property: relationship.name, key: "deleteRule")
    var diagnostic = Diagnostic(
      .cascadePair, .warning,
      "'\(entity).\(relationship.name)' and its inverse \(pair.inverseName) both cascade",
      subject: subject,
      notes: ["deleting one object deletes all related objects, and all objects related to those"],
      help: ["let one of the two nullify"])
    // Of a to-one and a to-many it is the part that must not delete its whole.
    if relationship.isToMany != pair.inverse.isToMany {
      let part =
        relationship.isToMany
        ? pair.inverseSubject : ModelSubject(entity: entity, property: relationship.name)
      diagnostic.edits = [
        ModelEdit(
          "let '\(part.entity ?? "").\(part.property ?? "")' nullify", at: part.part("deleteRule"),
          .replace(with: .word("nullify")))
      ]
    }
    return diagnostic
  }

  fileprivate static func denyPair(
    _ relationship: RelationshipDescription, of entity: String, _ pair: RelationshipPair
  ) -> Diagnostic {
    Diagnostic(
      .denyPair, .warning, "'\(entity).\(relationship.name)' and its inverse \(pair.inverseName) both deny",
      subject: ModelSubject(entity: entity, property: relationship.name, key: "deleteRule"),
      notes: ["two related objects can never be deleted until they are separated"],
      help: ["let one of the two nullify"])
  }
}
