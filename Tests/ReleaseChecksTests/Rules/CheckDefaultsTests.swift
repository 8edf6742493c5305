import Testing

@testable import ReleaseChecks

@Suite("Changed defaults") struct CheckDefaultsTests {
  static let steps: [(String, String, [String])] = [
    ("x: string = a", "x: string = b", ["MC7017 warning A.x"]),
    ("x: string = a", "x: string", ["MC7017 warning A.x"]),
    ("x: string", "x: string = a", ["MC7017 warning A.x"]), ("x: decimal = 1.10", "x: decimal = 1.1", []),
    ("x: string = a", "y: string = b, was x", ["MC7017 warning A.y"]),
    ("", "x: string = a", []), ("x: string = a", "", []), ("x: boolean = YES", "x: boolean = 1", []),
  ]

  @Test(arguments: steps)
  func `are warnings`(old: String, new: String, expected: [String]) {
    #expect(findings(VersionStep.checkDefaults, "A\n  \(old)", "A\n  \(new)") == expected)
  }

  static let unique: [(String, String, [String])] = [
    ("A", "A, unique x\n  x: string = a", ["MC3104 error A.x"]), ("A", "A, unique x\n  x: string?", []),
    ("A", "A, unique x y\n  x: string = a\n  y: string = b", ["MC3104 error A.x"]),
    ("B", "A, unique x\n  x: string = a\nB", []), ("A\n  x: string", "A, unique x\n  x: string = a", []),
    (
      "A", "A, unique x, unique y\n  x: string = a\n  y: string = b",
      ["MC3104 error A.x", "MC3104 error A.y"]
    ),
  ]

  @Test(arguments: unique)
  func `one default for values that must differ is an error`(old: String, new: String, expected: [String]) {
    #expect(findings(VersionStep.checkUniqueDefaults, old, new) == expected)
  }

  @Test func `what has to be distinct from now on`() {
    let rule = VersionStep.checkDuplicates
    #expect(findings(rule, "A\n  b -> B\nB", "A\n  b -> B.a\nB\n  a -> A.b") == ["MC3108 warning B.a"])
    #expect(findings(rule, "A\n  x: string", "A, unique x\n  x: string") == ["MC3105 warning A"])
    #expect(findings(rule, "A\n  b -> B\nB", "A\n  b -> B.as\nB\n  as => A.b") == [])
    // A to-many without an inverse is a column of what it leads to.
    #expect(findings(rule, "A\n  b -> B\nB", "A\n  b => B\nB") == ["MC3108 warning A.b"])
    #expect(findings(rule, "A\n  b -> B.a\nB\n  a -> A.b", "A\n  b => B\nB") == [])
    #expect(findings(rule, "A\n  b -> B\nB", "A\n  b => B.as\nB\n  as => A.b") == [])
  }
}
