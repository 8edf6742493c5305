import SwiftData

extension SchemaV3 {
  @Model final class Writer {
    @Attribute(.unique) var name: String
    @Relationship(deleteRule: .nullify, inverse: \Book.writer) var books: [Book] = []

    init(name: String) { self.name = name }
  }
}
