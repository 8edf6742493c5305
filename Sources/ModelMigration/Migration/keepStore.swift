import ManagedModel
import PersistentStore
import StoreFiles

/// Writes a copy of a store with its large values to a file that must not exist.
func keepStore(
  _ store: StoreFile, at output: String, models: [VersionedModel], busyTimeout: Double
) throws {
  let connection = try openStore(store.path, among: models, busyTimeout: busyTimeout)
  let file = try connection.stage(for: output)
  defer { file.discard() }
  let data = MigratedExternalData(forStoreAt: output, like: connection.file, seed: output, isNew: true)
  defer { data.discard() }
  try data.copyFiles(ofStoreAt: store.path)
  try data.finish(in: file)
  try file.finish(.rollback)
  try file.publish(at: output)
  data.keep()
  try connection.close()
}
