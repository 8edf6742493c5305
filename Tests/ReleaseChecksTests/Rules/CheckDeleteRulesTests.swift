import Testing

@testable import ReleaseChecks

@Suite("Changed delete rules") struct CheckDeleteRulesTests {
  static let steps: [(String, String, [String])] = [
    ("b -> B", "b -> B, cascade", ["MC7018 warning A.b"]),
    ("b -> B, cascade", "b -> B", ["MC7018 warning A.b"]), ("b -> B, deny", "b -> B, deny", []),
    ("b -> B", "c -> B, was b, deny", ["MC7018 warning A.c"]),
    ("b -> B", "b => B, noAction", ["MC7018 warning A.b"]),
    // A new cascade deletes objects that stayed; other new rules delete none.
    ("", "b -> B, cascade", ["MC7018 warning A.b"]), ("", "b -> B, deny", []), ("", "b -> B", []),
    ("b -> B, cascade", "", []), ("", "b -> New, cascade", []),
  ]

  @Test(arguments: steps)
  func `are warnings, and so is a new cascade`(old: String, new: String, expected: [String]) {
    #expect(findings(VersionStep.checkDeleteRules, "A\n  \(old)\nB", "A\n  \(new)\nB\nNew") == expected)
  }

  @Test func `a relationship that moves down keeps its rule, one of a new entity has none before`() {
    #expect(
      findings(VersionStep.checkDeleteRules, "P\n  b -> B\nA < P\nB", "P\nA < P\n  b -> B, deny\nB") == [
        "MC7018 warning A.b"
      ])
    #expect(findings(VersionStep.checkDeleteRules, "B", "B\nA\n  b -> B, cascade") == [])
  }
}
