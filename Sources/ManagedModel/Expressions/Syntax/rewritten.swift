extension Expression {
  /// The expression with each of its parts replaced, from the leaves up; predicates within are gone through too.
  ///
  /// - Parameter transform: gives what stands for a part whose own parts have been replaced already.
  package func rewritten(_ transform: (Expression) -> Expression) -> Expression {
    func rewrite(_ part: Expression) -> Expression { part.rewritten(transform) }
    let whole: Expression =
      switch self {
      case .constant, .evaluatedObject, .anyKey, .variable: self
      case .keyPath(let keys, let base): .keyPath(keys, of: base.map(rewrite))
      case .index(let base, .expression(let index)): .index(of: rewrite(base), .expression(rewrite(index)))
      case .index(let base, let position): .index(of: rewrite(base), position)
      case .function(let call):
        .function(
          FunctionCall(receiver: call.receiver.map(rewrite), call.selector, call.arguments.map(rewrite)))
      case .arithmetic(let sign, let left, let right): .arithmetic(sign, rewrite(left), rewrite(right))
      case .negation(let operand): .negation(rewrite(operand))
      case .set(let sign, let left, let right): .set(sign, rewrite(left), rewrite(right))
      case .assignment(let variable, let value): .assignment(variable: variable, rewrite(value))
      case .conditional(let condition, let value, let otherwise):
        .conditional(condition.rewritten(transform), rewrite(value), rewrite(otherwise))
      case .cast(let value, let type): .cast(rewrite(value), to: type)
      case .subquery(let collection, let variable, let condition):
        .subquery(rewrite(collection), variable: variable, condition.rewritten(transform))
      case .fetch(let request, let context, let countOnly):
        .fetch(request: rewrite(request), context: rewrite(context), countOnly: countOnly)
      case .aggregate(let elements): .aggregate(elements.map(rewrite))
      }
    return transform(whole)
  }

  /// The expressions that it is made of, in order; of a predicate within it those that are compared.
  var parts: [Expression] {
    switch self {
    case .constant, .evaluatedObject, .anyKey, .variable, .keyPath(_, nil): []
    case .keyPath(_, let base?): [base]
    case .index(let base, .expression(let index)): [base, index]
    case .index(let part, _), .negation(let part), .assignment(_, let part), .cast(let part, _): [part]
    case .function(let call): [call.receiver].compactMap(\.self) + call.arguments
    case .arithmetic(_, let left, let right), .set(_, let left, let right): [left, right]
    case .conditional(let condition, let value, let otherwise): condition.sides + [value, otherwise]
    case .subquery(let collection, _, let condition): [collection] + condition.sides
    case .fetch(let request, let context, _): [request, context]
    case .aggregate(let elements): elements
    }
  }

  /// The calls of predefined functions in it, those within others first.
  var functionSelectors: [String] {
    let inner = parts.flatMap(\.functionSelectors)
    if case .function(let call) = self, call.receiver == nil { return inner + [call.selector] }
    return inner
  }
}

extension Predicate {
  /// All comparisons in it, in order.
  var comparisons: [ComparisonPredicate] {
    switch self {
    case .constant: []
    case .comparison(let comparison): [comparison]
    case .not(let operand): operand.comparisons
    case .and(let operands), .or(let operands): operands.flatMap(\.comparisons)
    }
  }

  /// What they compare.
  var sides: [Expression] { comparisons.flatMap { [$0.left, $0.right] } }

  /// The predicate with the expressions in it replaced; see ``Expression/rewritten(_:)``.
  package func rewritten(_ transform: (Expression) -> Expression) -> Predicate {
    switch self {
    case .constant: return self
    case .not(let operand): return .not(operand.rewritten(transform))
    case .and(let operands): return .and(operands.map { $0.rewritten(transform) })
    case .or(let operands): return .or(operands.map { $0.rewritten(transform) })
    case .comparison(var comparison):
      comparison.left = comparison.left.rewritten(transform)
      comparison.right = comparison.right.rewritten(transform)
      return .comparison(comparison)
    }
  }
}
