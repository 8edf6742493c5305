import SwiftData

enum BookshelfMigrationPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self, SchemaV3.self] }

  static var stages: [MigrationStage] { [statusAndShelves, writers] }

  static let statusAndShelves = MigrationStage.lightweight(
    fromVersion: SchemaV1.self, toVersion: SchemaV2.self)

  /// Each author's name becomes one writer.
  static let writers = MigrationStage.custom(
    fromVersion: SchemaV2.self, toVersion: SchemaV3.self, willMigrate: nil,
    didMigrate: { context in
      let books = try context.fetch(FetchDescriptor<SchemaV3.Book>())
      for (name, written) in Dictionary(grouping: books, by: \.author) {
        let writer = SchemaV3.Writer(name: name)
        context.insert(writer)
        for book in written { book.writer = writer }
      }
      try context.save()
    })
}
