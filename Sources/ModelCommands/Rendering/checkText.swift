import ManagedModel
import ReleaseChecks

/// A check as a person reads it: the findings that count with their lines, then what was looked at.
///
/// - Parameter takesAll: whether every finding is printed that nobody allowed. Otherwise a first look at a model fits a
///   screen: findings are printed while there is room, the rest is counted.
func checkText(_ report: CheckReport, usesColor: Bool, takesAll: Bool = false) -> String {
  var renderer = TextDiagnosticRenderer(usesColor: usesColor)
  let past = report.findings.filter { $0.state == .past }.map(\.diagnostic)
  let counting = report.counting
  let shown = takesAll || report.base != nil ? counting.count : shownOnAScreen(counting, &renderer)
  let isCut = shown < counting.count
  var text = ""
  if takesAll {
    let shown = report.findings.filter { $0.counts || $0.state == .past }.map(\.diagnostic)
    text = renderer.render(shown)
  } else {
    let first = isCut ? Set(gravest(counting).prefix(shown)) : Set(counting.indices)
    text = renderer.render(counting.indices.filter(first.contains).map { counting[$0] })
    if isCut { text += "\(leftOut(counting.indices.filter { !first.contains($0) }.map { counting[$0] }))\n" }
    if !past.isEmpty {
      text +=
        "\(counted(past.count, "finding")) about versions that nobody can edit any more: "
        + "`--all` prints \(past.count == 1 ? "it" : "them")\n"
    }
  }
  return text + checkSummary(report, past: past.count)
}

/// What was checked, and the result.
private func checkSummary(_ report: CheckReport, past: Int) -> String {
  var parts = [counted(report.versions, "version")]
  // `modelc test` looks at nothing else.
  if report.steps.contains(where: { $0.kind != .test }) {
    parts += [
      "\(grouped(report.released)) released", counted(report.count(of: .path), "path"),
      counted(report.count(of: .store), "store check"),
    ]
  }
  let mappings = report.count(of: .mapping)
  if mappings > 0 { parts.append(counted(mappings, "mapping model")) }
  let tests = report.count(of: .test)
  if tests > 0 { parts.append(counted(tests, "test")) }
  let old = report.findings.count { $0.state == .old }
  let suppressed = report.findings.count - old - past - report.counting.count
  var rest: [String] = []
  if old > 0 { rest.append("\(grouped(old)) of before") }
  if past > 0 { rest.append("\(grouped(past)) of versions that stay") }
  if suppressed > 0 { rest.append("\(grouped(suppressed)) allowed") }
  let against = report.base.map { " against \(printable($0))" } ?? ""
  return "\(printable(report.models.joined(separator: ", "))): \(parts.joined(separator: ", "))\n"
    + "Checked\(against) in \(humanDuration(report.seconds)): \(summary(of: report.counting))"
    + (rest.isEmpty ? "" : " (\(rest.joined(separator: ", ")))") + "\n"
}

/// Lines of findings that a first look prints; the summary takes a few more.
private let screenLines = 55

/// How many findings have room on a screen, the gravest first.
private func shownOnAScreen(_ findings: [Diagnostic], _ renderer: inout TextDiagnosticRenderer) -> Int {
  var lines = 0
  for (count, index) in gravest(findings).enumerated() {
    lines += renderer.render(findings[index]).unicodeScalars.count { $0 == "\n" }
    if lines > screenLines { return count }
  }
  return findings.count
}

/// Errors before warnings. Within each, the first finding of every code comes before the others.
private func gravest(_ findings: [Diagnostic]) -> [Int] {
  var counts: [Diagnostic.Code: Int] = [:]
  let ranks = findings.map { finding in
    counts[finding.code, default: 0] += 1
    return (finding.severity == .error ? 0 : 1, counts[finding.code] == 1 ? 0 : 1)
  }
  return findings.indices.sorted { left, right in
    ranks[left] == ranks[right] ? left < right : ranks[left] < ranks[right]
  }
}

/// `12 further findings: 8 of MC1208, 4 of MC7008; --all prints them`.
private func leftOut(_ findings: [Diagnostic]) -> String {
  let counts = Dictionary(grouping: findings, by: \.code.description).mapValues(\.count)
  let most = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
  let list = most.prefix(6).map { "\(grouped($0.value)) of \($0.key)" }
  return "\(counted(findings.count, "further finding")): "
    + (list + (most.count > 6 ? ["…"] : [])).joined(separator: ", ") + "; `--all` prints them"
}

extension CheckFinding {
  /// A diagnostic's object with what became of it.
  var json: JSONValue {
    var reason: String?
    let word: String
    switch state {
    case .new: word = "new"
    case .old: word = "old"
    case .past: word = "past"
    case .suppressed(let text, _): (word, reason) = ("suppressed", text)
    }
    return diagnostic.json + [
      "model": .string(model), "step": .string(step), "state": .string(word), "reason": JSONValue(reason),
    ]
  }
}

extension CheckStep {
  var json: JSONValue {
    [
      "kind": .string(kind.rawValue), "model": .string(model), "name": .string(name),
      "findings": .integer(Int64(findings.count)), "seconds": .number(seconds),
    ]
  }
}

extension CheckReport {
  var json: JSONValue {
    [
      "models": JSONValue(models), "against": JSONValue(base), "versions": JSONValue(versions),
      "released": JSONValue(released), "steps": .array(steps.map(\.json)),
      "diagnostics": .array(findings.map(\.json)), "seconds": .number(seconds),
    ]
  }

  /// A line for each finding, then one for the whole.
  var jsonLines: [JSONValue] {
    findings.map(\.json) + [
      [
        "models": JSONValue(models), "against": JSONValue(base), "versions": JSONValue(versions),
        "released": JSONValue(released), "steps": JSONValue(steps.count),
        "counting": JSONValue(counting.count), "seconds": .number(seconds),
      ]
    ]
  }
}

extension CheckFinding {
  static let shape = Diagnostic.shape.adding(
    "checkFinding", "A finding, and what became of it.",
    [
      "model": .text("The model's name."), "step": .text("What was looked at."),
      "state": .words(
        ["new", "old", "past", "suppressed"],
        "Only new ones count: old ones were there before, past ones are about what nobody can edit any more."),
      "reason": .text("Why it was allowed.").orNull,
    ])
}

extension CheckReport {
  static let shape = JSONShape.object(
    "checkReport", "What was checked, and what was found.",
    [
      "models": .texts("Their names."), "against": .text("The revision or folder.").orNull,
      "versions": .integer("How many."), "released": .integer("How many of them are."),
      "steps": .list(of: CheckStep.shape, "What was looked at."),
      "diagnostics": .list(of: CheckFinding.shape, "All, also those that do not count."), "seconds": .seconds,
    ])

  static let summaryShape = JSONShape.object(
    "checkSummary", "The last line of JSON Lines.",
    [
      "models": .texts("Their names."), "against": .text("The revision or folder.").orNull,
      "versions": .integer("How many."), "released": .integer("How many of them are."),
      "steps": .integer("How many were looked at."), "counting": .integer("Findings that count."),
      "seconds": .seconds,
    ])
}

extension CheckStep {
  fileprivate static let shape = JSONShape.object(
    "checkStep", "One thing that was looked at.",
    [
      "kind": .words(of: Kind.self, "Which part of the check."), "model": .text(""), "name": .text(""),
      "findings": .integer("How many."), "seconds": .seconds,
    ])
}
