/// Counts the steps of one evaluation and ends it at a limit. Nested subqueries take as many steps as the product of
/// their collections' sizes.
final class EvaluationBudget {
  private static let stepsBetweenQuestions = 1_024

  private var steps = 0
  private let limit: Int
  private let shouldStop: () -> Bool

  init(of context: EvaluationContext) { (limit, shouldStop) = (context.stepLimit, context.shouldStop) }

  /// One step more.
  func spend() throws {
    steps += 1
    if steps > limit {
      throw EvaluationError(
        "it takes more than \(limit) steps for one object",
        help: ["look for subqueries within subqueries; a policy can look such objects up once"])
    }
    if steps % Self.stepsBetweenQuestions == 0, shouldStop() { throw CancellationError() }
  }
}
