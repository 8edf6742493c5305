package import GRDB
package import ManagedModel

/// Makes the tables of persistent history as they are before the first transaction (store-format.md 11).
func createHistoryTables(
  model: ManagedObjectModel, features: FrameworkFeatures, in db: Database
) throws {
  let statements = historyStatements(model: model, features: features)
  guard !statements.isEmpty else { return }
  for statement in statements { try db.execute(sql: statement) }
  for (offset, name) in ["CHANGE", "TRANSACTION", "TRANSACTIONSTRING"].enumerated() {
    try db.execute(
      sql: "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, 0, 0)",
      arguments: [firstSystemEntityNumber + 1 + offset, name])
  }
}

/// Empties the history of a store that keeps one: its numbers go on, so that no token of an earlier transaction is taken
/// for one of a later.
///
/// - Parameter source: the store as it was.
package func restartHistory(
  of source: PhysicalSchema, model: ManagedObjectModel, frameworkVersion: Int, in db: Database
) throws {
  let tables = source.tables.map(\.name).filter(isHistoryTable)
  if tables.isEmpty { return }
  for table in tables { try db.execute(sql: "DROP TABLE \(quotedIdentifier(table))") }
  try db.execute(
    sql: "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT BETWEEN ? AND ?",
    arguments: [historyNumbers.lowerBound, historyNumbers.upperBound])
  try createHistoryTables(model: model, features: FrameworkFeatures(version: frameworkVersion), in: db)
  for row in source.entityRows where historyNumbers.contains(row.number) {
    try db.execute(
      sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", arguments: [row.maximum.value, row.number])
  }
}

private let historyNumbers = firstSystemEntityNumber + 1...firstSystemEntityNumber + 3

/// `CREATE TABLE` and `CREATE INDEX` of the history tables, in the order of genuine stores.
///
/// - Returns: none for frameworks that knew no history, which came with fetch indexes.
package func historyStatements(model: ManagedObjectModel, features: FrameworkFeatures) -> [String] {
  guard features.hasFetchIndexes else { return [] }
  let system = "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER"
  let tombstones = (0..<tombstoneCount(of: model)).map { ", ZTOMBSTONE\($0) BLOB" }.joined()
  let strings = features.keepsHistoryStrings ? ["AUTHOR", "BUNDLEID", "CONTEXTNAME", "PROCESSID"] : []
  let keys = strings.map { ", Z\($0)TS INTEGER" }.joined()
  var statements = [
    "CREATE TABLE ACHANGE ( \(system), ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER,"
      + " ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB\(tombstones) )",
    "CREATE TABLE ATRANSACTION ( \(system)\(keys), ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR,"
      + " ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB )",
    "CREATE TABLE ATRANSACTIONSTRING ( \(system), ZNAME VARCHAR )",
    "CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)",
  ]
  statements += strings.map { "CREATE INDEX ATRANSACTION_Z\($0)TS_INDEX ON ATRANSACTION (Z\($0)TS)" }
  return statements + [
    "CREATE INDEX Z_TRANSACTION_TransactionAuthorIndex ON ATRANSACTION (ZAUTHOR COLLATE BINARY ASC)",
    "CREATE INDEX Z_TRANSACTION_TransactionTimestampIndex ON ATRANSACTION (ZTIMESTAMP COLLATE BINARY ASC)",
    "CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC)",
  ]
}

/// The most attributes that one entity preserves on deletion: each has a column of its own.
private func tombstoneCount(of model: ManagedObjectModel) -> Int {
  let hierarchy = EntityHierarchy(model)
  return model.entities.map { entity in
    hierarchy.attributes(of: entity.name).count { $0.preservesValueInHistoryOnDeletion }
  }.max() ?? 0
}
