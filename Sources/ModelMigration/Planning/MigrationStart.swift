import ManagedModel
import PersistentStore

/// The store's model, the versions from the store's own to the target, and the configuration whose entities the store has; nil
/// if it has all.
typealias MigrationStart = (
  model: VersionedModel, path: [ModelVersion], configuration: String?, diagnostics: [Diagnostic]
)

extension MigrationRequest {
  /// From which version the store goes to the one that was asked for, or to the current one of its model.
  func start(of db: StoreDatabase, _ metadata: StoreMetadata) throws -> MigrationStart {
    let name = options.targetVersion
    if let name, !models.contains(where: { $0.askedVersion(name) != nil }) {
      throw UnknownVersionError(name: name, models: models)
    }
    var recognition = recogniseStore(metadata: metadata, among: models)
    if recognition.versions.isEmpty {
      // The model that the store carries is read only where nothing else tells.
      let own = try readStoreModel(db, physical: db.readPhysicalSchema(), metadata: metadata)
      recognition = recogniseStore(metadata: metadata, among: models, storeModel: own)
      if let start = try startFromOwnModel(own, recognition) { return start }
      throw try DiagnosticsError(db.unrecognised(store, metadata, among: models))
    }
    // Of several models with such a version, the one that also has the target. Some may share a name.
    let candidates = models.filter { model in
      recognition.versions.contains { match in
        match.modelName == model.name
          && model.version(named: match.versionName)?.versionHashes(ofConfiguration: match.configuration)
            == metadata.versionHashes
      }
    }
    let fitting = candidates.filter { model in name.map { model.askedVersion($0) != nil } ?? true }
    guard let model = fitting.first ?? candidates.first else {
      throw try DiagnosticsError(db.unrecognised(store, metadata, among: models))
    }
    let wanted = name ?? model.currentVersionName
    guard let target = model.askedVersion(wanted) else {
      throw UnknownVersionError(name: wanted, models: [model])
    }
    let rivals = fitting.filter { other in
      guard let end = other.askedVersion(name ?? other.currentVersionName) else { return false }
      // A compiled model lies beside its source.
      let isCopy = other.name == model.name && (end.packagePath == nil || target.packagePath == nil)
      return !isCopy && !target.makesStores(of: end)
    }
    if !rivals.isEmpty { throw DiagnosticsError(.storeOfSeveralModels(store, [model] + rivals)) }
    let matches = recognition.versions.filter { $0.modelName == model.name }
    let (chosen, diagnostics) = matches.map(\.versionName).chooseAmongEqual(
      in: model, to: target, store: store)
    let path = try migrationPath(
      in: model, from: chosen, to: target, store: store, isDowngrade: options.allowsDowngrade)
    let configuration = matches.first { $0.versionName == path.first?.name }?.configuration
    return (model, path, configuration, diagnostics)
  }
}

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
  init(
    ofStoreAt store: String, models: [VersionedModel], custom: CustomMigrations, options: MigrationOptions
  ) throws {
    let connection = try openStore(store, among: models, busyTimeout: options.busyTimeout)
    (path, pendingPostProcessing) = try connection.read { db in
      let metadata = try db.readStoreMetadata()
      let request = try MigrationRequest(store: store, models: models, options: options, custom: custom)
        .joiningModels(for: metadata)
      let start = try request.start(of: db, metadata)
      // The steps ran when the store was there before.
      let steps =
        start.model.isDowngradePath(start.path)
        ? []
        : request.custom.pendingSteps(
          of: start.model.name, along: start.path, done: metadata.postProcessingSteps)
      return (start.path.map(\.name), steps.map(\.name))
    }
    try connection.close()
  }
}
