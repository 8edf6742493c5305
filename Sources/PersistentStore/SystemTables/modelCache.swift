import Foundation
package import GRDB
package import ManagedModel
import ModelArchives

/// The model that the store carries in `Z_MODELCACHE`, where its hashes equal those in the metadata.
///
/// - Returns: nil if absent, where it cannot be read, and where it is stale: a writer may leave an old
///   one behind.
package func readStoreModel(
  _ db: Database, physical: PhysicalSchema, metadata: StoreMetadata
) throws -> ManagedObjectModel? {
  guard let model = try db.readCachedModel(physical: physical),
    model.entityVersionHashesByName == metadata.versionHashes
  else { return nil }
  return model
}

/// Bytes, compressed; the largest models come to a hundredth of it.
private let largestCache = 16 << 20

extension Database {
  /// The model in `Z_MODELCACHE`, whether or not the store's hashes confirm it; nil if none can be read.
  package func readCachedModel(physical: PhysicalSchema) throws -> ManagedObjectModel? {
    guard let table = physical.table(named: "Z_MODELCACHE"),
      table.columns.contains(where: { $0.name.caseInsensitivelyEquals("Z_CONTENT") }),
      let row = try Row.fetchOne(
        self, sql: "SELECT Z_CONTENT FROM Z_MODELCACHE WHERE length(Z_CONTENT) <= \(largestCache) LIMIT 1"),
      let content = Data.fromDatabaseValue(row[0])
    else { return nil }
    return try? content.decodeModelCache()
  }

  /// Reads the store's own model and compares its recomputed hashes with those in the metadata.
  ///
  /// - Parameter metadata: nil if it cannot be read; nothing then confirms the model.
  package func examineModelCache(metadata: StoreMetadata?) throws -> CachedModel {
    guard try tableExists("Z_MODELCACHE"),
      try columns(in: "Z_MODELCACHE").contains(where: { $0.name.uppercased() == "Z_CONTENT" }),
      let row = try Row.fetchOne(self, sql: "SELECT length(Z_CONTENT) FROM Z_MODELCACHE LIMIT 1"),
      let byteCount = row.number(0)
    else { return .absent }
    guard byteCount <= largestCache else { return .unreadable("it is larger than any model") }
    guard let content = try Row.fetchOne(self, sql: "SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1"),
      let data = Data.fromDatabaseValue(content[0])
    else { return .unreadable("it holds no bytes") }
    let model: ManagedObjectModel
    do {
      model = try data.decodeModelCache()
    } catch let error as DiagnosticsError {
      return .unreadable(error.diagnostics.first?.message ?? "its archive is damaged")
    }
    let computed = model.entityVersionHashesByName
    let stored = metadata?.versionHashes ?? [:]
    let names = Set(computed.keys).union(stored.keys)
    let differing = names.filter { computed[$0] != stored[$0] }
      .sorted { $0.precedesInCodePointOrder($1) }
    return differing.isEmpty ? .trusted(model) : .untrusted(model, differing: differing)
  }
}

/// What a store's `Z_MODELCACHE` holds.
package enum CachedModel: Sendable {
  /// No such table, or nothing in it.
  case absent
  /// The reason in words.
  case unreadable(String)
  /// A model whose hashes are not those in the metadata: of these entities, by name.
  case untrusted(ManagedObjectModel, differing: [String])
  case trusted(ManagedObjectModel)
}

extension ManagedObjectModel {
  /// Puts the model into `Z_MODELCACHE`, in place of what was there.
  ///
  /// Stores of frameworks up to 519 have no such table and need none.
  ///
  /// - Parameter features: of the framework that the store is of; nil if its metadata says so.
  package func writeCache(to db: Database, features: FrameworkFeatures? = nil) throws {
    guard try db.tableExists("Z_MODELCACHE") else { return }
    var model = self
    if model.editorSettings.usedWithSwiftData {
      let known = try features ?? FrameworkFeatures(version: db.readStoreMetadata().frameworkVersion ?? 0)
      if known.namesSwiftDataClasses {
        model.entities.editEach { $0.managedObjectClassName = $0.managedObjectClassName ?? $0.name }
      }
    }
    let content = try model.encodedCache()
    try db.execute(sql: "DELETE FROM Z_MODELCACHE")
    try db.execute(sql: "INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)", arguments: [content])
  }
}
