extension String {
  /// A text short enough to quote in a message, on one line.
  package var abridged: String {
    (utf8.count <= 60 || prefix(61).count <= 60 ? self : prefix(59) + "…").visible
  }
}

extension [String] {
  /// The first of some names in quotes, on one line, and how many there are besides.
  package func quoted(_ limit: Int = 8) -> String {
    prefix(limit).map { "'\($0.abridged)'" }.joined(separator: ", ")
      + (count > limit ? " and \(count - limit) more" : "")
  }
}

extension Collection<String> {
  /// The first of some texts, and how many there are besides.
  package func joined(atMost limit: Int, _ conjunction: String = " and ") -> String {
    prefix(limit).joined(separator: ", ") + (count > limit ? "\(conjunction)\(count - limit) more" : "")
  }

  /// A note of each of the first, and of how many there are besides.
  package func notes(atMost limit: Int) -> [Diagnostic.Note] {
    prefix(limit).map { Diagnostic.Note($0) } + (count > limit ? ["and \(count - limit) more"] : [])
  }
}

extension Diagnostic {
  /// The same finding with every text on one line, whatever the names in it hold.
  package var onOneLine: Diagnostic {
    with {
      $0.message = message.visible
      $0.notes = notes.map { Note($0.message.visible, place: $0.place) }
      $0.help = help.map(\.visible)
    }
  }
}
