extension ModelIndex {
  /// A required composite whose elements may all be absent demands nothing (MC1222).
  func checkCompositeOptionality(_ checked: CheckedAttribute) -> [Diagnostic] {
    let attribute = checked.attribute
    // SwiftData makes such composites of enums, and of structs whose members are all optional.
    guard !model.editorSettings.usedWithSwiftData else { return [] }
    guard attribute.type == .composite, !attribute.isOptional, !attribute.isTransient,
      let composite = attribute.compositeName.flatMap({ compositesByName[$0] }),
      !composite.elements.isEmpty, composite.elements.allSatisfy(\.isOptional)
    else { return [] }
    return [
      Diagnostic(
        .emptyRequiredComposite, .warning,
        "\(checked.quotedName) is required, but every element of '\(composite.name)' is optional",
        subject: checked.subject,
        notes: ["a composite without any value is accepted, and stored as nil"],
        help: ["make an element required, or the attribute optional"])
    ]
  }
}

extension Diagnostic.Code {
  package static let emptyRequiredComposite = Self("MC1222")
}
