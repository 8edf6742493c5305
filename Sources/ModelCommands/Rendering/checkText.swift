import ManagedModel
import ReleaseChecks

extension CheckReport: JSONResult {
  /// A check as a person reads it: the findings that count with their lines, then what was looked at.
  ///
  /// - Parameter takesAll: whether every finding is printed that nobody allowed, also those that others stand for.
  ///   Otherwise a first look at a model fits a screen, and a look at a change some lines.
  func text(usesColor: Bool, takesAll: Bool = false) -> String {
    var renderer = TextDiagnosticRenderer(usesColor: usesColor)
    let past = findings.filter { $0.state == .past }.map(\.diagnostic)
    guard !takesAll else {
      let shown = findings.filter { $0.counts || $0.state == .past }
      let text = renderer.render(shown.flatMap { [$0.diagnostic] + $0.folded })
      return text + checkSummary(self, past: past.count)
    }
    var text = shownFindings(of: self, &renderer)
    if !past.isEmpty {
      text +=
        "\(counted(past.count, "finding")) about versions that can no longer be edited: "
        + "`--all` prints \(past.count == 1 ? "it" : "them")\n"
    }
    return text + checkSummary(self, past: past.count)
  }

  static let result = JSONObject<Self>("checkReport", "What was checked, and what was found.")
    .adding(head, of: \.self)
    .adding([
      "steps": .value(\.steps, "What was looked at."),
      "diagnostics": .value(\.findings, "All, also those that do not count."), "seconds": .seconds(\.seconds),
    ])

  /// A line for the whole, after a line for each finding.
  static let lastLine = JSONObject<Self>("checkSummary", "The last line of JSON Lines.")
    .adding(head, of: \.self)
    .adding([
      "steps": .value(\.steps.count, "How many were looked at."),
      "counting": .value(\.counting.count, "Findings that count."), "seconds": .seconds(\.seconds),
    ])

  private static let head = JSONObject<Self>("", "").adding([
    "models": .value(\.models, "Their names."), "against": .value(\.base, "The revision or folder."),
    "versions": .value(\.versions, "How many."), "released": .value(\.released, "How many of them are."),
  ])

  /// A line for each finding, then one for the whole.
  var jsonLines: [JSONValue] { findings.map(\.json) + [Self.lastLine.json(of: self)] }
}

/// The gravest findings whole, further ones in a line each, the rest counted. Errors have a screen. What is not an error has
/// a screen too, and of a change, which `--against` looks at, a dozen lines.
private func shownFindings(of report: CheckReport, _ renderer: inout TextDiagnosticRenderer) -> String {
  var texts: [Diagnostic: String] = [:]
  var rest: [Diagnostic] = []
  var (lines, briefs, isFull) = (0, 0, false)
  for finding in report.gravest.map(\.diagnostic) where texts[finding] == nil {
    let whole = renderer.render(finding)
    let count = whole.unicodeScalars.count { $0 == "\n" }
    let isError = finding.severity == .error
    let room = report.base == nil || isError ? screenLines : changeLines
    isFull = isFull || !texts.isEmpty && lines + count > room
    if !isFull {
      texts[finding] = whole
      lines += count
    } else if report.base != nil, lines < room - 1 {
      texts[finding] = whole.prefix { $0 != "\n" } + "\n"
      (lines, briefs) = (lines + 1, briefs + 1)
    } else {
      rest.append(finding)
    }
  }
  var text = report.counting.compactMap { texts.removeValue(forKey: $0) }.joined()
  if !rest.isEmpty {
    text +=
      "\(counted(rest.count, "further finding")): \(rest.codeCounts); `--all` prints \(rest.count == 1 ? "it" : "them")\n"
  } else if briefs > 0 {
    text +=
      briefs == 1
      ? "`--all` prints the last one whole\n" : "`--all` prints the last \(briefs) whole\n"
  }
  return text
}

/// Lines of findings that a first look prints, and a look at a change; the summary takes a few more.
private let (screenLines, changeLines) = (55, 10)

/// What was checked, and the result.
private func checkSummary(_ report: CheckReport, past: Int) -> String {
  var parts = [counted(report.versions, "version")]
  // `modelc test` looks at nothing else.
  if report.steps.contains(where: { $0.kind != .test }) {
    parts += [
      "\(grouped(report.released)) released", counted(report.count(of: .path), "path"),
      report.storeCount,
    ]
  }
  parts += [(report.count(of: .mapping), "mapping model"), (report.count(of: .test), "test")]
    .filter { $0.0 > 0 }.map { counted($0.0, $0.1) }
  let old = report.findings.count { $0.state == .old }
  let suppressed = report.findings.count - old - past - report.counting.count
  let rest = [
    (old, "from before"), (past, "about versions that can no longer be edited"), (suppressed, "allowed"),
  ]
  .filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }
  let against = report.base.map { " against \($0.printable)" } ?? ""
  return "\(report.models.joined(separator: ", ").printable): \(parts.joined(separator: ", "))\n"
    + "Checked\(against) in \(report.seconds.humanDuration): \(summary(of: report.counting))"
    + (rest.isEmpty ? "" : " (\(rest.joined(separator: ", ")))") + "\n"
}

/// A diagnostic's object with what became of it.
extension CheckFinding: JSONResult {
  static let result = JSONObject<Self>("checkFinding", "A finding, and what became of it.")
    .adding(Diagnostic.result, of: \.diagnostic)
    .adding([
      "model": .value(\.model, "The model's name."), "step": .value(\.step, "What was looked at."),
      "state": .value(
        .words(
          ["new", "old", "past", "suppressed"],
          "Only new ones count: old ones were there before, past ones are about what can no longer be edited."
        ),
        \.state.word), "reason": .value(\.state.reason, "Why it was allowed."),
      "folded": .value(\.folded, "Findings that have the same cause; its notes list them."),
    ])
}

extension CheckFinding.State {
  fileprivate var word: String {
    switch self {
    case .new: "new"
    case .old: "old"
    case .past: "past"
    case .suppressed: "suppressed"
    }
  }

  fileprivate var reason: String? { if case .suppressed(let reason, _) = self { reason } else { nil } }
}

extension CheckStep: JSONResult {
  static let result = JSONObject<Self>("checkStep", "One thing that was looked at.").adding([
    "kind": .word(\.kind, "Which part of the check."), "model": .value(\.model), "name": .value(\.name),
    "findings": .value(\.findings.count, "How many."), "seconds": .seconds(\.seconds),
    "isUntried": .value(\.isUntried, "Whether it is a store that only the app can migrate."),
  ])
}
