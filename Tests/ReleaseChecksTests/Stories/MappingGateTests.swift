import Foundation
import ModelCommands
import ModelMigration
import ReleaseChecks
import TestSupport
import Testing

/// What mapping models and policies bring to the gate: they pave a way, and they can fall behind.
@Suite("Stories of the gate on mapping models") struct MappingGateTests {
  final class HutPolicy: EntityMigrationPolicy {}
  /// The same class under its new name.
  final class CabinPolicy: EntityMigrationPolicy {}

  private let v3 = "Models/Huts/V3.yaml"
  private let mapping = "Migrations/Huts/V2-V3.yaml"
  private let upper = ReleasedProject.upperCasing(from: "V2", to: "V3")

  private func modelc(_ project: ReleasedProject, _ arguments: String...) -> Int32 {
    ModelcCommand.run(arguments + ["-q", "-C", project.path])
  }

  /// The number of the first line that holds a text.
  private func line(_ text: String, in file: String, of project: ReleasedProject) throws -> Int {
    let lines = try String(contentsOfFile: project.file(file), encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
    return try #require(lines.firstIndex { $0.contains(text) }) + 1
  }

  private func errors(_ found: [ReleasedProject.Found], in project: ReleasedProject) -> [String] {
    found.filter { $0.severity == "error" && $0.state == "new" }.map { "\($0.code) \($0.place(in: project))" }
  }

  @Test func `a mapping goes stale, and is bound anew`() throws {
    try ReleasedProject.with { project in
      #expect(modelc(project, "map", "new", "V2", "V3") == 0)
      try project.commit("a mapping")
      #expect(try project.check("--level", "path", "--against", "HEAD").code == 0)
      try project.edit(v3, "      opened: date?\n", "      opened: date?\n      closed: date?\n")
      try project.commit("the version moves on")
      let (code, found) = try project.check("--level", "path", "--against", "HEAD~1")
      let place = "\(mapping):\(try line("versionHashes:", in: mapping, of: project))"
      #expect(code == 1)
      #expect(errors(found, in: project) == ["MC4101 \(place)"])
      #expect(modelc(project, "map", "rebase") == 0)
      try project.commit("bound anew")
      #expect(try project.check("--against", "HEAD~1").code == 0)
    }
  }

  @Test func `a cascade to what a mapping splits off deletes nothing that stayed until now`() throws {
    try ReleasedProject.with { project in
      let visits = "      visits: {toMany: Visit, inverse: hut}\n"
      try project.write(
        ReleasedProject.second.replacing("      warden: string?\n", with: "").replacing(
          visits, with: visits + "      keeper: {to: Keeper, inverse: hut, deleteRule: cascade}\n")
          + "  Keeper:\n    attributes: {name: string?}\n    relationships: {hut: {to: Hut, inverse: keeper}}\n",
        to: v3)
      try project.write(
        """
        from: V2
        to: V3
        entityMappings:
          HutToKeeper:
            source: Hut
            destination: Keeper
            where: warden != nil
            attributes: {name: $source.warden}
          HutToHut:
            source: Hut
            destination: Hut
            relationships:
              keeper: destinationInstances("HutToKeeper", $source)
        """, to: mapping)
      let run = try project.check()
      #expect(run.code == 0 && !run.found.contains { $0.code == "MC7018" }, "\(run)")
    }
  }

  @Test func `two steps whose files would have one name have two files`() throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      var attributes = "s: string?"
      for name in ["A", "1-2", "A-1", "2"] {
        attributes += ", n\(attributes.count): integer16?"
        try project.write(
          "entities: {Hut: {attributes: {\(attributes)}}}\n", to: "Models/Huts/\(name).yaml")
      }
      try project.write(
        "current: '2'\nversions: [A, 1-2, A-1, '2']\n", to: "Models/Huts/versions.yaml")
      #expect(modelc(project, "map", "new", "A", "1-2") == 0)
      #expect(modelc(project, "map", "new", "A-1", "2") == 0)
      for (name, from) in [("A-1-2", "A"), ("A-1-to-2", "A-1")] {
        let file = project.file("Migrations/Huts/\(name).yaml")
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.contains("\nfrom: \(from)\n"), "\(text)")
      }
      #expect(modelc(project, "map", "export", "--as", "xcmappingmodel") == 0)
      let written = try FileManager.default.contentsOfDirectory(atPath: project.file("Build"))
      #expect(written.sorted() == ["A-1-2.xcmappingmodel", "A-1-to-2.xcmappingmodel"])
      #expect(modelc(project, "map", "export", "A-1-2", "--as", "xcmappingmodel") == 2)
      // Alone, too, a step leaves the file of the other one.
      let other = URL(filePath: project.file("Build/A-1-2.xcmappingmodel/xcmapping.xml"))
      let first = try Data(contentsOf: other)
      try FileManager.default.removeItem(atPath: project.file("Build/A-1-to-2.xcmappingmodel"))
      #expect(modelc(project, "map", "export", "A-1", "2", "--force") == 0)
      let now = try Data(contentsOf: other)
      #expect(first == now)
      #expect(FileManager.default.fileExists(atPath: project.file("Build/A-1-to-2.xcmappingmodel")))
    }
  }

  @Test func `steps whose names are cut have files of their own`() throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      let names = ["1", "2", "3"].map { String(repeating: "n", count: 130) + $0 }
      for (index, name) in names.enumerated() {
        let more = (0..<index).map { ", n\($0): integer16?" }.joined()
        try project.write(
          "entities: {Hut: {attributes: {s: string?\(more)}}}\n", to: "Models/Huts/\(name).yaml")
      }
      try project.write(
        "current: \(names[2])\nversions: [\(names.joined(separator: ", "))]\n",
        to: "Models/Huts/versions.yaml")
      #expect(modelc(project, "map", "export", names[0], names[1], "--force") == 0)
      #expect(modelc(project, "map", "export", names[1], names[2], "--force") == 0)
      let written = try FileManager.default.contentsOfDirectory(atPath: project.file("Build"))
      let cut = String(repeating: "n", count: 25)
      #expect(written.sorted() == ["\(cut)-\(cut)-2.xcmappingmodel", "\(cut)-\(cut).xcmappingmodel"])
    }
  }

  @Test func `what a file that cannot be read would say follows from that`() throws {
    try ReleasedProject.with { project in
      try project.edit(v3, "      warden: string?\n", "")
      let text =
        "from: V2\nto: V3\ndrops: [Hut.warden]\nentityMappings: {HutToHut: {source: Hut, destination: Hut}}\n"
      try project.write(text, to: mapping)
      #expect(try project.check().code == 0)
      let mistakes = [
        ("{HutToHut: {", "{HutToHut: [ }, {", "MC0001"), ("source: Hut,", "source: Hutt,", "MC4102"),
      ]
      for (right, wrong, code) in mistakes {
        try project.write(text.replacing(right, with: wrong), to: mapping)
        let found = try project.check().found.filter { $0.severity == "error" }
        #expect(found.map(\.code) == [code], "\(found)")
        let notes = found.flatMap(\.notes).map(\.message)
        #expect(notes.contains { $0.contains("more finding") }, "\(found)")
      }
    }
  }

  @Test func `what a later step loses does not follow from a mapping file that cannot be read`() throws {
    try ReleasedProject.with { project in
      try project.edit(v3, "      warden: string?\n", "")
      let text = "from: V1\nto: V2\nentityMappings: {HutToHut: [ }\n"
      try project.write(text, to: "Migrations/Huts/V1-V2.yaml")
      let found = try project.check().found.filter { $0.severity == "error" }
      #expect(found.map(\.code).sorted() == ["MC0001", "MC7008"], "\(found)")
    }
  }

  @Test func `a new mapping of a released step that leaves out an entity gets the mapping to add`() throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      for (name, more) in [("V1", ""), ("V2", ", t: string?")] {
        try project.write(
          "entities: {Hut: {attributes: {s: string?\(more)}}, Bed: {attributes: {n: string?}}}\n",
          to: "Models/Huts/\(name).yaml")
      }
      try project.write("current: V2\nversions: [V1, V2]\n", to: "Models/Huts/versions.yaml")
      _ = try project.model?.releaseVersions(
        ["V1", "V2"], at: project.file("Models/Huts"), tag: nil, date: "2026-01-31", rows: nil)
      try project.commit("released")
      try project.write(
        "from: V1\nto: V2\ninferred: false\nentityMappings: {HutToHut: {source: Hut, destination: Hut}}\n",
        to: "Migrations/Huts/V1-V2.yaml")
      let found = try project.check("--against", "HEAD").found.filter { $0.severity == "error" }
      #expect(found.map(\.code) == ["MC7008"])
      let help = try #require(found.first?.help.last)
      #expect(help.hasPrefix("if not, add `BedToBed: {source: Bed, destination: Bed}`"), "\(help)")
    }
  }

  @Test func `a mapping of a released step drops what it did not drop before`() throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      for (name, more) in [("V1", ", t: string?"), ("V2", "")] {
        try project.write(
          "entities: {Hut: {attributes: {s: string?\(more)}}}\n", to: "Models/Huts/\(name).yaml")
      }
      try project.write("current: V2\nversions: [V1, V2]\n", to: "Models/Huts/versions.yaml")
      let text = """
        from: V1
        to: V2
        drops: [Hut.t]
        entityMappings: {HutToHut: {source: Hut, destination: Hut, attributes: {s: trim($source.s)}}}

        """
      try project.write(text, to: "Migrations/Huts/V1-V2.yaml")
      _ = try project.model?.releaseVersions(
        ["V1", "V2"], at: project.file("Models/Huts"), tag: nil, date: "2026-01-31", rows: nil)
      try project.commit("released")
      func errors(_ level: String) throws -> [ReleasedProject.Found] {
        try project.check("--against", "HEAD", "--level", level).found
          .filter { $0.severity == "error" && $0.state == "new" }
      }
      #expect(try errors("store") == [])
      try project.write(text.replacing("drops: [Hut.t]\n", with: ""), to: "Migrations/Huts/V1-V2.yaml")
      let found = try errors("source")
      #expect(found.map(\.code) == ["MC7008"])
      #expect(found.first?.help.contains { $0.contains("renamingIdentifier") } == false)
      #expect(try errors("store").map(\.code) == ["MC7008"])
      try #require(found.first).pasteHelp()
      #expect(try errors("store") == [])
    }
  }

  @Test func `a released step that the base does not have is compared with the release`() throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      let file = "Migrations/Huts/V2-V3.yaml"
      func write(_ version: String, _ attributes: String, after versions: String) throws {
        try project.write(
          "entities: {Hut: {attributes: {\(attributes)}}}\n", to: "Models/Huts/\(version).yaml")
        try project.write(
          "current: \(version)\nversions: [\(versions)\(version)]\n", to: "Models/Huts/versions.yaml")
      }
      try write("V1", "s: string?, t: string?", after: "")
      try project.commit("base")
      try write("V2", "s: string?, t: string?, u: string?", after: "V1, ")
      try write("V3", "s: string?, u: string?", after: "V1, V2, ")
      let text = ReleasedProject.upperCasing(from: "V2", to: "V3").replacing("warden", with: "s")
        .replacing("entityMappings", with: "drops: [Hut.t]\nentityMappings")
      try project.write(text, to: file)
      _ = try project.model?.releaseVersions(
        ["V2", "V3"], at: project.file("Models/Huts"), tag: "v1.0", date: "2026-01-31", rows: nil)
      try project.commit("released")
      try repository.git("tag", "v1.0")
      func errors(_ arguments: String...) throws -> [String] {
        try project.check(arguments: arguments).found
          .filter { $0.severity == "error" && $0.state == "new" }.map(\.code)
      }
      let base = ["--against", "HEAD~1"]
      #expect(try errors(base[0], base[1]) == [])
      #expect(try errors() == [])
      try project.write(text.replacing("drops: [Hut.t]\n", with: ""), to: file)
      #expect(try errors(base[0], base[1]) == ["MC7008"])
      #expect(try errors() == ["MC7008"])
      try FileManager.default.removeItem(atPath: project.file(file))
      #expect(try errors(base[0], base[1]) == ["MC7053"])
      #expect(try errors() == ["MC7053"])
    }
  }

  @Test func `what a version loses is old though it was renamed`() throws {
    try ReleasedProject.with { project in
      try project.edit(v3, "      warden: string?\n", "")
      try project.commit("a loss")
      try project.repository.git("mv", v3, "Models/Huts/V4.yaml")
      try project.edit("Models/Huts/versions.yaml", "V3", "V4")
      let found = try project.check("--against", "HEAD").found.filter { $0.code == "MC7008" }
      #expect(found.map(\.state) == ["old"], "\(found)")
    }
  }

  @Test func `a policy is renamed, and the mapping with it`() throws {
    try ReleasedProject.with { project in
      let text = """
        from: V2
        to: V3
        entityMappings:
          HutToHut:
            source: Hut
            destination: Hut
            policy: HutPolicy

        """
      try project.write(text, to: mapping)
      try project.commit("a policy")
      #expect(try project.check("--against", "HEAD", policies: [HutPolicy.self]).code == 0)
      // A modelc without policies has none to try: it says so, and nothing more.
      let none = try project.check()
      #expect(none.code == 0, "\(none.found)")
      let told = none.found.filter { $0.code == "MC4201" }
      #expect(told.map(\.message) == ["1 policy was not tried: HutPolicy"])
      #expect(told.map(\.severity) == ["warning"])
      #expect(try project.check("--against", "HEAD").found.allSatisfy { $0.state == "old" })
      // The class is renamed in the program; nothing changes in the repository's models.
      let (code, found) = try project.check("--against", "HEAD", policies: [CabinPolicy.self])
      #expect(code == 1)
      let own = errors(found, in: project)
      #expect(own.contains("MC4201 \(mapping):7"), "\(found)")
      try project.edit(mapping, "policy: HutPolicy", "policy: CabinPolicy")
      #expect(try project.check("--against", "HEAD", policies: [CabinPolicy.self]).code == 0)
    }
  }

  @Test func `a fixture whose result changes`() throws {
    try ReleasedProject.with { project in
      let file = "Tests/Migrations/Huts/V2.yaml"
      try project.write(upper, to: mapping)
      try project.write("from: V2\nobjects:\n  Hut:\n    p1: {name: Ridge, warden: Ada}\n", to: file)
      #expect(modelc(project, "test", "--no-cache", "--update") == 0)
      try project.commit("an expectation")
      #expect(try project.check("--against", "HEAD").code == 0)
      try project.edit(mapping, "uppercase:", "lowercase:")
      try project.commit("another spelling")
      let (code, found) = try project.check("--against", "HEAD~1")
      #expect(code == 1)
      #expect(errors(found, in: project) == ["MC7010 \(file):\(try line("ADA", in: file, of: project))"])
      #expect(modelc(project, "test", "--no-cache") == 1)
      #expect(modelc(project, "test", "--no-cache", "--update") == 0)
      try project.commit("meant so")
      #expect(try project.check("--against", "HEAD~1").code == 0)
    }
  }

  @Test func `what inference refuses is paved by a mapping model, and Core Data's own way is told`() throws {
    try ReleasedProject.with { project in
      try project.edit(v3, "warden: string?", "warden: integer16?")
      try project.edit(v3, "      opened: date?\n", "      opened: date\n")
      #expect(try project.check().code == 1)
      let text = upper.replacing(
        "uppercase:($source.warden)", with: "length:($source.warden)\n      opened: now()")
      try project.write(text, to: mapping)
      let (code, found) = try project.check()
      #expect(code == 0, "\(found)")
      // V2 has the mapping model; V1 goes through V2 here, and in one step with Core Data.
      let ways = found.filter { $0.code == "MC3401" }.map(\.message)
      #expect(ways.count == 1 && ways[0].contains("from 'V1' to 'V3'"), "\(found)")
    }
  }

  @Test func `Core Data would infer past a mapping model`() throws {
    try ReleasedProject.with { project in
      try project.write(upper, to: mapping)
      let (code, found) = try project.check()
      #expect(code == 0)
      let ways = found.filter { $0.code == "MC3402" }.map(\.message)
      #expect(ways.count == 1 && ways[0].contains("'V2' → 'V3'"), "\(found)")
      // A mapping model for the whole way leaves nothing to say.
      try project.write(upper.replacing("from: V2", with: "from: V1"), to: "Migrations/Huts/V1-V3.yaml")
      #expect(try project.check().found.filter { $0.code == "MC3402" } == [])
    }
  }

  @Test func `a longer path passes by a mapping model that leads past versions`() throws {
    try ReleasedProject.with { project in
      try project.write(
        ReleasedProject.third.replacing("opened: date?", with: "opened: date?\n      closed: date?"),
        to: "Models/Huts/V4.yaml")
      try project.write("current: V4\nversions: [V1, V2, V3, V4]\n", to: "Models/Huts/versions.yaml")
      try project.write(upper.replacing("from: V2", with: "from: V1"), to: "Migrations/Huts/V1-V3.yaml")
      let ways = try project.check().found.filter { $0.code == "MC3402" }
      #expect(ways.map(\.severity) == ["warning"], "\(ways)")
      #expect(ways.first?.message == "V1 → V4 skips the mapping model of 'V1' → 'V3'")
    }
  }

  @Test func `stores of a hotfix lack what the main line has computed since`() throws {
    try ReleasedProject.with { project in
      let fax = "note: string?\n      fax: string?"
      try project.write(
        ReleasedProject.second.replacing("note: string?", with: fax), to: "Models/Huts/fix.yaml")
      try project.write(
        ReleasedProject.third.replacing("note: string?", with: fax), to: "Models/Huts/V4.yaml")
      try project.write(
        "current: V4\nversions: [V1, V2, {name: fix, from: V2}, V3, {name: V4, from: [V3, fix]}]\n",
        to: "Models/Huts/versions.yaml")
      #expect(modelc(project, "release", "fix") == 0)
      func skipped() throws -> [String] {
        try project.check().found.flatMap { [$0.message] + $0.notes.map(\.message) }
          .filter { $0.contains(" skips ") }.map { $0.replacing("also: ", with: "") }
      }
      #expect(try skipped() == [])
      try project.write(upper, to: mapping)
      #expect(try skipped() == ["fix → V4 skips the mapping model of 'V2' → 'V3'"])
      // One into the hotfix may do the same, or something else.
      let own = "Migrations/Huts/V2-fix.yaml"
      for (function, count) in [("uppercase:", 0), ("lowercase:", 1)] {
        try project.write(
          upper.replacing("to: V3", with: "to: fix").replacing("uppercase:", with: function), to: own)
        #expect(try skipped().count == count)
      }
      try FileManager.default.removeItem(atPath: project.file(own))
      // What comes after the version that joins it is computed for its stores too.
      try FileManager.default.moveItem(
        atPath: project.file(mapping), toPath: project.file("V2-V3.yaml"))
      try project.write(
        ReleasedProject.third.replacing("note: string?", with: fax + "\n      x: string?"),
        to: "Models/Huts/V5.yaml")
      try project.edit("Models/Huts/versions.yaml", "[V3, fix]}]", "[V3, fix]}, V5]")
      try project.edit("Models/Huts/versions.yaml", "current: V4", "current: V5")
      try project.write(
        upper.replacing("from: V2\nto: V3", with: "from: V4\nto: V5"), to: "Migrations/Huts/V4-V5.yaml")
      #expect(try skipped() == [])
      try FileManager.default.removeItem(atPath: project.file("Migrations/Huts/V4-V5.yaml"))
      try project.edit("Models/Huts/versions.yaml", "current: V5", "current: V4")
      try project.edit("Models/Huts/versions.yaml", ", V5]", "]")
      try FileManager.default.moveItem(
        atPath: project.file("V2-V3.yaml"), toPath: project.file(mapping))
      try project.write(
        upper.replacing("from: V2\nto: V3", with: "from: fix\nto: V4"), to: "Migrations/Huts/fix-V4.yaml")
      #expect(try skipped() == [])
    }
  }

  @Test func `a kept store gets another default in one step, as the models say`() throws {
    try ReleasedProject.with { project in
      try project.edit(v3, "opened: date?", "opened: date?\n      rooms: integer16 = 1")
      let text = try String(contentsOfFile: project.file(v3), encoding: .utf8)
      try project.write(
        text.replacing("integer16 = 1", with: "integer32 = 4"), to: "Models/Huts/V4.yaml")
      try project.write("current: V4\nversions: [V1, V2, V3, V4]\n", to: "Models/Huts/versions.yaml")
      let (code, found) = try project.check()
      #expect(code == 0 && found.contains { $0.code == "MC3402" && $0.severity == "warning" }, "\(found)")
    }
  }

  @Test func `mapping files that cannot be used`() throws {
    try ReleasedProject.with { project in
      let cases: [(old: String, new: String, code: String, line: Int)] = [
        ("to: V3", "to: V8", "MC4109", 2), ("destination: Hut", "destination: Hat", "MC4102", 6),
        ("$source.warden", "$source.wardn", "MC4102", 8), ("uppercase:($source.warden)", "4", "MC4202", 8),
        ("entityMappings", "entityMapings", "MC0109", 3),
      ]
      for (old, new, code, line) in cases {
        try project.write(upper.replacing(old, with: new), to: mapping)
        let run = try project.check("--level", "path")
        #expect(run.code == 1)
        let places = errors(run.found, in: project)
        #expect(places.contains { $0.hasSuffix("\(mapping):\(line)") }, "\(code): \(places)")
      }
    }
  }
}
