extension Expression {
  /// The expression with each of its parts replaced, from the leaves up; predicates within are gone through too.
  ///
  /// - Parameter transform: gives what stands for a part whose own parts have been replaced already.
  package func rewritten(_ transform: (Expression) -> Expression) -> Expression {
    transform(replacingParts { $0.rewritten(transform) })
  }

  /// The expressions that it is made of, in order; of a predicate within it those that are compared.
  var parts: [Expression] {
    var parts: [Expression] = []
    _ = replacingParts { part in
      parts.append(part)
      return part
    }
    return parts
  }

  /// The expression and all that it is made of, at any depth, from the leaves up.
  package var allParts: [Expression] { parts.flatMap(\.allParts) + [self] }

  private func replacingParts(_ replace: (Expression) -> Expression) -> Expression {
    switch self {
    case .constant, .evaluatedObject, .anyKey, .variable: self
    case .keyPath(let keys, let base): .keyPath(keys, of: base.map(replace))
    case .index(let base, .expression(let index)): .index(of: replace(base), .expression(replace(index)))
    case .index(let base, let position): .index(of: replace(base), position)
    case .function(let call):
      .function(
        FunctionCall(receiver: call.receiver.map(replace), call.selector, call.arguments.map(replace)))
    case .arithmetic(let sign, let left, let right): .arithmetic(sign, replace(left), replace(right))
    case .negation(let operand): .negation(replace(operand))
    case .set(let sign, let left, let right): .set(sign, replace(left), replace(right))
    case .assignment(let variable, let value): .assignment(variable: variable, replace(value))
    case .conditional(let condition, let value, let otherwise):
      .conditional(condition.replacingSides(replace), replace(value), replace(otherwise))
    case .cast(let value, let type): .cast(replace(value), to: type)
    case .subquery(let collection, let variable, let condition):
      .subquery(replace(collection), variable: variable, condition.replacingSides(replace))
    case .fetch(let request, let context, let countOnly):
      .fetch(request: replace(request), context: replace(context), countOnly: countOnly)
    case .aggregate(let elements): .aggregate(elements.map(replace))
    }
  }

  /// The calls of predefined functions in it, those within others first.
  var functionSelectors: [String] {
    allParts.compactMap { part -> String? in
      if case .function(let call) = part, call.receiver == nil { call.selector } else { nil }
    }
  }
}

extension Predicate {
  /// All comparisons in it, in order.
  package var comparisons: [ComparisonPredicate] { signedComparisons().map(\.comparison) }

  /// The comparisons, each with whether an odd number of NOTs is before it.
  func signedComparisons(_ isNegated: Bool = false) -> [(comparison: ComparisonPredicate, isNegated: Bool)] {
    switch self {
    case .constant: []
    case .comparison(let comparison): [(comparison, isNegated)]
    case .not(let operand): operand.signedComparisons(!isNegated)
    case .and(let operands), .or(let operands): operands.flatMap { $0.signedComparisons(isNegated) }
    }
  }

  /// What they compare.
  var sides: [Expression] { comparisons.flatMap { [$0.left, $0.right] } }

  /// The predicate with the expressions in it replaced; see ``Expression/rewritten(_:)``.
  package func rewritten(_ transform: (Expression) -> Expression) -> Predicate {
    replacingSides { $0.rewritten(transform) }
  }

  fileprivate func replacingSides(_ replace: (Expression) -> Expression) -> Predicate {
    switch self {
    case .constant: return self
    case .not(let operand): return .not(operand.replacingSides(replace))
    case .and(let operands): return .and(operands.map { $0.replacingSides(replace) })
    case .or(let operands): return .or(operands.map { $0.replacingSides(replace) })
    case .comparison(var comparison):
      comparison.left = replace(comparison.left)
      comparison.right = replace(comparison.right)
      return .comparison(comparison)
    }
  }
}
