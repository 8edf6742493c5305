import Testing

@testable import ReleaseChecks

@Suite("New requirements") struct CheckNewRequirementsTests {
  static let steps: [(String, String, [String])] = [
    ("A", "A\n  x: string", ["MC3101 error A.x"]),
    ("A\n  x: string?", "A\n  x: string", ["MC3101 error A.x"]),
    ("A", "A\n  x: string = a", []), ("A\n  x: string?", "A\n  x: string = a", []),
    ("A\n  x: string", "A\n  x: string", []),
    ("A", "A\n  x: string, transient", []), ("A", "A\n  x: date, derived now()", []),
    ("A", "A\n  p: P\ncomposite P\n  x: double", ["MC3101 error A.p.x"]),
    // No default stands in for an object; of one that was optional Core Data asks when it is saved.
    ("A\nB", "A\n  b -> B!\nB", ["MC3102 error A.b"]),
    ("A\n  b -> B\nB", "A\n  b -> B!\nB", ["MC3102 warning A.b"]),
    ("A\nB", "A\n  b -> B\nB", []),
    // A to-many may be empty, unless it has a minimum.
    ("A\nB", "A\n  bs => B!\nB", []), ("A\nB", "A\n  bs => B!, min 1\nB", ["MC3102 error A.bs"]),
    ("A\nB\n  as => A", "A\n  b -> B.as!\nB\n  as => A.b", []),
    // Entities without objects require nothing; an abstract one with heirs has theirs.
    ("A", "A\nB\n  x: string", []), ("A, abstract", "A, abstract\n  x: string", []),
    ("P, abstract\nA < P", "P, abstract\n  x: string\nA < P", ["MC3101 error P.x"]),
    ("A", "B, was A\n  x: string", ["MC3101 error B.x"]),
  ]

  @Test(arguments: steps)
  func `of objects that may lack a value`(old: String, new: String, expected: [String]) {
    #expect(findings(VersionStep.checkNewRequirements, old, new) == expected)
  }
}
