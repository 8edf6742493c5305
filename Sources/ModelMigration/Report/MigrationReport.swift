public import ManagedModel

/// What a migration did.
public struct MigrationReport: Sendable {
  /// The plan that was carried out.
  public let plan: MigrationPlan
  /// What was found beside the plan's own findings: that an earlier run was interrupted (MC6404).
  public let diagnostics: [Diagnostic]
  /// Objects in the migrated store.
  public let objects: Int
  /// Where the migrated store lies; nil where nothing was swapped in or written (a dry run, or nothing to do).
  public let destination: String?
  /// The old store beside the new one, where it was kept.
  public let backup: String?
  public let seconds: Double
  /// How long each phase took, in order.
  public let phases: [PhaseTime]

  /// A phase and its seconds.
  public struct PhaseTime: Hashable, Sendable {
    public var phase: MigrationPhase
    public var seconds: Double
  }
}

/// The stretches of a migration, in their order.
public enum MigrationPhase: String, Hashable, Sendable, CaseIterable {
  /// Locking the store and finding its version, the plan and what stands against it.
  case plan
  /// Making the private clone.
  case clone
  /// The plan's statements, with the new keys, metadata and model cache.
  case alter
  case prove
  case swap
}

/// A migration that was not begun, because its plan says no.
public struct MigrationRefusedError: Error, Sendable {
  public let plan: MigrationPlan
}
