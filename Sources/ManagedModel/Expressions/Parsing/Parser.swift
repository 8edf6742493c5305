/// Reads predicates and expressions in one pass, by precedence climbing.
///
/// An opening parenthesis may begin a condition or a value; only the text after it tells which. So the same functions
/// parse both, each part says which it is, and nothing is read twice.
struct Parser {
  /// A part that has been read.
  struct Part {
    enum Content {
      case predicate(Predicate)
      case expression(Expression)
    }

    var content: Content
    /// In tokens.
    var range: Range<Int>
  }

  /// Conditions and values may are nested this deep: enough for any hand, and for any stack.
  static let depthLimit = 64
  /// Left-binding operators in one text: each makes the tree deeper, though the text does not look it.
  static let chainLimit = 256

  let text: [Unicode.Scalar]
  private let tokens: [Token]
  private(set) var position = 0
  private var depth = 0 { didSet { greatestDepth = max(greatestDepth, depth) } }
  private(set) var greatestDepth = 0
  private var chainLength = 0

  /// - Parameter tokens: as ``Lexer/tokens(of:)`` returns them.
  init(text: [Unicode.Scalar], tokens: [Token]) { (self.text, self.tokens) = (text, tokens) }

  var current: Token { token(at: position) }

  func token(at index: Int) -> Token {
    tokens.indices.contains(index) ? tokens[index] : Token(kind: .end, range: text.count..<text.count)
  }

  mutating func advance() { position += 1 }

  /// Steps over the sign where it stands here.
  mutating func skip(_ sign: Token.Sign) -> Bool {
    guard current.kind == .sign(sign) else { return false }
    advance()
    return true
  }

  /// The whole text as a condition.
  mutating func parsePredicate() throws(SyntaxFinding) -> Predicate {
    let part = try parse(.or)
    guard current.kind == .end else { throw unexpected(after: part, expected: nil) }
    return try predicate(part)
  }

  /// The whole text as a value.
  mutating func parseExpression() throws(SyntaxFinding) -> Expression {
    let part = try parse(.or)
    guard current.kind == .end else { throw unexpected(after: part, expected: nil) }
    return try expression(part)
  }

  /// A condition or value whose operators all bind at least as close as `minimum`.
  mutating func parse(_ minimum: Precedence) throws(SyntaxFinding) -> Part {
    guard depth < Self.depthLimit else { throw .tooDeep(at: current.range, limit: Self.depthLimit) }
    depth += 1
    var part = try parsePrefix(minimum)
    while let (infix, precedence) = infixOperator, precedence >= minimum {
      part = try parseInfix(infix, after: part)
    }
    depth -= 1
    return part
  }

  /// A value, within which no comparison stands bare.
  mutating func parseValue(_ minimum: Precedence = .assignment) throws(SyntaxFinding) -> Expression {
    let part = try parse(minimum)
    return try expression(part)
  }

  mutating func countChainLink() throws(SyntaxFinding) {
    chainLength += 1
    if chainLength > Self.chainLimit {
      throw SyntaxFinding("more than \(Self.chainLimit) operators in a row", current.range)
    }
  }

  /// The part as a condition: a value that can be true or false stands for `value == TRUE`.
  func predicate(_ part: Part) throws(SyntaxFinding) -> Predicate {
    switch part.content {
    case .predicate(let predicate): return predicate
    case .expression(let expression):
      switch expression {
      case .keyPath, .variable, .evaluatedObject, .index, .function, .conditional, .cast: break
      default: throw unexpected(after: part, expected: "a comparison operator")
      }
      return .comparison(ComparisonPredicate(expression, .equalTo, .constant(.boolean(true))))
    }
  }

  func expression(_ part: Part) throws(SyntaxFinding) -> Expression {
    switch part.content {
    case .expression(let expression): return expression
    case .predicate:
      throw SyntaxFinding(
        "expected a value, found a condition", scalars(of: part),
        help: ["a value that depends on a condition is written 'TERNARY(condition, value, otherwise)'"])
    }
  }

  /// Offsets into the text.
  func scalars(of part: Part) -> Range<Int> {
    let start = token(at: part.range.lowerBound).range.lowerBound
    return start..<max(start, token(at: part.range.upperBound - 1).range.upperBound)
  }

  mutating func expect(_ sign: Token.Sign, after part: Part? = nil) throws(SyntaxFinding) {
    guard !skip(sign) else { return }
    guard let part else { throw unexpectedToken(expected: "'\(sign.rawValue)'") }
    throw unexpected(after: part, expected: "'\(sign.rawValue)'")
  }

