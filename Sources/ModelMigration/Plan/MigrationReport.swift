public import Foundation
public import ManagedModel

/// What a migration did.
public struct MigrationReport: Sendable {
  /// The plan that was carried out.
  public let plan: MigrationPlan
  /// What was found beside the plan's own findings: that an earlier run was interrupted (MC6404), what came up in the
  /// run itself.
  public internal(set) var diagnostics: [Diagnostic]
  /// Objects in the migrated store.
  public let objects: Int
  /// Where the migrated store is; nil if nothing was swapped in or written (a dry run, or nothing to do).
  public let destination: String?
  /// The old store beside the new one, if it was kept.
  public let backup: String?
  /// From the first read to the end of the run.
  public let seconds: Double
  /// The account of every entity mapping of custom steps, in order.
  public let mappings: [MappingCount]
  /// Rules that objects break: as they did in the store before, or because the target has them.
  public let violations: [RuleViolation]
  /// How long each phase took, in order.
  public let phases: [PhaseTime]
  /// References of the result that lead nowhere, as they did in the store; nil if no statement came near any.
  public internal(set) var brokenReferences: Int?
  /// What came back from the file of an earlier downgrade; nil if none was named.
  public internal(set) var restored: RestoredLosses?

  /// A phase and its seconds.
  public struct PhaseTime: Hashable, Sendable {
    /// A phase of the run.
    public var phase: MigrationPhase
    /// How long it took.
    public var seconds: Double
  }
}

/// A migration that did not start, because its plan refuses it.
public struct MigrationRefusedError: Error, Sendable {
  /// The plan whose diagnostics say why.
  public let plan: MigrationPlan
}

extension MigrationRefusedError: LocalizedError, CustomStringConvertible {
  /// What prevents the migration, in one line, for a log.
  public var description: String { DiagnosticsError(plan.diagnostics).description }
  /// What prevents the migration.
  public var errorDescription: String? { DiagnosticsError(plan.diagnostics).errorDescription }
  /// What it means for the data.
  public var failureReason: String? { DiagnosticsError(plan.diagnostics).failureReason }
  /// How to fix it.
  public var recoverySuggestion: String? { DiagnosticsError(plan.diagnostics).recoverySuggestion }
}
