import Foundation
import ModelCommands
import TestSupport
import Testing

/// The gate of a team that has released nothing by way of modelc: what stands at `--against` counts.
@Suite("The gate without a lock") struct BaseGateTests {
  private static let v1 = "Models/Huts/V1.yaml"
  private static let v3 = "Models/Huts/V3.yaml"
  private static let list = "Models/Huts/versions.yaml"

  /// A project whose versions stand on `main`, V1 and V2 in the tag `v1.0`, without a lock.
  private func withoutLock(_ body: (ReleasedProject) throws -> Void) throws {
    try ReleasedProject.with { project in
      try FileManager.default.removeItem(atPath: project.file("Models/Huts/released.lock"))
      try FileManager.default.removeItem(atPath: project.file("Models/Huts/Released"))
      try project.edit(Self.list, "current: V3\nversions: [V1, V2, V3]", "current: V2\nversions: [V1, V2]")
      try project.commit("no lock")
      try project.repository.git("tag", "v1.0")
      try project.edit(Self.list, "current: V2\nversions: [V1, V2]", "current: V3\nversions: [V1, V2, V3]")
      try project.commit("the next version")
      try body(project)
    }
  }

  /// What is new, as `code severity`.
  private func new(_ project: ReleasedProject, _ arguments: String..., against base: String = "HEAD~1")
    throws -> [String]
  {
    let found = try project.check("--level", "path", "--against", base).found
    return found.filter { $0.state == "new" }.map { "\($0.code) \($0.severity)" }
  }

  @Test func `a version of a tag, of the default branch, and of this branch alone`() throws {
    try withoutLock { project in
      try project.edit(Self.v1, "beds: integer16 = 0", "beds: integer32 = 0")
      try project.commit("a released version edited")
      #expect(try new(project) == ["MC7026 error"])
      let found = try project.check("--against", "HEAD~1").found.filter { $0.code == "MC7026" }
      #expect(found.map { $0.place(in: project) } == ["\(Self.v1):6"])
      #expect(found.first?.message.contains("is in the tag v1.0") == true, "\(found)")
      try project.edit(Self.v1, "beds: integer32 = 0", "beds: integer16 = 0")
      try project.commit("taken back")
      #expect(try new(project) == [])
      try project.edit(Self.v3, "opened: date?", "opened: string?")
      try project.commit("a version of main edited")
      #expect(try new(project) == ["MC7026 error"])
      let shared = try project.check("--against", "HEAD~1").found.filter { $0.code == "MC7026" }
      // The tag has its file, and another current version.
      #expect(shared.first?.message.contains("is on main") == true, "\(shared)")
      let third = try String(contentsOfFile: project.file(Self.v3), encoding: .utf8)
      try project.repository.git("checkout", "--quiet", "-b", "own")
      try project.write(
        third + "  Peak:\n    attributes: {name: string?}\n", to: "Models/Huts/V4.yaml")
      try project.edit(
        Self.list, "current: V3\nversions: [V1, V2, V3]", "current: V4\nversions: [V1, V2, V3, V4]")
      try project.commit("a version of this branch")
      try project.edit("Models/Huts/V4.yaml", "name: string?", "name: date?")
      try project.commit("edited")
      #expect(try new(project) == ["MC7026 warning"])
      #expect(try new(project, against: "main") == [])
    }
  }

  /// Green would say that users' stores were looked at.
  @Test func `tags are compared with SwiftData's source alone, and other models say so`() throws {
    try ReleasedProject.with { project in
      let run = ModelcCommand.run(["check", "--against-tags", "v*", "-q", "-C", project.path])
      #expect(run == 1)
      #expect(ModelcCommand.run(["release", "--from-tags", "none*", "-q", "-C", project.path]) == 2)
    }
  }

