import Foundation

/// What an expression may use beside the object that it is evaluated for.
package struct EvaluationContext {
  /// The objects and values of `$source`, `$manager` and the like, without the dollar sign.
  package var variables: [String: ExpressionValue] = [:]
  /// What `now()` gives, in seconds since 2001-01-01 00:00 UTC: one moment for a whole run.
  package var now: Double
  /// Carries out `FETCH(request, context, countOnly)`: the objects, or their number.
  package var fetch:
    ((_ request: ExpressionValue, _ context: ExpressionValue, _ countOnly: Bool) throws -> ExpressionValue)?
  /// Where `random()` and `uuid()` get their bits.
  package var randomBits: () -> UInt64 = { UInt64.random(in: .min ... .max) }
  /// Asked every thousand steps or so; an evaluation ends with `CancellationError` where it says yes.
  package var shouldStop: () -> Bool = { false }
  /// After how many steps an evaluation ends: some seconds. A subquery over the 100,000 objects of a relationship takes a
  /// twentieth of it.
  package var stepLimit = 10_000_000
  /// Compiled patterns and formatters are costly to make and used for every row; all copies of the context share them.
  package let patterns = PatternCache()
  let dates = DateFormatterCache()

  package init(now: Double = Date.now.timeIntervalSinceReferenceDate) { self.now = now }

  /// The same context with one variable more, or another value of it.
  package func setting(_ variable: String, _ value: ExpressionValue) -> EvaluationContext {
    var context = self
    context.variables[variable] = value
    return context
  }
}