  func unexpectedToken(expected: String) -> SyntaxFinding {
    .unexpected(found, expected: expected, at: current.range)
  }

  /// Something else where a value or a condition must begin.
  var unexpectedOperand: SyntaxFinding {
    switch current.kind {
    case .reserved(.any), .reserved(.some), .reserved(.all), .reserved(.none):
      return SyntaxFinding(
        "expected a value, found \(found)", current.range,
        help: ["a modifier goes before the left side of a comparison"])
    // An operator stands between two values or conditions, so that no key is meant by it.
    case .reserved(let word) where ![.and, .or, .not, .in].contains(word):
      return .reservedKey("expected a value, found", text[current.range], at: current.range)
    default: return unexpectedToken(expected: "a value")
    }
  }

  /// Something that cannot follow what was read before it.
  ///
  /// - Parameter expected: nil if the text may end.
  func unexpected(after part: Part, expected: String?) -> SyntaxFinding {
    guard case .expression(let left) = part.content else {
      return unexpectedToken(expected: ["'AND'", "'OR'", expected ?? "the end"].joinedAsChoice)
    }
    if case .identifier(let word) = current.kind { return unknownOperator(word, after: left, part) }
    if case .selector(let word) = current.kind { return unknownOperator(word, after: left, part) }
    if current.kind == .reserved(.not) {
      return SyntaxFinding(
        "expected an operator, found 'NOT'", current.range,
        help: ["'NOT' goes before the whole comparison: 'NOT key IN {1, 2}'"])
    }
    let operators = expected == "a comparison operator" ? nil : "an operator"
    let isList = current.kind == .sign(.comma) && expected == "')'"
    return .unexpected(
      found, expected: [operators, expected].compactMap(\.self).joinedAsChoice, at: current.range,
      help: isList ? ["a list is written in braces: {1, 2}"] : [])
  }

  private func unknownOperator(_ word: String, after left: Expression, _ part: Part) -> SyntaxFinding {
    if case .keyPath(let keys, nil) = left, keys.count == 1, let first = keys.first,
      let nearest = nearestName(to: first, among: ["ANY", "SOME", "ALL", "NONE"])
    {
      return .unknownWord("modifier", first, nearest: nearest, at: scalars(of: part))
    }
    if word.uppercased() == "IS" {
      return SyntaxFinding(
        "unknown operator 'IS'", current.range, code: .unknownExpressionWord,
        help: ["write 'key == nil' or 'key != nil'"])
    }
    let known =
      ComparisonPredicate.Operator.allCases.map(\.rawValue) + ["AND", "OR"]
      + Expression.SetOperator.allCases.map(\.rawValue)
    return .unknownWord("operator", word, nearest: nearestName(to: word, among: known), at: current.range)
  }

  private var found: String { current.kind == .end ? "the end of the text" : quoted(text[current.range]) }
}

extension SyntaxFinding {
  static func tooDeep(at range: Range<Int>, limit: Int) -> SyntaxFinding {
    SyntaxFinding("nested more than \(limit) levels deep", range)
  }

  fileprivate static func unexpected(
    _ found: String, expected: String, at range: Range<Int>, help: [String] = []
  ) -> SyntaxFinding { SyntaxFinding("expected \(expected), found \(found)", range, help: help) }

  static func reservedKey(
    _ problem: String, _ word: ArraySlice<Unicode.Scalar>, at range: Range<Int>
  ) -> SyntaxFinding {
    SyntaxFinding(
      "\(problem) the reserved word \(quoted(word))", range,
      help: ["a key of that name is written '#\(String(scalars: word))'"],
      replacement: ("escape the key", "#" + String(scalars: word)))
  }

  static func unknownWord(
    _ kind: String, _ word: String, nearest: String?, at range: Range<Int>, else help: [String] = []
  ) -> SyntaxFinding {
    SyntaxFinding(
      "unknown \(kind) '\(word)'", range, code: .unknownExpressionWord,
      help: nearest.map { ["did you mean '\($0)'?"] } ?? help,
      replacement: nearest.map { ("replace with '\($0)'", $0) })
  }
}

extension [String] {
  /// `a, b or c`
  fileprivate var joinedAsChoice: String {
    guard count > 1, let last else { return first ?? "the end" }
    return dropLast().joined(separator: ", ") + " or " + last
  }
}
