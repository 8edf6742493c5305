import CSQLite
import Foundation
import GRDB

/// How SQLite is asked to open a file.
enum OpeningMode: String, Sendable {
  /// Read and write, never create.
  case readWrite = "mode=rw"
  case readOnly = "mode=ro"
  /// Takes no lock and looks at no side file; only for files that nobody can change meanwhile.
  case immutable = "mode=ro&immutable=1"
}

extension String {
  /// The path as a URI, so that no character in it is taken for something else.
  func uri(_ mode: OpeningMode) -> String {
    let plain = CharacterSet(charactersIn: "/-_.~").union(.init(charactersIn: "a"..."z"))
      .union(.init(charactersIn: "A"..."Z")).union(.init(charactersIn: "0"..."9"))
    let encoded = addingPercentEncoding(withAllowedCharacters: plain) ?? self
    return "file:\(encoded)?\(mode.rawValue)"
  }
}

/// What every connection of ours has in common: nothing that a store brings along runs, and every setting that
/// we rely on is set, whatever this SQLite was built with.
///
/// - Parameters:
///   - byteCount: of the user's store that is opened or copied; its statements' time is bounded by it.
///   - examines: whether such a store's schema is looked at as soon as the connection is prepared.
func connectionConfiguration(
  readOnly: Bool, busyTimeout: TimeInterval = 0, isDefensive: Bool = true, byteCount: Int64? = nil,
  examines: Bool = true,
  _ prepare: @escaping @Sendable (Database) throws -> Void
) -> Configuration {
  var configuration = Configuration()
  configuration.readonly = readOnly
  configuration.foreignKeysEnabled = false
  configuration.busyMode = busyTimeout > 0 ? .timeout(busyTimeout) : .immediateError
  configuration.label = "modelc"
  let statementGuard = StatementGuard(byteCount: byteCount)
  configuration.prepareDatabase { db in
    statementGuard.install(on: db)
    try db.setFlag(.defensive, isDefensive)
    for flag in [ConnectionFlag.trustedSchema, .triggers, .views] { try db.setFlag(flag, false) }
    try db.setFlag(.keepsWALOnClose, true)
    try prepare(db)
    if let byteCount, examines { try db.examineSchema(byteCount: byteCount) }
    try db.set(["cell_size_check = ON", "mmap_size = 0", "recursive_triggers = OFF"])
  }
  return configuration
}

func openQueue(_ path: String, _ mode: OpeningMode, _ configuration: Configuration) throws -> DatabaseQueue {
  guard understandsURIs else {
    throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "this SQLite cannot open files by URI")
  }
  return try DatabaseQueue(path: path.uri(mode), configuration: configuration)
}

/// Switches of a connection that SQL cannot reach (sqlite.org/c3ref/c_dbconfig_defensive.html).
///
/// Raw values are those of SQLite's `SQLITE_DBCONFIG_…`.
enum ConnectionFlag: CInt {
  /// Forbids edits of the schema table, of journal settings that lose data, and of shadow tables.
  case defensive = 1010
  /// Lets functions and virtual tables run from a schema that somebody else wrote.
  case trustedSchema = 1017
  case triggers = 1003
  case views = 1015
  /// Leaves the changes in the `-wal` when the last connection closes.
  case keepsWALOnClose = 1006
}

extension Database {
  func set(_ pragmas: [String]) throws { for pragma in pragmas { try execute(sql: "PRAGMA \(pragma)") } }

  func setFlag(_ flag: ConnectionFlag, _ isOn: Bool) throws {
    guard unsafe modelc_sqlite3_db_config_flag(sqliteConnection, flag.rawValue, isOn ? 1 : 0) == SQLITE_OK
    else { throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "this SQLite is too old: flag \(flag)") }
  }
}

/// Whether paths that begin with `file:` are understood as URIs, in which a connection can say more than by flags.
///
/// Debian and Apple build SQLite so; elsewhere it is switched on here, before the first connection.
let understandsURIs: Bool =
  unsafe sqlite3_compileoption_used("USE_URI") != 0 || modelc_sqlite3_config_uri() == SQLITE_OK
