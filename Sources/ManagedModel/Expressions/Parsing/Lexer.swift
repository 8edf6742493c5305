/// Cuts an expression's text into tokens, the last of which is always ``Token/Kind/end``.
struct Lexer {
  let text: [Unicode.Scalar]
  var offset = 0
  private var tokens: [Token] = []

  static func tokens(of text: [Unicode.Scalar]) throws(SyntaxFinding) -> [Token] {
    var lexer = Lexer(text: text)
    while let scalar = lexer.peek() {
      if scalar.properties.isWhitespace { lexer.offset += 1 } else { try lexer.readToken(scalar) }
    }
    lexer.tokens.append(Token(kind: .end, range: text.count..<text.count))
    return lexer.tokens
  }

  private init(text: [Unicode.Scalar]) { self.text = text }

  func peek(_ distance: Int = 0) -> Unicode.Scalar? {
    offset + distance < text.count ? text[offset + distance] : nil
  }

  private mutating func readToken(_ scalar: Unicode.Scalar) throws(SyntaxFinding) {
    let start = offset
    let kind: Token.Kind =
      switch scalar {
      case "\"", "'": .constant(.string(try readString(quote: scalar)))
      case "$": .variable(try readPrefixedName(start))
      case "#": .identifier(try readPrefixedName(start))
      case "@": .operatorKey("@" + (try readPrefixedName(start)))
      case "%": throw .placeholder(text, at: start)
      case _ where scalar.isDigit || (scalar == "." && startsFraction): .constant(try readNumber())
      case _ where scalar.isIdentifierStart: readWord()
      default: .sign(try readSign())
      }
    tokens.append(Token(kind: kind, range: start..<offset))
  }

  /// Whether the period begins a number (`.5`) and is not one that follows an operand.
  private var startsFraction: Bool {
    guard let next = peek(1), next.isDigit else { return false }
    guard let last = tokens.last, last.range.upperBound == offset else { return true }
    guard case .sign(let sign) = last.kind else { return false }
    return ![.rightParenthesis, .rightBracket, .period].contains(sign)
  }

  private mutating func readPrefixedName(_ start: Int) throws(SyntaxFinding) -> String {
    offset += 1
    guard let first = peek(), first.isIdentifierStart else {
      let sign = start..<start + 1
      throw SyntaxFinding("expected a name after \(quoted(text[sign]))", sign)
    }
    return readIdentifier()
  }

  mutating func readIdentifier() -> String {
    let start = offset
    while let scalar = peek(), scalar.isIdentifierPart { offset += 1 }
    return String(scalars: text[start..<offset])
  }

  /// A key, a reserved word, or a selector with its colons.
  private mutating func readWord() -> Token.Kind {
    var word = readIdentifier()
    if word.uppercased() == "UTI", let reserved = readUTIOperator() { return .reserved(reserved) }
    var isSelector = false
    while peek() == ":", peek(1) != "=" {
      isSelector = true
      offset += 1
      word += ":"
      if let scalar = peek(), scalar.isIdentifierStart { word += readIdentifier() } else { break }
    }
    if isSelector { return .selector(word) }
    return ReservedWord(word).map { .reserved($0) } ?? .identifier(word)
  }

  /// The rest of `UTI-CONFORMS-TO` or `UTI-EQUALS`, which hold hyphens.
  private mutating func readUTIOperator() -> ReservedWord? {
    for word in [ReservedWord.utiConformsTo, .utiEquals] {
      let rest = Array(word.rawValue.dropFirst(3).unicodeScalars)
      let found = String(scalars: text[offset...].prefix(rest.count))
      let next = peek(rest.count)
      guard found.uppercased() == String(scalars: rest), next?.isIdentifierPart != true else { continue }
      offset += rest.count
      return word
    }
    return nil
  }

  private mutating func readSign() throws(SyntaxFinding) -> Token.Sign {
    for length in [2, 1] {
      if let sign = Token.Sign(rawValue: String(scalars: text[offset...].prefix(length))) {
        offset += sign.rawValue.unicodeScalars.count
        return sign
      }
    }
    throw .strayCharacter(text, at: offset)
  }

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
    default:
      let escape = text[start..<offset]
      throw SyntaxFinding(
        "unknown escape \(quoted(escape)) in a string", start..<offset,
        help: ["a backslash itself is written '\\\\', also before the classes of a regular expression"],
        replacement: ("escape the backslash", "\\" + String(scalars: escape)))
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
    let range = start..<min(offset, text.count)
    throw SyntaxFinding(
      "\(quoted(text[range])) is not a character: expected four hexadecimal digits after '\\u'", range)
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
    if peek() == "0", let radix = peek(1).flatMap({ Self.radixes[$0] }) {
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

  private static let radixes: [Unicode.Scalar: Int] = ["x": 16, "X": 16, "o": 8, "O": 8, "b": 2, "B": 2]

  private mutating func readDigits() -> String {
    let start = offset
    while let scalar = peek(), scalar.isDigit { offset += 1 }
    return String(scalars: text[start..<offset])
  }
}

extension Unicode.Scalar {
  var isIdentifierStart: Bool { self == "_" || properties.isXIDStart }
  var isIdentifierPart: Bool { self == "_" || properties.isXIDContinue }
}

extension SyntaxFinding {
  fileprivate static func placeholder(_ text: [Unicode.Scalar], at offset: Int) -> SyntaxFinding {
    let next = offset + 1 < text.count ? text[offset + 1] : " "
    guard next == "@" || next.properties.isAlphabetic else {
      return SyntaxFinding(
        "unexpected '%'", offset..<offset + 1, help: ["a remainder is written 'modulus:by:(a, b)'"])
    }
    let place = offset..<offset + 2
    return SyntaxFinding(
      "the placeholder \(quoted(text[place])) has no argument in a file", place, code: .formatPlaceholder,
      help: [next == "K" ? "write the key itself" : "write the value, or a variable such as '$value'"])
  }

  fileprivate static func strayCharacter(_ text: [Unicode.Scalar], at offset: Int) -> SyntaxFinding {
    let hint: [String] =
      switch text[offset] {
      case "&", "|": ["'AND' or '&&', 'OR' or '||'"]
      case "?": ["a choice is written 'TERNARY(condition, value, otherwise)'"]
      case "“", "”", "‘", "’": ["strings use straight quotation marks"]
      default: []
      }
    return SyntaxFinding("unexpected \(quoted(text[offset..<offset + 1]))", offset..<offset + 1, help: hint)
  }

  fileprivate static func unterminatedString(_ range: Range<Int>) -> SyntaxFinding {
    SyntaxFinding("the string has no closing quotation mark", range)
  }

  fileprivate static func malformedNumber(_ text: [Unicode.Scalar], _ range: Range<Int>) -> SyntaxFinding {
    SyntaxFinding("\(quoted(text[range])) is not a number, or beyond 64 bits", range)
  }
}
