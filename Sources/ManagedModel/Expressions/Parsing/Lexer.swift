/// Cuts an expression's text into tokens, the last of which is always ``Token/Kind/end``.
struct Lexer {
  let text: [Unicode.Scalar]
  var offset = 0
  private var tokens: [Token] = []

  static func tokens(of text: [Unicode.Scalar]) throws(SyntaxFinding) -> [Token] {
    var lexer = Lexer(text: text)
    while let scalar = lexer.nextAfterWhitespace() { try lexer.readToken(scalar) }
    lexer.tokens.append(Token(kind: .end, range: text.count..<text.count))
    return lexer.tokens
  }

  private init(text: [Unicode.Scalar]) { self.text = text }

  func peek(_ distance: Int = 0) -> Unicode.Scalar? {
    offset + distance < text.count ? text[offset + distance] : nil
  }

  private mutating func nextAfterWhitespace() -> Unicode.Scalar? {
    while let scalar = peek(), scalar.properties.isWhitespace { offset += 1 }
    return peek()
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
    switch last.kind {
    case .sign(.rightParenthesis), .sign(.rightBracket), .sign(.period): return false
    case .sign: return true
    default: return false
    }
  }

  private mutating func readPrefixedName(_ start: Int) throws(SyntaxFinding) -> String {
    offset += 1
    guard let first = peek(), first.isIdentifierStart else { throw .nameMissing(text, at: start) }
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
        code: .expressionSyntax, message: "unexpected '%'", range: offset..<offset + 1,
        help: ["a remainder is written 'modulus:by:(a, b)'"])
    }
    let place = offset..<offset + 2
    return SyntaxFinding(
      code: .formatPlaceholder, message: "the placeholder \(quoted(text[place])) has no argument in a file",
      range: place,
      help: [next == "K" ? "write the key itself" : "write the value, or a variable such as '$value'"])
  }

  fileprivate static func nameMissing(_ text: [Unicode.Scalar], at offset: Int) -> SyntaxFinding {
    SyntaxFinding(
      code: .expressionSyntax, message: "expected a name after \(quoted(text[offset..<offset + 1]))",
      range: offset..<offset + 1)
  }

  fileprivate static func strayCharacter(_ text: [Unicode.Scalar], at offset: Int) -> SyntaxFinding {
    let hint: [String] =
      switch text[offset] {
      case "&", "|": ["'AND' or '&&', 'OR' or '||'"]
      case "?": ["a choice is written 'TERNARY(condition, value, otherwise)'"]
      case "“", "”", "‘", "’": ["strings use straight quotation marks"]
      default: []
      }
    return SyntaxFinding(
      code: .expressionSyntax, message: "unexpected \(quoted(text[offset..<offset + 1]))",
      range: offset..<offset + 1, help: hint)
  }
}
