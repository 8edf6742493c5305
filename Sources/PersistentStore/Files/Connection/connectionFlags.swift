import CSQLite

/// Switches of a connection that SQL cannot reach (sqlite.org/c3ref/c_dbconfig_defensive.html).
enum ConnectionFlag: Sendable {
  /// Forbids edits of the schema table, of journal settings that lose data, and of shadow tables.
  case defensive
  /// Lets functions and virtual tables run from a schema that somebody else wrote.
  case trustedSchema
  case triggers
  case views
  /// Leaves the changes in the `-wal` when the last connection closes.
  case keepsWALOnClose

  fileprivate var option: CInt {
    switch self {
    case .defensive: SQLITE_DBCONFIG_DEFENSIVE
    case .trustedSchema: SQLITE_DBCONFIG_TRUSTED_SCHEMA
    case .triggers: SQLITE_DBCONFIG_ENABLE_TRIGGER
    case .views: SQLITE_DBCONFIG_ENABLE_VIEW
    case .keepsWALOnClose: SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE
    }
  }
}

/// Sets the flag; false if this SQLite does not know it.
func setConnectionFlag(_ connection: OpaquePointer?, _ flag: ConnectionFlag, _ isOn: Bool) -> Bool {
  unsafe modelc_sqlite3_db_config_flag(connection, flag.option, isOn ? 1 : 0) == SQLITE_OK
}

/// Whether paths that begin with `file:` are understood as URIs, in which a connection can say more than by flags.
///
/// Debian and Apple build SQLite so; elsewhere it is switched on here, before the first connection.
let understandsURIs: Bool =
  unsafe sqlite3_compileoption_used("USE_URI") != 0 || modelc_sqlite3_config_uri() == SQLITE_OK
