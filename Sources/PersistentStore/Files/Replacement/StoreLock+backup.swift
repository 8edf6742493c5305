import Foundation
import GRDB

extension StoreLock {
  /// A private copy of the store, changes in its log included, at a path that must be free.
  package func clone(
    to path: String, isBounded: Bool = true, continues: (Int64) -> Bool = { _ in true }
  ) throws -> PrivateStore {
    try file.clone(opened, to: path, isBounded: isBounded, continues: continues)
  }

  /// Copies store and log, as they are, to `<store>.<version>.backup`, before they are changed where they lie; after
  /// that the backup is to be kept or discarded.
  package func backUp(version: String) throws -> StoreBackup {
    try requireFreeSpace(file.byteCount, inFolder: parentFolder(of: file.path), for: file.name)
    return try withStoreDiagnostics(for: file.name, .destination) {
      let backup = try file.makeBackup(
        version: version, staging: privatePath(besides: file.path), mayLink: false)
      do { try synchronizeFolder(parentFolder(of: file.path)) } catch {
        // Nothing has changed yet, and the store is held.
        backup.remove()
        throw error
      }
      return backup
    }
  }

  /// Lets go of the store after a change that failed, and finishes taking it back where SQLite could not: its journal
  /// is then still there.
  ///
  /// - Returns: what the store is now; nil if it cannot be read, and the next program that opens it takes it back.
  package func closeAfterFailure() -> StoreSignature? {
    let signature = try? read(StoreSignature.init(of:))
    try? close()
    do {
      guard try file.hasUnfinishedJournal() || file.hasEmptyJournal() else { return signature }
      try file.undoUnfinishedChanges()
    } catch {
      return nil
    }
    return StoreSignature(ofStoreAt: file.path) ?? signature
  }
}