  /// A model that includes another, each with one version.
  private func including(_ body: (ReleasedProject) throws -> Void) throws {
    try ReleasedProject.with { project in
      try project.write("current: C1\nversions: [C1]\n", to: "Models/Core/versions.yaml")
      try project.write("entities:\n  Peak: {attributes: {name: string?}}\n", to: "Models/Core/C1.yaml")
      try project.write("current: V1\nversions: [V1]\ninclude: [../Core]\n", to: "Models/App/versions.yaml")
      try project.write("entities: {Tour: {}}\n", to: "Models/App/V1.yaml")
      try project.commit("two models")
      try body(project)
    }
  }

  @Test func `a new version of an included model is not an edit of those that include it`() throws {
    try including { project in
      #expect(ModelcCommand.run(["release", "V1", "--model", "App", "-q", "-C", project.path]) == 0)
      #expect(ModelcCommand.run(["version", "new", "C2", "--model", "Core", "-q", "-C", project.path]) == 0)
      func errors() throws -> [String] {
        let found = try project.check("--model", "App", "--against", "HEAD").found
        return found.filter { $0.severity == "error" }.map { "\($0.code) \($0.help.joined())" }
      }
      let expected = ["MC2101 name it in the entry: versions: {V1: C1}"]
      #expect(try errors() == expected)
      try FileManager.default.removeItem(atPath: project.file("Models/App/released.lock"))
      #expect(try errors() == expected)
    }
  }

  @Test func `an included model that is not there is the one finding about the versions without it`() throws {
    try including { project in
      #expect(ModelcCommand.run(["release", "V1", "--model", "App", "-q", "-C", project.path]) == 0)
      try project.edit("Models/App/versions.yaml", "../Core", "../Cor")
      for base in [[], ["--against", "HEAD"]] {
        let errors = try project.check(arguments: ["--model", "App"] + base).found.filter {
          $0.severity == "error"
        }
        #expect(errors.map(\.code) == ["MC0009"], "\(errors)")
      }
    }
  }

