/// What stops a parse, by offsets; ``TextPlace`` turns it into a diagnostic.
///
/// It is a class, so that the recursive functions that may throw one need little of the stack.
final class SyntaxFinding: Error {
  let code: Diagnostic.Code
  let message: String
  /// In Unicode scalars.
  let range: Range<Int>
  let help: [String]
  /// What the range should say instead, where that is known.
  let replacement: (message: String, text: String)?

  init(
    _ message: String, _ range: Range<Int>, code: Diagnostic.Code = .expressionSyntax, help: [String] = [],
    replacement: (message: String, text: String)? = nil
  ) {
    self.code = code
    self.message = message
    self.range = range
    self.help = help
    self.replacement = replacement
  }
}

extension Diagnostic.Code {
  package static let expressionSyntax = Self(
    "MC0101", accepted: .init("expressions that are not understood", "their text is kept as it is"))
  package static let unknownExpressionWord = Self(
    "MC0102", accepted: .init("expressions that are not understood", "their text is kept as it is"))
  package static let formatPlaceholder = Self(
    "MC0103", accepted: .init("expressions with a placeholder", "their text is kept as it is"))
  package static let argumentCount = Self(
    "MC0104", accepted: .init("expressions that are not understood", "their text is kept as it is"))
}

/// A piece of an expression's text for a message: one line, in single quotes, cut where it is long.
func quoted(_ piece: some Collection<Unicode.Scalar>) -> String {
  let limit = 40
  var text = String(scalars: piece.prefix(limit).map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 })
  if piece.count > limit { text += "…" }
  return "'\(text)'"
}
