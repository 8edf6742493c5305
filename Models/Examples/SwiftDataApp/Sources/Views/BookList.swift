import SwiftData
import SwiftUI

struct BookList: View {
  @Query(sort: \Book.title) private var books: [Book]

  var body: some View {
    List(books) { book in
      VStack(alignment: .leading) {
        Text(book.title)
        Text(book.writer?.name ?? book.author).font(.caption)
      }
    }
  }
}
