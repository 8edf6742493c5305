import ManagedModel
import PersistentStore

extension [Leftover] {
  /// Backups to keep, because the store beside them is not the result of their migrations.
  ///
  /// - Parameter store: the store, nobody else writing to it.
  func unprovedBackups(of store: some StoreReading, models: [VersionedModel]) throws -> [String] {
    try keptBackups.filter { backup in
      backup.backup.map(isBackupOfSameVersion) == true
        ? try !isRepaired(store, from: backup.path, models)
        : try !isMigrated(store, from: backup.path, models)
    }.compactMap(\.backup)
  }

  /// The main files of backups that stay; each has the name that it had, and the one that it keeps.
  var keptBackups: [Leftover] {
    filter { $0.meaning == .backupMark && $0.backup != nil && !$0.path.hasSuffix("-wal") }
  }
}

/// Whether a store that differs from a backup is the result of the backup's migration: the same store, whole, with the
/// hashes and the tables of another version; or, where only indexes were to change, with the same objects.
private func isMigrated(_ store: some StoreReading, from backup: String, _ models: [VersionedModel]) throws
  -> Bool
{
  guard let connection = try? StoreConnection(path: backup) else { return false }
  defer { try? connection.close() }
  return try connection.read { old in
    try store.read { db in
      guard try db.quickCheckFindings().isEmpty else { return false }
      let (before, after) = (try old.readStoreMetadata(), try db.readStoreMetadata())
      guard before.uuid == after.uuid else { return false }
      if before.versionHashes == after.versionHashes { return try db.hasEqualObjects(old) }
      return try models.isEmpty || hasTables(db, after, of: models)
    }
  }
}

/// Whether a store that differs from the backup of a repair, or of a merge, is the result of that: the same store as far as
/// a damaged one tells its identity, whole, with the tables of the version whose hashes it carries.
private func isRepaired(_ store: some StoreReading, from backup: String, _ models: [VersionedModel]) throws
  -> Bool
{
  let damaged = try? StoreConnection(path: backup)
  defer { try? damaged?.close() }
  let uuid = (try? damaged?.read { try $0.readStoreMetadata() })?.uuid
  return try store.read { db in
    guard try db.quickCheckFindings().isEmpty else { return false }
    let metadata = try db.readStoreMetadata()
    guard uuid == nil || uuid == metadata.uuid else { return false }
    return try models.isEmpty || hasTables(db, metadata, of: models)
  }
}

/// Whether a store has the tables of the version whose hashes it carries.
private func hasTables(_ db: StoreDatabase, _ metadata: StoreMetadata, of models: [VersionedModel]) throws
  -> Bool
{
  let physical = try db.readPhysicalSchema()
  return recogniseStore(metadata: metadata, among: models).versions.contains { match in
    let model = match.version(among: models)?.model.restricted(toConfiguration: match.configuration)
    return model.map { !physical.bound(to: $0).diagnostics.hasErrors } ?? false
  }
}
