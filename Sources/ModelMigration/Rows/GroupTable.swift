package import GRDB
package import PersistentStore

/// Which source objects become one object. The connection's temporary database gathers the keys row by row and gives the
/// groups in order.
package final class GroupTable {
  private let db: Database
  private let insert: RowStatement

  package init(_ db: Database) throws {
    self.db = db
    try db.execute(
      sql: """
        CREATE TEMP TABLE IF NOT EXISTS modelc_group (id INTEGER PRIMARY KEY, mapping INTEGER, source INTEGER,
          keys, place, kept INTEGER)
        """)
    insert = try RowStatement(
      db, sql: "INSERT INTO temp.modelc_group (mapping, source, keys, place) VALUES (?, ?, ?, ?)")
  }

  /// - Parameters:
  ///   - keys: equal for the objects of one group; null for an object that is a group of its own.
  ///   - place: by which the objects of a group are ordered, before their keys.
  package func add(_ source: Int64, mapping: Int, keys: StoredCell, place: StoredCell) throws {
    try insert.run(cells: [.integer(Int64(mapping)), .integer(source), keys, place])
  }

  /// Decides which object of each group is kept: the first or the last one in the group's order.
  package func close(mapping: Int, keepsLast: Bool) throws {
    let direction = keepsLast ? "DESC" : "ASC"
    try db.execute(
      sql: """
        UPDATE temp.modelc_group SET kept = g.kept FROM (SELECT id, FIRST_VALUE(source) OVER (PARTITION BY \
        keys, CASE WHEN keys IS NULL THEN source END ORDER BY place \(direction), source \(direction)) AS kept \
        FROM temp.modelc_group WHERE mapping = \(mapping)) AS g WHERE g.id = modelc_group.id
        """)
    try db.execute(
      sql: "CREATE INDEX IF NOT EXISTS temp.modelc_group_kept ON modelc_group (mapping, kept, place, source)")
  }

  /// The kept objects' keys, in order.
  package func forEachKept(ofMapping mapping: Int, _ body: (Int64) throws -> Void) throws {
    try RowReader(
      db, sql: "SELECT DISTINCT kept FROM temp.modelc_group WHERE mapping = ? ORDER BY kept", Int64(mapping)
    ).forEachKey(body)
  }

  /// The keys of a group's objects in their order, the kept one among them.
  package func members(ofMapping mapping: Int, kept: Int64) throws -> [Int64] {
    try RowReader(
      db, sql: "SELECT source FROM temp.modelc_group WHERE mapping = ? AND kept = ? ORDER BY place, source",
      Int64(mapping), kept
    ).keys()
  }

  package func drop() throws { try db.execute(sql: "DROP TABLE IF EXISTS temp.modelc_group") }
}
