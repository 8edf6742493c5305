import PersistentStore
import StoreFiles

/// Fills an empty file from the store, proves it and swaps it in.
struct NewFileRoute: Route {
  let procedure = "a new file is filled from the store, proved and swapped in"

  func makeFile(in places: StagingPlaces) throws -> PrivateStore { try places.newFile() }

  func execute(_ plan: MigrationPlan, in db: StoreDatabase) throws {
    try runStatements(plan.statementPlan, of: plan, in: db)
    try dropTables(plan.omittedTables, in: db)
    try copyStatistics(in: db)
  }
}
