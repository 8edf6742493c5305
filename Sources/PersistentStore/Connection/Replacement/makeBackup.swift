import Foundation
import ManagedModel

/// The old store beside the new one, byte for byte; opening it opens the old store.
package struct StoreBackup: Hashable, Sendable {
  package var path: String
  /// The old log, where it held changes.
  package var walPath: String?
  package var byteCount: Int64
  /// Whether it is the old file itself under another name, not a copy.
  package var isOldFile: Bool

  func remove() {
    for path in [path, walPath].compactMap({ $0 }) { try? removeFile(path) }
  }
}

/// Keeps the old store as `<store>.<version>.backup`, or with ` 2`, ` 3` after that where names are taken.
///
/// Called under the store's lock, before anything changes in it.
///
/// - Parameter mayLink: whether the file itself, which nobody will change, may get a second name instead of a copy.
func makeBackup(of store: StoreFile, version: String, mayLink: Bool) throws -> StoreBackup {
  let label = String(version.map { $0 == "/" || $0.isNewline || $0 == "\0" ? "_" : $0 })
  for number in 1...9999 {
    let path = store.path + ".\(label).backup" + (number == 1 ? "" : " \(number)")
    guard try areFree(path) else { continue }
    do {
      return try mayLink ? linkStore(store, to: path) : copyStore(store, to: path)
    } catch let error as SystemError where error.code == EEXIST {
      continue
    }
  }
  throw SystemError(EEXIST, "name a backup of", store.path)
}

/// Side files of the name would be taken for the backup's own.
private func areFree(_ path: String) throws -> Bool {
  try ["", "-wal", "-shm", "-journal"].allSatisfy { try FileStatus(atPath: path + $0) == nil }
}

private func linkStore(_ store: StoreFile, to path: String) throws -> StoreBackup {
  if unsafe link(store.path, path) == 0 {
    return StoreBackup(path: path, byteCount: store.status.size, isOldFile: true)
  }
  let code = errno
  guard code.meansNoLinks else { throw SystemError(code, "create", path) }
  return try copyStore(store, to: path)
}

private func copyStore(_ store: StoreFile, to path: String) throws -> StoreBackup {
  var backup = StoreBackup(path: path, byteCount: store.byteCount, isOldFile: false)
  // The log gets its name first: without it the main file would pass for a whole store.
  if store.wal?.hasFrames == true {
    backup.walPath = path + "-wal"
    try copyDurably(store.path + "-wal", to: path + "-wal")
  }
  do {
    try copyDurably(store.path, to: path)
  } catch {
    if let walPath = backup.walPath { try? removeFile(walPath) }
    throw error
  }
  return backup
}

/// Copies, compares, syncs, and only then gives the copy its name.
private func copyDurably(_ path: String, to target: String) throws {
  let temporary = privatePath(besides: path)
  let copy = try OpenFile(creating: temporary)
  do {
    let source = try OpenFile(reading: path)
    let status = try source.status()
    try copy.takeOwnership(of: status)
    try copyContents(of: source, to: copy)
    guard try haveEqualContents(source, copy) else { throw SystemError(EIO, "copy", target) }
    try copy.takeModificationTime(of: status)
    try copy.synchronize()
    try move(temporary, to: target)
  } catch {
    try? removeFile(temporary)
    throw error
  }
}

/// Renames without ever replacing anything.
private func move(_ path: String, to target: String) throws {
  if unsafe link(path, target) == 0 { return try removeFile(path) }
  let code = errno
  guard code.meansNoLinks else { throw SystemError(code, "create", target) }
  guard try FileStatus(atPath: target) == nil else { throw SystemError(EEXIST, "create", target) }
  guard unsafe rename(path, target) == 0 else { throw SystemError(errno, "create", target) }
}

extension CInt {
  /// The errors of file systems on which a file has one name only.
  fileprivate var meansNoLinks: Bool { [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK].contains(self) }
}
