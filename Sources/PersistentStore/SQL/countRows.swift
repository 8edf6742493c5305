package import GRDB
package import ManagedModel

/// How many rows each entity has in a table, and for how many of them each condition holds.
///
/// One scan answers everything where the table has rows of one entity, as most have. SQLite or an index sorts several.
///
/// - Returns: by entity number, the count of rows and the counts of `conditions` in their order; rows whose number is
///   none count under -1, which no entity has.
package func countRows(
  _ db: Database, table: String, conditions: [SQLCondition] = []
) throws -> [Int: (rows: Int, matching: [Int])] {
  let sums = conditions.map { ", SUM(CASE WHEN \($0.sql) THEN 1 ELSE 0 END)" }.joined()
  if let only = try countRowsOfOneEntity(db, table: table, sums: sums, conditions.count) { return only }
  let rows = try Row.fetchCursor(
    db, sql: "SELECT Z_ENT, COUNT(*)\(sums) FROM \(table.quotedIdentifier) GROUP BY Z_ENT")
  return try rows.reduce(into: [:]) { counts, row in
    // A hostile store may hold anything there, another number in each row too; a typed subscript of a row ends the program.
    let number = counts.count > 100_000 ? -1 : row.number(0) ?? -1
    let former = counts[number] ?? (0, conditions.map { _ in 0 })
    func count(_ index: Int) -> Int { row.number(index) ?? 0 }
    counts[number] = (former.rows + count(1), conditions.indices.map { former.matching[$0] + count($0 + 2) })
  }
}

/// The same where all rows have the number of the first one, which a look at each tells in a third of the time that counting by
/// number takes; nil if they do not.
private func countRowsOfOneEntity(
  _ db: Database, table: String, sums: String, _ conditions: Int
) throws -> [Int: (rows: Int, matching: [Int])]? {
  let name = table.quotedIdentifier
  guard let first = try Row.fetchOne(db, sql: "SELECT Z_ENT FROM \(name) LIMIT 1") else { return [:] }
  guard let number = first.number(0) else { return nil }
  guard try !db.hasRows("\(name) WHERE Z_ENT IS NOT \(number) OR typeof(Z_ENT) <> 'integer'"),
    let row = try Row.fetchOne(db, sql: "SELECT COUNT(*)\(sums) FROM \(name)")
  else { return nil }
  func count(_ index: Int) -> Int { row.number(index) ?? 0 }
  return [number: (count(0), (0..<conditions).map { count($0 + 1) })]
}

package func countRows(_ db: Database, table: String, where condition: SQLCondition) throws -> Int {
  try countRows(db, "FROM \(table.quotedIdentifier) WHERE \(condition.sql)")
}

/// - Parameter rows: what follows `SELECT COUNT(*)`.
package func countRows(_ db: Database, _ rows: String) throws -> Int {
  try Int.fetchOne(db, sql: "SELECT COUNT(*) \(rows)") ?? 0
}

extension Database {
  package func countAllRows(table: String) throws -> Int {
    try countRows(self, "FROM \(table.quotedIdentifier)")
  }

  /// Primary keys of the first rows, in order, for which the condition holds.
  package func exampleKeys(table: String, where condition: SQLCondition, limit: Int = 5) throws -> [Int64] {
    try values(
      "SELECT Z_PK FROM \(table.quotedIdentifier) WHERE \(condition.sql) ORDER BY Z_PK LIMIT \(limit)")
  }

  /// The greatest primary key of a table; nil if it has none. A hostile table's may be text or null.
  package func greatestKey(table: String) throws -> CheckedKey? {
    try value("SELECT MAX(Z_PK) FROM \(table.quotedIdentifier)").map(CheckedKey.init)
  }

  /// Groups of rows with the same values, none of them null. A uniqueness constraint would refuse them.
  ///
  /// - Returns: how many such groups there are, and the primary keys of the first five.
  package func duplicateGroups(table: String, values: [SQLExpression], entities: [Int]) throws -> (
    count: Int, examples: [[Int64]]
  ) {
    let conditions = [SQLCondition.entity(in: entities)] + values.map { SQLCondition.isNotNull($0) }
    // By names: SQLite takes a whole number for the place of a column.
    let named = values.enumerated().map { ", \($1.sql) AS g\($0)" }.joined()
    let names = values.indices.map { "g\($0)" }.joined(separator: ", ")
    let groups = """
      SELECT MIN(Z_PK) AS first, COUNT(*) AS n, GROUP_CONCAT(Z_PK) AS keys \
      FROM (SELECT Z_PK\(named) FROM \(table.quotedIdentifier) WHERE \(SQLCondition.all(conditions).sql))\
      \(values.isEmpty ? "" : " GROUP BY \(names)") HAVING n > 1
      """
    let count = try countRows(self, "FROM (\(groups))")
    guard count > 0 else { return (0, []) }
    let lists: [String] = try self.values("SELECT keys FROM (\(groups)) ORDER BY first LIMIT 5")
    return (count, lists.map { $0.split(separator: ",").prefix(5).compactMap { Int64($0) } })
  }

  /// An upper bound of a table's rows, from the lowest and the highest key. It reads no rows.
  ///
  /// Keys may be any numbers, but no file has more rows than bytes: sums of such bounds do not overflow.
  ///
  /// - Returns: 0 where the table is empty; for a table without rowids, 1 where it is not.
  package func rowBound(table: String) throws -> Int64 {
    let name = table.quotedIdentifier
    guard try hasRows(name) else { return 0 }
    let sql = "SELECT (SELECT MIN(rowid) FROM \(name)), (SELECT MAX(rowid) FROM \(name))"
    let row = try? Row.fetchOne(self, sql: sql)
    guard let least = row?.integer(0), let greatest = row?.integer(1) else { return 1 }
    let bytes = try contentBytes()
    let (others, overflow) = greatest.subtractingReportingOverflow(min(least, 1))
    return overflow || others >= bytes ? bytes : max(1, others + 1)
  }
}

extension StoreDatabase {
  /// Of all pages, those in the log too.
  package func contentBytes() throws -> Int64 {
    try value("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size") ?? 1
  }
}

/// The primary key of a table's row by its place, counted from 0; nil if it has fewer.
package func primaryKey(_ db: StoreDatabase, atRow row: Int, ofTable table: String) throws -> Int64? {
  try Int64.fetchOne(
    db, sql: "SELECT Z_PK FROM \(table.quotedIdentifier) ORDER BY Z_PK LIMIT 1 OFFSET ?", arguments: [row])
}