  @Test func `an edit of an included model's version is reverted in its file`() throws {
    try including { project in
      try project.edit("Models/Core/C1.yaml", "string?", "date?")
      let found = try project.check("--model", "App", "--against", "HEAD").found
      let finding = try #require(found.first { $0.code == "MC7026" })
      try finding.pasteHelp()
      #expect(
        try String(contentsOfFile: project.file("Models/Core/C1.yaml"), encoding: .utf8).contains("string?"))
    }
  }

  @Test func `a lock that does not list a version says that it is being worked on`() throws {
    try ReleasedProject.with { project in
      try project.edit(Self.v3, "opened: date?", "opened: string?")
      try project.commit("the next version goes on")
      #expect(try new(project) == ["MC7026 warning"])
    }
  }

  @Test func `a version that is gone, and one that has another name only`() throws {
    try withoutLock { project in
      try project.edit(Self.list, "[V1, V2, V3]", "[V2, V3]")
      try project.commit("V1 is gone")
      #expect(try new(project) == ["MC7027 error"])
      try FileManager.default.moveItem(
        atPath: project.file(Self.v1), toPath: project.file("Models/Huts/First.yaml"))
      try project.edit(Self.list, "[V2, V3]", "[First, V2, V3]")
      try project.commit("V1 has another name")
      #expect(try new(project, against: "HEAD~2") == [])
    }
  }

  @Test func `a fact that no hash holds, twice`() throws {
    try withoutLock { project in
      for (old, new) in [("0", "1"), ("1", "2")] {
        try project.edit(Self.v1, "beds: integer16 = \(old)", "beds: integer16 = \(new)")
        try project.commit("a default")
        #expect(try self.new(project) == ["MC7028 warning"])
      }
      #expect(try project.check("--against", "HEAD~1").code == 0)
    }
  }

  @Test func `a derived attribute with another name has no column in the stores of its version`() throws {
    try withoutLock { project in
      let derived = "visitCount: {type: integer64?, derivation: visits.@count}"
      try project.edit(Self.v3, "opened: date?\n", "opened: date?\n      \(derived)\n")
      try project.commit("derived")
      try project.repository.git("tag", "v1.1")
      try project.edit(Self.v3, "visitCount", "visitTotal")
      try project.commit("another name")
      #expect(try new(project, against: "v1.1").contains("MC7028 error"))
    }
  }

  @Test func `a step that cannot be inferred stands in the way of what the base has`() throws {
    try withoutLock { project in
      let fourth = ReleasedProject.third.split(separator: "note: string?").joined(
        separator: "note: integer16?")
      try project.write(String(fourth), to: "Models/Huts/V4.yaml")
      try project.edit(
        Self.list, "current: V3\nversions: [V1, V2, V3]", "current: V4\nversions: [V1, V2, V3, V4]")
      try project.commit("a type")
      let found = try new(project)
      #expect(found == ["MC3103 error"])
      try project.write("notes", to: "README.md")
      try project.commit("something else")
      #expect(try new(project) == [])
    }
  }

  @Test func `a model that was moved`() throws {
    try withoutLock { project in
      try project.repository.git("mv", "Models/Huts", "Models/Cabins")
      let found = try project.check("--against", "HEAD", models: "Models/Cabins").found
      #expect(found.filter { $0.state == "new" && ["error", "warning"].contains($0.severity) } == [])
      try project.commit("moved")
      try project.edit("Models/Cabins/V1.yaml", "beds: integer16 = 0", "beds: integer32 = 0")
      let edited = try project.check("--against", "HEAD~1", models: "Models/Cabins").found
      #expect(edited.contains { $0.code == "MC7026" && $0.severity == "error" }, "\(edited)")
    }
  }

  @Test func `what is printed brings a version back from where it lay before the move`() throws {
    try withoutLock { project in
      try project.repository.git("mv", "Models", "My Models")
      try project.commit("moved")
      let third = "My Models/Huts/V3.yaml"
      func findings(_ code: String, _ base: String...) throws -> [ReleasedProject.Found] {
        try project.check(arguments: base, models: "My Models/Huts").found.filter { $0.code == code }
      }
      try project.edit("My Models/Huts/V1.yaml", "beds: integer16 = 0", "beds: integer32 = 0")
      try #require(findings("MC7026", "--against", "HEAD~1").first).pasteHelp()
      #expect(try findings("MC7026", "--against", "HEAD~1").isEmpty)
      try FileManager.default.removeItem(atPath: project.file(third))
      try project.edit("My Models/Huts/versions.yaml", "V3\nversions: [V1, V2, V3]", "V2\nversions: [V1, V2]")
      try #require(findings("MC7027", "--against", "HEAD~1").first).pasteHelp()
      #expect(FileManager.default.fileExists(atPath: project.file(third)))
    }
    try ReleasedProject.with { project in
      try project.repository.git("tag", "v1.0")
      try project.repository.git("mv", "Models", "My Models")
      try project.commit("moved")
      try project.edit("My Models/Huts/V1.yaml", "beds: integer16 = 0", "beds: integer32 = 0")
      let edited = try project.check(models: "My Models/Huts").found.filter { $0.code == "MC7001" }
      try #require(edited.first).pasteHelp()
      #expect(try !project.check(models: "My Models/Huts").found.contains { $0.code == "MC7001" })
    }
  }

  @Test func `a model that was moved on disk and not staged`() throws {
    try withoutLock { project in
      try FileManager.default.moveItem(
        atPath: project.file("Models/Huts"), toPath: project.file("Models/Cabins"))
      let moved = try project.check("--against", "HEAD", models: "Models/Cabins").found
      #expect(moved.filter { $0.state == "new" && ["error", "warning"].contains($0.severity) } == [])
      try project.edit("Models/Cabins/V1.yaml", "beds: integer16 = 0", "beds: integer32 = 0")
      let edited = try project.check("--against", "HEAD", models: "Models/Cabins").found
      #expect(edited.contains { $0.code == "MC7026" && $0.severity == "error" }, "\(edited)")
    }
  }

  @Test func `a branch that main has left behind misses nothing and went back nowhere`() throws {
    try withoutLock { project in
      try project.repository.git("checkout", "--quiet", "-b", "own", "HEAD~1")
      #expect(try new(project, against: "main") == [])
      // What it does take away counts.
      try project.edit(Self.list, "current: V2\nversions: [V1, V2]", "current: V1\nversions: [V1]")
      try project.commit("V2 is gone")
      #expect(Set(try new(project, against: "main")).isSuperset(of: ["MC7027 error"]))
    }
  }

  @Test func `what main mended or edited since is no fault of a branch that it left behind`() throws {
    try withoutLock { project in
      try project.edit(Self.v3, "warden: string?", "keeper: string?")
      try project.commit("a flaw")
      try project.repository.git("checkout", "-qb", "hotfix")
      try project.write("notes", to: "NOTES.md")
      try project.commit("notes")
      try project.repository.git("checkout", "-q", "main")
      try project.edit(
        Self.v3, "keeper: string?", "keeper: {type: string?, renamingIdentifier: warden}\n      fax: string?")
      try project.commit("mended, and edited")
      try project.repository.git("checkout", "-q", "hotfix")
      #expect(try new(project, against: "main") == [])
      try project.edit(Self.v3, "opened: date?", "opened: string?")
      #expect(try new(project, against: "main") == ["MC7026 error"])
    }
  }

  @Test func `what broke a service's rules before is old, also where they are asked for by name`() throws {
    try withoutLock { project in
      try project.edit(Self.v3, "beds: integer16 = 0", "beds: integer16")
      try project.commit("a required attribute")
      func broken() throws -> [String] {
        try project.check("--profile", "cloudkit", "--level", "path", "--against", "HEAD").found
          .filter { $0.state == "new" && $0.severity == "error" }.map(\.code)
      }
      #expect(try broken() == [])
      try project.edit(Self.v3, "name: string = ''", "name: string")
      #expect(try broken().contains("MC1802"))
    }
  }

  @Test func `what a branch is called decides nothing`() throws {
    try withoutLock { project in
      try project.repository.git("checkout", "-qb", "release/1.2")
      try project.write(ReleasedProject.third, to: "Models/Huts/V4.yaml")
      try project.edit(
        Self.list, "current: V3\nversions: [V1, V2, V3]", "current: V4\nversions: [V1, V2, V3, V4]")
      try project.edit("Models/Huts/V4.yaml", "opened: date?", "opened: date?\n      fax: string?")
      try project.commit("a version of the release")
      for branch in ["hotfix/1.2", "hotfix/x"] {
        try project.repository.git("checkout", "-qb", branch, "release/1.2")
        try project.edit("Models/Huts/V4.yaml", "fax: string?", "fax: integer64?")
        try project.commit("edited")
        let found = try project.check("--against", "release/1.2").found.filter { $0.code == "MC7026" }
        #expect(found.map(\.severity) == ["error"], "\(branch): \(found)")
        #expect(found.first?.message.contains("is on release/1.2") == true, "\(found)")
      }
    }
  }

  @Test func `a base that cannot be read whole is said not to be compared`() throws {
    try withoutLock { project in
      let third = try String(contentsOfFile: project.file(Self.v3), encoding: .utf8)
      try project.write("entities: [", to: Self.v3)
      try project.commit("a merge that went wrong")
      try project.write(third, to: Self.v3)
      try project.edit(Self.v1, "beds: integer16 = 0", "beds: integer32 = 0")
      let found = try project.check("--level", "path", "--against", "HEAD").found
      let told = found.filter { $0.code == "MC7031" }
      #expect(told.map { "\($0.severity) \($0.state)" } == ["error new"], "\(found)")
      #expect(try project.check("--against", "HEAD~1").found.contains { $0.code == "MC7026" })
    }
  }

  /// A store that was not tried, and a lock that was not read, let nothing through, whoever damaged them.
  @Test func `kept stores and locks that are gone or damaged count, also where the base has them so`() throws
  {
    try ReleasedProject.with { project in
      let (lock, store) = ("Models/Huts/released.lock", "Models/Huts/Released/V1.sqlite")
      let damages: [(String, (ReleasedProject) throws -> Void)] = [
        ("MC7009", { try FileManager.default.removeItem(atPath: $0.file(store)) }),
        ("MC7009", { try $0.write("noise", to: store) }),
        ("MC7011", { try Data([0xFF, 0xFE]).write(to: URL(filePath: $0.file(lock))) }),
        ("MC0007", { try $0.write(String(repeating: "#", count: 9_000_000), to: lock) }),
        (
          "MC0009",
          { project in
            try FileManager.default.removeItem(atPath: project.file(lock))
            try project.write("", to: "\(lock)/folder")
          }
        ),
      ]
      for (code, damage) in damages {
        try damage(project)
        for committed in [false, true] {
          if committed { try project.commit("damaged") }
          let (exit, found) = try project.check("--against", committed ? "HEAD~1" : "HEAD")
          let own = found.filter { $0.severity == "error" && $0.state == "new" }
          #expect(exit == 1 && own.map(\.code).contains(code), "\(code), \(committed): \(found.map(\.code))")
        }
        try project.repository.git("reset", "--hard", "--quiet", "HEAD~1")
      }
    }
  }

  @Test func `what keeps a package or its mapping file from being read counts, old or not`() throws {
    try withNotePackage { package in
      let project = package.project
      func errors(_ arguments: String...) throws -> [String] {
        try project.check("--level", "path", arguments: arguments).found
          .filter { $0.severity == "error" && $0.state == "new" }.map(\.code)
      }
      try package.write("App", "body")
      try package.write("App 2", "body", "more")
      try project.edit("App.xcdatamodeld/App 2.xcdatamodel/contents", "String", "Sting")
      try package.commit()
      #expect(try Set(errors("--against", "HEAD")) == ["MC0205"])
      try package.write("App 2", "body", "more")
      try project.write("from: App\nto: App 2\nentityMapings: {}\n", to: "Migrations/App/step.yaml")
      try package.commit()
      #expect(try errors("--against", "HEAD") == ["MC0003"])
      let baseline = project.file("baseline.txt")
      #expect(try project.check("--baseline", baseline, "--write-baseline").code == 0)
      #expect(try errors("--baseline", baseline) == ["MC0003"])
    }
  }

  @Test func `a lock that was deleted is not one that never was`() throws {
    try ReleasedProject.with { project in
      try FileManager.default.removeItem(atPath: project.file("Models/Huts/released.lock"))
      #expect(try project.check("--level", "path").code == 1)
      try project.commit("no lock any more")
      let found = try project.check("--level", "path")
      #expect(found.code == 0)
      #expect(found.found.filter { $0.code == "MC7011" }.map(\.severity) == ["warning"])
    }
  }

  @Test func `a branch from before the lock has lost none`() throws {
    try withoutLock { project in
      func lostLock() throws -> Bool {
        try project.check("--level", "path", "--against", "main").found
          .contains { $0.code == "MC7011" && $0.severity == "error" }
      }
      try project.repository.git("branch", "side")
      #expect(ModelcCommand.run(["release", "V1", "-q", "-C", project.path]) == 0)
      try project.commit("a lock")
      try project.repository.git("checkout", "--quiet", "side")
      #expect(try !lostLock())
      try project.repository.git("merge", "--quiet", "main")
      #expect(try !lostLock())
      try project.repository.git("rm", "-q", "Models/Huts/released.lock")
      #expect(try lostLock())
    }
  }

  @Test func `a copy of a version brings the flaws of the one that it copies`() throws {
    try withoutLock { project in
      try project.edit(Self.v3, "opened: date?", "opened: date?\n      place: transformable?")
      try project.commit("no transformer")
      let third = try String(contentsOfFile: project.file(Self.v3), encoding: .utf8)
      try project.write(third + "  Peak:\n    attributes: {name: string?}\n", to: "Models/Huts/V4.yaml")
      try project.edit(
        Self.list, "current: V3\nversions: [V1, V2, V3]", "current: V4\nversions: [V1, V2, V3, V4]")
      try project.commit("the next version")
      #expect(try new(project) == [])
    }
  }
}
