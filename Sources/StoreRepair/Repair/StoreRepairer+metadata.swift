import Foundation
import GRDB
import ManagedModel
import PersistentStore

extension StoreRepairer {
  /// Everything, in an order in which no step undoes another.
  func repairAll() throws {
    try repairMetadata()
    try repairSchema()
    try repairRows()
    try repairIndexes()
    try repairDerivedValues()
    try repairHighestKeys()
  }

  /// One row of `Z_METADATA` that says what the tables are.
  private func repairMetadata() throws {
    let name = target.version.name
    guard let metadata = target.metadata else { return try makeMetadata() }
    var updated = metadata
    if target.isOtherVersion {
      updated = metadata.updated(for: target.version, configuration: target.configuration)
      try writeStoreMetadata(updated, to: db)
      if try db.tableExists("Z_MODELCACHE") { try writeModelCache(of: target.model, to: db) }
      add(StoreRepair(.version, count: 1, "the tables are those of '\(name)', and the metadata says so now"))
    }
    guard UUID(uuidString: metadata.uuid) == nil else { return }
    updated.uuid = UUID().uuidString
    try writeStoreMetadata(updated, to: db)
    add(
      StoreRepair(.metadata, count: 1, "the store gets a UUID; URIs of objects that apps kept lead elsewhere")
    )
  }

  private func makeMetadata() throws {
    let hadTable = try db.tableExists("Z_METADATA")
    var uuid: String?
    if hadTable {
      uuid = try? Row.fetchOne(db, sql: "SELECT Z_UUID FROM Z_METADATA LIMIT 1")
        .flatMap { String.fromDatabaseValue($0[0]) }
      _ = try db.executeStatement("DELETE FROM Z_METADATA")
    } else {
      _ = try db.executeStatement(SystemTable.metadata)
    }
    let kept = uuid.flatMap(UUID.init)
    let metadata = StoreMetadata(
      newStoreOf: target.version, frameworkVersion: FrameworkFeatures.newestKnownVersion,
      uuid: kept ?? UUID(),
      configuration: target.configuration)
    try writeStoreMetadata(metadata, to: db)
    add(
      StoreRepair(
        .metadata, count: 1,
        "the metadata is rewritten, for '\(target.version.name)'"
          + (kept == nil
            ? ", with a new UUID; values that the app kept there are gone"
            : "; values that the app kept there are gone")))
  }
}
