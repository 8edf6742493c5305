import SwiftData

extension SchemaV3 {
  @Model final class Shelf {
    @Attribute(.unique) var name: String
    @Relationship(deleteRule: .nullify, inverse: \Book.shelf) var books: [Book] = []

    init(name: String) { self.name = name }
  }
}
