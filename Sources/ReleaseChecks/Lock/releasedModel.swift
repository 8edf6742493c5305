import Foundation
import ManagedModel
import PersistentStore

extension CheckedModel {
  /// The content of a version when it was released: from the base of the check, the release's tag, the last commit, or
  /// the kept store, which lacks the facts that no hash covers.
  ///
  /// - Returns: nil if none of them has it; and how a file of the version is taken from there, where git has it.
  func releasedModel(_ name: String, _ entry: ReleaseLock.Entry, _ base: BaseModel?) -> (
    model: ManagedObjectModel, restoring: ((String) -> String)?
  )? {
    func isReleased(_ version: ModelVersion) -> Bool { version.model.fingerprint == entry.fingerprint }
    if let base, let found = base.model.versions.first(where: isReleased) {
      return (found.model, { base.restoring($0, of: self) })
    }
    for revision in [entry.tag, "HEAD"].compactMap(\.self) {
      let reading = try? reader.readAnywhere(at: self.path, in: revision)
      if let found = reading?.model?.versions.first(where: isReleased) {
        return (found.model, { restoring($0, from: revision, at: reading?.path) })
      }
    }
    let store = places.store(of: name)
    guard FileManager.default.fileExists(atPath: store) else { return nil }
    let cached = try? StoreConnection(path: store).read { db in
      try readStoreModel(db, physical: db.readPhysicalSchema(), metadata: db.readStoreMetadata())
    }
    guard let model = cached ?? nil, model.versionChecksum == entry.checksum else { return nil }
    return (model, nil)
  }
}
