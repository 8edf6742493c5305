import CSQLite

/// The SQLite that this program runs with.
package struct SQLiteFacts: Sendable {
  package let version: String
  package let number: Int
  /// As `PRAGMA compile_options` lists them.
  package let options: [String]
  package let isThreadSafe: Bool

  package static var current: SQLiteFacts {
    var options: [String] = []
    while options.count < 500, let option = unsafe sqlite3_compileoption_get(CInt(options.count)) {
      unsafe options.append(String(cString: option))
    }
    return unsafe SQLiteFacts(
      version: String(cString: sqlite3_libversion()), number: Int(sqlite3_libversion_number()),
      options: options, isThreadSafe: sqlite3_threadsafe() != 0)
  }
}
