package import ManagedModel

/// One thing that a check looked at, and what it found there.
package struct CheckStep: Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    case compile, release, lint, mapping, path, store, test
  }

  package var kind: Kind
  package var model: String
  /// What was looked at: `V1 → V3`.
  package var name: String
  package var findings: [Diagnostic]
  package var seconds: Double

  package init(kind: Kind, model: String, name: String, findings: [Diagnostic], seconds: Double = 0) {
    (self.kind, self.model, self.name) = (kind, model, name)
    (self.findings, self.seconds) = (findings, seconds)
  }
}

/// A finding with what became of it.
package struct CheckFinding: Sendable {
  package enum State: Hashable, Sendable {
    case new
    /// It was there before what the check is against.
    case old
    /// It is about a version that nobody can edit any more.
    case past
    /// Somebody has said why it may stay.
    case suppressed(reason: String, inFile: Bool)
  }

  package var diagnostic: Diagnostic
  package var model: String
  package var step: String
  package var kind: CheckStep.Kind
  package var state: State

  package init(
    diagnostic: Diagnostic, model: String, step: String, kind: CheckStep.Kind, state: State
  ) {
    (self.diagnostic, self.model, self.step) = (diagnostic, model, step)
    (self.kind, self.state) = (kind, state)
  }

  package var counts: Bool { state == .new }
}

/// Everything a check looked at and found.
package struct CheckReport: Sendable {
  package var steps: [CheckStep]
  /// In the order of places, each once.
  package var findings: [CheckFinding]
  package var models: [String]
  /// Versions, released versions, paths, stores and tests that were looked at.
  package var versions = 0
  package var released = 0
  package var seconds = 0.0
  /// What the check is against; nil for nothing.
  package var base: String?

  package init(steps: [CheckStep], findings: [CheckFinding], models: [String]) {
    (self.steps, self.findings, self.models) = (steps, findings, models)
  }

  package func count(of kind: CheckStep.Kind) -> Int { steps.count { $0.kind == kind } }

  /// Findings that count: new ones that nobody has allowed.
  package var counting: [Diagnostic] { findings.filter(\.counts).map(\.diagnostic) }

  /// Whether a finding of the severity, or of a graver one, counts.
  package func fails(on severity: Diagnostic.Severity) -> Bool {
    counting.contains { $0.severity >= severity }
  }
}
