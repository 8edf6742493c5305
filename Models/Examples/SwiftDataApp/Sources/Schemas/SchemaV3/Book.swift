import Foundation
import SwiftData

extension SchemaV3 {
  @Model final class Book {
    var title: String
    /// As the title page has it.
    var author: String
    var writer: Writer?
    @Attribute(originalName: "pages") var pageCount: Int
    var added: Date
    var status: ReadingStatus = ReadingStatus.wanted
    var rating: Int = 0
    var notes: String?
    var shelf: Shelf?

    init(title: String, author: String, pageCount: Int, added: Date = .now) {
      self.title = title
      self.author = author
      self.pageCount = pageCount
      self.added = added
    }
  }
}
