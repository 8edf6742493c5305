/// What a Core Data of a given age writes into a store; the numbers are `NSPersistenceFrameworkVersion`.
///
/// The limits are those between which genuine stores differ (store-format.md 13).
package struct FrameworkFeatures: Sendable {
  /// The newest framework that a genuine store at hand shows (iOS 17).
  package static let newestKnownVersion = 1344

  package let version: Int

  package init(version: Int = FrameworkFeatures.newestKnownVersion) { self.version = version }

  package var hasModelCache: Bool { version > 519 }
  package var indexesJoinTables: Bool { version >= 640 }
  /// Named fetch indexes, and uniqueness as indexes of their own instead of clauses of the table.
  package var hasFetchIndexes: Bool { version > 754 }
  /// Names in the history are kept once, in a table of their own. The limit is a choice: the one store without
  /// them is of macOS 10.13 (847 and up), the next ones at hand are of 977 and later.
  package var keepsHistoryStrings: Bool { version >= 900 }
  package var hasVersionHashesDigest: Bool { version >= 977 }
  package var hasVersionChecksum: Bool { version >= 1333 }
  /// SwiftData of iOS 17 has the entity's class in the store's model, that of iOS 18 has not.
  package var namesSwiftDataClasses: Bool { version < 1405 }
}
