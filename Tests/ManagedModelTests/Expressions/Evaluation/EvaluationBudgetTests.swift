import ManagedModel
import TestSupport
import Testing

@Suite("An evaluation ends, whatever the expression") struct EvaluationBudgetTests {
  private let many = ExpressionValue.collection(ValueCollection((1...1_000).map { .integer(Int64($0)) }))
  private let some = ExpressionValue.collection(ValueCollection((1...100).map { .integer(Int64($0)) }))

  private func nested(_ levels: Int) throws -> ManagedModel.Expression {
    let names = (0..<levels).map { "$v\($0)" }
    let innermost = "\(names[0]) == \(names[levels - 1])"
    let text = names.reversed().reduce(innermost) { inner, name in
      "SUBQUERY(SELF, \(name), \(inner)).@count > 0"
    }
    return try parseExpression(String(text.dropLast(" > 0".count)))
  }

  /// A thousand objects in each of a thousand are a million steps and a few more.
  @Test func `subqueries within subqueries are ended with the reason`() throws {
    var context = EvaluationContext()
    context.stepLimit = 100_000
    let error = #expect(throws: EvaluationError.self) { try evaluate(try nested(2), on: many, in: context) }
    #expect(error?.message.contains("takes more than 100000 steps") == true)
    #expect(throws: Never.self) { try evaluate(try nested(2), on: some, in: context) }
  }

  @Test func `it ends soon after it is asked to`() throws {
    var context = EvaluationContext()
    var questions = 0
    context.shouldStop = {
      questions += 1
      return questions == 3
    }
    #expect(throws: CancellationError.self) { try evaluate(try nested(3), on: many, in: context) }
    #expect(questions == 3)
  }
}
