public import ManagedModel

/// What stops a parse, by offsets; ``TextPlace`` turns it into a diagnostic.
struct SyntaxFinding: Error {
  var code: Diagnostic.Code
  var message: String
  /// In Unicode scalars.
  var range: Range<Int>
  var help: [String] = []
  /// What the range should say instead, where that is known.
  var replacement: (message: String, text: String)?
}

extension Diagnostic.Code {
  public static let expressionSyntax = Self("MC0101")
  public static let unknownExpressionWord = Self("MC0102")
  public static let formatPlaceholder = Self("MC0103")
  public static let argumentCount = Self("MC0104")
}

/// A piece of an expression's text for a message: one line, in single quotes, cut where it is long.
func quoted(_ piece: some Collection<Unicode.Scalar>) -> String {
  let limit = 40
  var text = String(scalars: piece.prefix(limit).map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 })
  if piece.count > limit { text += "…" }
  return "'\(text)'"
}
