import PersistentStore

/// Which of Core Data's own tables are left out.
package struct OmittedTables: Hashable, Sendable {
  /// What mirroring to CloudKit keeps.
  package var cloudKit = false
  /// Whether dropping them, or changing the history, takes time.
  var isLarge = false
}
