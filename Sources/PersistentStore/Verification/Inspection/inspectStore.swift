import Foundation
package import GRDB
package import ManagedModel

/// Bytes that are read in passing: a store of this size is counted without being asked.
private let smallStore = 16 << 20

/// Looks at an open store: which version it is, what is in it.
///
/// - Parameters:
///   - path: the store's file, where files beside it are to be looked at too.
///   - counting: large stores are not counted unless asked, so that looking at one stays a matter of milliseconds.
package func inspectStore(
  _ db: Database, among models: [VersionedModel], path: String? = nil, counting: CountMode = .automatic
) throws -> StoreInspection {
  let metadata = try db.readStoreMetadata()
  let physical = try db.readPhysicalSchema()
  let cached = try db.readCachedModel(physical: physical)
  let storeModel = cached.flatMap { $0.entityVersionHashesByName == metadata.versionHashes ? $0 : nil }
  let recognition = recogniseStore(
    metadata: metadata, among: models, storeModel: storeModel, cachedModel: cached, physical: physical)
  let recognised = recognition.match(among: models).flatMap { match in
    match.version(among: models)?.model.restricted(toConfiguration: match.configuration)
  }
  let bound = (recognised ?? storeModel).map { physical.bound(to: $0) }
  let schema = bound?.schema ?? schemaByNumbers(physical)
  let pages: (size: Int, count: Int) = (try db.pragma("page_size") ?? 0, try db.pragma("page_count") ?? 0)
  let isExact = counting == .exact || pages.size * pages.count <= smallStore
  let counts = try db.countObjects(schema: schema, physical: physical, isExact: isExact)
  return StoreInspection(
    metadata: metadata, recognition: recognition, storeModel: storeModel, model: recognised ?? storeModel,
    schema: schema,
    entities: schema.entities.map { entity in
      StoreInspection.Entity(
        name: entity.name, hash: metadata.versionHashes[entity.name], number: entity.number,
        tableName: schema.table(ofEntity: entity.name)?.name, count: counts[entity.number] ?? .exact(0))
    },
    tableByteCounts: isExact ? try db.countTableBytes(physical: physical).mapValues(\.total) : [:],
    indexes: physical.indexes.filter { !$0.tableName.isSystemTable }.map { index in
      StoreInspection.Index(
        name: index.name, tableName: index.tableName, columnNames: index.columnNames,
        isUnique: index.sql.uppercased().hasPrefix("CREATE UNIQUE"))
    },
    pageSize: pages.size, pageCount: pages.count, journalMode: try db.pragma("journal_mode") ?? "",
    history: try inspectHistory(db, physical: physical, isExact: isExact),
    cloudKitTableNames: physical.tables.map(\.name).filter(\.isCloudKitTable),
    externalFiles: path.flatMap(inspectExternalFiles), diagnostics: bound?.diagnostics ?? [])
}

private func inspectHistory(
  _ db: Database, physical: PhysicalSchema, isExact: Bool
) throws -> StoreInspection.History? {
  guard physical.tables.contains(where: { $0.name.isHistoryTable }) else { return nil }
  func count(_ table: String) throws -> StoreInspection.RowCount {
    guard let table = physical.table(named: table), !table.columns.isEmpty else { return .exact(0) }
    if isExact { return .exact(try db.countAllRows(table: table.name)) }
    return .atMost((try db.greatestKey(table: table.name) ?? .none).value)
  }
  return StoreInspection.History(transactions: try count("ATRANSACTION"), changes: try count("ACHANGE"))
}

/// Regular files only: a link leads elsewhere.
private func inspectExternalFiles(ofStoreAt path: String) -> StoreInspection.ExternalFiles? {
  guard let folder = try? dataFolder(ofStoreAt: path),
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
  else { return nil }
  var files = StoreInspection.ExternalFiles(count: 0, byteCount: 0)
  for name in names {
    guard let status = try? FileStatus(atPath: "\(folder)/\(name)"), status.kind == .regular else { continue }
    files.count += 1
    files.byteCount = files.byteCount.addingClamped(status.size)
  }
  return files
}

/// What `Z_PRIMARYKEY` alone tells, for stores whose model is not at hand.
private func schemaByNumbers(_ physical: PhysicalSchema) -> StoreSchema {
  let rows = physical.entityRows.filter { $0.number < firstSystemEntityNumber }
  let byNumber = Dictionary(firstOf: rows.map { ($0.number, $0) })
  // The name at the top of each entity's chain of parents; a chain that leads back to itself ends where it would begin anew.
  var roots: [Int: String] = [:]
  for row in rows {
    var chain = [row]
    var seen: Set<Int> = [row.number]
    while let last = chain.last, roots[last.number] == nil, let parent = byNumber[last.superNumber],
      seen.insert(parent.number).inserted
    {
      chain.append(parent)
    }
    let root = chain.last.flatMap { roots[$0.number] ?? $0.name } ?? row.name
    for link in chain { roots[link.number] = root }
  }
  let entities = rows.map { row in
    EntityLayout(
      name: row.name, number: row.number, superentityName: byNumber[row.superNumber]?.name,
      rootEntityName: roots[row.number] ?? row.name, recordedName: row.name)
  }
  let tables = rows.filter { $0.superNumber == 0 }.compactMap { row in
    physical.table(named: "Z" + row.name.uppercased()).flatMap { table in
      let names = table.columns.map { $0.name.uppercased() }
      return names.contains("Z_PK") && names.contains("Z_ENT")
        ? TableLayout(name: table.name, rootEntityName: row.name, columns: []) : nil
    }
  }
  return StoreSchema(entities: entities, tables: tables, joinTables: [])
}
