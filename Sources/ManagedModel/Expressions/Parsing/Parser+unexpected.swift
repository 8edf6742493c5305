/// The findings for text that the grammar does not allow at a place.
extension Parser {
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
      return .modifierOnTheRight(found, at: current.range)
    case .reserved(let word) where !word.isOperator:
      return .reservedKey(text[current.range], at: current.range)
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
    if current.kind == .reserved(.not) { return .negatedOperator(at: current.range) }
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
    if word.uppercased() == "IS" { return .sqlIs(at: current.range) }
    let known =
      ComparisonPredicate.Operator.allCases.map(\.rawValue) + ["AND", "OR"]
      + Expression.SetOperator.allCases.map(\.rawValue)
    return .unknownWord("operator", word, nearest: nearestName(to: word, among: known), at: current.range)
  }

  private var found: String {
    current.kind == .end ? "the end of the text" : quoted(text[current.range])
  }
}

extension ReservedWord {
  /// Whether it stands between two values or conditions, so that no key is meant by it.
  fileprivate var isOperator: Bool {
    switch self {
    case .and, .or, .not, .in: true
    default: false
    }
  }
}

extension [String] {
  /// `a, b or c`
  fileprivate var joinedAsChoice: String {
    guard count > 1, let last else { return first ?? "the end" }
    return dropLast().joined(separator: ", ") + " or " + last
  }
}

extension SyntaxFinding {
  fileprivate static func unexpected(
    _ found: String, expected: String, at range: Range<Int>, help: [String] = []
  ) -> SyntaxFinding {
    SyntaxFinding(
      code: .expressionSyntax, message: "expected \(expected), found \(found)", range: range, help: help)
  }

  fileprivate static func modifierOnTheRight(_ found: String, at range: Range<Int>) -> SyntaxFinding {
    SyntaxFinding(
      code: .expressionSyntax, message: "expected a value, found \(found)", range: range,
      help: ["a modifier goes before the left side of a comparison"])
  }

  fileprivate static func reservedKey(_ word: ArraySlice<Unicode.Scalar>, at range: Range<Int>)
    -> SyntaxFinding
  {
    SyntaxFinding(
      code: .expressionSyntax, message: "expected a value, found the reserved word \(quoted(word))",
      range: range, help: ["a key of that name is written '#\(String(scalars: word))'"],
      replacement: ("escape the key", "#" + String(scalars: word)))
  }

  fileprivate static func negatedOperator(at range: Range<Int>) -> SyntaxFinding {
    SyntaxFinding(
      code: .expressionSyntax, message: "expected an operator, found 'NOT'", range: range,
      help: ["'NOT' goes before the whole comparison: 'NOT key IN {1, 2}'"])
  }

  fileprivate static func sqlIs(at range: Range<Int>) -> SyntaxFinding {
    SyntaxFinding(
      code: .unknownExpressionWord, message: "unknown operator 'IS'", range: range,
      help: ["write 'key == nil' or 'key != nil'"])
  }

  fileprivate static func unknownWord(
    _ kind: String, _ word: String, nearest: String?, at range: Range<Int>
  ) -> SyntaxFinding {
    SyntaxFinding(
      code: .unknownExpressionWord, message: "unknown \(kind) '\(word)'", range: range,
      help: nearest.map { ["did you mean '\($0)'?"] } ?? [],
      replacement: nearest.map { ("replace with '\($0)'", $0) })
  }
}
