extension Parser {
  /// A word with a meaning of its own, where a value or a condition may begin.
  mutating func parseReserved(_ word: ReservedWord) throws(SyntaxFinding) -> Part.Content {
    let start = current.range
    let content: Part.Content
    switch word {
    case .null, .nil: content = .expression(.constant(.null))
    case .true, .yes: content = .expression(.constant(.boolean(true)))
    case .false, .no: content = .expression(.constant(.boolean(false)))
    case .self: content = .expression(.evaluatedObject)
    case .anyKey: content = .expression(.anyKey)
    case .truePredicate: content = .predicate(.constant(true))
    case .falsePredicate: content = .predicate(.constant(false))
    case .subquery, .fetch, .cast, .ternary, .function:
      advance()
      guard skip(.leftParenthesis) else { throw .reservedKey("expected '(' after", text[start], at: start) }
      switch word {
      case .subquery: return .expression(try parseSubquery())
      case .fetch: return .expression(try parseFetch())
      case .cast: return .expression(try parseCast())
      case .ternary: return .expression(try parseConditional())
      default: return .expression(try parseMethodCall())
      }
    default: throw unexpectedOperand
    }
    advance()
    return content
  }

  private mutating func parseSubquery() throws(SyntaxFinding) -> Expression {
    let collection = try parseArgument()
    guard case .variable(let variable) = current.kind else {
      throw unexpectedToken(expected: "a variable such as '$x'")
    }
    advance()
    try expect(.comma)
    let condition = try parseLastCondition(until: .rightParenthesis)
    return .subquery(collection, variable: variable, condition)
  }

  private mutating func parseFetch() throws(SyntaxFinding) -> Expression {
    let request = try parseArgument()
    let context = try parseArgument()
    let countOnly: Bool
    switch current.kind {
    case .reserved(.true), .reserved(.yes): countOnly = true
    case .reserved(.false), .reserved(.no): countOnly = false
    default: throw unexpectedToken(expected: "'YES' or 'NO'")
    }
    advance()
    try expect(.rightParenthesis)
    return .fetch(request: request, context: context, countOnly: countOnly)
  }

  private mutating func parseCast() throws(SyntaxFinding) -> Expression {
    let value = try parseArgument()
    guard case .constant(.string(let name)) = current.kind else {
      throw unexpectedToken(expected: "a type in quotation marks")
    }
    guard let type = Expression.CastType(rawValue: name) else {
      let known = Expression.CastType.allCases.map(\.rawValue)
      throw SyntaxFinding(
        "unknown type '\(name)' in a cast", current.range, code: .unknownExpressionWord,
        help: ["known: \(known.joined(separator: ", "))"],
        replacement: nearestName(to: name, among: known).map { ("replace with '\($0)'", "\"\($0)\"") })
    }
    advance()
    try expect(.rightParenthesis)
    return .cast(value, to: type)
  }

  private mutating func parseConditional() throws(SyntaxFinding) -> Expression {
    let condition = try parseLastCondition(until: .comma)
    let value = try parseArgument()
    let part = try parse(.or)
    let otherwise = try expression(part)
    try expect(.rightParenthesis, after: part)
    return .conditional(condition, value, otherwise)
  }

  private mutating func parseMethodCall() throws(SyntaxFinding) -> Expression {
    let receiver = try parseArgument()
    guard case .constant(.string(let selector)) = current.kind else {
      throw unexpectedToken(expected: "a selector in quotation marks")
    }
    let place = current.range
    advance()
    var arguments: [Expression] = []
    if !skip(.rightParenthesis) {
      try expect(.comma)
      arguments = try parseList(until: .rightParenthesis)
    }
    let expected = selector.utf8.count { $0 == UInt8(ascii: ":") }
    guard arguments.count == expected else {
      throw SyntaxFinding(
        "the selector '\(selector)' takes \(expected.counted("argument")), found \(arguments.count)", place,
        code: .argumentCount, help: ["a selector takes one argument for each of its colons"])
    }
    return .function(FunctionCall(receiver: receiver, selector, arguments))
  }

  /// A value with a comma after it.
  private mutating func parseArgument() throws(SyntaxFinding) -> Expression {
    let part = try parse(.or)
    let value = try expression(part)
    try expect(.comma, after: part)
    return value
  }

  private mutating func parseLastCondition(until end: Token.Sign) throws(SyntaxFinding) -> Predicate {
    let part = try parse(.or)
    guard current.kind == .sign(end) else { throw unexpected(after: part, expected: "'\(end.rawValue)'") }
    advance()
    return try predicate(part)
  }

  /// The arguments of a function that is known by name.
  mutating func parsePredefinedCall(
    _ selector: String, _ place: Range<Int>
  ) throws(SyntaxFinding) -> Expression {
    guard let function = PredefinedFunction.named(selector) else {
      let known = PredefinedFunction.all.map(\.selector)
      // `count(x)` is most likely `count:(x)`, though other names may be as near.
      let nearest = known.contains(selector + ":") ? selector + ":" : nearestName(to: selector, among: known)
      let near = nearest.flatMap(PredefinedFunction.named)
      throw SyntaxFinding(
        "unknown function '\(selector)'", place, code: .unknownExpressionWord,
        help: [
          near.map { "did you mean '\($0.signature)'?" }
            ?? "a method of an object is called with 'FUNCTION(object, \"selector:\", argument)'"
        ], replacement: nearest.map { ("replace with '\($0)'", $0) })
    }
    try expect(.leftParenthesis)
    let arguments = try parseList(until: .rightParenthesis)
    guard function.argumentCounts.contains(arguments.count) else {
      let counts = function.argumentCounts
      let expected =
        switch (counts.lowerBound, counts.upperBound) {
        case (let least, .max): "at least \(least.counted("argument"))"
        case (let least, let most) where least == most: least.counted("argument")
        case (let least, let most): "\(least) to \(most.counted("argument"))"
        }
      throw SyntaxFinding(
        "'\(selector)' takes \(expected), found \(arguments.count)", place, code: .argumentCount,
        help: ["the signature is '\(function.signature)'"])
    }
    return .function(FunctionCall(selector, arguments))
  }
}

extension Int {
  /// With the noun in singular or plural.
  fileprivate func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
