public import ManagedModel

/// What a migration did.
public struct MigrationReport: Sendable {
  /// The plan that was carried out.
  public let plan: MigrationPlan
  /// What was found beside the plan's own findings: that an earlier run was interrupted (MC6404), what came up in the
  /// run itself.
  public let diagnostics: [Diagnostic]
  /// Objects in the migrated store.
  public let objects: Int
  /// Where the migrated store lies; nil where nothing was swapped in or written (a dry run, or nothing to do).
  public let destination: String?
  /// The old store beside the new one, where it was kept.
  public let backup: String?
  /// From the first read to the end of the run.
  public let seconds: Double
  /// The account of every entity mapping of custom steps, in order.
  public let mappings: [MappingCount]
  /// Rules that objects break, as they did in the store before.
  public let violations: [RuleViolation]
  /// How long each phase took, in order.
  public let phases: [PhaseTime]

  /// A phase and its seconds.
  public struct PhaseTime: Hashable, Sendable {
    /// A phase of the run.
    public var phase: MigrationPhase
    /// How long it took.
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
  /// The first pass of a custom step: every mapping's objects, with their attributes.
  case copy
  /// The second pass: relationships.
  case relate
  /// The third pass: policies' own validation, then every rule of the model over every object.
  case validate
  /// The result is held against the plan.
  case prove
  /// The result takes the store's place.
  case swap
}

/// A migration that was not begun, because its plan says no.
public struct MigrationRefusedError: Error, Sendable {
  /// The plan whose diagnostics say why.
  public let plan: MigrationPlan
}
