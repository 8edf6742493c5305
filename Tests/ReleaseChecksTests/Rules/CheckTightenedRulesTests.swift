import ManagedModel
import Testing

@testable import ReleaseChecks

@Suite("Rules that become narrower") struct CheckTightenedRulesTests {
  private func keys(_ old: AttributeValidation, _ new: AttributeValidation, type: String = "integer16")
    -> [String]
  {
    let finding = "MC7019 warning A.x"
    var keys: [String] = []
    let found = findings(
      { step in
        let found = step.checkTightenedRules()
        keys = found.compactMap { $0.subject?.key }
        return { found }
      }, "A\n  x: \(type)", "A\n  x: \(type)"
    ) { before, after in
      before.entities[0].attributes[0].validation = old
      after.entities[0].attributes[0].validation = new
    }
    return found.allSatisfy { $0 == finding } ? keys : found
  }

  static let bounds: [(String?, String?, String?, String?, [String])] = [
    (nil, nil, "1", nil, ["min"]), (nil, nil, nil, "9", ["max"]), ("1", "9", "2", "8", ["min", "max"]),
    ("1", "9", "0", "10", []), ("1", "9", nil, nil, []),
    ("1", "9", "1.0", "9.00", []), ("-1e3", nil, "-1000", nil, []), (nil, "10", nil, "9.5", ["max"]),
    ("2", nil, "10", nil, ["min"]),
    // Dates are not numbers: any other text counts as narrower.
    ("2024-05-01T00:00:00Z", nil, "2023-05-01T00:00:00Z", nil, []), ("soon", nil, "later", nil, ["min"]),
    ("soon", nil, "soon", nil, []),
  ]

  @Test(arguments: bounds)
  func `bounds by value`(min: String?, max: String?, newMin: String?, newMax: String?, expected: [String]) {
    #expect(keys(.init(minimum: min, maximum: max), .init(minimum: newMin, maximum: newMax)) == expected)
  }

  static let lengths: [(AttributeValidation, AttributeValidation, [String])] = [
    (.init(), .init(minimumLength: 0), []), (.init(), .init(minimumLength: 1), ["minLength"]),
    (.init(minimumLength: 3), .init(minimumLength: 2), []),
    (.init(), .init(maximumLength: 5), ["maxLength"]), (.init(maximumLength: 5), .init(maximumLength: 9), []),
    (.init(maximumLength: 5), .init(maximumLength: 4), ["maxLength"]),
    (.init(), .init(regularExpression: "a*"), ["matching"]),
    (.init(regularExpression: "a*"), .init(regularExpression: "a*"), []),
    (.init(regularExpression: "a*"), .init(), []),
    (.init(regularExpression: "a*"), .init(regularExpression: "a+"), ["matching"]),
  ]

  @Test(arguments: lengths)
  func `lengths and patterns`(old: AttributeValidation, new: AttributeValidation, expected: [String]) {
    #expect(keys(old, new, type: "string") == expected)
  }

  static let counts: [(String, String, [String])] = [
    ("=> B", "=> B, max 3", ["max"]), ("=> B, max 3", "=> B, max 4", []),
    ("=> B, min 2", "=> B, min 3, max 9", ["min", "max"]), ("=> B, max 9", "=> B", []),
    // An optional one may have none; that one is required is MC3102, that one is all MC3107.
    ("=> B", "=> B, min 1", []), ("=> B", "=> B!", []), ("=> B", "-> B", []), ("-> B", "=> B, max 3", []),
  ]

  @Test(arguments: counts)
  func `numbers of objects`(old: String, new: String, expected: [String]) {
    var keys: [String] = []
    let found = findings(
      { step in
        let found = step.checkTightenedRules()
        keys = found.compactMap { $0.subject?.key }
        return { found }
      }, "A\n  b \(old)\nB", "A\n  b \(new)\nB")
    #expect(keys == expected && found.allSatisfy { $0 == "MC7019 warning A.b" }, "\(found)")
  }

  @Test func `a new attribute has no values that could break a rule`() {
    #expect(findings(VersionStep.checkTightenedRules, "A", "A\n  x: integer16, min 1") == [])
    #expect(
      findings(VersionStep.checkTightenedRules, "A\n  x: integer16", "A\n  y: integer16, was x, min 1") == [
        "MC7019 warning A.y"
      ])
  }
}
