/// Where an expression's text stands in a file, so that offsets into the text become places in the file.
struct TextPlace {
  private let text: [Unicode.Scalar]
  private let range: SourceRange?
  /// Whether the file holds the text as it is, without escapes that would shift the columns.
  private let isVerbatim: Bool

  /// - Parameter range: the text's place in the file, without quotation marks. Where its end equals its start,
  ///   only the beginning is known. Lines after the first are taken to begin at the first one's column.
  init(_ text: [Unicode.Scalar], at range: SourceRange?) {
    self.text = text
    self.range = range
    guard let range, range.start != range.end else {
      self.isVerbatim = range != nil
      return
    }
    self.isVerbatim = Self.location(of: text.count, in: text, from: range.start) == range.end
  }

  func diagnostic(_ finding: SyntaxFinding) -> Diagnostic {
    var diagnostic = Diagnostic(finding.code, .error, finding.message, help: finding.help)
    guard let range else {
      let offset = min(finding.range.lowerBound, text.count)
      let excerpt = text[max(0, offset - 30)..<min(text.count, offset + 30)]
      diagnostic.notes = [Diagnostic.Note("at character \(offset + 1), in \(quoted(excerpt))")]
      return diagnostic
    }
    guard isVerbatim else {
      diagnostic.place = range
      return diagnostic
    }
    let place = SourceRange(
      file: range.file, start: Self.location(of: finding.range.lowerBound, in: text, from: range.start),
      end: Self.location(of: finding.range.upperBound, in: text, from: range.start))
    diagnostic.place = place
    if let (message, text) = finding.replacement {
      diagnostic.fixIts = [Diagnostic.FixIt(message, range: place, replacement: text)]
    }
    return diagnostic
  }

  private static func location(
    of offset: Int, in text: [Unicode.Scalar], from start: SourceLocation
  ) -> SourceLocation {
    var location = start
    for scalar in text.prefix(offset) {
      if scalar == "\n" {
        location.line += 1
        location.column = start.column
      } else {
        location.column += 1
      }
    }
    return location
  }
}
