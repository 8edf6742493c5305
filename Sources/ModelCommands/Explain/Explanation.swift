import Foundation
package import ManagedModel

/// What a diagnostic's code means, why it matters and what to do: one section of a family's Markdown page.
package struct Explanation: Hashable, Sendable {
  package var code: String
  /// What is wrong, in a few words.
  package var title: String
  /// More than one where it depends on the case; the first is the usual one.
  package var severities: [Diagnostic.Severity]
  /// The codes that Core Data itself reports in these cases.
  package var cocoaCodes: [Int]
  /// Markdown, as the rest.
  package var meaning: String
  package var importance: String
  /// Fenced blocks: what raises it first, then the same fixed.
  package var example: String
  package var advice: String

  /// Reads the page of a family.
  ///
  /// Each code is a section with a line of its severity and the four fixed headings:
  ///
  /// ```
  /// ## MC1301: a relationship has no inverse
  /// *warning* · Core Data 134060
  /// ### What it means
  /// …
  /// ```
  ///
  /// - Returns: the codes in the order of the page. A section that lacks a part is left out, which a test notices.
  package static func parse(_ markdown: String) -> [Explanation] {
    sections(of: markdown, level: "## ").compactMap { title, body in
      let heading = title.split(separator: ":", maxSplits: 1)
      let parts = Dictionary(firstOf: sections(of: body, level: "### ").map { ($0.title, $0.body) })
      guard heading.count == 2, let code = heading.first, let title = heading.last,
        let meaning = parts["What it means"], let importance = parts["Why it matters"],
        let example = parts["Example"], let advice = parts["What to do"]
      else { return nil }
      let facts = body.split(separator: "\n").first ?? ""
      // `*error, warning or information*`, `*warning, error with `--strict`*`
      let words = facts.firstMatch(of: #/\*([^*]+)\*/#)?.1.split { !$0.isLetter } ?? []
      return Explanation(
        code: String(code), title: title.trimmingCharacters(in: .whitespacesAndNewlines),
        severities: words.compactMap { Diagnostic.Severity(rawValue: String($0)) },
        cocoaCodes: facts.matches(of: #/\d+/#).compactMap { Int($0.output) }, meaning: meaning,
        importance: importance, example: example, advice: advice)
    }
  }
}

/// The sections below headings of one level; headings within fenced blocks are none.
private func sections(of markdown: String, level: String) -> [(title: String, body: String)] {
  var sections: [(title: String, lines: [Substring])] = []
  var isInCodeBlock = false
  for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
    if line.hasPrefix("```") { isInCodeBlock.toggle() }
    if !isInCodeBlock, line.hasPrefix(level) {
      sections.append((String(line.dropFirst(level.count)), []))
    } else if !sections.isEmpty {
      sections[sections.count - 1].lines.append(line)
    }
  }
  return sections.map {
    ($0.title, $0.lines.joined(separator: "\n").trimmingCharacters(in: .whitespacesAndNewlines))
  }
}

extension Explanation: JSONResult {
  /// An explanation as a person reads it on a terminal: the four headings, examples indented.
  package func text() -> String {
    let codes = cocoaCodes.map(String.init).joined(separator: " or ")
    let cocoa = codes.isEmpty ? "" : "; Core Data reports \(codes)"
    let labels = severities.map(\.label)
    let others = labels.dropLast().joined(separator: ", ")
    return """
      \(code): \(plain(title))
      \(others)\(others.isEmpty ? "" : " or ")\(labels.last ?? "")\(cocoa)

      What it means
      \(paragraphs(meaning))

      Why it matters
      \(paragraphs(importance))

      Example
      \(paragraphs(example))

      What to do
      \(paragraphs(advice.runnable))
      """
  }

  /// The object of `explain --list`.
  static let summary = JSONObject<Self>("codeSummary", "A code of the catalog.").adding([
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
  let width = proseWidth - 2
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
