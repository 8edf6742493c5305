extension StoreBackup {
  /// The change is done: the backup is one like any other.
  package func keep() { for mark in marks { try? removeFile(mark) } }

  /// Removes a backup of a store that was not changed after all; where the store does not hold what the backup holds, or
  /// cannot be read, the backup stays.
  ///
  /// - Parameter path: where the store lies; nobody may hold it any more.
  /// - Returns: whether the backup is gone.
  package func endUnused(besideStoreAt path: String) -> Bool {
    if isHeld(byStoreAt: path) {
      remove()
      return true
    }
    keep()
    return false
  }

  private func isHeld(byStoreAt path: String) -> Bool {
    guard let own = try? FileStatus(atPath: path), let other = try? FileStatus(atPath: self.path) else {
      return false
    }
    // The same file is asked nothing: it may be one that cannot be read.
    if own.identity == other.identity { return true }
    guard let connection = try? StoreConnection(path: path) else { return false }
    defer { try? connection.close() }
    return (try? holdsBackup(connection, at: path, self.path)) ?? false
  }
}
