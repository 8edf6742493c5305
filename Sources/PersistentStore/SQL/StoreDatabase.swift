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

  /// Whether texts that go to functions as bytes are read as what they are: Core Data writes UTF-8.
  package func holdsUTF8() throws -> Bool {
    let encoding: String? = try pragma("encoding")
    return encoding == "UTF-8"
  }

  /// Compiles, and does not run, what fires an app's own trigger: not before does SQLite look for what it names.
  fileprivate func requireWorking(trigger name: String, _ sql: String) throws {
    let place = "(SELECT tbl_name FROM sqlite_master WHERE type = 'trigger' AND name = ?1)"
    guard !name.hasPrefix("Z_DA_"),
      let table = try String.fetchOne(self, sql: "SELECT \(place)", arguments: [name])?.quotedIdentifier
    else { return }
    let columns = try String.fetchAll(
      self, sql: "SELECT name FROM pragma_table_info(\(place))", arguments: [name])
    let values = columns.map { "\($0.quotedIdentifier) = NULL" }.joined(separator: ", ")
    try setFlag(.triggers, true)
    defer { try? setFlag(.triggers, false) }
    // Of a column that `UPDATE OF` names and that is not there SQLite says nothing: the trigger never fires.
    let firing = SchemaText(sql)?.firingColumns.map { "SELECT \(table).\($0.quotedIdentifier) FROM \(table)" }
    for sql in [
      "INSERT INTO \(table) DEFAULT VALUES", "UPDATE \(table) SET \(values)", "DELETE FROM \(table)",
    ] + (firing ?? []) {
      do {
        _ = try makeStatement(sql: sql)
      } catch let error as DatabaseError {
        // Functions and modules may be the app's.
        guard let reason = error.message,
          ["no such column", "no such table", "no column named", "values "].contains(where: {
            reason.contains($0)
          })
        else { continue }
        throw DatabaseError(resultCode: .SQLITE_ERROR, message: "error in trigger \(name): \(reason)")
      }
    }
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
  guard statement.editsSchema else {
    let changed = try db.executeStatement(statement.sql)
    if case .createTrigger(let name, let sql, true) = statement { try db.requireWorking(trigger: name, sql) }
    return changed
  }
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
