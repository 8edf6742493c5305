extension ModelIndex {
  /// A scalar cannot be nil: an absent value reads as 0 (MC1214).
  func checkScalar(_ checked: CheckedAttribute) -> [Diagnostic] {
    let attribute = checked.attribute
    guard attribute.usesScalarValueType == true, attribute.isOptional, attribute.type.traits.hasScalar else {
      return []
    }
    return [
      Diagnostic(
        .optionalScalar, .warning, "\(checked.quotedName) is optional and a scalar: nil reads as 0",
        subject: checked.subject.part("scalar"),
        help: ["remove 'scalar' for an NSNumber that can be nil, or make it required"]
      ).fixed(by: .removing("scalar", of: checked.subject))
    ]
  }
}

extension Diagnostic.Code {
  package static let optionalScalar = Self("MC1214", level: .source)
}
