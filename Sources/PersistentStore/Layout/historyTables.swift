package import GRDB
package import ManagedModel

extension Database {
  /// Makes the tables of persistent history as they are before the first transaction (store-format.md 11).
  func createHistoryTables(model: ManagedObjectModel, features: FrameworkFeatures) throws {
    let statements = features.historyStatements(model: model)
    guard !statements.isEmpty else { return }
    for statement in statements { try self.execute(sql: statement) }
    for (offset, name) in ["CHANGE", "TRANSACTION", "TRANSACTIONSTRING"].enumerated() {
      try self.execute(
        sql: "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, 0, 0)",
        arguments: [firstSystemEntityNumber + 1 + offset, name])
    }
  }
}

extension PhysicalSchema {
  /// Empties the history of a store that keeps one: its numbers go on, so that no token of an earlier transaction is taken
  /// for one of a later.
  package func restartHistory(model: ManagedObjectModel, frameworkVersion: Int, in db: Database) throws {
    let tables = self.tables.map(\.name).filter(\.isHistoryTable)
    if tables.isEmpty { return }
    for table in tables { try db.execute(sql: "DROP TABLE \(table.quotedIdentifier)") }
    try db.execute(
      sql: "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT BETWEEN ? AND ?",
      arguments: [historyNumbers.lowerBound, historyNumbers.upperBound])
    try db.createHistoryTables(model: model, features: FrameworkFeatures(version: frameworkVersion))
    for row in entityRows where historyNumbers.contains(row.number) {
      try db.execute(
        sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", arguments: [row.maximum.value, row.number])
    }
  }
}

private let historyNumbers = firstSystemEntityNumber + 1...firstSystemEntityNumber + 3

extension FrameworkFeatures {
  /// `CREATE TABLE` and `CREATE INDEX` of the history tables, in the order of genuine stores.
  ///
  /// - Returns: none for frameworks that knew no history, which came with fetch indexes.
  package func historyStatements(model: ManagedObjectModel) -> [String] {
    guard hasFetchIndexes else { return [] }
    let system = "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER"
    let hierarchy = EntityHierarchy(model)
    // The most attributes that one entity preserves on deletion: each has a column of its own.
    let most = model.entities.map { entity in
      hierarchy.attributes(of: entity.name).count { $0.preservesValueInHistoryOnDeletion }
    }.max()
    let tombstones = (0..<(most ?? 0)).map { ", ZTOMBSTONE\($0) BLOB" }.joined()
    let strings = keepsHistoryStrings ? ["AUTHOR", "BUNDLEID", "CONTEXTNAME", "PROCESSID"] : []
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
}
