import ManagedModel
import PersistentStore

/// Which version a store is, and what it takes to open it with the target.
public struct StoreStatus: Hashable, Sendable {
  /// The versions from the store's to the target; the store's alone if that is the target.
  public let path: [String]
  /// The names of the post-processing steps that a migration would run, in their order.
  public let pendingPostProcessing: [String]

  /// Whether a migration has nothing to do: the target opens the store, and no post-processing is due.
  public var isCurrent: Bool { path.count < 2 && pendingPostProcessing.isEmpty }
  /// The store's version; `the store's own model` if only the model that it carries has it.
  public var version: String { path.first ?? "" }

  /// Judges a store by its metadata alone, see ``StoreMigrator/status(of:)``.
  ///
  /// - Parameter target: a version's name; nil for the current one of the store's model.
  init(
    ofStoreAt store: String, models: [VersionedModel], custom: CustomMigrations = CustomMigrations(),
    to target: String? = nil
  ) throws {
    let connection = try openStore(store, among: models)
    let (metadata, own) = try connection.read { db -> (StoreMetadata, ManagedObjectModel?) in
      let metadata = try db.readStoreMetadata()
      // The model that the store carries is read only where nothing else tells.
      guard recogniseStore(metadata: metadata, among: models).versions.isEmpty else { return (metadata, nil) }
      return (metadata, try readStoreModel(db, physical: db.readPhysicalSchema(), metadata: metadata))
    }
    try connection.close()
    if let target, !models.contains(where: { $0.version(named: target) != nil }) {
      throw UnknownVersionError(name: target, models: models)
    }
    let (models, joined, target) = try joiningModels(models, custom, for: metadata, store: store, to: target)
    let recognition = recogniseStore(metadata: metadata, among: models, storeModel: own)
    let (model, path) = try recognition.pathToTarget(of: store, among: models, own, target)
    self.path = path.map(\.name)
    pendingPostProcessing =
      joined.pendingSteps(of: model.name, along: path, done: metadata.postProcessingSteps).map(\.name)
  }
}

extension Recognition {
  fileprivate func pathToTarget(
    of store: String, among models: [VersionedModel], _ own: ManagedObjectModel?, _ target: String?
  ) throws -> (model: VersionedModel, path: [ModelVersion]) {
    if versions.isEmpty,
      let start = try startFromOwnModel(own, of: store, self, among: models, target: target)
    {
      return (start.model, start.path)
    }
    let names = Set(versions.map(\.modelName))
    let candidates = models.filter { names.contains($0.name) }
    guard
      let model = candidates.first(where: { model in target.map { model.version(named: $0) != nil } ?? true })
        ?? candidates.first,
      let version = model.version(named: target ?? model.currentVersionName)
    else {
      throw DiagnosticsError(.storeUnrecognised(store, recognition: self, carriesModel: own != nil))
    }
    let matches = versions.filter { $0.modelName == model.name }.map(\.versionName)
    return (
      model, try migrationPath(in: model, from: matches, to: version, store: store, isDowngrade: false)
    )
  }
}
