package import ManagedModel

/// A text short enough to quote in a message, on one line.
package func abridged(_ text: String) -> String {
  visible(text.utf8.count <= 60 || text.prefix(61).count <= 60 ? text : text.prefix(59) + "…")
}

extension Diagnostic {
  /// The same finding with every text on one line, whatever the names in it hold.
  package var onOneLine: Diagnostic {
    var diagnostic = self
    diagnostic.message = visible(message)
    diagnostic.notes = notes.map { Note(visible($0.message), place: $0.place) }
    diagnostic.help = help.map(visible)
    return diagnostic
  }
}
