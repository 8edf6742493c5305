import ManagedModel
import Testing

@testable import ReleaseChecks

@Suite("Changes that CloudKit cannot follow") struct CheckAdditiveChangesTests {
  static let steps: [(String, String, [String])] = [
    ("A\n  x: string?", "A", ["MC7012 warning A.x"]), ("A\nB", "A", ["MC7012 warning B"]),
    ("A\n  x: string?", "A\n  x: date?", ["MC7012 warning A.x"]),
    ("A\n  x: string?", "A\n  y: string?, was x", ["MC7012 warning A.y"]),
    ("A", "B, was A", ["MC7012 warning B"]),
    ("A\n  b -> B\nB", "A\n  b => B\nB", ["MC7012 warning A.b"]),
    ("A\n  b -> B\nB\nC", "A\n  b -> C\nB\nC", ["MC7012 warning A.b"]),
    ("A\n  x: string?", "A\n  x: string?, transient", ["MC7012 warning A.x"]),
    // It may grow, and rules that the cloud does not know may change.
    ("A", "A\n  x: string?\nB", []), ("A\n  x: string?", "A\n  x: string = a", []),
    ("P\n  x: string?\nA < P", "P\nA < P\n  x: string?", []),
    ("A\n  b => B\nB", "A\n  b => B, ordered\nB", []),
  ]

  @Test(arguments: steps)
  func `are warnings, with the profile`(old: String, new: String, expected: [String]) {
    // What moves down is gone from where it was.
    let expected = old.hasPrefix("P") ? ["MC7012 warning P.x"] : expected
    #expect(findings(VersionStep.checkAdditiveChanges, old, new) { $1.profile = .cloudKit } == expected)
    #expect(findings(VersionStep.checkAdditiveChanges, old, new) { old, _ in old.profile = .cloudKit } == [])
  }
}
