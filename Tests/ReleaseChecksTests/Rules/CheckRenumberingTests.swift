import ManagedModel
import TestSupport
import Testing

@testable import ReleaseChecks

@Suite("Entities with other numbers") struct CheckRenumberingTests {
  static let huts = "Hut\n  trails => Trail.huts\nTrail\n  huts => Hut.trails"

  static let steps: [(String, String, [String])] = [
    (huts, huts + "\nAlp", ["MC7006 information Hut"]), (huts, huts + "\nZoo", []),
    (huts, huts + "\nLodge", ["MC7006 information Trail"]),
    (huts + "\nAlp", huts, ["MC7006 information Hut"]),
    (huts, huts.replacing("Hut\n", with: "Alp, was Hut\n").replacing("=> Hut", with: "=> Alp"), []),
    // Only the tables of many-to-many relationships have numbers in their names.
    (
      "Hut\n  trails => Trail.hut\nTrail\n  hut -> Hut.trails",
      "Alp\nHut\n  trails => Trail.hut\nTrail\n  hut -> Hut.trails", []
    ),
    ("Hut", "Alp\nHut", []),
    (
      huts, "Alp\n" + huts.replacing("Hut\n", with: "Inn\n").replacing("=> Hut", with: "=> Inn"),
      ["MC7006 information Trail"]
    ),
  ]

  @Test(arguments: steps)
  func `have other tables`(old: String, new: String, expected: [String]) {
    #expect(findings(VersionStep.checkRenumbering, old, new) == expected)
  }

  @Test func `all of them are one finding`() {
    let step = VersionStep(from: versionOf("V1", Self.huts), to: versionOf("V2", "Alp\n" + Self.huts))
    #expect(step.checkRenumbering().map { $0.related.map(\.entity) } == [["Trail"]])
  }
}
