import Foundation
import TestSupport
import Testing

/// A mistake is committed, the gate says no with the right code at the right line; the fix lets it through.
@Suite("Stories of the gate") struct GateTests {
  struct Story: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// The edits of the mistake: file, old text, new text.
    var mistake: [[String]]
    var code: String
    var place: String
    var mend: [[String]]
    /// A level that counts it; only from `store` on are kept stores migrated.
    var level = "path"
  }

  private static let v1 = "Models/Huts/V1.yaml"
  private static let v3 = "Models/Huts/V3.yaml"
  private static let list = "Models/Huts/versions.yaml"
  private static let opened = "      opened: date?\n"

  static let stories: [Story] = [
    Story(
      testDescription: "a released version is edited",
      mistake: [[v1, "beds: integer16 = 0", "beds: integer32 = 0"]],
      code: "MC7001", place: "\(v1):6", mend: [[v1, "beds: integer32 = 0", "beds: integer16 = 0"]]),
    Story(
      testDescription: "an attribute is removed and nobody says so",
      mistake: [[v3, "      warden: string?\n", ""]], code: "MC7008", place: "\(v3):2",
      mend: [[v3, "entities:\n", "retired: [Hut.warden]\nentities:\n"]], level: "store"),
    Story(
      testDescription: "a required attribute has no default",
      mistake: [[v3, opened, "      opened: date\n"]], code: "MC3101", place: "\(v3):8",
      mend: [[v3, "      opened: date\n", opened]]),
    Story(
      testDescription: "a rename has no identifier", mistake: [[v3, "warden: string?", "keeper: string?"]],
      code: "MC3204", place: "\(v3):5",
      mend: [[v3, "keeper: string?", "keeper: {type: string?, renamingIdentifier: warden}"]], level: "store"),
    Story(
      testDescription: "the current version is set back", mistake: [[list, "current: V3", "current: V1"]],
      code: "MC7002", place: "\(list):1", mend: [[list, "current: V1", "current: V3"]]),
    Story(
      testDescription: "a released version is taken out",
      mistake: [[list, "[V1, V2, V3]", "[V2, V3]"]], code: "MC7004", place: "\(list):1",
      mend: [[list, "[V2, V3]", "[V1, V2, V3]"]]),
    Story(
      testDescription: "the current version no longer follows a released one",
      mistake: [[list, "[V1, V2, V3]", "[V1, V2, {name: V3, from: V1}]"]], code: "MC7003", place: "\(list):1",
      mend: [[list, "{name: V3, from: V1}", "V3"]]),
    Story(
      testDescription: "a type changes that inference refuses",
      mistake: [[v3, "note: string?", "note: integer16?"]],
      code: "MC3103", place: "\(v3):14", mend: [[v3, "note: integer16?", "note: string?"]]),
    Story(
      testDescription: "the lock is edited by hand",
      mistake: [["Models/Huts/released.lock", "v1.0 V2", "v1.1 V2"]],
      code: "MC7011", place: "Models/Huts/released.lock:4",
      mend: [["Models/Huts/released.lock", "v1.1 V2", "v1.0 V2"]]),
    Story(
      testDescription: "a unique attribute gets a constant",
      mistake: [
        [v3, "beds: integer16 = 0\n", "beds: integer16 = 0\n      code: string = none\n"],
        [
          v3, "visits: {toMany: Visit, inverse: hut}\n",
          "visits: {toMany: Visit, inverse: hut}\n    uniquenessConstraints: [[code]]\n",
        ],
      ], code: "MC3104", place: "\(v3):7",
      mend: [[v3, "code: string = none", "code: string?"]], level: "store"),
    Story(
      testDescription: "a retired name is used again",
      mistake: [[v3, "entities:\n", "retired: [Hut.opened]\nentities:\n"]], code: "MC7015", place: "\(v3):9",
      mend: [[v3, "retired: [Hut.opened]\n", ""]], level: "store"),
  ]

  @Test(arguments: stories)
  func `a mistake is told where it is, and its mend passes`(_ story: Story) throws {
    try ReleasedProject.with { project in
      for edit in story.mistake { try project.edit(edit[0], edit[1], edit[2]) }
      try project.commit(story.testDescription)
      let (code, found) = try project.check("--level", story.level, "--against", "HEAD~1")
      #expect(code == 1)
      let own = found.filter { $0.code == story.code && $0.state == "new" }
      #expect(own.contains { $0.place(in: project) == story.place }, "\(found)")
      for edit in story.mend { try project.edit(edit[0], edit[1], edit[2]) }
      try project.commit("mended")
      let fixed = try project.check("--level", story.level, "--against", "HEAD~1")
      #expect(fixed.code == 0)
      #expect(fixed.found.filter { $0.severity == "error" && $0.state == "new" } == [])
    }
  }

  @Test func `a fact of a released version that no hash sees is a warning`() throws {
    try ReleasedProject.with { project in
      try project.edit(Self.v1, "beds: integer16 = 0", "beds: integer16 = 1")
      let (code, found) = try project.check("--level", "path")
      #expect(code == 0)
      let own = found.filter { $0.code == "MC7028" }
      #expect(own.map { $0.place(in: project) } == ["\(Self.v1):6"], "\(found)")
      #expect(own.first?.severity == "warning")
    }
  }

  @Test func `what was wrong before does not count again`() throws {
    try ReleasedProject.with { project in
      try project.edit("Models/Huts/V3.yaml", "      warden: string?\n", "")
      try project.commit("a removal")
      try project.edit("Models/Huts/V3.yaml", "opened: date?", "openedOn: date?")
      try project.commit("something else")
      let (code, found) = try project.check("--against", "HEAD~1")
      #expect(code == 0)
      #expect(found.contains { $0.code == "MC7008" && $0.state == "old" })
      #expect(try project.check().code == 1)
    }
  }

  @Test func `two branches add the same next version`() throws {
    try ReleasedProject.with { project in
      let list = "Models/Huts/versions.yaml"
      try project.repository.git("checkout", "--quiet", "-b", "other")
      try project.write(ReleasedProject.third, to: "Models/Huts/V4.yaml")
      try project.edit(list, "[V1, V2, V3]", "[V1, V2, V3, V4]")
      try project.commit("theirs")
      try project.repository.git("checkout", "--quiet", "main")
      let own = ReleasedProject.third.replacing(
        "      opened: date?\n", with: "      opened: date?\n      x: date?\n")
      try project.write(own, to: "Models/Huts/V4.yaml")
      try project.edit(list, "[V1, V2, V3]", "[V1, V2, V3, V4]")
      try project.commit("ours")
      let (code, found) = try project.check("--against", "other")
      #expect(code == 1)
      #expect(found.contains { $0.code == "MC7013" && $0.place(in: project) == "\(list):2" })
    }
  }

  @Test func `names that come back and identifiers that lead nowhere`() throws {
    try ReleasedProject.with { project in
      let (v3, v4) = ("Models/Huts/V3.yaml", "Models/Huts/V4.yaml")
      let gone = ReleasedProject.third.replacing("      warden: string?\n", with: "")
      try project.write("retired: [Hut.warden]\n" + gone, to: v3)
      try project.write(
        ReleasedProject.third.replacing(
          "      opened: date?\n",
          with: "      opened: date?\n      closed: {type: date?, renamingIdentifier: x}\n"),
        to: v4)
      try project.edit("Models/Huts/versions.yaml", "[V1, V2, V3]", "[V1, V2, V3, V4]")
      try project.edit("Models/Huts/versions.yaml", "current: V3", "current: V4")
      let found = try project.check().found
      #expect(found.filter { $0.code == "MC3203" }.map { $0.place(in: project) } == ["\(v4):5"], "\(found)")
      #expect(found.filter { $0.code == "MC3205" }.map { $0.place(in: project) } == ["\(v4):9"], "\(found)")
    }
  }

  @Test func `stores that are caches need no path`() throws {
    try ReleasedProject.with { project in
      try project.edit("Models/Huts/V3.yaml", "note: string?", "note: integer16?")
      #expect(try project.check().code == 1)
      try project.edit("Models/Huts/versions.yaml", "current: V3", "disposable: true\ncurrent: V3")
      #expect(try project.check().code == 0)
    }
  }

  @Test(arguments: [("hash", 0), ("path", 1), ("store", 1), ("source", 1)] as [(String, Int32)])
  func `a level holds those after it`(_ level: String, _ code: Int32) throws {
    try ReleasedProject.with { project in
      try project.edit("Models/Huts/V3.yaml", "note: string?", "note: integer16?")
      #expect(try project.check("--level", level).code == code)
    }
  }

  @Test func `a budget that a migration does not keep`() throws {
    try ReleasedProject.with { project in
      let (code, found) = try project.check("--max-megabytes", "0.001")
      #expect(code == 1)
      #expect(found.contains { $0.code == "MC7005" })
      #expect(try project.check("--max-seconds", "60", "--max-megabytes", "50").code == 0)
      #expect(try project.check("--max-seconds", "60", "--level", "path").code == 2)
      let store = project.file("Models/Huts/Released/V1.sqlite")
      #expect(try project.check("--store", store, "--level", "hash").code == 2)
    }
  }

  @Test func `a budget for a number of objects`() throws {
    try ReleasedProject.with { project in
      // The kept stores of 40 objects keep it; 5,000 made-up ones do not.
      #expect(try project.check("--max-megabytes", "0.5").code == 0)
      let (code, found) = try project.check("--max-megabytes", "0.5", "--rows", "5000")
      #expect(code == 1)
      let own = found.filter { $0.code == "MC7005" }
      #expect(own.map { $0.place(in: project) } == ["Models/Huts/V3.yaml:1", "Models/Huts/V3.yaml:1"])
      #expect(own.contains { $0.message.hasPrefix("a store of V1 with 5000 objects needs") }, "\(own)")
      #expect(try project.check("--rows", "5000").code == 2)
      // Without a lock the versions of the base count, or all.
      try FileManager.default.removeItem(atPath: project.file("Models/Huts/released.lock"))
      try project.commit("no lock")
      for base in [["--against", "HEAD"], []] {
        let budget = ["--max-megabytes", "0.5", "--rows", "5000"]
        let found = try project.check(arguments: budget + base).found
        #expect(found.filter { $0.code == "MC7005" }.count == 2, "\(found)")
      }
    }
  }
}
