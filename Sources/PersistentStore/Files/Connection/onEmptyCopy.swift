package import GRDB

extension PhysicalSchema {
  /// Runs the body on a store in memory with the same tables, indexes, triggers and views, and no rows.
  ///
  /// - Returns: nil where it cannot be made: what a virtual table or an index of the app's own needs may not be known here.
  package func onEmptyCopy<Result>(_ body: (Database) throws -> Result) throws -> Result? {
    // Nor are SQLite's statistics there, which only ANALYZE makes.
    let isBound =
      tables.contains { $0.sql.uppercased().hasPrefix("CREATE VIRTUAL ") }
      || (views + triggers).contains { $0.sql.lowercased().contains("sqlite_stat") }
    if isBound { return nil }
    let configuration = connectionConfiguration(readOnly: false, isDefensive: false) {
      $0.registerTriggerFunctions()
    }
    let queue = try DatabaseQueue(configuration: configuration)
    return try queue.write { db -> Result? in
      do {
        let own = tables.map(\.sql) + indexes.map(\.sql) + (views + triggers).map(\.sql)
        for sql in own { try db.execute(sql: sql) }
      } catch is DatabaseError {
        return nil
      }
      return try body(db)
    }
  }
}
