import Foundation
package import ManagedModel

/// Writes diagnostics as a person reads them, with the offending line and a mark under the place.
///
/// ```
/// Models/Trails/V2.yaml:12:7: error[MC1301]: 'Note.author' has no inverse
///   12 |       author: {to: Author}
///      |       ^^^^^^
///   = help: add 'inverse: notes'
/// ```
package struct TextDiagnosticRenderer {
  private let style: Styler
  /// The most columns of a source line to show.
  private let lineLimit: Int
  private var texts: SourceTexts

  /// - Parameters:
  ///   - lineLimit: columns; longer source lines are cut around the place. Those of the terminal, up to 100, by default.
  ///   - sourceText: the text of a file under the path that the findings give; nil reads the file itself.
  package init(usesColor: Bool = false, lineLimit: Int? = nil, sourceText: ((String) -> String?)? = nil) {
    self.style = Styler(usesColor: usesColor)
    // What stands before a source line: its number, and a bar.
    let width = terminalWidth(isTerminal: isatty(STDERR_FILENO) == 1).map { max(20, $0 - 10) }
    self.lineLimit = lineLimit ?? min(100, width ?? 100)
    self.texts = SourceTexts(read: sourceText ?? SourceTexts.readFile)
  }

  /// All of them in the order given, each ending with a line break.
  package mutating func render(_ diagnostics: [Diagnostic]) -> String {
    diagnostics.map { render($0) }.joined()
  }

  package mutating func render(_ diagnostic: Diagnostic) -> String {
    let severity = "\(diagnostic.severity.label)[\(diagnostic.code)]:"
    var lines = [
      prefix(diagnostic.place) + style(severity, diagnostic.severity.style) + " "
        + style(diagnostic.message.printable, .bold)
    ]
    lines += excerpt(diagnostic.place, diagnostic.severity.style)
    for note in diagnostic.notes { lines += render(note) }
    if let code = diagnostic.cocoaCode { lines.append(trailer("Core Data", "\(code)")) }
    for help in diagnostic.help where !diagnostic.fixIts.contains(where: { $0.says(help) }) {
      lines.append(trailer("help", help.printable))
    }
    for fixIt in diagnostic.fixIts where !fixIt.repeats(diagnostic.help) {
      lines += render(fixIt, of: diagnostic)
    }
    if let proposal = diagnostic.proposal { lines += render(proposal) }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The text stands at one depth, so that it can be pasted as it is.
  private func render(_ proposal: Diagnostic.Proposal) -> [String] {
    let text = proposal.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let shown = text.last == "" ? text.dropLast() : text[...]
    return [trailer("help", proposal.message.printable)] + shown.map { "      " + $0.printable }
  }

  private func prefix(_ place: SourceRange?) -> String {
    guard let place else { return "" }
    return style("\(place.file.printable):\(place.start.line):\(place.start.column):", .bold) + " "
  }

  private mutating func excerpt(_ place: SourceRange?, _ markStyle: Styler.Style) -> [String] {
    guard let place, let text = texts.line(place.start.line, of: place.file) else { return [] }
    let excerpt = SourceExcerpt(text, range: place, limit: lineLimit)
    let number = "\(place.start.line)"
    let blank = String(repeating: " ", count: number.count)
    return [
      "  " + style("\(number) |", .faint) + (excerpt.line.isEmpty ? "" : " " + excerpt.line),
      "  " + style("\(blank) |", .faint) + " " + style(excerpt.mark, markStyle),
    ]
  }

  private mutating func render(_ note: Diagnostic.Note) -> [String] {
    guard let place = note.place else { return ["  " + note.message.printable] }
    let head = prefix(place) + style("note:", .info) + " " + note.message.printable
    return ["  " + head] + excerpt(place, .info).map { "  " + $0 }
  }

  /// The edit in words, then what it writes, where the words do not say it.
  private mutating func render(_ fixIt: Diagnostic.FixIt, of diagnostic: Diagnostic) -> [String] {
    let words = fixIt.message
    var message = words.printable
    let start = fixIt.range.start
    if fixIt.range.file != diagnostic.place?.file {
      message += " (\(fixIt.range.file.printable):\(start.line):\(start.column))"
    } else if start.line != diagnostic.place?.start.line {
      message += " (line \(start.line))"
    }
    // Its words may quote all that it writes: `write 'parent'`.
    let quoted = "'\(fixIt.replacement.trimmingCharacters(in: .whitespacesAndNewlines))'"
    let written = words.contains(quoted) ? [] : fixedLines(fixIt)
    // Generated lines are long and need not be shown in full.
    let lines = written.prefix(20).map { $0.utf8.count <= 1_000 ? $0 : $0.prefix(200) + "…" }
    return [trailer("fix", message)] + lines.map { "      " + $0 }
  }

  /// The line as it would be, without its indentation, or the lines that are new.
  private mutating func fixedLines(_ fixIt: Diagnostic.FixIt) -> [String] {
    let range = fixIt.range
    let new = fixIt.replacement.split(whereSeparator: \.isNewline).map(String.init)
      .filter { !$0.allSatisfy(\.isWhitespace) }
    guard !new.isEmpty, new.count == 1, range.start.line == range.end.line,
      !fixIt.replacement.contains(where: \.isNewline),
      let line = texts.line(range.start.line, of: range.file)
    else { return new.map { $0.printable } }
    let scalars = Array(line.unicodeScalars)
    let (start, end) = (range.start.column - 1, range.end.column - 1)
    guard start >= 0, start <= end, end <= scalars.count else { return new.map { $0.printable } }
    var fixed = String.UnicodeScalarView(scalars[..<start])
    fixed.append(contentsOf: fixIt.replacement.unicodeScalars)
    fixed.append(contentsOf: scalars[end...])
    var place = range
    place.end.column = range.start.column + fixIt.replacement.unicodeScalars.count
    let shown = SourceExcerpt(String(fixed), range: place, limit: lineLimit).line
    return [String(shown.drop(while: \.isWhitespace))]
  }

  private func trailer(_ label: String, _ text: String) -> String {
    "  " + style("=", .faint) + " " + style("\(label):", .bold) + " " + text
  }
}

extension Diagnostic.FixIt {
  /// Whether a line of help says no more than its words.
  fileprivate func says(_ help: String) -> Bool { help == message || help.hasPrefix(message + ": ") }

  /// Whether a line of help asks already for what it writes: `did you mean 'parent'?`
  fileprivate func repeats(_ help: [String]) -> Bool {
    guard message.hasPrefix("write ") else { return false }
    return help.contains("did you mean \(message.dropFirst("write ".count))?")
  }
}

extension Diagnostic.Severity {
  fileprivate var style: Styler.Style {
    switch self {
    case .information: .info
    case .warning: .warning
    case .error: .error
    }
  }
}

/// How many there are of each severity: `2 errors, 1 warning`; `no findings` if there is none.
package func summary(of diagnostics: [Diagnostic]) -> String {
  let counts = [
    (Diagnostic.Severity.error, "error"), (.warning, "warning"), (.information, "remark"),
  ].compactMap { severity, noun in
    let count = diagnostics.count { $0.severity == severity }
    return count == 0 ? nil : counted(count, noun)
  }
  return counts.isEmpty ? "no findings" : counts.joined(separator: ", ")
}
