extension ModelIndex {
  /// `noAction` leaves dangling references (MC1304).
  func checkDeleteRule(_ checked: CheckedRelationship) -> [Diagnostic] {
    guard checked.relationship.deleteRule == .noAction else { return [] }
    let subject = checked.subject.part("deleteRule")
    return [Diagnostic](
      .noActionRule, .warning, "\(checked.quotedName) has the delete rule noAction", subject: subject,
      notes: ["when the object is deleted, the other side keeps a dangling reference"],
      edits: [ModelEdit("write 'nullify'", at: subject, .replace(with: .word("nullify")))],
      help: ["use nullify, unless the app removes such references"])
  }

  /// Two ends that both cascade delete more than one object's own (MC1308); two that both deny can never be deleted
  /// (MC1312). Each pair once.
  func checkDeleteRulePair(_ checked: CheckedRelationship) -> [Diagnostic] {
    let rule = checked.relationship.deleteRule
    guard rule == .cascade || rule == .deny, let pair = self.pair(of: checked),
      pair.inverse.relationship.deleteRule == rule, pair.isFirst
    else { return [] }
    return rule == .cascade ? [.cascadePair(checked, pair.inverse)] : [.denyPair(checked, pair.inverse)]
  }

  /// The inverse that points back; nil if absent, or where the relationship is its own.
  ///
  /// - Returns: also whether the relationship comes first by name, so that a finding about both is made once.
  func pair(of checked: CheckedRelationship) -> (inverse: CheckedRelationship, isFirst: Bool)? {
    let (relationship, destination) = (checked.relationship, checked.relationship.destinationEntityName)
    guard let name = relationship.inverseName, let inverse = self.relationship(named: name, of: destination),
      inverse.inverseName == relationship.name,
      let owner = declaringEntityName(of: name, seenFrom: destination)
    else { return nil }
    let (here, there) = ([checked.owner, relationship.name], [owner, name])
    guard here != there else { return nil }
    return (CheckedRelationship(relationship: inverse, owner: owner), here.lexicographicallyPrecedes(there))
  }
}

extension Diagnostic.Code {
  package static let noActionRule = Self("MC1304")
  package static let cascadePair = Self("MC1308")
  package static let denyPair = Self("MC1312")
}

extension Diagnostic {
  fileprivate static func cascadePair(_ checked: CheckedRelationship, _ inverse: CheckedRelationship) -> Self
  {
    let finding = Self(
      .cascadePair, .warning, "\(checked.quotedName) and its inverse \(inverse.quotedName) both cascade",
      subject: checked.subject.part("deleteRule"),
      notes: ["deleting one object deletes all related objects, and all objects related to those"],
      help: ["let one of the two nullify"])
    // Of a to-one and a to-many it is the part that must not delete its whole.
    guard checked.relationship.isToMany != inverse.relationship.isToMany else { return finding }
    let (part, nullify) = (checked.relationship.isToMany ? inverse : checked, ModelEdit.Value.word("nullify"))
    return finding.fixed(
      by: ModelEdit(
        "let \(part.quotedName) nullify", at: part.subject.part("deleteRule"), .replace(with: nullify)))
  }

  fileprivate static func denyPair(_ checked: CheckedRelationship, _ inverse: CheckedRelationship) -> Self {
    Self(
      .denyPair, .warning, "\(checked.quotedName) and its inverse \(inverse.quotedName) both deny",
      subject: checked.subject.part("deleteRule"),
      notes: ["two related objects can never be deleted until they are separated"],
      help: ["let one of the two nullify"])
  }
}
