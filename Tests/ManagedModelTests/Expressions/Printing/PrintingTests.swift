import ManagedModel
import TestSupport
import Testing

@Suite("Printing")
struct PrintingTests {
  @Test(arguments: 0..<40)
  func `a printed predicate reads back as itself`(_ seed: UInt64) throws {
    var random = RandomSyntax(seed: seed)
    for _ in 0..<40 {
      let predicate = random.predicate(Int.random(in: 1...5, using: &random.generator))
      let text = predicate.predicateFormat
      #expect(try parsePredicate(text) == predicate, "\(text)")
    }
  }

  @Test(arguments: 0..<40)
  func `a printed expression reads back as itself`(_ seed: UInt64) throws {
    var random = RandomSyntax(seed: seed &+ 1000)
    for _ in 0..<40 {
      let expression = random.expression(Int.random(in: 0...5, using: &random.generator))
      let text = expression.description
      #expect(try parseExpression(text) == expression, "\(text)")
    }
  }

  @Test func `a compound without operands prints as what it means`() {
    #expect(Predicate.and([]).predicateFormat == "TRUEPREDICATE")
    #expect(Predicate.or([]).predicateFormat == "FALSEPREDICATE")
    #expect(Predicate.or([.constant(true)]).predicateFormat == "TRUEPREDICATE")
  }

  @Test func `a long row of minus signs reads back`() throws {
    let expression = try parseExpression(String(repeating: "-", count: 100) + "b")
    #expect(try parseExpression(expression.description) == expression)
  }

  @Test(arguments: ["!", "!(b AND "])
  func `negations read back, or are too deep from the beginning`(_ piece: String) throws {
    let closing = piece.hasSuffix(" ") ? ")" : ""
    var depths: [Int] = []
    for count in 1...64 {
      let text = String(repeating: piece, count: count) + "a" + String(repeating: closing, count: count)
      guard let predicate = try? parsePredicate(text) else { continue }
      let again = try parsePredicate(predicate.predicateFormat)
      #expect(again == predicate)
      depths.append(count)
    }
    #expect(depths.count >= 10 && depths == Array(1...depths.count))
  }

  @Test func `a string is printed in one line of plain characters`() {
    let text = Expression.constant(.string("a\"\\\n\t\u{1}\u{85}é")).description
    #expect(text == #""a\"\\\n\t\u0001\u0085é""#)
  }
}
