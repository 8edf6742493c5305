import ManagedModel
import ReleaseChecks

/// A check as a person reads it: the findings that count with their lines, then what was looked at.
func checkText(_ report: CheckReport, usesColor: Bool) -> String {
  var renderer = TextDiagnosticRenderer(usesColor: usesColor)
  var text = renderer.render(report.counting)
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
  text += "\(printable(report.models.joined(separator: ", "))): \(parts.joined(separator: ", "))\n"
  let old = report.findings.count { $0.state == .old }
  let suppressed = report.findings.count - old - report.counting.count
  var rest: [String] = []
  if old > 0 { rest.append("\(grouped(old)) of before") }
  if suppressed > 0 { rest.append("\(grouped(suppressed)) allowed") }
  let against = report.base.map { " against \(printable($0))" } ?? ""
  return text + "Checked\(against) in \(humanDuration(report.seconds)): \(summary(of: report.counting))"
    + (rest.isEmpty ? "" : " (\(rest.joined(separator: ", ")))") + "\n"
}

extension CheckFinding {
  /// A diagnostic's object with what became of it.
  var json: JSONValue {
    guard case .object(let members) = diagnostic.json else { return .null }
    var reason: String?
    let word: String
    switch state {
    case .new: word = "new"
    case .old: word = "old"
    case .suppressed(let text, _): (word, reason) = ("suppressed", text)
    }
    return .object(
      members + [
        .init("model", .string(model)), .init("step", .string(step)), .init("state", .string(word)),
        .init("reason", JSONValue(reason)),
      ])
  }
}

extension CheckStep {
  var json: JSONValue {
    .object([
      .init("kind", .string(kind.rawValue)), .init("model", .string(model)), .init("name", .string(name)),
      .init("findings", .integer(Int64(findings.count))), .init("seconds", .number(seconds)),
    ])
  }
}

extension CheckReport {
  var json: JSONValue {
    .object([
      .init("models", JSONValue(models)), .init("against", JSONValue(base)),
      .init("versions", JSONValue(versions)), .init("released", JSONValue(released)),
      .init("steps", .array(steps.map(\.json))), .init("diagnostics", .array(findings.map(\.json))),
      .init("seconds", .number(seconds)),
    ])
  }

  /// A line for each finding, then one for the whole.
  var jsonLines: [JSONValue] {
    findings.map(\.json) + [
      .object([
        .init("models", JSONValue(models)), .init("against", JSONValue(base)),
        .init("versions", JSONValue(versions)), .init("released", JSONValue(released)),
        .init("steps", JSONValue(steps.count)), .init("counting", JSONValue(counting.count)),
        .init("seconds", .number(seconds)),
      ])
    ]
  }
}
