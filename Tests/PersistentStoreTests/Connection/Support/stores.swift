import Foundation
import GRDB
import TestSupport

/// The genuine stores, one of each kind: without a log, with one that holds changes, with an empty one.
let genuineStores: [String] = {
  let bookmarks = (1...5).map {
    "duckduckgo+BrowserServicesKit/Tests/BookmarksTests/Resources/Bookmarks_V\($0).sqlite"
  }
  let moody = ["Moody", "Moody 2", "Moody 5"].map {
    "objcio+core-data/Migrations/MigrationsTests/\($0).moody"
  }
  return bookmarks + moody + [
    "duckduckgo+BrowserServicesKit/Tests/DDGSyncTests/Resources/SyncMetadata_V3.sqlite",
    surfJournal,
    "alemar11+CoreDataPlus/Tests/Resources/SampleModel2/Fixtures/SampleModel2_V2.sqlite",
    "alemar11+CoreDataPlus/Tests/Resources/SampleModel3/Fixtures/SampleModel3_V1.sqlite",
    rollbackStore,
    oldHeaderStore,
  ]
}()

let surfJournal =
  "kodecocodes+cdt-materials/09-multiple-managed-object-contexts/projects/final/SurfJournal/SurfJournal/"
  + "CoreDataSeed/SurfJournalModel.sqlite"
let bookmarks = "duckduckgo+BrowserServicesKit/Tests/BookmarksTests/Resources/Bookmarks_V3.sqlite"
let moody = "objcio+core-data/Migrations/MigrationsTests/Moody.moody"
/// Written by a SQLite that did not keep the page count in the header.
let oldHeaderStore = "magicalpanda+MagicalRecord/Samples/iOS/Resources/RecipeData/Recipes.sqlite"
let rollbackStore = "objcio+issue-4-core-data-migration/BookMigration/Model1.sqlite"

/// A SQLite file with the two tables that make it a Core Data store, and one row.
func makeStore(at url: URL, journalMode: String = "DELETE", rows: Int = 1) throws {
  let queue = try DatabaseQueue(path: url.path)
  try queue.writeWithoutTransaction { db in
    try db.execute(sql: "PRAGMA journal_mode = \(journalMode)")
    try db.execute(
      sql: """
        CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
        CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
        CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTEXT VARCHAR );
        """)
    try db.inTransaction {
      for number in 1...rows {
        try db.execute(
          sql: "INSERT INTO ZNOTE VALUES (?, 1, 1, ?)",
          arguments: [number, "note \(number) " + String(repeating: "x", count: 200)])
      }
      return .commit
    }
  }
  try queue.close()
}

/// Everything in a store as text: the schema and each row of each table.
func dump(_ db: Database) throws -> [String] {
  var lines = try String.fetchAll(
    db, sql: "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_master ORDER BY 1")
  for table in try String.fetchAll(
    db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
  {
    let quoted = "\"\(table)\""
    for row in try Row.fetchAll(db, sql: "SELECT rowid AS rowid_, * FROM \(quoted) ORDER BY rowid") {
      lines.append(table + row.databaseValues.map { "|\($0.storage)" }.joined())
    }
  }
  return lines
}

/// What a plain SQLite connection finds in a store, on a copy of store and log that is thrown away.
func plainDump(_ store: URL) throws -> [String] {
  try withTemporaryFolder { folder in
    let copy = folder.appending(path: "copy")
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: store.path + suffix) {
      try Data(contentsOf: URL(filePath: store.path + suffix)).write(to: URL(filePath: copy.path + suffix))
    }
    let queue = try DatabaseQueue(path: copy.path)
    defer { try? queue.close() }
    return try queue.read(dump)
  }
}

extension Fixtures {
  /// A copy of store and log with the same permissions, as one program would have made both.
  static func copyStore(_ path: String, into folder: URL, permissions: Int) throws -> URL {
    let store = try copyStore(path, into: folder)
    for name in try listing(of: folder) {
      try FileManager.default.setAttributes(
        [.posixPermissions: permissions], ofItemAtPath: folder.appending(path: name).path)
    }
    return store
  }
}

/// The two bytes that say which journal the store's file needs: 1 rollback, 2 write-ahead.
func journalForm(of store: URL) throws -> [UInt8] {
  Array(try Data(contentsOf: store)[18..<20])
}
