package import Foundation
package import GRDB
package import ManagedModel
package import StoreFiles

/// Makes an empty file a store of a model version, as the imitated Core Data would, objects included.
///
/// Call it outside any transaction: the page settings come before the first table and the journal mode after the
/// last row. Indexes are built after the rows, which takes a third less time.
///
/// - Parameter objects: without the default values of the model, which are not applied.
@discardableResult
package func createStore(
  in db: Database, version: ModelVersion,
  frameworkVersion: Int = FrameworkFeatures.newestKnownVersion, uuid: UUID = UUID(),
  objects: [ManagedObject] = []
) throws -> StoreSchema {
  try prepareEmptyFile(db)
  var schema = StoreSchema(entities: [], tables: [], joinTables: [])
  try db.inTransaction(.immediate) {
    schema = try fillStore(
      in: db, version: version, frameworkVersion: frameworkVersion, uuid: uuid, objects: objects)
    return .commit
  }
  try db.execute(sql: "PRAGMA journal_mode = WAL")
  return schema
}

/// Writes everything of a new store but the file's own settings, within the caller's transaction.
@discardableResult
package func fillStore(
  in db: Database, version: ModelVersion,
  frameworkVersion: Int = FrameworkFeatures.newestKnownVersion, uuid: UUID = UUID(),
  objects: some Sequence<ManagedObject>, externalData: ExternalDataWriter? = nil
) throws -> StoreSchema {
  try fillStore(in: db, version: version, frameworkVersion: frameworkVersion, uuid: uuid) { schema in
    let writer = ObjectWriter(db, schema: schema, model: version.model, externalData: externalData)
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
  if features.hasFetchIndexes {
    try createIndexes(schema, model: version.model, in: db)
    try createSystemTables(schema, maxima: maxima, model: version.model, features: features, in: db)
  } else {
    // Frameworks before fetch indexes put their own tables before the indexes.
    try createSystemTables(schema, maxima: maxima, model: version.model, features: features, in: db)
    try createIndexes(schema, model: version.model, in: db)
  }
  if tracksHistory { try createHistoryTables(model: version.model, features: features, in: db) }
  try writeStoreMetadata(
    StoreMetadata(newStoreOf: version, frameworkVersion: frameworkVersion, uuid: uuid), to: db)
  return schema
}

private func prepareEmptyFile(_ db: Database) throws {
  guard try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM sqlite_master") == 0 else {
    throw DiagnosticsError(.notEmpty)
  }
  try db.execute(sql: "PRAGMA page_size = 4096; PRAGMA auto_vacuum = INCREMENTAL")
  // A file that has a first page already takes both only when it is rewritten.
  if try Int.fetchOne(db, sql: "PRAGMA auto_vacuum") != 2 {
    // SQLite attaches the file that it writes meanwhile.
    try db.allowingAttachment { try db.execute(sql: "VACUUM") }
  }
}

/// - Parameter present: names of indexes that are there already.
package func createIndexes(
  _ schema: StoreSchema, model: ManagedObjectModel, in db: Database, except present: Set<String> = []
) throws {
  for index in schema.indexes where !present.contains(index.name) { try db.executeStatement(index.sql) }
  // Derived values count rows by their references: with the indexes, before the triggers.
  for statement in derivedValueStatements(for: model, in: schema) { try db.executeStatement(statement) }
  for trigger in schema.triggers { try db.executeStatement(trigger.sql) }
}

package func createSystemTables(
  _ schema: StoreSchema, maxima: [String: Int64], model: ManagedObjectModel, features: FrameworkFeatures,
  in db: Database
) throws {
  try db.execute(sql: SystemTable.primaryKey)
  try db.execute(sql: SystemTable.metadata)
  let insert = try db.makeStatement(
    sql: "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, ?)")
  for entity in schema.entities {
    let parent = entity.superentityName.flatMap { schema.entity(named: $0)?.number } ?? 0
    let maximum = entity.superentityName == nil ? maxima[entity.name] ?? 0 : 0
    try insert.execute(arguments: [entity.number, entity.recordedName, parent, maximum])
  }
  guard features.hasModelCache else { return }
  try db.execute(sql: SystemTable.modelCache)
  try writeModelCache(of: model, to: db)
}

extension StoreSchema {
  /// `CREATE TABLE` for every table of the model, each join table after its owner's.
  package var tableStatements: [String] {
    tables.flatMap { table in [table.createStatement] + joinTables(ownedBy: table).map(\.createStatement) }
  }

  /// Table by table; those of a join table after those of its owner's references.
  package var indexStatements: [String] { indexes.map(\.sql) }

  /// The same with their names.
  package var indexes: [IndexLayout] {
    tables.flatMap { table in table.indexes + joinTables(ownedBy: table).flatMap(\.indexes) }
  }

  private func joinTables(ownedBy table: TableLayout) -> [JoinTableLayout] {
    joinTables.filter { entity(named: $0.source.entity)?.rootEntityName == table.rootEntityName }
  }
}

extension Diagnostic {
  fileprivate static var notEmpty: Diagnostic {
    Diagnostic(
      .storeWriteFailed, .error, "the file in which a new store was to be made is not empty",
      help: ["choose a path where no file is"], cocoaCode: 134160)
  }
}
