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
