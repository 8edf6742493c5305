/// Counts the steps of one evaluation and ends it at a limit. Nested subqueries take as many steps as the product of
/// their collections' sizes.
final class EvaluationBudget {
  /// Some seconds. A subquery over the 100,000 objects of a relationship takes a twentieth of it.
  private static let limit = 10_000_000
  private static let stepsBetweenQuestions = 1_024

  private var steps = 0
  private let shouldStop: () -> Bool

  init(shouldStop: @escaping () -> Bool) { self.shouldStop = shouldStop }

  /// One step more.
  func spend() throws {
    steps += 1
    if steps > Self.limit { throw EvaluationError.tooManySteps(Self.limit) }
    if steps % Self.stepsBetweenQuestions == 0, shouldStop() { throw CancellationError() }
  }
}

extension EvaluationError {
  fileprivate static func tooManySteps(_ limit: Int) -> EvaluationError {
    EvaluationError(
      "it takes more than \(limit) steps for one object",
      help: ["look for subqueries within subqueries; a policy can look such objects up once"])
  }
}
