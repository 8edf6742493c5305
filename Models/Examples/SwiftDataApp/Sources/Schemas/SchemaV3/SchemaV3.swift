import SwiftData

/// The schema of today: writers are objects of their own, and books are rated.
enum SchemaV3: VersionedSchema {
  static let versionIdentifier = Schema.Version(3, 0, 0)

  static var models: [any PersistentModel.Type] { [Book.self, Shelf.self, Writer.self] }
}
