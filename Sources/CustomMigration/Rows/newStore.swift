package import GRDB
package import ManagedModel
package import PersistentStore
package import StoreFiles

/// Makes the tables of a new store, without indexes: rows come first.
package func createTables(of schema: StoreSchema, in db: Database) throws {
  for statement in schema.tableStatements { try db.executeStatement(statement) }
}

/// Makes the indexes that no value can violate, before the rows are read, so that references are met in their order. The
/// other indexes come with ``completeStore(_:version:configuration:metadata:formerMaxima:in:)``.
package func createPlainIndexes(of schema: StoreSchema, in db: Database) throws {
  for index in schema.indexes where !index.sql.uppercased().hasPrefix("CREATE UNIQUE") {
    try db.executeStatement(index.sql)
  }
}

private func indexNames(_ db: Database) throws -> Set<String> {
  let rows = try Row.fetchAll(db, sql: "SELECT name FROM main.sqlite_master WHERE type = 'index'")
  return Set(rows.compactMap { String.fromDatabaseValue($0[0]) })
}

/// Numbers the places of ordered relationships as Core Data does in a new store.
package func numberOrders(of schema: StoreSchema, in db: Database) throws {
  for table in schema.tables {
    for column in table.columns {
      let owner: ColumnRole? =
        switch column.role {
        case .order(let reference): .toOne(reference)
        case .ownerOrder(let reference): .owner(reference)
        default: nil
        }
      guard let owner, let key = table.column(for: owner) else { continue }
      try db.execute(
        sql: numberOrderSQL(table.name, owner: key.name, by: [column.name, "Z_PK"], column.name))
    }
  }
  for join in schema.joinTables {
    if let order = join.destinationOrderColumn {
      let keys = [order, join.destinationColumn]
      try db.execute(sql: numberOrderSQL(join.name, owner: join.sourceColumn, by: keys, order))
    }
    if let order = join.sourceOrderColumn {
      let keys = [order, join.sourceColumn]
      try db.execute(sql: numberOrderSQL(join.name, owner: join.destinationColumn, by: keys, order))
    }
  }
}

/// Completes a new store whose rows are there: indexes, triggers, Core Data's own tables, metadata.
///
/// - Parameters:
///   - metadata: the source's; what the app put there stays.
///   - formerMaxima: the highest key ever handed out, by root entity.
package func completeStore(
  _ schema: StoreSchema, version: ModelVersion, configuration: String?, metadata: StoreMetadata,
  formerMaxima: [String: CheckedKey], in db: Database
) throws {
  let model = version.model.restricted(toConfiguration: configuration)
  let features = FrameworkFeatures(version: metadata.frameworkVersion ?? 0)
  try createIndexes(schema, model: model, in: db, except: indexNames(db))
  try createSystemTables(schema, maxima: [:], model: model, features: features, in: db)
  try writePrimaryKeys(of: schema, formerMaxima: formerMaxima, in: db)
  try writeStoreMetadata(metadata.updated(for: version, configuration: configuration), to: db)
}

/// Copies the attached source's tables that belong to neither the model nor Core Data, with their rows and indexes.
///
/// - Returns: the names of those that could not be taken over: virtual ones, and names that are taken.
package func copyUnknownTables(
  _ physical: PhysicalSchema, bound: StoreSchema, in db: Database
) throws -> [String] {
  let known = Set((bound.tables.map(\.name) + bound.joinTables.map(\.name)).map { $0.uppercased() })
  var left: [String] = []
  for table in physical.tables where !known.contains(table.name.uppercased()) && !isSystemTable(table.name) {
    let isPlain = table.sql.uppercased().hasPrefix("CREATE TABLE") && !table.columns.isEmpty
    guard isPlain, try !db.tableExists(table.name) else {
      left.append(table.name)
      continue
    }
    // Its own text could hold expressions; what counts are names and types.
    let columns = table.columns.map { quotedIdentifier($0.name) + " " + declaredType($0.declaredType) }
    let list = table.columns.map { quotedIdentifier($0.name) }.joined(separator: ", ")
    try db.execute(sql: "CREATE TABLE \(quotedIdentifier(table.name)) (\(columns.joined(separator: ", ")))")
    try db.execute(
      sql: "INSERT INTO main.\(quotedIdentifier(table.name)) (\(list)) "
        + "SELECT \(list) FROM source.\(quotedIdentifier(table.name))")
  }
  return left
}

private func declaredType(_ type: String) -> String {
  String(type.filter { $0.isLetter || $0.isNumber || " (),_".contains($0) })
}
