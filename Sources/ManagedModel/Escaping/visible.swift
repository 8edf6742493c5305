extension String {
  /// The text on one line. Characters that a terminal does not show as themselves are written out: `\n`, `\u{1B}`.
  package var visible: String {
    guard unicodeScalars.contains(where: \.isUnshown) else { return self }
    return escaped { $0.isUnshown ? $0.visibleForm : nil }
  }
}

extension Unicode.Scalar {
  /// Control characters (C0, DEL, C1), line separators, and the marks that reorder or hide text.
  package var isUnshown: Bool {
    switch value {
    case 0x20..<0x7F: return false
    case ..<0xA0: return true
    default: break
    }
    return switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
    // Joiners belong to emoji and to scripts that need them.
    case .format: self != "\u{200D}" && self != "\u{200C}" && self != "\u{AD}" && !isTag
    default: false
    }
  }

  /// A scalar of a flag sequence.
  private var isTag: Bool { (0xE0020...0xE007F).contains(value) }

  /// In ASCII.
  package var visibleForm: String {
    switch self {
    case "\t": "\\t"
    case "\n": "\\n"
    case "\r": "\\r"
    default: "\\u{\(String(value, radix: 16, uppercase: true))}"
    }
  }
}
