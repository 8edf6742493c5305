package import GRDB

extension PhysicalSchema {
  /// Runs the body on a store in memory with the same tables, indexes, triggers and views, and no rows.
  ///
  /// - Returns: nil where it cannot be made: what a virtual table or an index of the app's own needs may not be known here.
  package func onEmptyCopy<Result>(_ body: (Database) throws -> Result) throws -> Result? {
    if tables.contains(where: { $0.sql.uppercased().hasPrefix("CREATE VIRTUAL ") }) { return nil }
    let configuration = connectionConfiguration(readOnly: false, isDefensive: false) {
      $0.registerTriggerFunctions()
    }
    let queue = try DatabaseQueue(configuration: configuration)
    return try queue.write { db -> Result? in
      do {
        let own = tables.map(\.sql) + indexes.map(\.sql) + (triggers + views).map(\.sql)
        for sql in own { try db.executeStatement(sql) }
      } catch is DatabaseError {
        return nil
      }
      return try body(db)
    }
  }
}
