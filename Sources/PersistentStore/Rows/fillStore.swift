package import Foundation
package import GRDB
package import ManagedModel

/// Writes everything of a new store but the file's own settings, within the caller's transaction.
@discardableResult
package func fillStore(
  in db: Database, version: ModelVersion,
  frameworkVersion: Int = FrameworkFeatures.newestKnownVersion, uuid: UUID = UUID(),
  objects: some Sequence<ManagedObject>
) throws -> StoreSchema {
  try fillStore(in: db, version: version, frameworkVersion: frameworkVersion, uuid: uuid) { schema in
    let writer = ObjectWriter(db, schema: schema, model: version.model)
    for object in objects { try writer.write(object) }
    return try writer.finish()
  }
}

/// The same with rows that the caller writes once the tables are there.
///
/// - Parameters:
///   - tracksHistory: whether the store has the tables of persistent history, empty.
///   - writeRows: returns the highest primary key, by root entity.
@discardableResult
package func fillStore(
  in db: Database, version: ModelVersion, frameworkVersion: Int, uuid: UUID, tracksHistory: Bool = false,
  writeRows: (StoreSchema) throws -> [String: Int64]
) throws -> StoreSchema {
  let schema = layOutStore(for: version.model, frameworkVersion: frameworkVersion)
  let features = FrameworkFeatures(version: frameworkVersion)
  for statement in schema.tableStatements { try db.execute(sql: statement) }
  let maxima = try writeRows(schema)
  if features.hasFetchIndexes { try createIndexes(schema, model: version.model, in: db) }
  try db.execute(sql: SystemTable.primaryKey)
  try db.execute(sql: SystemTable.metadata)
  try schema.writePrimaryKeys(formerMaxima: maxima.mapValues { CheckedKey($0) }, in: db)
  if features.hasModelCache {
    try db.execute(sql: SystemTable.modelCache)
    try version.model.writeCache(to: db, features: features)
  }
  // Frameworks before fetch indexes put their own tables before the indexes.
  if !features.hasFetchIndexes { try createIndexes(schema, model: version.model, in: db) }
  if tracksHistory { try db.createHistoryTables(model: version.model, features: features) }
  try StoreMetadata(newStoreOf: version, frameworkVersion: frameworkVersion, uuid: uuid).write(to: db)
  return schema
}

private func createIndexes(_ schema: StoreSchema, model: ManagedObjectModel, in db: Database) throws {
  for index in schema.indexes { try db.executeStatement(index.sql) }
  // Derived values count rows by their references: with the indexes, before the triggers.
  for sql in schema.derivedValueStatements(for: model) { try execute(.deriveValues(sql: sql), in: db) }
  for trigger in schema.triggers { try db.executeStatement(trigger.sql) }
}

extension StoreSchema {
  /// `CREATE TABLE` for every table of the model, each join table after its owner's.
  package var tableStatements: [String] {
    tables.flatMap { table in [table.createStatement] + joinTables(ownedBy: table).map(\.createStatement) }
  }

  /// Table by table; those of a join table after those of its owner's references.
  package var indexes: [IndexLayout] {
    tables.flatMap { table in table.indexes + joinTables(ownedBy: table).flatMap(\.indexes) }
  }

  private func joinTables(ownedBy table: TableLayout) -> [JoinTableLayout] {
    joinTables.filter { entity(named: $0.source.entity)?.rootEntityName == table.rootEntityName }
  }
}
