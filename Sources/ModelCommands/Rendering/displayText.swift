import ManagedModel

extension String {
  /// Text that is safe on a terminal. Characters that move the cursor, change colours or reorder the line are escaped, so
  /// that a name or a value from a file or store cannot forge output.
  package var printable: String { isPlain ? self : displayCells.map(\.text).joined() }

  /// How many columns of a terminal the text takes, after `printable`.
  package var displayWidth: Int { isPlain ? utf8.count : displayCells.reduce(0) { $0 + $1.width } }

  /// Whether each byte is a character that is shown as it is, as in most cells of most tables.
  private var isPlain: Bool { utf8.allSatisfy { (0x20..<0x7F).contains($0) } }

  /// With spaces up to a width.
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - displayWidth)) }

  /// Without the spaces at its end.
  var trimmed: String { lastIndex { $0 != " " }.map { String(self[...$0]) } ?? "" }

  var displayCells: [DisplayCell] {
    flatMap { character -> [DisplayCell] in
      let scalars = character.unicodeScalars
      guard scalars.contains(where: \.isUnshown) else {
        return [
          DisplayCell(text: String(character), width: character.displayWidth, scalarCount: scalars.count)
        ]
      }
      return scalars.map { scalar in
        guard scalar.isUnshown else {
          return DisplayCell(text: String(scalar), width: scalar.displayWidth, scalarCount: 1)
        }
        let shown = scalar == "\t" ? "    " : scalar.visibleForm
        return DisplayCell(text: shown, width: shown.utf8.count, scalarCount: 1)
      }
    }
  }

  /// A statement as it can be pasted into `sqlite3`.
  ///
  /// SQL has no escapes for characters that a terminal does not show. A statement with such characters, in a text of the
  /// app or in a trigger, becomes a comment, so that the listing never shows SQL that differs from what runs.
  var sqlListing: String {
    let isShown = unicodeScalars.allSatisfy { $0 == "\n" || $0 == "\t" || !$0.isUnshown }
    // A tab is a blank to SQL, but not within a text.
    if isShown, !utf8.contains(UInt8(ascii: "\t")) { return self + ";" }
    return "-- contains characters that a terminal does not show; --format json has them:\n-- "
      + visible + ";"
  }
}

extension [String] {
  /// Lines one below the other, each on one line whatever stands in it.
  var shownLines: String { map(\.printable).joined(separator: "\n") }
}

/// One character as it is shown.
struct DisplayCell {
  var text: String
  /// In columns of a terminal.
  var width: Int
  /// How many Unicode scalars of the source it stands for.
  var scalarCount: Int
}

extension Unicode.Scalar {
  fileprivate var displayWidth: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    if properties.isEmojiPresentation { return 2 }
    return wideRanges.contains { $0.contains(value) } ? 2 : 1
  }
}

extension Character {
  /// A cluster is as wide as its widest scalar; the variation selector 16 asks for the wide, coloured form.
  fileprivate var displayWidth: Int {
    if unicodeScalars.contains("\u{FE0F}") { return 2 }
    return unicodeScalars.reduce(0) { max($0, $1.displayWidth) }
  }
}

/// East Asian wide and fullwidth blocks (UAX #11).
private let wideRanges: [ClosedRange<UInt32>] = [
  0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
  0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60,
  0xFFE0...0xFFE6, 0x16FE0...0x18CFF, 0x1AFF0...0x1B2FF, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
]
