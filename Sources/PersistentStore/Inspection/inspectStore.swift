package import GRDB
package import ManagedModel

/// Looks at an open store: which version it is, what is in it.
package func inspectStore(_ db: Database, among models: [VersionedModel]) throws -> StoreInspection {
  let metadata = try readStoreMetadata(db)
  let physical = try readPhysicalSchema(db)
  let storeModel = try readStoreModel(db, physical: physical, metadata: metadata)
  let recognition = recogniseStore(metadata: metadata, among: models, storeModel: storeModel)
  let recognised = recognition.versions.last.flatMap { match in
    models.first { $0.name == match.modelName }?.version(named: match.versionName)?.model
      .restricted(toConfiguration: match.configuration)
  }
  let bound = (recognised ?? storeModel).map { bindSchema(physical, to: $0) }
  let schema = bound?.schema ?? schemaByNumbers(physical)
  return StoreInspection(
    metadata: metadata, recognition: recognition, storeModel: storeModel,
    entities: try countRows(in: db, schema: schema, metadata: metadata),
    pageSize: try pragma(db, "page_size") ?? 0, pageCount: try pragma(db, "page_count") ?? 0,
    journalMode: try pragma(db, "journal_mode") ?? "",
    hasPersistentHistory: physical.tables.contains { isHistoryTable($0.name) },
    hasCloudKitTables: physical.tables.contains { isCloudKitTable($0.name) },
    diagnostics: bound?.diagnostics ?? [])
}

/// What `Z_PRIMARYKEY` alone tells, for stores whose model is not at hand.
private func schemaByNumbers(_ physical: PhysicalSchema) -> StoreSchema {
  let rows = physical.entityRows.filter { $0.number < firstSystemEntityNumber }
  let byNumber = Dictionary(rows.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
  func root(of row: PhysicalSchema.EntityRow) -> PhysicalSchema.EntityRow {
    var row = row
    // As many steps as there are rows end even a cycle of parents.
    for _ in rows { row = byNumber[row.superNumber] ?? row }
    return row
  }
  let entities = rows.map { row in
    EntityLayout(
      name: row.name, number: row.number, superentityName: byNumber[row.superNumber]?.name,
      rootEntityName: root(of: row).name)
  }
  let tables = rows.filter { $0.superNumber == 0 }.compactMap { row in
    physical.table(named: "Z" + row.name.uppercased()).map {
      TableLayout(name: $0.name, rootEntityName: row.name, columns: [])
    }
  }
  return StoreSchema(entities: entities, tables: tables, joinTables: [])
}

/// One pass over each table, or over an index of it.
private func countRows(
  in db: Database, schema: StoreSchema, metadata: StoreMetadata
) throws -> [StoreInspection.Entity] {
  var counts: [Int: Int] = [:]
  for table in schema.tables {
    let numbers = schema.entities.filter { $0.rootEntityName == table.rootEntityName }.map(\.number)
    let name = quotedIdentifier(table.name)
    if let only = numbers.first, numbers.count == 1 {
      counts[only] = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM \(name)")
    } else {
      let rows = try Row.fetchCursor(db, sql: "SELECT Z_ENT, COUNT(*) FROM \(name) GROUP BY Z_ENT")
      while let row = try rows.next() {
        guard let number = Int.fromDatabaseValue(row[0]) else { continue }
        counts[number] = Int.fromDatabaseValue(row[1])
      }
    }
  }
  return schema.entities.map { entity in
    StoreInspection.Entity(
      name: entity.name, hash: metadata.versionHashes[entity.name], number: entity.number,
      tableName: schema.table(ofEntity: entity.name)?.name, rows: counts[entity.number] ?? 0)
  }
}

private func pragma<Value: DatabaseValueConvertible>(_ db: Database, _ name: String) throws -> Value? {
  try Row.fetchOne(db, sql: "PRAGMA \(name)").flatMap { Value.fromDatabaseValue($0[0]) }
}
