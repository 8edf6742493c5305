extension ModelIndex {
  /// A stored transformable is decoded by a transformer that admits known classes only (MC1208).
  func checkTransformer(_ checked: CheckedAttribute) -> [Diagnostic] {
    let attribute = checked.attribute
    guard attribute.type == .transformable, !attribute.isTransient else { return [] }
    guard let name = attribute.valueTransformerName, !name.isEmpty else {
      let edit = ModelEdit.Change.add(key: "transformer", .text(secureTransformer))
      return [Diagnostic](
        .insecureTransformer, .warning, "\(checked.quotedName) names no value transformer",
        subject: checked.subject,
        notes: ["Core Data then decodes any class that the stored data names, and warns at run time"],
        edits: [ModelEdit("add 'transformer: \(secureTransformer)'", at: checked.subject, edit)],
        help: ["name \(secureTransformer), or a subclass of NSSecureUnarchiveFromDataTransformer"])
    }
    guard insecureTransformers.contains(name) else { return [] }
    let place = checked.subject.part("transformer")
    return [Diagnostic](
      .insecureTransformer, .warning, "the transformer of \(checked.quotedName), '\(name)', is insecure",
      subject: place, notes: ["it decodes any class that the stored data names"],
      edits: [ModelEdit("write '\(secureTransformer)'", at: place, .replace(with: .text(secureTransformer)))],
      help: ["if the classes adopt NSSecureCoding, the secure one reads the same data"])
  }
}

/// Foundation's transformers that decode whatever class the data names.
private let insecureTransformers: Set<String> = [
  "NSKeyedUnarchiveFromData", "NSUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformerName",
  "NSUnarchiveFromDataTransformerName",
]

private let secureTransformer = "NSSecureUnarchiveFromData"

extension Diagnostic.Code { package static let insecureTransformer = Self("MC1208") }
