/// A text short enough to quote in a message, on one line.
package func abridged(_ text: String) -> String {
  visible(text.utf8.count <= 60 || text.prefix(61).count <= 60 ? text : text.prefix(59) + "…")
}

extension Diagnostic {
  /// The same finding with every text on one line, whatever the names in it hold.
  package var onOneLine: Diagnostic {
    with {
      $0.message = visible(message)
      $0.notes = notes.map { Note(visible($0.message), place: $0.place) }
      $0.help = help.map(visible)
    }
  }
}
