import GRDB

extension StoreFile {
  /// Makes a private copy of what a connection sees, with the store's owner and permissions.
  ///
  /// While nobody else can write and the log holds no changes, the file itself is copied, in the kernel; else SQLite
  /// copies page by page. Neither changes the source.
  ///
  /// - Parameters:
  ///   - isNew: whether it will stand beside the store, not in its place.
  ///   - isBounded: whether its statements may take no longer than a store of the source's size can account for.
  ///   - goesOn: see `copyContents(to:goesOn:)`.
  func clone(
    _ opened: OpenedStore, to path: String, isNew: Bool = false, isBounded: Bool = true,
    goesOn: (Int64) -> Bool = { _ in true }
  ) throws -> PrivateStore {
    try requireFreeSpace(byteCount, inFolder: parentFolder(of: path), for: name)
    let holdsAllInFile = [.exclusive, .immutable].contains(opened.access) && wal?.hasFrames != true
    return try PrivateStore(
      at: path, for: name, like: self.path, isNew: isNew, byteCount: isBounded ? byteCount : nil
    ) { file in
      if holdsAllInFile {
        try OpenFile(reading: self.path).copyContents(to: file, goesOn: goesOn)
      } else {
        try copyPages(from: opened.queue, to: path)
      }
    }
  }
}

private func copyPages(from source: DatabaseQueue, to path: String) throws {
  let configuration = connectionConfiguration(readOnly: false, isDefensive: false) { db in
    try db.set(["locking_mode = EXCLUSIVE", "journal_mode = OFF", "synchronous = OFF"])
  }
  let target = try openQueue(path, .readWrite, configuration)
  try source.backup(to: target)
  try target.close()
}
