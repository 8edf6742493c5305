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
}

extension Predicate {
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
