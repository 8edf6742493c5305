extension ModelIndex {
  /// Two objects that each require the other can only be saved together (MC1309); each pair once.
  func checkRequiredPair(_ checked: CheckedRelationship) -> [Diagnostic] {
    let relationship = checked.relationship
    guard !relationship.isOptional, !relationship.isToMany, !relationship.isTransient,
      let (inverse, isFirst) = pair(of: checked), isFirst, !inverse.relationship.isOptional,
      !inverse.relationship.isToMany
    else { return [] }
    return [
      Diagnostic(
        .requiredPair, .warning,
        "\(checked.quotedName) and its inverse \(inverse.quotedName) require each other",
        subject: checked.subject,
        notes: ["neither object can be saved, imported or deleted alone"],
        help: ["make one of the two optional"])
    ]
  }
}

extension Diagnostic.Code {
  package static let requiredPair = Self("MC1309")
}
