import ManagedModel
import PersistentStore

/// The versions from a store's to the target, judged by its metadata alone, see ``StoreMigrator/status(of:)``.
///
/// - Parameter target: a version's name; nil for the current one of the store's model.
package func pathToTarget(
  ofStoreAt path: String, models: [VersionedModel], to target: String? = nil
) throws -> [String] {
  let connection = try openStore(path, among: models)
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
  let (models, _, target) = try joiningModels(
    models, CustomMigrations(), for: metadata, store: path, to: target)
  let recognition = recogniseStore(metadata: metadata, among: models, storeModel: own)
  if recognition.versions.isEmpty,
    let start = try startFromOwnModel(own, of: path, recognition, among: models, target: target)
  {
    return start.path.map(\.name)
  }
  let names = Set(recognition.versions.map(\.modelName))
  let candidates = models.filter { names.contains($0.name) }
  guard
    let model = candidates.first(where: { model in target.map { model.version(named: $0) != nil } ?? true })
      ?? candidates.first,
    let version = model.version(named: target ?? model.currentVersionName)
  else {
    throw DiagnosticsError(.storeUnrecognised(path, recognition: recognition, carriesModel: own != nil))
  }
  let matches = recognition.versions.filter { $0.modelName == model.name }.map(\.versionName)
  return try migrationPath(in: model, from: matches, to: version, store: path, isDowngrade: false).map(\.name)
}
