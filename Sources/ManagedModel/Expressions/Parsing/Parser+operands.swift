extension Parser {
  /// A literal, a key path, a call or a parenthesis, with the keys and brackets that follow it.
  mutating func parseOperand() throws(SyntaxFinding) -> Part {
    let start = position
    var part = try parseLeaf()
    while case .expression(let base) = part.content {
      if skip(.period) {
        let keys = try parseKeys()
        // A collection operator takes the rest of its path, so what follows in parentheses stays apart.
        if case .keyPath(let own, let start) = base, CollectionKeyPath(own) == nil {
          part.content = .expression(.keyPath(own + keys, of: start))
        } else {
          part.content = .expression(.keyPath(keys, of: base))
        }
      } else if current.kind == .sign(.leftBracket) {
        try countChainLink()
        part.content = .expression(.index(of: base, try parseSubscript()))
      } else {
        break
      }
      part.range = start..<position
    }
    return part
  }

  private mutating func parseLeaf() throws(SyntaxFinding) -> Part {
    let start = position
    let token = current
    let content: Part.Content
    switch token.kind {
    case .constant(let value):
      advance()
      content = .expression(.constant(value))
    case .identifier, .operatorKey:
      advance()
      let name = try checkedKey(token)
      if current.kind == .sign(.leftParenthesis) {
        content = .expression(try parsePredefinedCall(name, token.range))
      } else {
        content = .expression(.keyPath([name] + (skip(.period) ? try parseKeys() : []), of: nil))
      }
    case .selector(let selector):
      advance()
      content = .expression(try parsePredefinedCall(selector, token.range))
    case .variable(let name):
      advance()
      content = .expression(
        skip(.assign) ? .assignment(variable: name, try parseValue(.assignment)) : .variable(name))
    case .reserved(let word): content = try parseReserved(word)
    case .sign(.leftParenthesis):
      advance()
      let inner = try parse(.or)
      try expect(.rightParenthesis, after: inner)
      content = inner.content
    case .sign(.leftBrace):
      advance()
      content = .expression(.aggregate(try parseList(until: .rightBrace)))
    case .sign(.minus): content = .expression(try parseNegation())
    default: throw unexpectedOperand
    }
    return Part(content: content, range: start..<position)
  }

  /// A minus binds closer than every infix operator; before a number it is part of the number.
  private mutating func parseNegation() throws(SyntaxFinding) -> Expression {
    try countChainLink()
    advance()
    if case .constant(let constant) = current.kind, let negative = constant.negated {
      advance()
      return .constant(negative)
    }
    // Its operand may begin with a minus again, so the depth has to be counted here.
    guard current.kind != .sign(.minus) else { return .negation(try parseNegation()) }
    let operand = try parseOperand()
    return .negation(try expression(operand))
  }

  /// The keys after a period, and all that follow them.
  private mutating func parseKeys() throws(SyntaxFinding) -> [String] {
    var keys: [String] = []
    repeat {
      guard current.key(in: text) != nil else { throw unexpectedToken(expected: "a key after '.'") }
      keys.append(try checkedKey(current))
      advance()
    } while skip(.period)
    return keys
  }

  private func checkedKey(_ token: Token) throws(SyntaxFinding) -> String {
    let key = token.key(in: text) ?? ""
    if case .operatorKey = token.kind, CollectionOperator(rawValue: key) == nil {
      let known = CollectionOperator.allCases.map(\.rawValue)
      throw .unknownWord(
        "collection operator", key, nearest: nearestName(to: key, among: known), at: token.range,
        else: ["known: \(known.joined(separator: ", "))"])
    }
    return key
  }

  private mutating func parseSubscript() throws(SyntaxFinding) -> Expression.Subscript {
    advance()
    let position: Expression.Subscript
    switch current.kind {
    case .reserved(.first): position = .first
    case .reserved(.last): position = .last
    case .reserved(.size): position = .size
    default:
      let part = try parse(.assignment)
      let index = try expression(part)
      try expect(.rightBracket, after: part)
      return .expression(index)
    }
    advance()
    try expect(.rightBracket)
    return position
  }

  /// Values with commas between them, up to the closing sign.
  mutating func parseList(until end: Token.Sign) throws(SyntaxFinding) -> [Expression] {
    var values: [Expression] = []
    if skip(end) { return values }
    while true {
      let part = try parse(.or)
      values.append(try expression(part))
      if skip(end) { return values }
      guard skip(.comma) else { throw unexpected(after: part, expected: "',' or '\(end.rawValue)'") }
    }
  }
}

extension ConstantValue {
  /// The number with a minus before it, where it is a number without one.
  fileprivate var negated: ConstantValue? {
    switch self {
    case .integer(let value): .integer(-value)
    case .decimal(let text):
      if let value = Int64("-\(text)") {
        .integer(value)
      } else {
        DecimalText("-\(text)").map { .decimal($0) }
      }
    case .null, .boolean, .string: nil
    }
  }
}
