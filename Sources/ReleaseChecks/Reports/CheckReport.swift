public import ManagedModel

/// One thing that a check looked at, and what it found there.
public struct CheckStep: Sendable {
  /// Which part of the check it is, in the order in which they run.
  public enum Kind: String, Sendable, CaseIterable {
    /// The versions follow the rules of a valid model.
    case compile
    /// Released versions are what was released.
    case release
    /// The differences of one version from the one before it.
    case lint
    /// A mapping model fits its two versions.
    case mapping
    /// A way leads to the current version.
    case path
    /// A kept store migrates.
    case store
    /// A migration test passes.
    case test
  }

  /// Which part of the check it is.
  public var kind: Kind
  /// The model's name.
  public var model: String
  /// What was looked at: `V1 → V3`.
  public var name: String
  /// All of them, also those that do not count.
  public var findings: [Diagnostic]
  /// How long it took; 0 where nobody measured.
  public var seconds: Double
  /// Whether it is a store that only the app can migrate, by closures or defaults of its own.
  package var isUntried = false

  package init(kind: Kind, model: String, name: String, findings: [Diagnostic], seconds: Double = 0) {
    (self.kind, self.model, self.name) = (kind, model, name)
    (self.findings, self.seconds) = (findings, seconds)
  }

  /// The step with other findings.
  func mapFindings(_ change: (Diagnostic) -> Diagnostic?) -> CheckStep {
    var step = self
    step.findings = findings.compactMap(change)
    return step
  }
}

/// A finding with its state: whether it counts, is old, or is allowed.
public struct CheckFinding: Sendable {
  /// Whether the finding counts, and why not.
  public enum State: Hashable, Sendable {
    /// It counts.
    case new
    /// It was there before what the check is against.
    case old
    /// It is about a version that can no longer be edited.
    case past
    /// Somebody has said why it may stay.
    case suppressed(reason: String, inFile: Bool)
  }

  /// The finding itself.
  public var diagnostic: Diagnostic
  /// The model's name.
  public var model: String
  /// The name of the step that found it.
  public var step: String
  /// The part of the check that found it.
  public var kind: CheckStep.Kind
  /// Whether it counts, and why not.
  public var state: State
  /// Findings that have the same cause, and are told in the notes of this one.
  package var folded: [Diagnostic] = []

  /// Only new findings do.
  public var counts: Bool { state == .new }
}

extension CheckFinding {
  /// One of a step's, which counts.
  package init(_ diagnostic: Diagnostic, of step: CheckStep) {
    self.init(diagnostic: diagnostic, model: step.model, step: step.name, kind: step.kind, state: .new)
  }
}

/// Everything a check looked at and found.
public struct CheckReport: Sendable {
  /// What was looked at, in order.
  public var steps: [CheckStep]
  /// In the order of places, each once.
  public var findings: [CheckFinding]
  /// Their names.
  public var models: [String]
  /// Where a model lies whose name another one has too, by its name here.
  package var paths: [String: String] = [:]
  /// Versions, released versions, paths, stores and tests that were looked at.
  public var versions = 0
  /// How many of the versions are released.
  public var released = 0
  /// How long the whole check took.
  public var seconds = 0.0
  /// What the check is against; nil for nothing.
  public var base: String?
  /// Markdown that a pull request begins with: what it does to each model.
  package var introductions: [String] = []
  /// Lines that are no findings: what was asked for, and holds.
  package var remarks: [String] = []
  /// Each model as it was where the check is against, and as it is.
  package var changes: [(base: VersionedModel, model: VersionedModel)] = []

  package init(steps: [CheckStep], findings: [CheckFinding], models: [String]) {
    (self.steps, self.findings, self.models) = (steps, findings, models)
  }

  /// How many steps of a kind there were.
  public func count(of kind: CheckStep.Kind) -> Int { steps.count { $0.kind == kind } }

  /// How many stores were looked at, and how many of these nothing is known of.
  package var storeCount: String {
    let untried = steps.count(where: \.isUntried)
    return counted(count(of: .store), "store check")
      + (untried == 0 ? "" : " (\(untried) untried: only the app can migrate the store)")
  }

  /// Findings that count: new ones that nobody has allowed.
  public var counting: [Diagnostic] { findings.filter(\.counts).map(\.diagnostic) }

  /// Errors before warnings. Within each, the first finding of every code comes before the others, and of these what
  /// tells of lost data.
  package var gravest: [CheckFinding] {
    var counts: [Diagnostic.Code: Int] = [:]
    let losses: Set<Diagnostic.Code> = [.undeclaredRemoval, .likelyRename, .numbersMayNotFit]
    let ranked = findings.filter(\.counts).enumerated().map { place, finding in
      counts[finding.diagnostic.code, default: 0] += 1
      let isFirst = counts[finding.diagnostic.code] == 1
      let isLoss = finding.diagnostic.code.family == .data || losses.contains(finding.diagnostic.code)
      let rank = (finding.diagnostic.severity == .error ? 0 : 1, isFirst ? 0 : 1, isLoss ? 0 : 1, place)
      return (rank: rank, finding: finding)
    }
    return ranked.sorted { $0.rank < $1.rank }.map(\.finding)
  }

  /// Whether a finding of the severity, or of a graver one, counts.
  public func fails(on severity: Diagnostic.Severity) -> Bool {
    counting.contains { $0.severity >= severity }
  }
}

// Beside those of stores, these tell of lost data.
extension Diagnostic.Code {
  package static let undeclaredRemoval = Self("MC7008")
  package static let numbersMayNotFit = Self("MC7055", level: .path)
}
