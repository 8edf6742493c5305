/// Text as a string literal of Swift.
package func swiftLiteral(_ text: String) -> String {
  "\""
    + text.escaped { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case _ where scalar.isUnshown: "\\u{\(String(scalar.value, radix: 16))}"
      default: nil
      }
    } + "\""
}

extension String {
  /// Text as a string of a predicate or an expression.
  ///
  /// - Parameter quote: a single or a double quotation mark.
  package func expressionLiteral(quote: Unicode.Scalar = "\"") -> String {
    String(quote)
      + escaped { scalar in
        switch scalar {
        case quote, "\\": "\\\(scalar)"
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case _ where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value):
          "\\u" + scalar.value.hexadecimal(width: 4)
        default: nil
        }
      } + String(quote)
  }

  /// Text as a JSON string, in quotation marks. Characters that a terminal does not show become escapes.
  package var jsonString: String {
    "\""
      + escaped { scalar in
        switch scalar {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case _ where scalar.isUnshown:
          String(scalar).utf16.map { "\\u" + $0.zeroPadded(4, radix: 16) }.joined()
        default: nil
        }
      } + "\""
  }

  /// A JSON document within a script element of HTML, which no text may end.
  package var inScript: String {
    escaped { "<>&".unicodeScalars.contains($0) ? "\\u00" + String($0.value, radix: 16) : nil }
  }

  /// A text in YAML's single quotes; it must hold no control characters, which those cannot say.
  package var yamlSingleQuoted: String { "'" + escaped { $0 == "'" ? "''" : nil } + "'" }
}

extension BinaryInteger {
  /// In upper-case hexadecimal digits, with zeros before them up to the width.
  package func hexadecimal(width: Int) -> String { zeroPadded(width, radix: 16).uppercased() }

  /// In digits, with zeros before them up to the width.
  package func zeroPadded(_ width: Int, radix: Int = 10) -> String {
    let digits = String(self, radix: radix)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
