/// Reads predicates and expressions in one pass, by precedence climbing.
///
/// An opening parenthesis may begin a condition or a value; only the text after it tells which. So the same functions
/// parse both, each part says which it is, and nothing is read twice.
struct Parser {
  /// What an infix operator binds; a higher one binds closer.
  enum Precedence: Int, Comparable {
    case or, and, comparison, assignment, set, additive, multiplicative, power

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// What the right side of an operator that binds to the left must bind closer than.
    var next: Precedence { Precedence(rawValue: rawValue + 1) ?? .power }
  }

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
  init(text: [Unicode.Scalar], tokens: [Token]) {
    self.text = text
    self.tokens = tokens
  }

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
    if chainLength > Self.chainLimit { throw .tooLong(at: current.range, limit: Self.chainLimit) }
  }

  /// The part as a condition: a value that can be true or false stands for `value == TRUE`.
  func predicate(_ part: Part) throws(SyntaxFinding) -> Predicate {
    switch part.content {
    case .predicate(let predicate): return predicate
    case .expression(let expression):
      guard expression.canBeBoolean else { throw unexpected(after: part, expected: "a comparison operator") }
      return .comparison(ComparisonPredicate(expression, .equalTo, .constant(.boolean(true))))
    }
  }

  func expression(_ part: Part) throws(SyntaxFinding) -> Expression {
    switch part.content {
    case .expression(let expression): return expression
    case .predicate: throw .conditionForValue(scalars(of: part))
    }
  }

  /// Offsets into the text.
  func scalars(of part: Part) -> Range<Int> {
    let start = token(at: part.range.lowerBound).range.lowerBound
    return start..<max(start, token(at: part.range.upperBound - 1).range.upperBound)
  }
}

extension Expression {
  /// Whether it may stand alone as a condition.
  fileprivate var canBeBoolean: Bool {
    switch self {
    case .keyPath, .variable, .evaluatedObject, .index, .function, .conditional, .cast: true
    default: false
    }
  }
}

extension SyntaxFinding {
  static func tooDeep(at range: Range<Int>, limit: Int) -> SyntaxFinding {
    SyntaxFinding(
      code: .expressionSyntax, message: "nested more than \(limit) levels deep", range: range)
  }

  fileprivate static func tooLong(at range: Range<Int>, limit: Int) -> SyntaxFinding {
    SyntaxFinding(code: .expressionSyntax, message: "more than \(limit) operators in a row", range: range)
  }

  fileprivate static func conditionForValue(_ range: Range<Int>) -> SyntaxFinding {
    SyntaxFinding(
      code: .expressionSyntax, message: "expected a value, found a condition", range: range,
      help: ["a value that depends on a condition is written 'TERNARY(condition, value, otherwise)'"])
  }
}
