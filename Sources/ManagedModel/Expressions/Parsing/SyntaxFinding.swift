/// What stops a parse, by offsets into the text.
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

  /// The finding at its place in a file.
  ///
  /// - Parameter range: the text's place in the file, without quotation marks. Where its end equals its start,
  ///   only the beginning is known. Lines after the first are taken to begin at the first one's column.
  func diagnostic(in text: [Unicode.Scalar], at range: SourceRange?) -> Diagnostic {
    var diagnostic = Diagnostic(code, .error, message, help: help)
    guard let range else {
      let offset = min(self.range.lowerBound, text.count)
      let excerpt = text[max(0, offset - 30)..<min(text.count, offset + 30)]
      diagnostic.notes = [Diagnostic.Note("at character \(offset + 1), in \(quoted(excerpt))")]
      return diagnostic
    }
    diagnostic.place = range
    // Escapes in the file would shift the columns.
    guard range.start == range.end || range.start.after(text) == range.end else { return diagnostic }
    let place = SourceRange(
      file: range.file, start: range.start.after(text.prefix(self.range.lowerBound)),
      end: range.start.after(text.prefix(self.range.upperBound)))
    diagnostic.place = place
    guard let (message, word) = replacement else { return diagnostic }
    let (before, after) = (text.prefix(self.range.lowerBound), text.dropFirst(self.range.upperBound))
    // In a plain text of YAML a comment begins there. A block has line ends; quotation marks are not seen here.
    let isYAML = range.file.hasSuffix(".yaml") || range.file.hasSuffix(".yml")
    if isYAML, word.hasPrefix("#"), before.last ?? " " == " ", text.count < 200,
      !text.contains(where: { $0 == "\n" })
    {
      let whole = (String(scalars: before) + word + String(scalars: after)).yamlSingleQuoted
      diagnostic.help.append("put quotation marks around the whole text, unless it has them: `\(whole)`")
    } else {
      diagnostic.fixIts = [Diagnostic.FixIt(message, range: place, replacement: word)]
    }
    return diagnostic
  }
}

extension SourceLocation {
  fileprivate func after(_ text: some Sequence<Unicode.Scalar>) -> SourceLocation {
    var location = self
    for scalar in text {
      if scalar == "\n" {
        location.line += 1
        location.column = column
      } else {
        location.column += 1
      }
    }
    return location
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
