import Foundation
import ManagedModel

extension Explanation: JSONResult {
  /// An explanation as a person reads it on a terminal: the four headings, examples indented.
  package func text() -> String {
    let codes = cocoaCodes.map(String.init).joined(separator: " or ")
    let cocoa = codes.isEmpty ? "" : "; Core Data reports \(codes)"
    return """
      \(code): \(plain(title))
      \(severities.map(\.label).joined(separator: " or "))\(cocoa)

      What it means
      \(paragraphs(meaning))

      Why it matters
      \(paragraphs(importance))

      Example
      \(paragraphs(example))

      What to do
      \(paragraphs(advice))
      """
  }

  /// The object of `explain --list`.
  static let summary = JSONObject<Self>("codeSummary", "A code of the catalogue.").adding([
    "code": .value(Diagnostic.Code.shape, \.code),
    "severities": .value(\.severities, "The usual one first."),
    "cocoa": .value(\.cocoaCodes, "Codes that Core Data itself reports."),
    "title": .value(\.title, "What is wrong."),
  ])

  /// The object of `explain CODE`.
  static let result = JSONObject<Self>("explanation", "What a code means; texts are Markdown.")
    .adding(summary, of: \.self)
    .adding([
      "whatItMeans": .value(\.meaning), "whyItMatters": .value(\.importance), "example": .value(\.example),
      "whatToDo": .value(\.advice),
    ])
}

extension [Explanation] {
  /// The whole catalogue, a line each.
  package func catalogueText() -> String {
    let rows = map { [$0.code, $0.severities.map(\.label).joined(separator: ", "), plain($0.title)] }
    return TextTable(.left, .left, .left, rows: rows).lines().joined(separator: "\n")
  }
}

/// Markdown's paragraphs, indented by two columns, and fenced blocks by four more.
private func paragraphs(_ markdown: String) -> String {
  var isInCodeBlock = false
  let width = max(terminalWidth(isTerminal: isatty(STDOUT_FILENO) == 1) ?? 100, 22) - 2
  var lines: [String] = []
  for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
    if line.hasPrefix("```") {
      isInCodeBlock.toggle()
    } else if isInCodeBlock {
      lines.append(line.isEmpty ? "" : "      \(line)")
    } else {
      lines += wrapped(plain(String(line)), width: width).map { $0.isEmpty ? "" : "  \($0)" }
    }
  }
  return lines.joined(separator: "\n")
}

/// Without Markdown's marks of emphasis.
private func plain(_ text: String) -> String { text.replacingBytes(of: "**", with: "") }
