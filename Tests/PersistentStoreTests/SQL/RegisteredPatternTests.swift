import GRDB
import PersistentStore
import Testing

@Suite("A pattern as a function of SQL") struct RegisteredPatternTests {
  /// Each further `a` doubles what `(a+)+b` may try.
  @Test(.timeLimit(.minutes(1))) func `many texts that take too long have one end`() throws {
    try DatabaseQueue().write { db in
      let pattern = try #require(RegisteredPattern("(a+)+b", db))
      func matching(_ texts: [String]) throws -> [String] {
        try texts.filter {
          try Bool.fetchOne(db, sql: "SELECT \(pattern.function)(?)", arguments: [$0]) ?? false
        }
      }
      #expect(try matching(["ab", "aab", "b", "abc"]) == ["ab", "aab"] && !pattern.isSlow)
      let slow = (1...300).map { String(repeating: "a", count: 40) + "c\($0)" }
      #expect(try matching(slow + slow) == [] && pattern.isSlow)
      #expect(try matching(["aaab", "c"]) == ["aaab"])
    }
  }

  @Test func `what is no pattern is no function`() throws {
    try DatabaseQueue().write { db in #expect(RegisteredPattern("(", db) == nil) }
  }
}
