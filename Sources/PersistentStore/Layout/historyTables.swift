import GRDB
package import ManagedModel

/// Makes the tables of persistent history as they are before the first transaction (store-format.md 11).
func createHistoryTables(
  model: ManagedObjectModel, features: FrameworkFeatures, in db: Database
) throws {
  for statement in historyStatements(model: model, features: features) { try db.execute(sql: statement) }
  for (offset, name) in ["CHANGE", "TRANSACTION", "TRANSACTIONSTRING"].enumerated() {
    try db.execute(
      sql: "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, 0, 0)",
      arguments: [firstSystemEntityNumber + 1 + offset, name])
  }
}

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
