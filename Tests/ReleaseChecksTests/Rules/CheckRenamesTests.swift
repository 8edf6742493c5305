import ManagedModel
import TestSupport
import Testing

@testable import ReleaseChecks

@Suite("What a rename without an identifier looks like") struct CheckRenamesTests {
  static let steps: [(String, String, [String])] = [
    // The only one of its type, whatever it is called; of several the one with the nearest name.
    ("A\n  x: string", "A\n  warden: string", ["MC3204 error A.warden"]),
    ("A\n  x: string", "A\n  y: date", []),
    ("A\n  beds: string\n  owner: string", "A\n  bed: string", ["MC3204 error A.bed"]),
    ("A\n  beds: string\n  owner: string", "A\n  zzz: string", []),
    // Of several that come, the one whose name has the old one's in it, as the plan says.
    (
      "A\n  source: string", "A\n  folder: string\n  sourceURL: string\n  title: string",
      ["MC3204 error A.sourceURL"]
    ), ("A\n  source: string", "A\n  folder: string\n  title: string", ["MC3204 error A.folder"]),
    ("A\n  source -> B\nB", "A\n  first -> B\n  sources -> B\nB", ["MC3204 error A.sources"]),
    // What moves up from an entity below is no new one.
    (
      "P, abstract\n  x: string\nA < P\n  y: string\nB < P", "P, abstract\n  y: string\nA < P\nB < P", []
    ),
    (
      "P, abstract\n  r -> C\nA < P\n  s -> C\nB < P\nC", "P, abstract\n  s -> C\nA < P\nB < P\nC", []
    ), ("A\n  x: string", "A\n  y: string, was x", []), ("A\n  x: string", "A\n  x: string\n  y: string", []),
    ("A\n  r -> B\nB", "A\n  s -> B\nB", ["MC3204 error A.s"]), ("A\n  r -> B\nB", "A\n  s => B\nB", []),
    ("A\n  r -> B\nB\nC", "A\n  s -> C\nB\nC", []),
    ("A\n  p: P\ncomposite P\n  x: string", "A\n  p: P\ncomposite P\n  y: string", ["MC3204 error A.p.y"]),
    // Entities that have more than half of the properties.
    ("Hut\n  a: string\n  b: string", "Cabin\n  a: string\n  b: string", ["MC3204 error Cabin"]),
    ("Hut\n  a: string\n  b: string", "Cabin\n  a: string", []),
    ("Hut\n  a: string", "Cabin, was Hut\n  a: string", []), ("Hut", "Cabin", []),
    ("Hut\n  a: string\nCabin\n  a: string", "Cabin\n  a: string", []),
  ]

  @Test(arguments: steps)
  func `is a warning at the new name`(old: String, new: String, expected: [String]) {
    #expect(findings(VersionStep.checkRenames, old, new) == expected)
  }

  @Test(arguments: ["A\n  z: string", "A\n  z: date"])
  func `a name that was a new one already goes on under its renaming identifier`(_ new: String) {
    let versions = versionsOf(["A\n  y: string, was x", new])
    let step = VersionStep(from: versions[0], to: versions[1])
    let help = (step.checkRenames() + step.checkRemovals()).flatMap(\.help).joined()
    #expect(help.contains("renamingIdentifier: x`") && !help.contains("renamingIdentifier: y"), "\(help)")
  }

  @Test func `what is retired was no rename`() {
    #expect(
      findings(VersionStep.checkRenames, "A\n  x: string", "A\n  warden: string", retired: ["A.x"]) == [])
    #expect(
      findings(VersionStep.checkRenames, "Hut\n  a: string", "Cabin\n  a: string", retired: ["Hut"]) == [])
  }
}
