import PersistentStore
import StoreFiles

extension MigrationRoute {
  /// What it does, for whoever reads a plan.
  package var procedure: String { implementation.procedure }

  var implementation: any Route {
    switch self {
    case .inPlace: InPlaceRoute()
    case .newFile: NewFileRoute()
    case .clone: CloneRoute()
    }
  }
}

/// What a migration does on one ``MigrationRoute``: a type for each, in a folder of its own.
protocol Route: Sendable {
  /// What it does, in words.
  var procedure: String { get }
  /// Whether rows that no statement changes are still those of the store, so that counting them proves them.
  var keepsRows: Bool { get }

  /// The private file on which the statements work, where the store itself is not touched.
  func makeFile(in places: StagingPlaces) throws -> PrivateStore

  /// Runs a plan's statements, and makes Core Data's own tables what they are to be.
  func execute(_ plan: MigrationPlan, in db: StoreDatabase) throws

  /// Changes the store where it lies.
  ///
  /// - Parameter first: what was planned before the store was locked.
  /// - Returns: nil where the run is to work on private files instead.
  func updateStore(_ first: PlannedStore, in run: MigrationRun) throws -> MigrationReport?
}

extension Route {
  var keepsRows: Bool { false }

  func makeFile(in places: StagingPlaces) throws -> PrivateStore { try places.clone() }

  func execute(_ plan: MigrationPlan, in db: StoreDatabase) throws {
    try dropTables(plan.omittedTables, in: db)
    try runStatements(plan.statementPlan, of: plan, in: db)
  }

  func updateStore(_ first: PlannedStore, in run: MigrationRun) throws -> MigrationReport? { nil }
}
