import Foundation
package import GRDB

/// What every migration changes in a store: its schema, and what it says of itself.
///
/// Two files with the same signature are the same side of a migration.
package struct StoreSignature: Hashable, Sendable {
  private var schema: [String]
  private var metadata: Data?

  package init(of db: Database) throws {
    schema = try db.values("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY sql")
    metadata = try db.value("SELECT Z_PLIST FROM Z_METADATA")
  }

  /// That of a file; nil if it cannot be read as a store.
  package init?(ofStoreAt path: String) {
    guard let signature = try? StoreConnection(path: path).read(StoreSignature.init(of:)) else { return nil }
    self = signature
  }
}
