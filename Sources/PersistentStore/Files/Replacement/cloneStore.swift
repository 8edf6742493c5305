import Foundation
import GRDB
import ManagedModel

extension StoreFile {
  /// Makes a private copy of what a connection sees, with the store's owner and permissions.
  ///
  /// While nobody else can write and the log holds no changes, the file itself is copied, in the kernel; else SQLite
  /// copies page by page. Neither changes the source.
  ///
  /// - Parameters:
  ///   - isNew: whether it will stand beside the store, not in its place.
  ///   - isBounded: whether its statements may take no longer than a store of the source's size can account for.
  ///   - continues: see `copyContents(to:continues:)`.
  func clone(
    _ opened: OpenedStore, to path: String, isNew: Bool = false, isBounded: Bool = true,
    continues: (Int64) -> Bool = { _ in true }
  ) throws -> PrivateStore {
    let content = try? opened.queue.read { try $0.contentBytes() }
    try requireFreeSpace(min(content ?? byteCount, byteCount), inFolder: parentFolder(of: path), for: name)
    let holdsAllInFile = [.exclusive, .immutable].contains(opened.access) && wal?.hasFrames != true
    return try PrivateStore(
      at: path, for: name, like: self.path, isNew: isNew, byteCount: isBounded ? byteCount : nil
    ) { file in
      if holdsAllInFile {
        try OpenFile(reading: self.path).copyContents(to: file, continues: continues)
      } else {
        let configuration = connectionConfiguration(readOnly: false, isDefensive: false) { db in
          try db.set(["locking_mode = EXCLUSIVE", "journal_mode = OFF", "synchronous = OFF"])
        }
        let target = try openQueue(path, .readWrite, configuration)
        try opened.queue.backup(to: target)
        try target.close()
      }
    }
  }
}

extension StoreConnection {
  /// Makes a private copy of what this connection sees, changes in the log included, at a path that must be free.
  ///
  /// For results that are written elsewhere than over the store.
  package func clone(to path: String) throws -> PrivateStore { try file.clone(opened, to: path, isNew: true) }

  /// Such a copy under a private name beside `output`, which must be free, until ``PrivateStore/publish(at:)``.
  package func stage(for output: String) throws -> PrivateStore {
    try requireFree(output)
    return try clone(to: privatePath(besides: output))
  }
}

/// Throws MC6003 where there is a file of that name, or one that SQLite would take for its log.
func requireFree(_ output: String) throws {
  try withStoreDiagnostics(for: output, .destination) {
    let folder = parentFolder(of: output)
    guard try FileStatus(atPath: folder) != nil else { throw SystemError(ENOENT, "write into", folder) }
    guard try FileStatus(atPath: output) == nil else { throw SystemError(EEXIST, "create", output) }
    for suffix in ["-wal", "-shm", "-journal"] where try FileStatus(atPath: output + suffix) != nil {
      throw DiagnosticsError(
        .storeWriteFailed,
        "'\(output)' cannot be written: '\((output + suffix).lastComponent)' is next to it",
        notes: [
          "it belongs to a missing file; SQLite would read it as the new one's log, and change the new one",
          "the store is unchanged",
        ],
        help: ["remove it if nobody needs that file, or choose another name"], cocoaCode: 134160)
    }
  }
}
