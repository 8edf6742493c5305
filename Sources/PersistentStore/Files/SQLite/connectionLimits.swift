import CSQLite
import GRDB

/// What SQLite may be asked for on a connection of ours (https://sqlite.org/c3ref/c_limit_attached.html).
private let limits: [(category: CInt, value: CInt)] = [
  // Bytes of a value or a row.
  (SQLITE_LIMIT_LENGTH, 200_000_000),
  // Bytes of a statement; the longest of ours rename every index of a large model.
  (SQLITE_LIMIT_SQL_LENGTH, 64_000_000),
  (SQLITE_LIMIT_COLUMN, 2_000),
  (SQLITE_LIMIT_EXPR_DEPTH, 1_000),
  (SQLITE_LIMIT_COMPOUND_SELECT, 500),
  (SQLITE_LIMIT_VDBE_OP, 25_000_000),
  (SQLITE_LIMIT_FUNCTION_ARG, 127),
  (SQLITE_LIMIT_ATTACHED, 0),
  // Bytes; one comparison takes as long as this times the text.
  (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, CInt(longestGlobPattern)),
  (SQLITE_LIMIT_VARIABLE_NUMBER, 32_766),
  (SQLITE_LIMIT_TRIGGER_DEPTH, 1),
  (SQLITE_LIMIT_WORKER_THREADS, 0),
]

/// The longest pattern, in bytes, that is given to SQLite's own comparison.
package let longestGlobPattern = 256

extension Database {
  func setLimits() {
    for limit in limits { unsafe sqlite3_limit(self.sqliteConnection, limit.category, limit.value) }
  }

  /// Runs the body while one other file can be attached; what is attached stays so.
  package func allowingAttachment(_ body: () throws -> Void) rethrows {
    // A source that is there counts as well.
    unsafe sqlite3_limit(sqliteConnection, SQLITE_LIMIT_ATTACHED, 2)
    defer { unsafe sqlite3_limit(sqliteConnection, SQLITE_LIMIT_ATTACHED, 0) }
    try body()
  }
}
