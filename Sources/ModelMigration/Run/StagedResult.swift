import CustomMigration
import ManagedModel
import StoreFiles

/// Where the private files of a run are made: a clone of the store, one that sees the store, and one of the file before
/// that sees that.
struct StagingPlaces {
  var clone: () throws -> PrivateStore
  var seeingClone: () throws -> PrivateStore
  var nextFile: (_ former: PrivateStore) throws -> PrivateStore
}

/// What a run made, before it takes the store's place.
struct StagedResult {
  var file: PrivateStore
  var objects: Int
  var diagnostics: [Diagnostic] = []
  var mappings: [MappingCount] = []
  var violations: [RuleViolation] = []
  var brokenReferences: Int?
  var restored: RestoredLosses?

  /// What the plan for the rest of the way has counted and warns of.
  mutating func add(_ plan: MigrationPlan) {
    violations += plan.violations
    diagnostics += plan.diagnostics.filter { $0.severity == .warning }
  }
}
