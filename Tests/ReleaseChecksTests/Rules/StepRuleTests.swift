import Foundation
import ManagedModel
import ModelFormats
import ReleaseChecks
import TestSupport
import Testing

/// Pairs of versions and what the rules on changes say of them.
@Suite("Rules on the step between two versions") struct StepRuleTests {
  struct Pair: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var old: String
    var new: String
    /// `code line`, in the order of places.
    var expected: [String]
    var head = ""
  }

  private static func hut(_ lines: String) -> String { "entities:\n  Hut:\n    attributes:\n\(lines)" }

  static let pairs: [Pair] = [
    Pair(
      testDescription: "an optional attribute comes", old: hut("      a: string?\n"),
      new: hut("      a: string?\n      b: date?\n"), expected: []),
    Pair(
      testDescription: "another default", old: hut("      a: string = x\n"),
      new: hut("      a: string = y\n"),
      expected: ["MC7017 4"]),
    Pair(
      testDescription: "another transformer",
      old: hut("      a: {type: transformable?, transformer: A}\n"),
      new: hut("      a: {type: transformable?, transformer: B}\n"), expected: ["MC7007 4"]),
    Pair(
      testDescription: "another transformer with a modifier",
      old: hut("      a: {type: transformable?, transformer: A}\n"),
      new: hut("      a: {type: transformable?, transformer: B, versionHashModifier: b}\n"), expected: []),
    Pair(
      testDescription: "narrower rules", old: hut("      a: {type: integer16, default: 3, max: 9}\n"),
      new: hut("      a: {type: integer16, default: 3, min: 1, max: 5}\n"),
      expected: ["MC7019 4", "MC7019 4"]),
    Pair(
      testDescription: "wider rules", old: hut("      a: {type: integer16, default: 3, min: 1, max: 5}\n"),
      new: hut("      a: {type: integer16, default: 3, max: 9}\n"), expected: []),
    Pair(
      testDescription: "a binary without external storage", old: hut("      a: string?\n"),
      new: hut("      a: string?\n      b: binary?\n"), expected: ["MC7020 5"]),
    Pair(
      testDescription: "names against the habit", old: hut("      a: string?\n"),
      new: hut("      a: string?\n      Big: date?\n  small:\n    attributes: {x: date?}\n"),
      expected: ["MC7021 5", "MC7021 6"]),
    Pair(
      testDescription: "an optional attribute becomes required", old: hut("      a: string?\n"),
      new: hut("      a: string\n"), expected: ["MC3101 4"]),
    Pair(
      testDescription: "an optional relationship becomes required",
      old:
        "entities:\n  A: {relationships: {b: {to: B, inverse: a}}}\n  B: {relationships: {a: {to: A, inverse: b}}}\n",
      new:
        "entities:\n  A: {relationships: {b: {to: B, inverse: a, optional: false}}}\n  B: {relationships: {a: {to: A, inverse: b}}}\n",
      expected: ["MC3102 2"]),
    Pair(
      testDescription: "an entity goes", old: hut("      a: string?\n  Trail:\n    attributes: {b: date?}\n"),
      new: hut("      a: string?\n"), expected: ["MC7008 1"]),
    Pair(
      testDescription: "an entity goes and says so",
      old: hut("      a: string?\n  Trail:\n    attributes: {b: date?}\n"),
      new: "retired: [Trail]\n" + hut("      a: string?\n"), expected: []),
    Pair(
      testDescription: "a type of the cloud changes", old: hut("      a: integer16?\n"),
      new: "profile: cloudkit\n" + hut("      a: integer64?\n"), expected: ["MC7012 5"]),
    Pair(
      testDescription: "a field of the cloud is to be encrypted",
      old: "profile: cloudkit\n" + hut("      a: string?\n"),
      new: "profile: cloudkit\n" + hut("      a: {type: string?, cloudEncryption: true}\n"),
      expected: ["MC7012 5"]),
  ]

  @Test(arguments: pairs)
  func `a step and what is found there`(_ pair: Pair) throws {
    try withTemporaryFolder { folder in
      for (name, text) in [
        ("V1.yaml", pair.old), ("V2.yaml", pair.new), ("versions.yaml", "current: V2\nversions: [V1, V2]\n"),
      ] {
        try Data(text.utf8).write(to: folder.appending(path: name))
      }
      let model = try #require(readVersionedModel(folder: folder).model)
      try #require(model.versions.count == 2)
      let found = VersionStep(from: model.versions[0], to: model.versions[1]).check().ordered
      #expect(found.map { "\($0.code) \($0.place?.start.line ?? 0)" } == pair.expected)
    }
  }

  @Test func `entities with many-to-many relationships are renumbered`() throws {
    try ReleasedProject.with { project in
      let both = "    relationships: {huts: {toMany: Hut, inverse: trails}}\n"
      let old =
        "entities:\n  Hut:\n    relationships: {trails: {toMany: Trail, inverse: huts}}\n  Trail:\n" + both
      try project.write(old, to: "Models/Ways/V1.yaml")
      try project.write(old + "  Alp: {}\n", to: "Models/Ways/V2.yaml")
      try project.write("current: V2\nversions: [V1, V2]\n", to: "Models/Ways/versions.yaml")
      let found = try project.check("--level", "source").found
      #expect(found.contains { $0.code == "MC7006" })
    }
  }

  @Test func `a version with the hashes of the released one before it`() throws {
    try ReleasedProject.with { project in
      try project.write(
        ReleasedProject.second.replacing("name: string = ''", with: "name: string = x"),
        to: "Models/Huts/V3.yaml")
      #expect(try project.check("--level", "source").found.contains { $0.code == "MC7014" })
      #expect(try !project.check().found.contains { $0.code == "MC7014" })
    }
  }
}
