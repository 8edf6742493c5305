import PersistentStore

/// What a migration was asked for.
struct MigrationRequest {
  /// The store's file, as the user names it.
  let store: String
  /// The store is looked for among the versions of all of them.
  var models: [VersionedModel]
  var options: MigrationOptions
  var custom: CustomMigrations
  /// Sees what goes on, and can end it.
  var monitor = MigrationMonitor()

  /// The same where the store holds versions of several models that Core Data merged when it opened it: these come
  /// joined as one more model, and a target that is a version of one of them becomes that of the joined one.
  func joiningModels() throws -> MigrationRequest {
    guard models.count > 1 else { return self }
    let connection = try openStore(store, among: models, busyTimeout: options.busyTimeout)
    defer { try? connection.close() }
    let metadata = try connection.read { try $0.readStoreMetadata() }
    var joined = self
    (joined.models, joined.custom, joined.options.targetVersion) = try ModelMigration.joiningModels(
      models, custom, for: metadata, store: store, to: options.targetVersion,
      isDowngrade: options.isDowngrade)
    return joined
  }
}

/// A plan, and the file that it was made for.
typealias PlannedStore = (plan: MigrationPlan, file: StoreFile)
