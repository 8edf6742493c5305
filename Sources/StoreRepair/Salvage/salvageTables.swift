import GRDB
import ManagedModel
import PersistentStore

extension PrivateStore {
  /// Copies what can be read of a damaged file into an empty one that sees it as schema `source`.
  ///
  /// SQLite's own recovery is not part of the library that Debian has, and its shell fails on such stores. Every table is
  /// recreated, from its columns, and never from its text; its rows come key by key, around what cannot be read. Indexes
  /// and triggers are the model's, and are made later.
  func salvageTables(to new: PrivateStore) throws -> [StoreRepair] {
    try lookingAtDamage(new.readSource) { source in
      let physical = try source.readPhysicalSchema(readsEntityRows: false)
      let maxima = (try? greatestKeys(source)) ?? [:]
      var lost: [StoreRepair] = []
      var rows = 0
      for table in physical.tables where !table.columns.isEmpty {
        let name = table.name.quotedIdentifier
        let columns = table.columns.map { $0.name.quotedIdentifier }.joined(separator: ", ")
        let readable = try ReadableRows(
          source, table: name, columns: columns,
          greatestKnown: max(maxima[table.name.uppercased()] ?? 0, maxima[""] ?? 0))
        rows += readable.count
        try new.write { db in
          _ = try db.executeStatement(createStatement(of: table))
          for range in readable.ranges {
            // The row behind the last one may lie in a damaged page: it is not looked for.
            _ = try db.executeStatement(
              "INSERT OR IGNORE INTO main.\(name) (\(columns)) SELECT \(columns) FROM source.\(name) "
                + "WHERE rowid BETWEEN \(range.keys.lowerBound) AND \(range.keys.upperBound) "
                + "ORDER BY rowid LIMIT \(range.rows)")
          }
        }
        let missing = missingRows(source, table, readable, in: physical)
        guard missing > 0 else { continue }
        // These are written anew from the model and the tables.
        let isRemade = ["Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY"].contains(table.name)
        lost.append(
          StoreRepair(
            .pages, entity: nil, count: missing, lost: isRemade ? 0 : missing,
            "\(missing) \(verb(missing, "row", "rows")) of '\(table.name)' \(verb(missing, "lies", "lie")) "
              + "in pages that cannot be read"))
      }
      return [
        StoreRepair(
          .pages, count: rows,
          "\(rows) \(verb(rows, "row", "rows")) are copied from the damaged file into a new one")
      ] + lost
    }
  }
}

/// Reads, and has the result though the end of the read fails, as it does once a damaged page was met.
func lookingAtDamage<Result>(
  _ read: ((Database) throws -> Void) throws -> Void, _ body: @escaping (Database) throws -> Result
) throws -> Result {
  var result: Result?
  do {
    try read { db in result = try body(db) }
  } catch {
    guard let result else { throw error }
    return result
  }
  guard let result else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
  return result
}

/// By an index that can be read, rows that are not among the readable ones; without one, keys that cannot be looked at.
private func missingRows(
  _ db: Database, _ table: PhysicalSchema.Table, _ readable: ReadableRows, in physical: PhysicalSchema
) -> Int {
  guard !readable.unreadable.isEmpty else { return 0 }
  let bad = readable.unreadable.map { "rowid BETWEEN \($0.lowerBound) AND \($0.upperBound)" }
  let condition = bad.count > 200 ? nil : bad.joined(separator: " OR ")
  for index in physical.indexes where index.tableName == table.name && !index.columnNames.isEmpty {
    let source = "\(table.name.quotedIdentifier) INDEXED BY \(index.name.quotedIdentifier)"
    if let condition,
      let count = try? Int.fetchOne(
        db, sql: "SELECT COUNT(*) FROM (SELECT rowid FROM \(source) WHERE \(condition))")
    {
      return count
    }
    if let count = try? Int.fetchOne(db, sql: "SELECT COUNT(*) FROM (SELECT rowid FROM \(source))") {
      return max(0, count - readable.count)
    }
  }
  return readable.unreadable.reduce(0) { $0 + $1.count.clamped }
}

extension Int {
  /// What a person can read.
  fileprivate var clamped: Int { Swift.min(self, 1_000_000_000) }
}

/// The greatest key ever given, by the name of the table; the greatest of all under the empty name.
private func greatestKeys(_ db: Database) throws -> [String: Int64] {
  var keys: [String: Int64] = [:]
  for row in try Row.fetchAll(db, sql: "SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY") {
    guard let name = String.fromDatabaseValue(row[0]), let key = Int64.fromDatabaseValue(row[1]) else {
      continue
    }
    keys["Z" + name.uppercased()] = key
    keys[""] = max(keys[""] ?? 0, key)
  }
  return keys
}

/// From the columns: the text of a damaged file is not run.
private func createStatement(of table: PhysicalSchema.Table) -> String {
  switch table.name {
  case "Z_PRIMARYKEY": return SystemTable.primaryKey
  case "Z_METADATA": return SystemTable.metadata
  case "Z_MODELCACHE": return SystemTable.modelCache
  default: break
  }
  let isObjects = table.columns.first?.name == "Z_PK"
  let isJoin = !isObjects && table.name.contains(#/^Z_[0-9]/#) && table.columns.count >= 2
  var parts = table.columns.enumerated().map { index, column in
    let type = column.declaredType.filter { $0.isLetter || $0.isNumber || "(), ".contains($0) }
    return "\(column.name.quotedIdentifier) \(type)" + (isObjects && index == 0 ? " PRIMARY KEY" : "")
  }
  if isJoin {
    let key = table.columns.prefix(2).map { $0.name.quotedIdentifier }.joined(separator: ", ")
    parts.append("PRIMARY KEY (\(key))")
  }
  for constraint in table.sql.inlineConstraints {
    let names = constraint.columnNames.map(\.quotedIdentifier).joined(separator: ", ")
    parts.append("CONSTRAINT \(constraint.name.quotedIdentifier) UNIQUE (\(names))")
  }
  return "CREATE TABLE \(table.name.quotedIdentifier) ( \(parts.joined(separator: ", ")) )"
}
