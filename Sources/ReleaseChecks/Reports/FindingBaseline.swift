package import ManagedModel

/// Old findings that a project lives with, a line each. Only new findings count.
package struct FindingBaseline: Sendable {
  package var file: String
  /// By line number.
  private(set) var lines: [(number: Int, text: String)] = []

  package init(_ text: String, file: String) {
    self.file = file
    let stated = text.lines.enumerated().filter { !$0.element.isEmpty && !$0.element.hasPrefix("#") }
    lines = stated.map { ($0.offset + 1, $0.element) }
  }

  /// The file for findings, sorted.
  package static func text(of findings: [CheckFinding]) -> String {
    let identities = findings.flatMap { finding in
      ([finding.diagnostic] + finding.folded).map { $0.baselineLine(inModel: finding.model) }
    }
    let lines = Set(identities).sorted()
    return (["# Findings that `modelc check` ignores; --write-baseline writes them again."] + lines + [""])
      .joined(separator: "\n")
  }
}

extension Diagnostic {
  /// Its line in a baseline: that of an edit holds for this edit alone, however alike another one reads.
  func baselineLine(inModel model: String) -> String {
    identity(inModel: model) + (editDigest.map { "\t\($0)" } ?? "")
  }

  /// What stays of a finding when lines move: code, model, what it is about, and the message without numbers.
  package func identity(inModel model: String) -> String {
    let names = [subject?.version, subject?.entity, subject?.property].map { $0 ?? "-" }
    let others =
      code.identity == .edits
      ? Set(related.map { "\($0.entity ?? "").\($0.property ?? "")" }).sorted() : []
    // Not the digits of names: `line1` and `line2` are two things.
    let numbers = #/\b[0-9][0-9,.]*\b/#.wordBoundaryKind(.simple)
    let pieces =
      code.identity == .wordsAndNumbers
      ? [message[...]] : message.split(separator: numbers, omittingEmptySubsequences: false)
    let words = pieces.joined(separator: "#").lines.joined(separator: " ")
    return ([code.description, model] + names + [words] + others).joined(separator: "\t")
  }
}
