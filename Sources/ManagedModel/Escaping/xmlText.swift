extension String {
  /// Text between the tags of an XML 1.0 document. Characters that XML does not have become U+FFFD.
  package var xmlText: String {
    escaped { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      // A reader makes a line end of a bare one.
      case "\r": reference(scalar)
      default: scalar.isInXML ? nil : "\u{FFFD}"
      }
    }
  }

  /// The value of an attribute in double quotation marks. White space other than blanks becomes references, because
  /// readers turn it into blanks.
  package var xmlAttribute: String {
    xmlText.escaped { scalar in
      switch scalar {
      case "\"": "&quot;"
      case "\n", "\t": reference(scalar)
      default: nil
      }
    }
  }

  /// A whole document. Characters that a terminal does not show become references; they occur in texts and attributes
  /// only, where they are read back.
  package var visibleXML: String {
    escaped { $0 != "\n" && $0 != "\t" && $0.isUnshown ? reference($0) : nil }
  }
}

extension Unicode.Scalar {
  /// Whether XML 1.0 has the character (production 2, Char).
  package var isInXML: Bool {
    switch value {
    case 0x9, 0xA, 0xD: true
    case 0..<0x20, 0xFFFE, 0xFFFF: false
    default: true
    }
  }
}

private func reference(_ scalar: Unicode.Scalar) -> String { "&#\(scalar.value);" }
