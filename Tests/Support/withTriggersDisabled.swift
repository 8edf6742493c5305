import CSQLite
package import GRDB

/// Runs the body while no trigger of the store fires. Triggers of derived attributes call functions that only Core Data
/// has; other triggers are not to be trusted.
package func withTriggersDisabled<Result>(on db: Database, _ body: () throws -> Result) throws -> Result {
  setTriggers(enabled: false, on: db)
  defer { setTriggers(enabled: true, on: db) }
  return try body()
}

private func setTriggers(enabled: Bool, on db: Database) {
  guard let connection = unsafe db.sqliteConnection else { return }
  _ = unsafe modelc_sqlite3_db_config_flag(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, enabled ? 1 : 0)
}
