import PersistentStore

/// What a run made, before it takes the store's place.
struct StagedResult {
  var file: PrivateStore
  var objects: Int
  var diagnostics: [Diagnostic] = []
  var mappings: [MappingCount] = []
  var violations: [RuleViolation] = []
  var brokenReferences: Int?
  var restored: RestoredLosses?
}

/// What an upgrade brought back from the file of an earlier downgrade.
public struct RestoredLosses: Hashable, Sendable {
  /// Objects of entities that the earlier version did not have.
  public var objects = 0
  /// Objects that got values or references back.
  public var changed = 0
  /// Objects in the file that have no counterpart any more: they were deleted meanwhile, or a new one has their key or
  /// their unique values.
  public var gone = 0
}
