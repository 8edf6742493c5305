package import GRDB

/// An upper bound of a table's rows, from the highest key: no row is read, however many there are.
///
/// - Returns: 0 where the table is empty; for a table without rowids, 1 where it is not.
package func rowBound(_ db: Database, table: String) throws -> Int64 {
  let name = quotedIdentifier(table)
  guard try Row.fetchOne(db, sql: "SELECT 1 FROM \(name) LIMIT 1") != nil else { return 0 }
  let row = try? Row.fetchOne(db, sql: "SELECT MAX(rowid) FROM \(name)")
  return max(1, row.flatMap { Int64.fromDatabaseValue($0[0]) } ?? 1)
}
