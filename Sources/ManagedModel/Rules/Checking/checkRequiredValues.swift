extension ModelIndex {
  /// A required attribute without a default is fine until objects exist that have no value for it (MC1210).
  func checkRequiredValue(_ checked: CheckedAttribute) -> [Diagnostic] {
    let attribute = checked.attribute
    guard !attribute.isOptional, attribute.defaultValue == nil, !attribute.isTransient, !attribute.isDerived,
      attribute.type != .composite, attribute.type != .undefined
    else { return [] }
    return [
      Diagnostic(
        .requiredWithoutDefault, .information, "\(checked.quotedName) is required and has no default",
        subject: checked.subject,
        notes: ["a new object cannot be saved until it has a value; CloudKit does not support it"],
        help: ["give it a default or make it optional, unless the app always sets a value"],
        cocoaCode: 1570)
    ]
  }
}

extension Diagnostic.Code {
  package static let requiredWithoutDefault = Self("MC1210")
}
