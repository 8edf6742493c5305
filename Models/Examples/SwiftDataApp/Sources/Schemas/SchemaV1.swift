import Foundation
import SwiftData

/// Released with version 1.0 of the app.
enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)

  static var models: [any PersistentModel.Type] { [Book.self] }
}

extension SchemaV1 {
  @Model final class Book {
    var title: String
    var author: String
    var pages: Int
    var added: Date

    init(title: String, author: String, pages: Int, added: Date = .now) {
      self.title = title
      self.author = author
      self.pages = pages
      self.added = added
    }
  }
}
