package import Foundation
package import GRDB
package import ManagedModel
package import PersistentStore

/// Makes an empty file a store of a model version, as the imitated Core Data would, objects included.
///
/// Call it outside any transaction: the page settings come before the first table and the journal mode after the
/// last row. Indexes are built after the rows, which takes a third less time.
///
/// - Parameter objects: without the default values of the model, which are not applied.
@discardableResult
package func createStore(
  in db: Database, version: ModelVersion,
  frameworkVersion: Int = FrameworkFeatures.newestKnownVersion, uuid: UUID = UUID(),
  objects: [ManagedObject] = []
) throws -> StoreSchema {
  try prepareEmptyFile(db)
  var schema = StoreSchema(entities: [], tables: [], joinTables: [])
  try db.inTransaction(.immediate) {
    schema = try fillStore(
      in: db, version: version, frameworkVersion: frameworkVersion, uuid: uuid, objects: objects)
    return .commit
  }
  try db.execute(sql: "PRAGMA journal_mode = WAL")
  return schema
}

private func prepareEmptyFile(_ db: Database) throws {
  guard try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM sqlite_master") == 0 else {
    throw CocoaError(.fileWriteFileExists)
  }
  try db.execute(sql: "PRAGMA page_size = 4096; PRAGMA auto_vacuum = INCREMENTAL")
  // A file that has a first page already takes both only when it is rewritten.
  if try Int.fetchOne(db, sql: "PRAGMA auto_vacuum") != 2 {
    // SQLite attaches the file that it writes meanwhile.
    try db.allowingAttachment { try db.execute(sql: "VACUUM") }
  }
}
