import ManagedModel
import PersistentStore
import StoreFiles

/// Writes a copy of a store with its large values to a file that must not exist.
///
/// - Returns: the copied large values; they go with the value unless ``MigratedExternalData/keep()`` is called.
func keepStore(
  _ store: StoreFile, at output: String, models: [VersionedModel], busyTimeout: Double
) throws -> MigratedExternalData {
  let connection = try openStore(store.path, among: models, busyTimeout: busyTimeout)
  let file = try connection.stage(for: output)
  defer { file.discard() }
  let data = MigratedExternalData(forStoreAt: output, like: connection.file, seed: output, isNew: true)
  try data.copyFiles(ofStoreAt: store.path)
  try data.finish(in: file)
  try file.finish(.rollback)
  try file.publish(at: output)
  try connection.close()
  return data
}
