extension ModelIndex {
  /// The rules of a store that CloudKit mirrors: MC1801 to MC1808. Core Data refuses to load a store that breaks one, with
  /// 134060 and a paragraph for each rule.
  func checkCloudKitProfile() -> [Diagnostic] {
    guard model.profile == .cloudKit else { return [] }
    return model.entities.filter { !model.sparedEntities.contains($0.name) }.flatMap { entity in
      entity.attributes.flatMap { check(CheckedAttribute(attribute: $0, owner: entity.name)) }
        + entity.relationships.flatMap {
          check(CheckedRelationship(relationship: $0, owner: entity.name), self)
        } + checkConstraints(entity)
    }
  }
}

private func check(_ checked: CheckedAttribute) -> [Diagnostic] {
  let (attribute, subject, name) = (checked.attribute, checked.subject, checked.quotedName)
  guard !attribute.isTransient else { return [] }
  switch attribute.type {
  case .undefined: return [.cloudKit(.cloudKitUndefined, "\(name) has no type", subject)]
  case .objectID: return [.cloudKit(.cloudKitObjectID, "\(name) holds an object ID", subject)]
  default: break
  }
  guard !attribute.isOptional, attribute.defaultValue == nil, !attribute.isDerived else { return [] }
  return [
    .cloudKit(.cloudKitRequired, "\(name) is required and has no default", subject)
      .fixed(by: ModelEdit("make \(name) optional", at: subject, .makeOptional))
  ]
}

private func check(_ checked: CheckedRelationship, _ index: ModelIndex) -> [Diagnostic] {
  let (relationship, subject, name) = (checked.relationship, checked.subject, checked.quotedName)
  guard !relationship.isTransient else { return [] }
  var findings: [Diagnostic] = []
  if relationship.isOrdered {
    findings.append(
      .cloudKit(.cloudKitOrdered, "\(name) is ordered", subject.part("ordered"))
        .fixed(by: .removing("ordered", of: subject)))
  }
  if !relationship.isOptional {
    findings.append(
      .cloudKit(.cloudKitRequiredRelationship, "\(name) is required", subject.part("optional"))
        .fixed(by: ModelEdit("make \(name) optional", at: subject, .makeOptional)))
  }
  if relationship.inverseName == nil {
    var finding = Diagnostic.cloudKit(.cloudKitNoInverse, "\(name) has no inverse", subject)
    if index.hasEntity(named: relationship.destinationEntityName) {
      let mend = index.missingInverse(of: checked)
      (finding.help, finding.edits) = ([mend.help], mend.edits)
    }
    findings.append(finding)
  }
  if relationship.deleteRule == .deny {
    let rule = subject.part("deleteRule")
    findings.append(
      .cloudKit(.cloudKitDeny, "\(name) has the delete rule deny", rule)
        .fixed(by: ModelEdit("write 'nullify'", at: rule, .replace(with: .word("nullify")))))
  }
  return findings
}

private func checkConstraints(_ entity: EntityDescription) -> [Diagnostic] {
  guard !entity.uniquenessConstraints.isEmpty else { return [] }
  let whole = ModelSubject(entity: entity.name)
  return [
    .cloudKit(
      .cloudKitUnique, "'\(entity.name)' has uniqueness constraints", whole.part("uniquenessConstraints")
    ).fixed(by: .removing("uniquenessConstraints", of: whole))
  ]
}

extension ToleratedDefect {
  /// What breaks a rule of CloudKit's.
  package static let unmirrored = ToleratedDefect(
    "broken rules of CloudKit", "the model is for stores that are not mirrored")
}

extension Diagnostic.Code {
  package static let cloudKitOrdered = Self("MC1801", accepted: .unmirrored)
  package static let cloudKitRequired = Self("MC1802", accepted: .unmirrored)
  package static let cloudKitRequiredRelationship = Self("MC1803", accepted: .unmirrored)
  package static let cloudKitNoInverse = Self("MC1804", accepted: .unmirrored)
  package static let cloudKitUnique = Self("MC1805", accepted: .unmirrored)
  package static let cloudKitDeny = Self("MC1806", accepted: .unmirrored)
  package static let cloudKitUndefined = Self("MC1807", accepted: .unmirrored)
  package static let cloudKitObjectID = Self("MC1808", accepted: .unmirrored)
}

extension Diagnostic {
  private static let cloudKitHelp: [Code: String] = [
    .cloudKitOrdered: "make it unordered, and keep the order in an attribute of the objects",
    .cloudKitRequired: "make it optional, or give it a default value",
    .cloudKitRequiredRelationship: "make it optional: objects arrive from CloudKit one by one",
    .cloudKitUnique: "remove them, and let the app merge duplicates: two devices may each create one",
    .cloudKitDeny: "choose another delete rule, such as nullify, and let the app ask before it deletes",
    .cloudKitObjectID: "keep your own identifier, such as a UUID: an object ID is valid on one device only",
  ]

  fileprivate static func cloudKit(_ code: Code, _ what: String, _ subject: ModelSubject) -> Diagnostic {
    Diagnostic(
      code, .error, "\(what), which CloudKit does not support", subject: subject,
      notes: ["the version has the profile cloudkit"], help: [cloudKitHelp[code]].compactMap(\.self),
      cocoaCode: 134060)
  }
}
