import ManagedModel

/// What a migration needs of the place where a store lies; a plan asks the same without a lock.
extension StoreFile {
  /// Refuses with MC5304 where the file or its folder cannot be written.
  package func requireWritable() throws {
    guard mayWrite(to: path) else { throw DiagnosticsError(.readOnly(name, "the file is read-only")) }
    guard mayWrite(to: parentFolder(of: path)) else {
      throw DiagnosticsError(.readOnly(name, "its folder is read-only"))
    }
  }

  /// Refuses with MC5306, before anything is written, where there is too little room for a change of the store where it
  /// lies.
  ///
  /// - Parameters:
  ///   - journal: bytes that the transaction's journal takes.
  ///   - keepsBackup: whether room for a backup is needed too.
  package func requireRoom(journal: Int64, keepsBackup: Bool) throws {
    let backup = keepsBackup ? byteCount + (wal?.size ?? 0) : 0
    try requireFreeSpace(journal + backup, inFolder: parentFolder(of: path), for: name)
  }

  /// The same for a new file in the store's place: room for it, for a copy of the old one where the backup cannot be the
  /// old file itself, and for the changes in the log that move into the old file.
  package func requireRoom(keepsBackup: Bool) throws {
    var needed = byteCount + (wal?.size ?? 0)
    if keepsBackup && (usesWAL || linkCount > 1) { needed += byteCount }
    try requireFreeSpace(needed, inFolder: parentFolder(of: path), for: name)
  }
}
