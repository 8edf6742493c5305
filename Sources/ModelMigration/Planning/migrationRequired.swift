public import ManagedModel
import PersistentStore
import StoreFiles

/// Whether a store has to be migrated before the target version can open it, judged by its metadata alone.
///
/// It reads the file's header and one row, whatever the store's size, so a program may ask at every launch.
///
/// - Parameters:
///   - path: the store's file.
///   - models: the store is looked for among the versions of all of them.
///   - target: a version's name; nil for the current one of the store's model.
/// - Throws: ``DiagnosticsError`` where the file is not a store (MC5001 to MC5005), fits no version at hand (MC5102), or
///   no path leads to the target (MC3404, MC5104, MC5112); ``UnknownVersionError`` for a target that no model has.
public func migrationRequired(
  at path: String, models: [VersionedModel], to target: String? = nil
) throws -> Bool {
  let connection = try openStore(path, among: models)
  let (metadata, own) = try connection.read { db -> (StoreMetadata, ManagedObjectModel?) in
    let metadata = try readStoreMetadata(db)
    // The model that the store carries is read only where nothing else tells.
    guard recogniseStore(metadata: metadata, among: models).versions.isEmpty else { return (metadata, nil) }
    return (metadata, try readStoreModel(db, physical: readPhysicalSchema(db), metadata: metadata))
  }
  try connection.close()
  if let target, !models.contains(where: { $0.version(named: target) != nil }) {
    throw UnknownVersionError(name: target, models: models)
  }
  let (models, _, target) = try joiningModels(
    models, CustomMigrations(), for: metadata, store: path, to: target)
  let recognition = recogniseStore(metadata: metadata, among: models, storeModel: own)
  if recognition.versions.isEmpty,
    try startFromOwnModel(own, of: path, recognition, among: models, target: target) != nil
  {
    return true
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
  return try migrationPath(in: model, from: matches, to: version, store: path, isDowngrade: false).count > 1
}
