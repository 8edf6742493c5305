package import GRDB

extension Database {
  /// An upper bound of a table's rows, from the lowest and the highest key. It reads no rows.
  ///
  /// Keys may be any numbers, but no file has more rows than bytes: sums of such bounds do not overflow.
  ///
  /// - Returns: 0 where the table is empty; for a table without rowids, 1 where it is not.
  package func rowBound(table: String) throws -> Int64 {
    let name = table.quotedIdentifier
    guard try Row.fetchOne(self, sql: "SELECT 1 FROM \(name) LIMIT 1") != nil else { return 0 }
    let sql = "SELECT (SELECT MIN(rowid) FROM \(name)), (SELECT MAX(rowid) FROM \(name))"
    guard let row = try? Row.fetchOne(self, sql: sql), let least = Int64.fromDatabaseValue(row[0]),
      let greatest = Int64.fromDatabaseValue(row[1])
    else { return 1 }
    let bytes =
      try value("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size") ?? Int64(1)
    let (others, overflow) = greatest.subtractingReportingOverflow(min(least, 1))
    return overflow || others >= bytes ? bytes : max(1, others + 1)
  }
}

/// The primary key of a table's row by its place, counted from 0; nil if it has fewer.
package func primaryKey(_ db: StoreDatabase, atRow row: Int, ofTable table: String) throws -> Int64? {
  try Int64.fetchOne(
    db, sql: "SELECT Z_PK FROM \(table.quotedIdentifier) ORDER BY Z_PK LIMIT 1 OFFSET ?", arguments: [row])
}
