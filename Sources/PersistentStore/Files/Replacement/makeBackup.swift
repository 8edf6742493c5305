import Foundation
import GRDB
import ManagedModel

/// The old store beside the new one, as one file: byte for byte, or with what its log held moved into it.
package struct StoreBackup: Hashable, Sendable {
  package var path: String
  package var byteCount: Int64
  /// Whether it is the old file itself under another name, not a copy.
  package var isOldFile: Bool
  /// Second names of the same files, which say until the swap that this backup is of a replacement under way.
  var marks: [String] = []

  func remove() { for path in [path] + marks { try? removeFile(path) } }

  /// The change is done: the backup is one like any other.
  package func keep() { for mark in marks { try? removeFile(mark) } }

  /// Removes a backup of a store that was not changed after all; where the store does not hold what the backup holds, or
  /// cannot be read, the backup stays.
  ///
  /// - Parameter path: where the store lies; nobody may hold it any more.
  /// - Returns: whether the backup is gone.
  package func endUnused(besideStoreAt path: String) -> Bool {
    let (own, other) = (try? FileStatus(atPath: path), try? FileStatus(atPath: self.path))
    // The same file is asked nothing: it may be one that cannot be read.
    let isHeld =
      own != nil && own?.identity == other?.identity
      || (try? holdsBackup(StoreConnection(path: path), at: path, self.path)) == true
    if isHeld { remove() } else { keep() }
    return isHeld
  }
}

/// What a private file's name is continued by where the file is a backup: `.Shop.sqlite.modelc-1a2b3c4d.backup`.
let backupMark = ".backup"

/// What stands for the version in the name of a store that was repaired: `Shop.sqlite.damaged.backup`.
package let damagedStoreLabel = "damaged"

/// The same of a store that another one was merged into: `Shop.sqlite.before-merge.backup`.
package let mergedStoreLabel = "before-merge"

/// Whether the change that a backup was made for left the store at its version, as the backup's name says: it was repaired, or
/// another store was merged into it.
package func isBackupOfSameVersion(_ path: String) -> Bool {
  [damagedStoreLabel, mergedStoreLabel].contains { label in
    let end = ".\(label)\(backupMark)"
    return path.hasSuffix(end) || path.contains("\(end) ") && path.last?.isNumber == true
  }
}

extension StoreFile {
  /// Keeps the old store as `<store>.<version>.backup`, or with ` 2`, ` 3` after that where names are taken.
  ///
  /// Called under the store's lock, before anything changes in it. Each file gets a private name first, which it keeps
  /// beside its own until the swap, or the commit: after a crash that tells whether the backup belongs to a change that
  /// never came.
  ///
  /// - Parameters:
  ///   - staging: the private path that the replacement lies at, or would.
  ///   - mayLink: whether the file itself, which nobody will change, may get a second name instead of a copy.
  func makeBackup(version: String, staging: String, mayLink: Bool) throws -> StoreBackup {
    var backup = StoreBackup(path: "", byteCount: self.byteCount, isOldFile: false)
    do {
      let hidden = staging + backupMark
      backup.marks = [hidden]
      if mayLink, try link(self.path, hidden) {
        backup.isOldFile = true
        backup.byteCount = status.size
      } else {
        try copyDurably(self.path, to: hidden)
        if wal?.hasFrames == true { try foldLog(into: hidden) }
        backup.byteCount = try FileStatus(atPath: hidden)?.size ?? byteCount
      }
      try nameBackup(&backup, version: version, of: self)
      return backup
    } catch {
      backup.remove()
      throw error
    }
  }

  /// Moves what the store's log holds into a copy of its file: a backup of two files is easily moved back without the newest
  /// rows.
  private func foldLog(into copy: String) throws {
    defer { for suffix in ["-wal", "-shm"] { try? removeFile(copy + suffix) } }
    try copyDurably(path + "-wal", to: copy + "-wal")
    let queue = try openQueue(copy, .readWrite, connectionConfiguration(readOnly: false) { _ in })
    try queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    try queue.close()
    try OpenFile(reading: copy).synchronize()
  }
}

/// Gives the file the first name that is free; never replaces anything.
private func nameBackup(_ backup: inout StoreBackup, version: String, of store: StoreFile) throws {
  let label = version.escaped { $0 == "/" || $0.isUnshown ? "_" : nil }
  for number in 1...9999 {
    let path = store.path + ".\(label).backup" + (number == 1 ? "" : " \(number)")
    guard try areFree(path) else { continue }
    do {
      try addName(path, to: backup.marks[0])
      backup.path = path
      return
    } catch {
      guard error.code == EEXIST else { throw error }
    }
  }
  throw SystemError(EEXIST, "name a backup of", store.path)
}

/// Side files of the name would be taken for the backup's own.
func areFree(_ path: String) throws(SystemError) -> Bool {
  for suffix in ["", "-wal", "-shm", "-journal"] where try FileStatus(atPath: path + suffix) != nil {
    return false
  }
  return true
}

/// Copies, compares, syncs. A failure leaves the copy to the caller.
private func copyDurably(_ path: String, to target: String) throws {
  let copy = try OpenFile(creating: target)
  let source = try OpenFile(reading: path)
  try copy.takeAttributes(of: source)
  try source.copyContents(to: copy)
  guard try source.status().size == copy.status().size, try source.hasBeginning(copy) else {
    throw SystemError(EIO, "copy", target)
  }
  try copy.takeModificationTime(of: source.status())
  try copy.synchronize()
}

/// A second name for a file; false if the file system knows no such thing, an error where the name is taken.
private func link(_ path: String, _ name: String) throws(SystemError) -> Bool {
  if unsafe Foundation.link(path, name) == 0 { return true }
  let code = errno
  // The errors of file systems on which a file has one name only.
  guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK].contains(code) else {
    throw SystemError(code, "create", name)
  }
  return false
}

/// Gives a file a further name, or, where a file can have one only, another one; never replaces anything.
func addName(_ name: String, to path: String) throws(SystemError) {
  if try link(path, name) { return }
  guard try FileStatus(atPath: name) == nil else { throw SystemError(EEXIST, "create", name) }
  guard unsafe rename(path, name) == 0 else { throw SystemError(errno, "create", name) }
}
