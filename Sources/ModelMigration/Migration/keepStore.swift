import Foundation
import PersistentStore
import StoreFiles

/// Writes a copy of a store that is about to be replaced, with its large values, to a file that must not exist, and does
/// the work. Where that fails there is no such file.
func keepingStore<Result>(
  of replacement: StoreReplacement, at output: String, _ work: () throws -> Result
) throws -> Result {
  let record = try CopyRecord(
    ofStoreAt: replacement.file.path, named: replacement.file.name, to: output)
  defer { record.remove() }
  let file = try replacement.stageCopy(for: output)
  defer { file.discard() }
  let data = MigratedExternalData(forStoreAt: output, like: replacement.file, seed: output, isNew: true)
  defer { data.discard() }
  try data.copyFiles(ofStoreAt: replacement.file.path)
  try data.finish(in: file)
  try file.finish(.rollback)
  try file.publish(at: output)
  data.keep()
  record.remove()
  do { return try work() } catch {
    try? removeFile(output)
    try? FileManager.default.removeItem(atPath: externalDataFolder(ofStoreAt: output))
    throw error
  }
}
