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

extension Diagnostic.Code {
  static let unfitSurroundings = Self("MC0018", exit: .findings)
}
