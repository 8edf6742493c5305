import GRDB

/// The first lines of SQLite's `quick_check`; empty where all pages and trees are in order.
func quickCheckFindings(_ db: Database) throws -> [String] {
  do {
    return try String.fetchAll(db, sql: "PRAGMA quick_check(5)").filter { $0 != "ok" }
      .flatMap { $0.split(separator: "\n") }.prefix(5).map { $0.lowercased() }
  } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
    return [(error.message ?? "malformed pages").lowercased()]
  }
}
