package import GRDB

/// An open store inside a read or a write: what the functions of this module take. Later stages hand it on under
/// this name and need not know GRDB.
package typealias StoreDatabase = Database

extension Database {
  /// Runs exactly one statement: text that goes on after it, with more than blanks and comments, is refused unrun.
  ///
  /// Whatever has a part that came from a store (a table's or a trigger's text) is run here and nowhere else.
  ///
  /// - Returns: how many rows it inserted, updated or deleted, where it is a statement of that kind.
  @discardableResult
  package func executeStatement(_ sql: String) throws -> Int {
    try makeStatement(sql: sql).execute()
    return changesCount
  }
}

/// Runs one statement of a plan.
///
/// Names of indexes and types of columns are changed in the schema table: the connection must not be in defensive mode for that.
///
/// - Returns: the rows that it changed.
@discardableResult
package func execute(_ statement: StoreStatement, in db: StoreDatabase) throws -> Int {
  // A function must not be defined again while a statement runs.
  if case .deriveValues = statement, (try? db.makeStatement(sql: "SELECT modelc_fold('c', '')")) == nil {
    db.registerFetchFunctions()
  }
  guard statement.editsSchema else { return try db.executeStatement(statement.sql) }
  try db.execute(sql: "PRAGMA writable_schema = ON")
  defer {
    // Reads the schema anew, as it now stands in the transaction.
    try? db.execute(sql: "PRAGMA writable_schema = RESET")
    db.clearSchemaCache()
  }
  try db.executeStatement(statement.sql)
  // Only a statement of SQLite's own would tell other connections that the schema is another one.
  let version: Int = try db.pragma("schema_version") ?? 0
  try db.execute(sql: "PRAGMA schema_version = \(version + 1)")
  return 0
}

extension Error {
  /// The columns of the unique index that SQLite refused a row for, as `ZHUT.ZNAME`; nil for other errors.
  package var columnsOfBrokenIndex: [String]? {
    guard let error = self as? DatabaseError, error.resultCode == .SQLITE_CONSTRAINT,
      let list = error.message?.split(separator: "UNIQUE constraint failed: ").last
    else { return nil }
    return list.split(separator: ", ").map(String.init)
  }
}
