import ManagedModel
import PersistentStore

/// Which version a store has, and what is needed to open it with the target.
public struct StoreStatus: Hashable, Sendable {
  /// The versions from the store's to the target; the store's alone if that is the target.
  public let path: [String]
  /// The names of the post-processing steps that a migration would run, in their order.
  public let pendingPostProcessing: [String]

  /// Whether a migration has nothing to do: the target opens the store, and no post-processing is due.
  public var isCurrent: Bool { path.count < 2 && pendingPostProcessing.isEmpty }
  /// The store's version; `the store's own model` if only the model that it contains has it.
  public var version: String { path.first ?? "" }

  /// Judges a store by its metadata alone, see ``StoreMigrator/status(of:)``.
  ///
  /// - Parameter target: a version's name; nil for the current one of the store's model.
  init(
    ofStoreAt store: String, models: [VersionedModel], custom: CustomMigrations = CustomMigrations(),
    to target: String? = nil
  ) throws {
    let connection = try openStore(store, among: models)
    (path, pendingPostProcessing) = try connection.read { db in
      let metadata = try db.readStoreMetadata()
      let (models, custom, target) = try joiningModels(
        models, custom, for: metadata, store: store, to: target, isDowngrade: false)
      let start = try MigrationStart(of: store, db, metadata, among: models, to: target, isDowngrade: false)
      let steps = custom.pendingSteps(
        of: start.model.name, along: start.path, done: metadata.postProcessingSteps)
      return (start.path.map(\.name), steps.map(\.name))
    }
    try connection.close()
  }
}
