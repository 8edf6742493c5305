extension ModelIndex {
  /// A required attribute without a default is fine until objects exist that have no value for it (MC1210).
  func checkRequiredValue(_ checked: CheckedAttribute) -> [Diagnostic] {
    let attribute = checked.attribute
    guard !attribute.isOptional, attribute.defaultValue == nil, !attribute.isTransient, !attribute.isDerived,
      attribute.type != .composite, attribute.type != .undefined
    else { return [] }
    return [Diagnostic](
      .requiredWithoutDefault, .information, "\(checked.quotedName) is required and has no default",
      subject: checked.subject,
      notes: ["a new object cannot be saved until it has a value; CloudKit does not support it"],
      help: ["give it a default or make it optional, unless the app always sets a value"],
      cocoaCode: 1570)
  }

  /// Two objects that each require the other can only be saved together (MC1309); each pair once.
  func checkRequiredPair(_ checked: CheckedRelationship) -> [Diagnostic] {
    let relationship = checked.relationship
    guard !relationship.isOptional, !relationship.isToMany, !relationship.isTransient,
      let (inverse, isFirst) = pair(of: checked), isFirst, !inverse.relationship.isOptional,
      !inverse.relationship.isToMany
    else { return [] }
    return [Diagnostic](
      .requiredPair, .warning,
      "\(checked.quotedName) and its inverse \(inverse.quotedName) require each other",
      subject: checked.subject,
      notes: ["neither object can be saved, imported or deleted alone"],
      help: ["make one of the two optional"])
  }

  /// A required composite whose elements may all be absent demands nothing (MC1222).
  func checkCompositeOptionality(_ checked: CheckedAttribute) -> [Diagnostic] {
    let attribute = checked.attribute
    // SwiftData makes such composites of enums, and of structs whose members are all optional.
    guard !model.editorSettings.usedWithSwiftData else { return [] }
    guard attribute.type == .composite, !attribute.isOptional, !attribute.isTransient,
      let composite = attribute.compositeName.flatMap({ compositesByName[$0] }),
      !composite.elements.isEmpty, composite.elements.allSatisfy(\.isOptional)
    else { return [] }
    return [Diagnostic](
      .emptyRequiredComposite, .warning,
      "\(checked.quotedName) is required, but every element of '\(composite.name)' is optional",
      subject: checked.subject,
      notes: ["a composite without any value is accepted, and stored as nil"],
      help: ["make an element required, or the attribute optional"])
  }
}

extension Diagnostic.Code {
  package static let requiredWithoutDefault = Self("MC1210")
  package static let requiredPair = Self("MC1309")
  package static let emptyRequiredComposite = Self("MC1222")
}
