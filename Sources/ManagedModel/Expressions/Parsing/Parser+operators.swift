extension Parser {
  enum Infix {
    case and, or
    case comparison(ComparisonPredicate.Operator)
    case set(Expression.SetOperator)
    case arithmetic(Expression.ArithmeticOperator)
  }

  /// The operator that stands here, where one does.
  var infixOperator: (Infix, Precedence)? {
    if let comparison = comparisonOperator { return (.comparison(comparison), .comparison) }
    switch current.kind {
    case .reserved(.and), .sign(.and): return (.and, .and)
    case .reserved(.or), .sign(.or): return (.or, .or)
    case .sign(let sign):
      return Expression.ArithmeticOperator(rawValue: sign.rawValue).map { (.arithmetic($0), $0.precedence) }
    // The set operators are not reserved words: they are keys wherever a value may begin.
    case .identifier(let word):
      return Expression.SetOperator(rawValue: word.uppercased()).map { (.set($0), .set) }
    default: return nil
    }
  }

  private var comparisonOperator: ComparisonPredicate.Operator? {
    switch current.kind {
    case .sign(.equal), .sign(.singleEqual): .equalTo
    case .sign(.notEqual), .sign(.lessGreater): .notEqualTo
    case .sign(.less): .lessThan
    case .sign(.lessOrEqual), .sign(.equalOrLess): .lessThanOrEqualTo
    case .sign(.greater): .greaterThan
    case .sign(.greaterOrEqual), .sign(.equalOrGreater): .greaterThanOrEqualTo
    case .reserved(let word): ComparisonPredicate.Operator(rawValue: word.rawValue)
    default: nil
    }
  }

  /// A `NOT`, a modifier, or an operand.
  mutating func parsePrefix(_ minimum: Precedence) throws(SyntaxFinding) -> Part {
    let start = position
    switch current.kind {
    case .reserved(.not), .sign(.not):
      guard minimum <= .comparison else { throw unexpectedOperand }
      advance()
      let operand = try parse(.comparison)
      return Part(content: .predicate(.not(try predicate(operand))), range: start..<position)
    case .reserved(.any), .reserved(.some): return try parseModified(.any, minimum)
    case .reserved(.all): return try parseModified(.all, minimum)
    case .reserved(.none): return try parseModified(.none, minimum)
    default: return try parseOperand()
    }
  }

  private mutating func parseModified(
    _ modifier: ComparisonPredicate.Modifier, _ minimum: Precedence
  ) throws(SyntaxFinding) -> Part {
    guard minimum <= .comparison else { throw unexpectedOperand }
    let start = position
    advance()
    var operand = try parse(.assignment)
    _ = try expression(operand)
    if let comparison = comparisonOperator {
      operand = try parseInfix(.comparison(comparison), after: operand)
    }
    guard case .comparison(var comparison) = try predicate(operand) else { throw unexpectedOperand }
    comparison.modifier = modifier
    return Part(content: .predicate(.comparison(comparison)), range: start..<position)
  }

  /// The operator that stands here and its right side.
  mutating func parseInfix(_ infix: Infix, after left: Part) throws(SyntaxFinding) -> Part {
    let content: Part.Content
    switch infix {
    case .and: content = .predicate(.and(try parseOperands(after: left, .and, .and, closerThan: .comparison)))
    case .or: content = .predicate(.or(try parseOperands(after: left, .or, .or, closerThan: .and)))
    case .comparison(let comparison):
      guard case .expression(let value) = left.content else { throw unexpected(after: left, expected: nil) }
      content = .predicate(.comparison(try parseComparison(value, comparison)))
    case .set(let set): content = .expression(.set(set, try expression(left), try parseRightSide(.set)))
    case .arithmetic(let sign):
      let value = try expression(left)
      content = .expression(.arithmetic(sign, value, try parseRightSide(sign.precedence)))
    }
    return Part(content: content, range: left.range.lowerBound..<position)
  }

  /// The further operands of an `AND` or `OR`: `a AND b AND c` is one compound of three.
  private mutating func parseOperands(
    after left: Part, _ word: ReservedWord, _ sign: Token.Sign, closerThan precedence: Precedence
  ) throws(SyntaxFinding) -> [Predicate] {
    var operands = [try predicate(left)]
    while current.kind == .reserved(word) || current.kind == .sign(sign) {
      advance()
      let operand = try parse(precedence)
      operands.append(try predicate(operand))
    }
    return operands
  }

  private mutating func parseRightSide(_ precedence: Precedence) throws(SyntaxFinding) -> Expression {
    try countChainLink()
    advance()
    // Nothing binds closer than a power, so its right side is an operand.
    guard precedence < .power else {
      let operand = try parseOperand()
      return try expression(operand)
    }
    return try parseValue(precedence.next)
  }

  private mutating func parseComparison(
    _ left: Expression, _ comparison: ComparisonPredicate.Operator
  ) throws(SyntaxFinding) -> ComparisonPredicate {
    let place = current.range
    advance()
    let options = try parseOptions()
    let right = try parseValue()
    if comparison == .between {
      if case .aggregate(let bounds) = right, bounds.count != 2 {
        throw SyntaxFinding(
          "'BETWEEN' takes 2 bounds, found \(bounds.count)", place, code: .argumentCount,
          help: ["BETWEEN {least, greatest}"])
      }
      if case .constant = right {
        throw SyntaxFinding(
          "expected two bounds in braces after 'BETWEEN'", place, help: ["BETWEEN {least, greatest}"])
      }
    }
    return ComparisonPredicate(left, comparison, right, options: options)
  }

  /// Letters in brackets after an operator: `[cd]`.
  private mutating func parseOptions() throws(SyntaxFinding) -> ComparisonPredicate.Options {
    var options: ComparisonPredicate.Options = []
    guard skip(.leftBracket) else { return options }
    let word = current
    guard let letters = word.key(in: text) else { throw unexpectedToken(expected: "comparison options") }
    for letter in letters.lowercased().unicodeScalars {
      guard let known = ComparisonPredicate.Options.letters.first(where: { $0.letter == letter }) else {
        throw SyntaxFinding(
          "unknown comparison option in \(quoted(text[word.range]))", word.range,
          code: .unknownExpressionWord,
          help: ["c ignores case, d ignores diacritics, n is normalized, l is locale-sensitive"])
      }
      options.insert(known.option)
    }
    advance()
    try expect(.rightBracket)
    return options
  }
}
