import Foundation
import ManagedModel

/// What modelc found around it: one check for each thing that its work depends on.
struct DoctorReport: Sendable, JSONResult {
  var checks: [DoctorCheck] = []

  func count(_ state: DoctorCheck.State) -> Int { checks.count { $0.state == state } }

  /// What is not as it should be, as findings.
  var diagnostics: [Diagnostic] {
    checks.filter { $0.state != .ok }.map {
      Diagnostic(
        .unfitSurroundings, $0.state == .problem ? .error : .warning, "\($0.name): \($0.summary)",
        help: $0.advice)
    }
  }

  static let result = JSONObject<Self>("doctor", "What modelc found in its environment.").adding([
    "version": .value({ _ in programVersion }, "modelc's."),
    "checks": .value(\.checks, "One for each thing."),
    "diagnostics": .value(\.diagnostics, "Warnings, and as errors what would make a migration fail."),
  ])
}

/// One thing, and whether it is as it should be.
struct DoctorCheck: Sendable, JSONResult {
  enum State: String, Sendable, CaseIterable {
    case ok
    /// Something is slower, missing or unusual.
    case warning
    /// A migration would fail.
    case problem
  }

  /// A stable word.
  let name: String
  var state = State.ok
  /// Short: a line of a terminal has room for it.
  var summary: String
  /// The same without names and places of the user's, where it has some.
  var maskedSummary: String?
  /// What to do, a line each.
  var advice: [String] = []
  var facts: [Fact] = []

  /// What the summary is made of, for programs.
  struct Fact: Sendable {
    let name: String
    let value: JSONValue
    /// Whether it names things of the user's, which stay out of a report unless they are asked for.
    var isPrivate = false
  }

  init(_ name: String, _ summary: String = "", _ facts: KeyValuePairs<String, JSONValue> = [:]) {
    (self.name, self.summary) = (name, summary)
    add(facts)
  }

  mutating func add(_ further: KeyValuePairs<String, JSONValue>, isPrivate: Bool = false) {
    facts += further.map { Fact(name: $0.key, value: $0.value, isPrivate: isPrivate) }
  }

  /// Adds what is not as it should be; the gravest state stays.
  mutating func complain(_ state: State, _ text: String, _ advice: String) {
    if state == .problem || self.state == .ok { self.state = state }
    maskedSummary = maskedSummary.map { $0 + ($0.isEmpty ? "" : "; ") + text }
    summary += (summary.isEmpty ? "" : "; ") + text
    self.advice.append(advice)
  }

  static let result = JSONObject<Self>("doctorCheck", "One thing.").adding([
    "name": .value(\.name, "A stable word."),
    "state": .word(\.state, "With a problem, a migration would fail."),
    "summary": .value(\.summary, "In words."), "advice": .value(\.advice, "What to do."),
    "facts": .value(
      .named(
        .either([String.shape, Int.shape, Bool.shape, [String].shape]).orNull, "What the summary is made of.")
    ) { check in .object(check.facts.map { JSONValue.Member($0.name, $0.value) }) as JSONValue },
  ])
}

extension Diagnostic.Code { static let unfitSurroundings = Self("MC0018", exit: .findings) }

/// What may not stand in a report for others.
struct DoctorMask {
  /// What is found, and what stands in its place; longer ones first.
  private let replacements: [(old: String, new: String)]

  /// - Parameter folder: the project's.
  init(folder: String) {
    let environment = ProcessInfo.processInfo.environment
    let files = FileManager.default
    let project = URL(filePath: folder).standardizedFileURL
    var found = [
      (project.path, "<project>"), (project.resolvingSymlinksInPath().path, "<project>"),
      (files.currentDirectoryPath, "<here>"), (TemporaryFolder.system.path, "<temporary>"),
      (environment["XDG_CACHE_HOME"] ?? "", "<cache>"), (environment["HOME"] ?? "", "~"),
      (NSHomeDirectory(), "~"), (ProcessInfo.processInfo.hostName, "<host>"), (NSUserName(), "<user>"),
      (environment["USER"] ?? "", "<user>"), (environment["LOGNAME"] ?? "", "<user>"),
    ]
    // Short ones stand in words that say nothing of the user.
    found.removeAll { $0.0.count < 4 || ["root", "localhost"].contains($0.0) }
    replacements = found.sorted { $0.0.utf8.count > $1.0.utf8.count }
  }

  func callAsFunction(_ text: String) -> String {
    replacements.reduce(text) { $0.replacingBytes(of: $1.old, with: $1.new) }
  }
}

extension DoctorReport {
  /// The same without what is the user's own.
  ///
  /// - Parameter showsNames: whether names of models, versions and entities stay.
  func masked(_ mask: DoctorMask, showsNames: Bool) -> DoctorReport {
    var report = self
    for index in checks.indices {
      let check = checks[index]
      if !showsNames { report.checks[index].summary = check.maskedSummary ?? check.summary }
      report.checks[index].summary = mask(report.checks[index].summary)
      report.checks[index].advice = check.advice.map { mask($0) }
      report.checks[index].facts = check.facts.filter { showsNames || !$0.isPrivate }
        .map { .init(name: $0.name, value: $0.value.mapStrings { mask($0) }) }
    }
    return report
  }

  /// A report for others in Markdown.
  func markdown(showsNames: Bool) -> String {
    let rows = checks.map { "| \($0.state.rawValue) | \($0.name) | \($0.summary.markdownText) |" }
    return "doctor.md".filledFile([
      "contents": bundleContents(showsNames: showsNames), "checks": rows.joined(separator: "\n"),
      "report": json.prettyPrinted,
    ])
  }

  /// A line for each check, with what to do below it.
  ///
  /// - Parameter width: of the terminal.
  func text(width: Int, usesColor: Bool) -> String {
    let style = Styler(usesColor: usesColor)
    let styles: [DoctorCheck.State: Styler.Style] = [.warning: .warning, .problem: .error]
    let names = checks.map { $0.name.displayWidth }.max() ?? 0
    let indent = 9 + names + 2
    // On a narrow terminal the words stand below the name.
    let isNarrow = width < indent + 30
    var lines: [String] = []
    for check in checks {
      let state = check.state.rawValue.padded(to: 9)
      let name = isNarrow ? check.name : check.name.padded(to: names + 2)
      let head = style(state, styles[check.state] ?? .faint) + name
      let room = max(20, width - (isNarrow ? 2 : indent))
      let words =
        wrapped(check.summary.runnable.printable, width: room)
        + check.advice.flatMap { wrapped("→ " + $0.runnable.printable, width: room) }
      let margin = String(repeating: " ", count: isNarrow ? 2 : indent)
      lines.append(head + (isNarrow ? "" : words.first ?? ""))
      lines += words.dropFirst(isNarrow ? 0 : 1).map { margin + $0 }
    }
    return lines.joined(separator: "\n") + "\n" + summary(self)
  }
}

/// What a report for others holds, in a sentence each.
func bundleContents(showsNames: Bool) -> String {
  let names =
    showsNames ? "names of models, versions and entities" : "no names of models, versions or entities"
  return
    "It holds versions, file systems, limits, numbers and \(names). It holds no content of files, no values of "
    + "variables, and neither the user's nor the machine's name; folders are shortened."
}

private func summary(_ report: DoctorReport) -> String {
  let problems = report.count(.problem)
  let parts = [(problems, "problem"), (report.count(.warning), "warning")].filter { $0.0 > 0 }
    .map { counted($0.0, $0.1) }
  return (parts.isEmpty ? "all is well" : parts.joined(separator: ", "))
    + (problems > 0 ? ": a migration would fail here" : "")
}
