import ManagedModel
import Testing

@testable import ReleaseChecks

@Suite("Retired names that come back") struct CheckRetiredNamesTests {
  static let steps: [([String], String, [String])] = [
    (["A"], "A", ["MC7015 error A"]), (["A.x"], "A\n  x: string", ["MC7015 error A.x"]),
    (["A.r"], "A\n  r -> A", ["MC7015 error A.r"]),
    (["A.p.x"], "A\n  p: P\ncomposite P\n  x: double", ["MC7015 error A.p.x"]),
    (["A.p"], "A\n  p: P\ncomposite P\n  x: double", ["MC7015 error A.p"]),
    (["B", "B.x", "A.y"], "A\n  x: string", []), (["A.x"], "B\n  x: string", []),
    (["A", "A.x"], "A\n  x: string", ["MC7015 error A", "MC7015 error A.x"]),
    // As MC3203 advises, with a renaming identifier of its own.
    (["A.x"], "A\n  x: string, was y", []), (["A.r"], "A\n  r -> A, was s", []), (["A"], "A, was B", []),
    // An inherited one stands where it is declared.
    (["P.x"], "P\n  x: string\nA < P", ["MC7015 error P.x"]), (["A.x"], "P\n  x: string\nA < P", []),
  ]

  @Test(arguments: steps)
  func `are errors, whichever version retired them`(retired: [String], new: String, expected: [String]) {
    #expect(findings(VersionStep.checkRetiredNames, "Z", new, retired: retired) == expected)
    #expect(findings(VersionStep.checkRetiredNames, "Z", new) { old, _ in old.retired = retired } == expected)
  }
}
