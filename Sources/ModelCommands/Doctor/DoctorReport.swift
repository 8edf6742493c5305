import ManagedModel

/// What modelc found around it: one check for each thing that its work depends on.
struct DoctorReport: Sendable {
  var checks: [DoctorCheck] = []

  var hasProblem: Bool { checks.contains { $0.state == .problem } }
  func count(_ state: DoctorCheck.State) -> Int { checks.count { $0.state == state } }
}

/// One thing, and whether it is as it should be.
struct DoctorCheck: Sendable {
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

  init(_ name: String, _ summary: String = "") { (self.name, self.summary) = (name, summary) }

  mutating func add(_ name: String, _ value: JSONValue, isPrivate: Bool = false) {
    facts.append(Fact(name: name, value: value, isPrivate: isPrivate))
  }

  /// Adds what is not as it should be; the gravest state stays.
  mutating func complain(_ state: State, _ text: String, _ advice: String) {
    if state == .problem || self.state == .ok { self.state = state }
    maskedSummary = maskedSummary.map { $0 + ($0.isEmpty ? "" : "; ") + text }
    summary += (summary.isEmpty ? "" : "; ") + text
    self.advice.append(advice)
  }
}

extension DoctorReport {
  var json: JSONValue {
    [
      "version": .string(programVersion), "checks": .array(checks.map(\.json)),
      "diagnostics": .array(diagnostics.map(\.json)),
    ]
  }

  /// What is not as it should be, as findings.
  var diagnostics: [Diagnostic] { checks.filter { $0.state != .ok }.map { .unfit($0) } }

  static let shape = JSONShape.object(
    "doctor", "What modelc found in its environment.",
    [
      "version": .text("modelc's."), "checks": .list(of: DoctorCheck.shape, "One for each thing."),
      "diagnostics": .list(of: Diagnostic.shape, "Warnings, and as errors what would make a migration fail."),
    ])
}

extension DoctorCheck {
  fileprivate var json: JSONValue {
    [
      "name": .string(name), "state": .string(state.rawValue), "summary": .string(summary),
      "advice": JSONValue(advice), "facts": .object(facts.map { .init($0.name, $0.value) }),
    ]
  }

  fileprivate static let shape = JSONShape.object(
    "doctorCheck", "One thing.",
    [
      "name": .text("A stable word."),
      "state": .words(of: State.self, "With a problem, a migration would fail."),
      "summary": .text("In words."), "advice": .texts("What to do."),
      "facts": .named(
        .either([.text(""), .integer(""), .flag(""), .texts("")]).orNull, "What the summary is made of."),
    ])
}

extension Diagnostic.Code {
  static let unfitSurroundings = Self("MC0018", exit: .findings)
}

extension Diagnostic {
  fileprivate static func unfit(_ check: DoctorCheck) -> Self {
    Self(
      .unfitSurroundings, check.state == .problem ? .error : .warning, "\(check.name): \(check.summary)",
      help: check.advice)
  }
}
