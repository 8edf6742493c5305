import Foundation
import ManagedModel
import TestSupport
import Testing

@Suite("Hostile texts")
struct HostileTextTests {
  @Test(arguments: [
    ("(", ")"), ("{", "}"), ("NOT ", ""), ("-", ""), ("a[", "]"), ("abs:(", ")"), ("TERNARY(", ""),
    ("SUBQUERY(", ""), ("$x := ", ""), ("ANY ", ""), ("CAST(", ""), ("FUNCTION(", ""), ("((a) == ", ")"),
  ])
  func `no nesting overflows the stack or takes long`(_ opening: String, _ closing: String) throws {
    let text =
      String(repeating: opening, count: 10_000) + "a" + String(repeating: closing, count: 10_000)
    let diagnostic = try #require(try finding { _ = try parsePredicate(text) })
    #expect(diagnostic.code == .expressionSyntax)
  }

  @Test(arguments: [" + a", " - -a", " UNION a", "[0]", " ** a"])
  func `no row of operators makes a tree too deep`(_ piece: String) throws {
    let diagnostic = try #require(
      try finding { _ = try parseExpression("a" + String(repeating: piece, count: 10_000)) })
    #expect(diagnostic.message == "more than 256 operators in a row")
  }

  @Test func `a text at the limits is read, printed and compared`() throws {
    let nested = String(repeating: "(", count: 63) + "a" + String(repeating: ")", count: 63)
    #expect(try parseExpression(nested) == .keyPath("a"))
    let functions = String(repeating: "abs:(", count: 63) + "a" + String(repeating: ")", count: 63)
    let sum = functions + String(repeating: " + a", count: 256)
    let expression = try parseExpression(sum)
    #expect(expression.description == sum)
    #expect(try parseExpression(expression.description) == expression)
  }

  /// The stack of a secondary thread on macOS is 512 kB.
  @Test(arguments: [
    ("abs:(", ")", 63), ("TERNARY(b == 1, c, ", ")", 62), ("FUNCTION($p, 'f:', ", ")", 63), ("{", "}", 63),
    ("a[", "]", 63), ("SUBQUERY(a, $x, b == ", ").@count", 31), ("1 + -(", ")", 31),
  ])
  func `the deepest text fits a small stack`(
    _ opening: String, _ closing: String, _ depth: Int
  ) async throws {
    let text = String(repeating: opening, count: depth) + "a" + String(repeating: closing, count: depth)
    let isEqual = await withCheckedContinuation { continuation in
      let thread = Thread {
        let expression = try? parseExpression(text)
        let again = expression.flatMap { try? parseExpression($0.description) }
        continuation.resume(returning: expression != nil && expression == again)
      }
      thread.stackSize = 512 << 10
      thread.start()
    }
    #expect(isEqual)
  }

  @Test(arguments: 0..<20)
  func `random pieces of the language never crash, and what is read prints and reads again`(
    _ seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    var readCount = 0
    for _ in 0..<500 {
      let count = Int.random(in: 1...10, using: &generator)
      let text = (0..<count).map { _ in generator.pick(pieces) }.joined(separator: generator.pick(["", " "]))
      guard let predicate = try? parsePredicate(text) else { continue }
      readCount += 1
      #expect(try parsePredicate(predicate.predicateFormat) == predicate, "\(text)")
    }
    #expect(readCount > 0)
  }

  @Test(arguments: 0..<10)
  func `random bytes never crash`(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2000 {
      let count = Int.random(in: 0...30, using: &generator)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let text = String(decoding: bytes, as: UTF8.self)
      do throws(DiagnosticsError) {
        _ = try parsePredicate(text)
      } catch {
        #expect(error.diagnostics.first?.message.isEmpty == false)
        #expect(error.diagnostics.first?.message.contains("\n") == false)
      }
    }
  }
}

private let pieces = [
  "a", "b.c", "size", "$x", "SELF", "1", "-2", "0x1F", "1.5", ".5", "'s'", "\"t\"", "nil", "TRUE", "==", "=",
  "!=",
  "<", ">=", "=<", "AND", "&&", "OR", "NOT", "!", "ANY", "ALL", "NONE", "IN", "BETWEEN", "LIKE[cd]", "[c]",
  "(", ")",
  "{", "}", "[", "]", ",", ".", ":", ":=", "+", "-", "*", "**", "/", "UNION", "now()", "abs:(", "uppercase:",
  "SUBQUERY(a, $x, ", ").@count", ".@sum.d", "TERNARY(", "CAST(a, 'NSDate')", "FUNCTION(", "#", "%@", "@",
  "\\", "'",
  "TRUEPREDICATE", "FIRST", "[FIRST]", "[0]", "UTI-EQUALS", "é", "\u{0}", "\n",
]
