extension StoreBackup {
  /// Removes a backup of a store that was not changed after all.
  package func discard() { remove() }
}
