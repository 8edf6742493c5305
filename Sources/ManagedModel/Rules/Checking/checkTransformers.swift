extension ModelIndex {
  /// A stored transformable is decoded by a transformer that admits known classes only (MC1208).
  func checkTransformer(_ checked: CheckedAttribute) -> [Diagnostic] {
    let attribute = checked.attribute
    guard attribute.type == .transformable, !attribute.isTransient else { return [] }
    guard let name = attribute.valueTransformerName, !name.isEmpty else { return [.noTransformer(checked)] }
    return insecureTransformers.contains(name) ? [.insecureTransformer(name, checked)] : []
  }
}

/// Foundation's transformers that decode whatever class the data names.
private let insecureTransformers: Set<String> = [
  "NSKeyedUnarchiveFromData", "NSUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformerName",
  "NSUnarchiveFromDataTransformerName",
]

private let secureTransformer = "NSSecureUnarchiveFromData"

extension Diagnostic.Code {
  package static let insecureTransformer = Self("MC1208")
}

extension Diagnostic {
  fileprivate static func noTransformer(_ checked: CheckedAttribute) -> Diagnostic {
    Diagnostic(
      .insecureTransformer, .warning, "\(checked.quotedName) names no value transformer",
      subject: checked.subject,
      notes: ["Core Data then decodes any class that the stored data names, and warns at run time"],
      help: ["name \(secureTransformer), or a subclass of NSSecureUnarchiveFromDataTransformer"]
    ).fixed(
      by: ModelEdit(
        "add 'transformer: \(secureTransformer)'", at: checked.subject,
        .add(key: "transformer", .text(secureTransformer))))
  }

  fileprivate static func insecureTransformer(_ name: String, _ checked: CheckedAttribute) -> Diagnostic {
    Diagnostic(
      .insecureTransformer, .warning, "the transformer of \(checked.quotedName), '\(name)', is insecure",
      subject: checked.subject.part("transformer"),
      notes: ["it decodes any class that the stored data names"],
      help: ["if the classes adopt NSSecureCoding, the secure one reads the same data"]
    ).fixed(
      by: ModelEdit(
        "write '\(secureTransformer)'", at: checked.subject.part("transformer"),
        .replace(with: .text(secureTransformer))))
  }
}
