/// Evaluates an expression with its in-memory meaning, as `NSExpression` gives it.
///
/// Where Core Data's own meaning is unknown or not reproducible, the article *In memory and in SQL* says which one
/// was chosen.
///
/// - Parameters:
///   - object: what `SELF` is and key paths without a variable begin at: an object, or the value that a validation
///     rule is about.
/// - Throws: ``EvaluationError``, or what an object, a method or a fetch throws.
package func evaluate(
  _ expression: Expression, on object: ExpressionValue = .null, in context: EvaluationContext
) throws -> ExpressionValue {
  var evaluator = Evaluator(object, context)
  return try evaluator.value(of: expression)
}

/// Whether a predicate holds, with its in-memory meaning: a comparison is true or false, also with nil.
///
/// For parameters and errors see ``evaluate(_:on:in:)-(Expression,_,_)``.
package func evaluate(
  _ predicate: Predicate, on object: ExpressionValue = .null, in context: EvaluationContext
) throws -> Bool {
  var evaluator = Evaluator(object, context)
  return try evaluator.holds(predicate)
}
