extension StoreBackup {
  /// The change is done: the backup is one like any other.
  package func keep() { for mark in marks { try? removeFile(mark) } }

  /// Removes a backup of a store that was not changed after all.
  package func discard() { remove() }
}
