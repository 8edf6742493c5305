package import ManagedModel

extension VersionStep {
  /// Changed delete rules (MC7018). They change no hash, and a new cascade deletes objects that stayed until now.
  func checkDeleteRules() -> [Diagnostic] {
    let kept = keptRelationships
    var found = kept.filter { $0.old.deleteRule != $0.new.deleteRule }
      .map { Diagnostic.deleteRuleChanged($0.old.deleteRule, $0.new, $0.entity, self) }
    let known = Set(kept.map { "\($0.entity).\($0.new.name)" })
    for pair in changedEntities {
      for relationship in pair.new.relationships
      where relationship.deleteRule == .cascade && !known.contains("\(pair.new.name).\(relationship.name)")
        && keptEntities.contains(where: { $0.new.name == relationship.destinationEntityName })
      {
        // The relationship that had the same inverse: under another name, and without an identifier, it is the same.
        let inverse = kept.first {
          $0.entity == relationship.destinationEntityName && $0.new.name == relationship.inverseName
        }
        let former = inverse?.old.inverseName.flatMap { before.relationship(named: $0, of: pair.old.name) }
        if former?.deleteRule == .cascade { continue }
        found.append(
          Diagnostic(
            .deleteRuleChanged, .warning,
            "the new '\(pair.new.name).\(relationship.name)' cascades: deleting a '\(pair.new.name)' deletes "
              + "'\(relationship.destinationEntityName)' objects that stayed until now",
            subject: subject(pair.new.name, relationship.name),
            help: [
              "use nullify; or if it is intended, "
                + new.notation.allowingAdvice(
                  .deleteRuleChanged, at: "\(pair.new.name).\(relationship.name)")
            ]))
      }
    }
    return found
  }
}

extension Diagnostic.Code {
  package static let deleteRuleChanged = Self("MC7018")
}

extension Diagnostic {
  fileprivate static func deleteRuleChanged(
    _ old: DeleteRule, _ relationship: RelationshipDescription, _ entity: String, _ step: VersionStep
  ) -> Self {
    let isCascade = relationship.deleteRule == .cascade
    return Self(
      .deleteRuleChanged, .warning,
      "'\(entity).\(relationship.name)' now has the delete rule \(relationship.deleteRule.name), not \(old.name)",
      subject: step.subject(entity, relationship.name, "deleteRule"),
      notes: isCascade
        ? ["deleting a '\(entity)' now deletes its '\(relationship.destinationEntityName)' objects too"]
        : ["a delete rule is in no version hash: old and new apps treat the same store differently"],
      help: [
        "if it is intended, "
          + step.new.notation.allowingAdvice(.deleteRuleChanged, at: "\(entity).\(relationship.name)")
      ])
  }
}
