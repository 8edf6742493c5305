package import ManagedModel

/// Random trees of every kind that a text can say, in the form that the parser gives them.
package struct RandomSyntax {
  package var generator: SeededGenerator

  package init(seed: UInt64) { self.generator = SeededGenerator(seed: seed) }

  package mutating func predicate(_ depth: Int) -> Predicate {
    guard depth > 0 else { return generator.pick([.constant(true), .constant(false)]) }
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: return .constant(Bool.random(using: &generator))
    case 1: return .not(predicate(depth - 1))
    case 2: return .and(predicates(depth - 1))
    case 3: return .or(predicates(depth - 1))
    default: return .comparison(comparison(depth - 1))
    }
  }

  private mutating func predicates(_ depth: Int) -> [Predicate] {
    (0..<Int.random(in: 2...4, using: &generator)).map { _ in predicate(depth) }
  }

  private mutating func comparison(_ depth: Int) -> ComparisonPredicate {
    let comparison = generator.pick(ComparisonPredicate.Operator.allCases)
    let right =
      comparison == .between ? .aggregate([expression(depth), expression(depth)]) : expression(depth)
    return ComparisonPredicate(
      expression(depth), comparison, right, modifier: generator.pick([.direct, .direct, .any, .all, .none]),
      options: ComparisonPredicate.Options(rawValue: generator.pick([0, 0, 0, 1, 2, 3, 4, 8, 15])))
  }

  package mutating func expression(_ depth: Int) -> Expression {
    guard depth > 0 else { return leaf() }
    switch Int.random(in: 0..<16, using: &generator) {
    case 0: return path(keys(), of: expression(depth - 1))
    case 1: return .index(of: expression(depth - 1), generator.pick([.first, .last, .size]))
    case 2: return .index(of: expression(depth - 1), .expression(expression(depth - 1)))
    case 3, 4: return .function(call(depth - 1))
    case 5, 6:
      let sign = generator.pick(Expression.ArithmeticOperator.allCases)
      return .arithmetic(sign, expression(depth - 1), expression(depth - 1))
    case 7: return .negation(expression(depth - 1))
    case 8:
      let sign = generator.pick(Expression.SetOperator.allCases)
      return .set(sign, expression(depth - 1), expression(depth - 1))
    case 9: return .assignment(variable: word(), expression(depth - 1))
    case 10: return .conditional(predicate(depth - 1), expression(depth - 1), expression(depth - 1))
    case 11: return .cast(expression(depth - 1), to: generator.pick(Expression.CastType.allCases))
    case 12: return .subquery(expression(depth - 1), variable: word(), predicate(depth - 1))
    case 13:
      return .fetch(
        request: expression(depth - 1), context: expression(depth - 1),
        countOnly: Bool.random(using: &generator))
    case 14:
      return .aggregate((0..<Int.random(in: 0...3, using: &generator)).map { _ in expression(depth - 1) })
    default: return leaf()
    }
  }

  private mutating func leaf() -> Expression {
    switch Int.random(in: 0..<7, using: &generator) {
    case 0: return .evaluatedObject
    case 1: return .anyKey
    case 2: return .variable(word())
    case 3, 4: return .keyPath(keys(), of: nil)
    default: return .constant(constant())
    }
  }

  private mutating func constant() -> ConstantValue {
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: return .null
    case 1: return .boolean(Bool.random(using: &generator))
    case 2: return .integer(generator.pick([0, 1, -1, 42, .max, .min]))
    case 3:
      let texts = ["1.10", "-0.5", "2e9", "1.5e-300", "9223372036854775808", "-9223372036854775809"]
      return DecimalText(generator.pick(texts)).map { .decimal($0) } ?? .null
    default:
      return .string(
        generator.pick(["", "a", "it's", "\"", "\\d+", "tab\tline\n\r", "\u{1}\u{7F}", "é😀", "%@ $x"]))
    }
  }

  private mutating func call(_ depth: Int) -> FunctionCall {
    if Bool.random(using: &generator) {
      let function = generator.pick(PredefinedFunction.all)
      let most = min(function.argumentCounts.upperBound, function.argumentCounts.lowerBound + 2)
      let count = Int.random(in: function.argumentCounts.lowerBound...most, using: &generator)
      return FunctionCall(function.selector, (0..<count).map { _ in expression(depth) })
    }
    let selector = generator.pick(["now", "value:", "map:with:"])
    let count = selector.count { $0 == ":" }
    return FunctionCall(
      receiver: expression(depth), selector, (0..<count).map { _ in expression(depth) })
  }

  private mutating func word() -> String {
    generator.pick(["x", "name", "größe", "_id", "union", "size", "any", "Self", "a1"])
  }

  private mutating func keys() -> [String] {
    var keys = (0..<Int.random(in: 1...3, using: &generator)).map { _ in word() }
    if Int.random(in: 0..<4, using: &generator) == 0 {
      keys.append(generator.pick(CollectionOperator.allCases).rawValue)
      if Bool.random(using: &generator) { keys.append(word()) }
    }
    return keys
  }

  /// A path that continues a path without an operator is one path with it.
  private func path(_ keys: [String], of base: Expression) -> Expression {
    if case .keyPath(let own, let root) = base, CollectionKeyPath(own) == nil {
      return .keyPath(own + keys, of: root)
    }
    return .keyPath(keys, of: base)
  }
}
