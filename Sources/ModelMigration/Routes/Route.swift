import PersistentStore

/// What a migration does on one ``MigrationRoute``: a type for each, in a folder of its own.
protocol Route: Sendable {
  /// What it does, in words.
  var procedure: String { get }
  /// Whether rows that no statement changes are still those of the store, so that counting them proves them.
  var keepsRows: Bool { get }

  /// Bytes that the journal of a transaction on the store takes; nil where the store is replaced by a new file.
  func journalBytes(of plan: MigrationPlan) -> Int64?

  /// The private file on which the statements work, where the store itself is not touched.
  func makeFile(in places: StagingPlaces) throws -> PrivateStore

  /// Runs a plan's statements, and makes Core Data's own tables what they are to be.
  func execute(_ plan: MigrationPlan, in db: StoreDatabase) throws

  /// Carries a plan out and leaves its result in the store's place; a dry run leaves nothing.
  ///
  /// - Parameter first: what was planned before the store was locked.
  func replaceStore(_ first: PlannedStore, in run: MigrationRun) throws -> MigrationReport
}

extension Route {
  var keepsRows: Bool { false }

  func journalBytes(of plan: MigrationPlan) -> Int64? { nil }

  func makeFile(in places: StagingPlaces) throws -> PrivateStore { try places.clone() }

  func execute(_ plan: MigrationPlan, in db: StoreDatabase) throws {
    try leaveOut(plan.leftOut, in: db)
    try runStatements(of: plan, in: db)
  }

  func replaceStore(_ first: PlannedStore, in run: MigrationRun) throws -> MigrationReport {
    try run.replaceStore(first)
  }
}
