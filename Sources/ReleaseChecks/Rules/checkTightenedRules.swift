import Foundation
package import ManagedModel

extension VersionStep {
  /// Values that lie in files of which the later version knows nothing (MC3117), where no mapping of a person's reads them.
  func checkFileValues() -> [Diagnostic] {
    keptAttributes.filter { pair in
      pair.old.allowsExternalBinaryDataStorage && !pair.new.allowsExternalBinaryDataStorage
        && !after.descendantNames(includingSelf: pair.entity).allSatisfy { name in
          after.entity(named: name)?.isAbstract == true
            || written.contains { $0.destinationEntityName == name }
        }
    }.map { pair in
      Diagnostic(
        .storageFormChanged, .warning,
        "'\(pair.entity).\(pair.new.name)' loses external storage: large values are in files next to the stores",
        subject: subject(pair.entity, pair.new.name, "externalStorage"),
        notes: ["their columns hold the names of these files; `modelc migrate` refuses such a store"],
        help: ["leave external storage as it is, or map the attribute: then the files are read"])
    }
  }

  /// Numbers of the earlier version that the later one's type may have no room for (MC7055). What rows of a store show is
  /// MC3109.
  func checkNarrowing() -> [Diagnostic] {
    keptAttributes.filter { $0.old.type.narrows(to: $0.new.type) }.map { pair in
      let name = "\(pair.entity).\(pair.new.name)"
      return Diagnostic(
        .numbersMayNotFit, .warning,
        "numbers of '\(name)' may not fit: \(pair.old.type.name) becomes \(pair.new.type.name)",
        subject: subject(pair.entity, pair.new.name, "type"),
        notes: ["Core Data silently truncates, rounds or wraps them; `modelc migrate` refuses such a store"],
        help: [
          "keep \(pair.old.type.name), or try stores that users have: `modelc check --store STORE` counts what does not fit",
          "if no value can be that large, \(new.notation.allowingAdvice(.numbersMayNotFit, at: name))",
        ])
    }
  }

  /// Rules that values and numbers of objects of the earlier version may break (MC7019). Such objects migrate, and cannot
  /// be saved again.
  func checkTightenedRules() -> [Diagnostic] {
    let values = keptAttributes.flatMap { pair -> [Diagnostic] in
      tightened(pair.old.validation, pair.new.validation).map { rule in
        narrower(pair.entity, pair.new.name, rule, "values", 1550)
      }
    }
    let counts = keptRelationships.flatMap { pair -> [Diagnostic] in
      let (least, most) = (pair.new.minCount, pair.new.maxCount)
      return pair.new.newlyBrokenCounts(after: pair.old).map { count in
        let (rule, code) = count.upperBound < least ? ("min \(least)", 1580) : ("max \(most)", 1590)
        return narrower(pair.entity, pair.new.name, rule, "objects", code)
      }
    }
    return values + counts
  }

  /// - Parameter rule: its key, and what it says.
  private func narrower(
    _ entity: String, _ property: String, _ rule: String, _ values: String, _ error: Int
  ) -> Diagnostic {
    Diagnostic(
      .validationTightened, .warning,
      "'\(entity).\(property)' now requires \(rule), which \(values) of '\(old.name)' may not satisfy",
      subject: subject(entity, property, String(rule.prefix { $0 != " " })),
      notes: ["such objects migrate, and Core Data then refuses to save them after any change"],
      help: ["fix them in a mapping model or a custom stage, or keep the wider rule"], cocoaCode: error)
  }

  /// Changed delete rules (MC7018). They change no hash, and a new cascade deletes objects that stayed until now.
  func checkDeleteRules() -> [Diagnostic] {
    let kept = keptRelationships
    var found = kept.filter { $0.old.deleteRule != $0.new.deleteRule }
      .map { Diagnostic.deleteRuleChanged($0.old.deleteRule, $0.new, $0.entity, self) }
    let known = Set(kept.map { "\($0.entity).\($0.new.name)" })
    for pair in changedEntities {
      for relationship in pair.new.relationships
      where relationship.deleteRule == .cascade && !known.contains("\(pair.new.name).\(relationship.name)")
        && keptEntities.contains(where: { kept in
          // What a mapping splits off an entity that goes on is new.
          let taker = self.taker(ofEntity: kept.old.name)
          return kept.new.name == relationship.destinationEntityName
            && (taker?.destinationEntityName == kept.new.name || taker?.mapsToCounterpart(in: after) != true)
        })
      {
        // The relationship that had the same inverse: under another name, and without an identifier, it is the same.
        let inverse = kept.first {
          $0.entity == relationship.destinationEntityName && $0.new.name == relationship.inverseName
        }
        let former = inverse?.old.inverseName.flatMap { before.relationship(named: $0, of: pair.old.name) }
        if former?.deleteRule == .cascade { continue }
        found.append(
          .deleteRuleChanged, .warning,
          "the new '\(pair.new.name).\(relationship.name)' cascades: deleting a '\(pair.new.name)' deletes "
            + "'\(relationship.destinationEntityName)' objects that stayed until now",
          subject: subject(pair.new.name, relationship.name),
          help: [
            "use nullify; or if it is intended, "
              + new.notation.allowingAdvice(.deleteRuleChanged, at: "\(pair.new.name).\(relationship.name)")
          ])
      }
    }
    return found
  }
}

private func tightened(_ old: AttributeValidation, _ new: AttributeValidation) -> [String] {
  let rules: [String?] = [
    new.minimum.flatMap { isNarrower($0, old.minimum, by: >) ? "min \($0)" : nil },
    new.maximum.flatMap { isNarrower($0, old.maximum, by: <) ? "max \($0)" : nil },
    new.minimumLength.flatMap { $0 > old.minimumLength ?? 0 ? "minLength \($0)" : nil },
    new.maximumLength.flatMap { $0 < old.maximumLength ?? .max ? "maxLength \($0)" : nil },
    new.regularExpression.flatMap { $0 != old.regularExpression ? "matching '\($0)'" : nil },
  ]
  return rules.compactMap(\.self)
}

/// Numbers compare by value. A changed date counts as narrower.
private func isNarrower(_ bound: String, _ former: String?, by order: (Decimal, Decimal) -> Bool) -> Bool {
  guard let former else { return true }
  guard let new = Decimal(string: bound), let old = Decimal(string: former) else { return bound != former }
  return order(new, old)
}

extension Diagnostic.Code {
  package static let validationTightened = Self("MC7019")
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
