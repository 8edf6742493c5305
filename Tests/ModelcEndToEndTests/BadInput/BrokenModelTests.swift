import Foundation
import TestSupport
import Testing

@Suite("A model that cannot be read, or breaks the rules, is told with its place", .needsFixtures)
struct BrokenModelTests {
  /// A change to an adopted Moody, and what is said of it.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var file = "T/Models/Moody/Moody 2.yaml"
    var old: String
    var new: String
    var code: String
    var line: Int
  }

  static let unreadable = [
    Case(
      testDescription: "malformed YAML", old: "entities:\n", new: "entities: [\n", code: "MC0001", line: 3),
    Case(
      testDescription: "an unknown key", old: "    abstract: true", new: "    abstrct: true", code: "MC0003",
      line: 16),
    Case(
      testDescription: "a malformed version list", file: "T/Models/Moody/versions.yaml", old: "versions:",
      new: "versions: {", code: "MC0001", line: 4),
  ]

  @Test(arguments: unreadable)
  func `compile, plan, migrate and inspect all say where`(_ broken: Case) throws {
    try Workplace.with(GenuineModel.moody.package) { place in
      let path = try place.copyStore(GenuineModel.moody.stores[0].path)
      try place.replace(broken.old, with: broken.new, in: broken.file)
      let before = try place.snapshot(".")
      let commands = [["compile"], ["plan", path, "--to", "Moody 3"], ["migrate", path, "--to", "Moody 3"]]
      for arguments in commands {
        let run = try Modelc.run(arguments + ["-C", "T"], in: place.folder)
        expectRefusal(run, broken.code, exit: 1)
        #expect(run.stderr.hasPrefix("\(broken.file):\(broken.line):"), "\(run)")
        #expect(run.stderr.hasSuffix("nothing was written\n") == (arguments[0] == "migrate"))
        let json = try Modelc.run(arguments + ["-C", "T", "--format", "json"], in: place.folder)
        let found = try json.decoded(as: RefusalRecord.self).diagnostics
        #expect(found.map(\.code) == [broken.code])
        #expect(found.first?.file == broken.file && found.first?.line == broken.line)
        #expect(json.code == 1 && json.stderr.isEmpty)
      }
      let inspection = try place.modelc("inspect", path, "-C", "T")
      #expect(inspection.errors == [broken.code])
      #expect(inspection.code == 1)
      #expect(inspection.stdout.contains("4 objects"))
      let json = try place.modelc("inspect", path, "-C", "T", "--format", "json")
      #expect(try json.decoded(as: InspectionRecord.self).diagnostics.map(\.code) == [broken.code])
      #expect(try place.snapshot(".") == before)
    }
  }

  @Test func `a version that breaks the rules is no target, and may be passed through`() throws {
    try Workplace.with(GenuineModel.moody.package) { place in
      let path = try place.copyStore(GenuineModel.moody.stores[1].path)
      let file = "T/Models/Moody/Moody 3.yaml"
      try place.replace("numberOfMoods: integer64 = 0", with: "numberOfMoods: integer64 = many", in: file)
      let before = try place.snapshot()
      for command in ["plan", "migrate"] {
        let run = try place.modelc(command, path, "-C", "T", "--to", "Moody 3")
        #expect(run.errors.contains("MC1203"), "\(run)")
        #expect(run.code == 1)
        #expect(run.stderr.contains(file))
      }
      #expect(try place.snapshot() == before)
      expectSuccess(try place.modelc("migrate", path, "-C", "T", "--to", "Moody 2"))
    }
  }

  @Test func `every finding of every file in one run`() throws {
    try Workplace.with(GenuineModel.moody.package) { place in
      for version in ["Moody 2", "Moody 5"] {
        try place.replace(
          "  Mood:\n", with: "  Mood:\n    parnt: Nobody\n", in: "T/Models/Moody/\(version).yaml")
      }
      let run = try place.modelc("compile", "-C", "T")
      #expect(run.errors == ["MC0003", "MC0003"])
      #expect(run.stderr.contains("did you mean 'parent'?"))
      #expect(run.stderr.hasSuffix("2 errors; `--fix` makes 2 edits\n"), "\(run)")
      #expect(!FileManager.default.fileExists(atPath: place.url("T/Build").path))
    }
  }
}
