/// A derivation is an expression (MC0101–MC0104) of a form that a SQL store can compute (MC1211), over what is
/// stored and fits (MC1212).
@Sendable func checkDerivation(_ checked: CheckedAttribute, _ index: ModelIndex) -> [Diagnostic] {
  guard let text = checked.attribute.derivationExpression else { return [] }
  let subject = checked.subject.part("derivation")
  // A composite's element has no entity to look around in.
  guard let entity = checked.subject.entity else {
    let finding = Diagnostic(
      .derivationForm, .error, "\(checked.quotedName) is derived; an element of a composite cannot be",
      subject: subject, help: ["derive an attribute of the entity instead"])
    return [finding.fixed(by: .removing("derivation", of: checked.subject))]
  }
  return findings(inTextOf: subject, at: index.sourceMap?.textRange(of: subject)) {
    place throws(DiagnosticsError) in
    let expression = try parseExpression(text.trimmedText, at: place)
    return checkDerivation(
      expression, of: checked.attribute, inEntity: entity, in: index.hierarchy, at: place)
  }
}

extension String {
  /// The text without the line's end that a block scalar (`|`) has.
  package var trimmedText: String {
    guard utf8.last == UInt8(ascii: "\n") else { return self }
    return String(unicodeScalars.reversed().drop { $0 == "\n" }.reversed().map(Character.init))
  }
}
