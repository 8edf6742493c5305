import Foundation
import SwiftData

/// Released with version 1.4 of the app: books have a status, and stand on shelves.
enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)

  static var models: [any PersistentModel.Type] { [Book.self, Shelf.self] }
}

extension SchemaV2 {
  @Model final class Book {
    var title: String
    var author: String
    var pages: Int
    var added: Date
    var status: ReadingStatus = ReadingStatus.wanted
    var shelf: Shelf?

    init(title: String, author: String, pages: Int, added: Date = .now) {
      self.title = title
      self.author = author
      self.pages = pages
      self.added = added
    }
  }

  @Model final class Shelf {
    @Attribute(.unique) var name: String
    @Relationship(deleteRule: .nullify, inverse: \Book.shelf) var books: [Book] = []

    init(name: String) { self.name = name }
  }
}
