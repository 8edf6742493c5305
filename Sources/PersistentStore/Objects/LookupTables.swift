import GRDB

/// Rows that a statement reads beside each of its own, with nothing but the cells that it reads of them.
///
/// References lead anywhere in their table. Of a large one each of them costs a page; what is read of it, close together
/// in a table of the connection's temporary database, mostly fits the cache.
struct LookupTables {
  /// In KiB: what is read of some hundred thousand rows.
  private static let cacheSize = 16_000

  private let db: Database
  /// By the alias that the statement knows the rows by.
  private(set) var names: [String: String] = [:]

  /// - Parameter table: the one whose rows the statement goes through, in the attached source.
  init(for compiler: RowCompiler, ofRowsIn table: String, _ schema: StoreSchema, in db: Database) throws {
    self.db = db
    let joins = compiler.joinedRows
    if joins.isEmpty { return }
    let rows = try highestKey(table)
    for (join, columns) in joins {
      guard let layout = schema.tables.first(where: { $0.name == join.table }) else { continue }
      let read = layout.columns.filter { columns.contains($0.name) }
      let isSmall = read.count < layout.columns.count && !read.contains { affinity(of: $0) == "BLOB" }
      let target = try highestKey(join.table)
      guard isSmall, rows >= target / 2 else { continue }
      try fill(join, read)
    }
    if !names.isEmpty { try db.execute(sql: "PRAGMA temp.cache_size = \(-Self.cacheSize)") }
  }

  private func highestKey(_ table: String) throws -> Int64 {
    let row = try Row.fetchOne(db, sql: "SELECT MAX(Z_PK) FROM source.\(quotedIdentifier(table))")
    return row.flatMap { Int64.fromDatabaseValue($0[0]) } ?? 0
  }

  private mutating func fill(_ join: FetchCompiler.JoinedRow, _ columns: [ColumnLayout]) throws {
    let name = "temp.modelc_lookup_\(names.count)"
    let columns = columns.filter { $0.role != .primaryKey }
    let declared = columns.map { ", \(quotedIdentifier($0.name)) \(affinity(of: $0))" }.joined()
    let list = (["Z_PK"] + columns.map { quotedIdentifier($0.name) }).joined(separator: ", ")
    try db.execute(sql: "CREATE TABLE \(name) (Z_PK INTEGER PRIMARY KEY\(declared))")
    names[join.alias] = name
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO \(name) (\(list)) SELECT \(list) FROM source.\(quotedIdentifier(join.table)) \
        WHERE typeof(Z_PK) = 'integer' ORDER BY Z_PK
        """)
  }

  func drop() {
    if names.isEmpty { return }
    for name in names.values { try? db.execute(sql: "DROP TABLE IF EXISTS \(name)") }
    try? db.execute(sql: "PRAGMA temp.cache_size = -2000")
  }
}

/// What SQLite makes of a column's type (https://www.sqlite.org/datatype3.html, 3.1): values compare as they did.
private func affinity(of column: ColumnLayout) -> String {
  let type = column.declaredType.uppercased()
  let rules = [
    ("INT", "INTEGER"), ("CHAR", "TEXT"), ("CLOB", "TEXT"), ("TEXT", "TEXT"), ("BLOB", "BLOB"),
    ("REAL", "REAL"),
    ("FLOA", "REAL"), ("DOUB", "REAL"),
  ]
  if type.isEmpty { return "BLOB" }
  return rules.first { type.contains($0.0) }?.1 ?? "NUMERIC"
}
