import ManagedModel

/// A text short enough to quote in a message, on one line.
func abridged(_ text: String) -> String {
  visible(text.utf8.count <= 60 || text.prefix(61).count <= 60 ? text : text.prefix(59) + "…")
}

/// The text with control characters and line ends as escapes, so that a message stays one line and no name of a
/// model can steer a terminal.
private func visible(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: isControl) else { return text }
  var visible = ""
  for scalar in text.unicodeScalars {
    if isControl(scalar) {
      visible += scalar.escaped(asASCII: true)
    } else {
      visible.unicodeScalars.append(scalar)
    }
  }
  return visible
}

private func isControl(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
  default: false
  }
}

extension Diagnostic {
  /// The same finding with every text on one line, whatever the names in it hold.
  var onOneLine: Diagnostic {
    var diagnostic = self
    diagnostic.message = visible(message)
    diagnostic.notes = notes.map { Note(visible($0.message), place: $0.place) }
    diagnostic.help = help.map(visible)
    return diagnostic
  }
}
