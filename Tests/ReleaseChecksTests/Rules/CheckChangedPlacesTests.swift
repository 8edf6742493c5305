import ManagedModel
import TestSupport
import Testing

@testable import ReleaseChecks

@Suite("Values that change places") struct CheckChangedPlacesTests {
  static let steps: [(String, String, [String])] = [
    (
      "A\n  x: string?\n  y: string?", "A\n  x: string?, was y\n  y: string?, was x",
      ["MC2642 warning A.x"]
    ),
    // The name of one whose values go on under a third.
    (
      "A\n  x: string?\n  y: string?", "A\n  x: string?, was y\n  z: string?, was x",
      ["MC2642 warning A.x"]
    ),
    // Identifiers that stay change nothing, and leaving them out changes the values back.
    ("A\n  x: string?, was y\n  y: string?, was x", "A\n  x: string?, was y\n  y: string?, was x", []),
    (
      "A\n  x: string?, was y\n  y: string?, was x", "A\n  x: string?\n  y: string?", ["MC2642 warning A.x"]
    ),
    ("A\n  r -> B\n  s -> B\nB", "A\n  r -> B, was s\n  s -> B, was r\nB", ["MC2642 warning A.r"]),
    ("A\n  x: string?\nB\n  y: date?", "A, was B\n  y: date?\nB, was A\n  x: string?", ["MC2642 warning A"]),
    ("A\n  x: string?", "A\n  y: string?, was x", []),
    // The inverse decides what a relationship has.
    (
      "A\n  bs => B.a\nB\n  a -> A.bs\n  c -> A", "A\n  bs => B.c\nB\n  a -> A\n  c -> A.bs",
      ["MC2642 warning A.bs"]
    ), ("A\n  bs => B.a\nB\n  a -> A.bs", "A\n  bs => B.c\nB\n  a -> A\n  c -> A.bs", []),
    ("A\n  bs => B.a\nB\n  a -> A.bs", "A\n  bs => B.o\nB\n  o -> A.bs, was a", []),
    // Of two that change places, one is reported.
    (
      "A\n  bs => B.a\n  cs => B.c\nB\n  a -> A.bs\n  c -> A.cs",
      "A\n  bs => B.a, was cs\n  cs => B.c, was bs\nB\n  a -> A.bs\n  c -> A.cs", ["MC2642 warning A.bs"]
    ),
    // One that is lost is told as that.
    ("A\n  x: string?\n  y: string?", "A\n  x: string?, was y", []),
    ("A\n  x: string?\nB\n  y: string?", "A\n  z: string?, was x\nB\n  x: string?, was y", []),
  ]

  @Test(arguments: steps)
  func `are a warning, each crossing once`(old: String, new: String, expected: [String]) {
    #expect(findings(VersionStep.checkChangedPlaces, old, new) == expected)
  }

  @Test(arguments: [("", " do not change places yet"), ("\n  z: date?", " change places")])
  func `no store is migrated for identifiers alone`(more: String, expected: String) {
    let models = ["A\n  x: string?\n  y: string?", "A\n  x: string?, was y\n  y: string?, was x\(more)"].map {
      ModelVersion(name: "V", model: modelOf($0))
    }
    let found = VersionStep(from: models[0], to: models[1]).checkChangedPlaces()
    #expect(found.map { $0.message.hasPrefix("values of 'A'\(expected)") } == [true])
    #expect(found.first?.help.last?.contains("hashModifier") == more.isEmpty)
  }

  @Test func `of relationships that swap former names the inverse decides`() {
    let inverses = "\nB\n  a -> A.bs\n  c -> A.cs"
    let models = ["A\n  bs => B.a\n  cs => B.c", "A\n  bs => B.a, was cs\n  cs => B.c, was bs"].map {
      ModelVersion(name: "V", model: modelOf($0 + inverses))
    }
    let found = VersionStep(from: models[0], to: models[1]).checkChangedPlaces()
    let text = "'A.bs' has the objects that lead to it by 'B.a', not by 'B.c' as 'cs' in 'V'"
    #expect(found.map(\.message) == [text])
    #expect(found.first?.notes.first?.message.hasSuffix(", not its former name") == true)
  }
}
