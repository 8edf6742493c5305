extension Lexer {
  /// A string in single or double quotation marks.
  mutating func readString(quote: Unicode.Scalar) throws(SyntaxFinding) -> String {
    let start = offset
    offset += 1
    var value: [Unicode.Scalar] = []
    while let scalar = peek() {
      offset += 1
      if scalar == quote { return String(scalars: value) }
      value.append(scalar == "\\" ? try readEscape() : scalar)
    }
    throw .unterminatedString(start..<text.count)
  }

  /// What follows a backslash.
  private mutating func readEscape() throws(SyntaxFinding) -> Unicode.Scalar {
    let start = offset - 1
    guard let scalar = peek() else { throw .unterminatedString(start..<text.count) }
    offset += 1
    switch scalar {
    case "\\", "'", "\"", "/": return scalar
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "u": return try readUnicodeEscape(start)
    default: throw .unknownEscape(text, start..<offset)
    }
  }

  /// Four hexadecimal digits; two such escapes make one character beyond U+FFFF.
  private mutating func readUnicodeEscape(_ start: Int) throws(SyntaxFinding) -> Unicode.Scalar {
    let unit = readHexadecimalUnit()
    if let unit, let scalar = Unicode.Scalar(unit) { return scalar }
    if let unit, (0xD800..<0xDC00).contains(unit), peek() == "\\", peek(1) == "u" {
      offset += 2
      if let low = readHexadecimalUnit(), (0xDC00..<0xE000).contains(low),
        let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
      {
        return scalar
      }
    }
    throw .malformedUnicodeEscape(text, start..<min(offset, text.count))
  }

  private mutating func readHexadecimalUnit() -> UInt32? {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = peek().flatMap({ Character($0).hexDigitValue }) else { return nil }
      value = value << 4 | UInt32(digit)
      offset += 1
    }
    return value
  }

  /// `12`, `0x1F`, `0o17`, `0b101`, `1.5`, `.5`, `2e-9`.
  mutating func readNumber() throws(SyntaxFinding) -> ConstantValue {
    let start = offset
    if peek() == "0", let radix = peek(1).flatMap(radix(of:)) {
      offset += 2
      let digits = readIdentifier()
      guard let value = Int64(digits, radix: radix), digits.first != "+", digits.first != "-" else {
        throw .malformedNumber(text, start..<offset)
      }
      return .integer(value)
    }
    var number = readDigits()
    if number.isEmpty { number = "0" }
    if peek() == ".", peek(1)?.isDigit == true {
      offset += 1
      number += "." + readDigits()
    }
    if let mark = peek(), mark == "e" || mark == "E" {
      offset += 1
      number += "e"
      if let sign = peek(), sign == "+" || sign == "-" {
        offset += 1
        if sign == "-" { number += "-" }
      }
      number += readDigits()
    }
    let trailing = readIdentifier()
    if trailing.isEmpty {
      if let value = Int64(number) { return .integer(value) }
      if let value = DecimalText(number) { return .decimal(value) }
    }
    throw .malformedNumber(text, start..<offset)
  }

  private func radix(of mark: Unicode.Scalar) -> Int? {
    switch mark {
    case "x", "X": 16
    case "o", "O": 8
    case "b", "B": 2
    default: nil
    }
  }

  private mutating func readDigits() -> String {
    let start = offset
    while let scalar = peek(), scalar.isDigit { offset += 1 }
    return String(scalars: text[start..<offset])
  }
}

extension SyntaxFinding {
  fileprivate static func unterminatedString(_ range: Range<Int>) -> SyntaxFinding {
    SyntaxFinding(code: .expressionSyntax, message: "the string has no closing quotation mark", range: range)
  }

  fileprivate static func unknownEscape(_ text: [Unicode.Scalar], _ range: Range<Int>) -> SyntaxFinding {
    SyntaxFinding(
      code: .expressionSyntax, message: "unknown escape \(quoted(text[range])) in a string", range: range,
      help: ["a backslash itself is written '\\\\', also before the classes of a regular expression"],
      replacement: ("escape the backslash", "\\" + String(scalars: text[range])))
  }

  fileprivate static func malformedUnicodeEscape(_ text: [Unicode.Scalar], _ range: Range<Int>)
    -> SyntaxFinding
  {
    SyntaxFinding(
      code: .expressionSyntax,
      message: "\(quoted(text[range])) is not a character: expected four hexadecimal digits after '\\u'",
      range: range)
  }

  fileprivate static func malformedNumber(_ text: [Unicode.Scalar], _ range: Range<Int>) -> SyntaxFinding {
    SyntaxFinding(
      code: .expressionSyntax, message: "\(quoted(text[range])) is not a number, or beyond 64 bits",
      range: range)
  }
}
