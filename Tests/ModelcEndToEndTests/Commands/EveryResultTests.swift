import Foundation
import GRDB
import ModelCommands
import TestSupport
import Testing

/// Every form that a command's JSON can have is made by a run, which `holdResult` holds against the schema.
@Suite("Every form of every result fits its schema", .serialized) struct EveryResultTests {
  private func expect(_ names: String...) throws {
    for name in names {
      let result = try #require(CommandResult.all.first { $0.name == name })
      var wanted = Set(result.shape.alternatives)
      #if !SwiftData
        wanted.remove("shapeTable")
      #endif
      // A result of one form alone is held by each run.
      guard wanted.count > 1 else { continue }
      #expect(wanted.subtracting(HeldSchemas.forms(name)) == [], "\(name)")
    }
  }

  @Test func `models, versions and mapping models`() throws {
    try Workplace.withDemo { place, _ in
      for command in [
        "compile", "format", "version list", "check", "test", "release", "map rebase", "version new",
        "version prune --before V1", "map new V1 V2", "map export V1-V2",
      ] {
        // Refusals first: there is no project.
        try json(place, command.split(separator: " ").map(String.init))
      }
      try json(place, ["check", "-C", "T"])
      for options in [["--check"], ["--diff"], []] { try json(place, ["format", "-C", "T"] + options) }
      try Modelc.run("check", "-C", "T", "--format", "jsonl", in: place.folder)
      try place.write(
        "from: V1\nto: V2\nobjects: {Hut: {p1: {name: A}}}\nexpect: {counts: {Hut: 7}}\n",
        to: "T/Tests/Migrations/Trails/a.yaml")
      try json(place, ["test", "-C", "T"])
      try Modelc.run("test", "-C", "T", "--format", "jsonl", in: place.folder)
      try json(place, ["compile", "-C", "T", "-o", "B"])
      try json(place, ["compile", "T/Models/Trails", "B/Trails.momd", "-o", "B2"])
      try json(place, ["version", "list", "-C", "T"])
      try json(place, ["show", "V1", "-C", "T"])
      try json(place, ["show", "V1", "Hutt", "-C", "T"])
      try json(place, ["version", "list", "T/Models/Trails", "B/Trails.momd"])
      try json(place, ["map", "new", "V1", "V2", "-C", "T"])
      try json(place, ["map", "rebase", "-C", "T"])
      try json(place, ["map", "export", "V1-V2", "-C", "T"])
      try json(place, ["release", "V1", "-C", "T", "--fixture", "10"])
      try json(place, ["version", "new", "-C", "T"])
      try json(place, ["version", "prune", "--before", "V2", "-C", "T"])
      try json(place, ["adopt", "B/Trails.momd", "-C", "N"])
      try json(place, ["adopt", "absent.momd", "-C", "N"])
      try json(place, ["init", "P"])
      try place.write("mine\n", to: "Q/Models/Q/V1.yaml")
      try json(place, ["init", "Q"])
      // Broken, and fixed where that is safe.
      try place.replace("      name: string\n", with: "      name: strng\n", in: "T/Models/Trails/V1.yaml")
      try json(place, ["compile", "-C", "T"])
      try json(place, ["compile", "--fix", "-C", "T"])
    }
    try withTaggedReleases { place in
      try json(place, ["release", "--from-tags", "v*"])
      try json(place, ["version", "list", "--models", "App.swift", "--from-tags", "v*"])
    }
    try expect(
      "adopt", "check", "check-line", "compile", "format", "init", "map-export", "map-new", "map-rebase",
      "release", "show",
      "test",
      "version-list", "version-new", "version-prune")
  }

  private func json(_ place: Workplace, _ arguments: [String]) throws {
    try Modelc.run(arguments + ["--format", "json"], in: place.folder)
  }

  private func withTaggedReleases(_ body: (Workplace) throws -> Void) throws {
    try Repository.with { repository in
      try repository.write("entities: {Hut: {attributes: {name: string?}}}\n", to: "Models/App/V1.yaml")
      try repository.write("current: V1\nversions: [V1]\n", to: "Models/App/versions.yaml")
      try repository.write(
        "import SwiftData\n@Model final class Hut { var name = \"\"; init() {} }\n", to: "App.swift")
      try repository.commit("One")
      _ = try repository.git("tag", "v1")
      try body(Workplace(folder: repository.folder))
    }
  }

  @Test func `stores`() throws {
    try Workplace.withDemo { place, store in
      try json(place, ["inspect", store, "-C", "T"])
      try json(place, ["inspect", "T/Build/Trails.momd"])
      try json(place, ["inspect", store, "T/Build/Trails.momd", "absent.sqlite", "-C", "T"])
      try FileManager.default.copyItem(
        at: place.url("T/Build/Trails.momd"), to: place.url("A.app/Trails.momd"))
      try json(place, ["inspect", "A.app"])
      try json(place, ["inspect", "stores", "-C", "T"])
      let queue = try DatabaseQueue(path: place.url(store).path)
      try queue.write { db in
        try db.execute(
          sql: """
            CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR);
            CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZTRANSACTIONID INTEGER);
            INSERT INTO ATRANSACTION VALUES (1, 16002, 700000000, 'app'); INSERT INTO ACHANGE VALUES (1, 0, 1, 1)
            """)
      }
      try queue.close()
      try json(place, ["inspect", store, "--history"])
      try json(place, ["inspect", store, "--sizes"])
      try json(place, ["inspect", "absent.sqlite"])
      try json(place, ["inspect", store, "-C", "T", "--against", "V1"])
      try json(place, ["inspect", store, "--model"])
      try place.write(
        "entities: {Hut: {attributes: {name: string?}}}\nfetchRequests: {All: {entity: Hut}}\n",
        to: "F/Models/F/V1.yaml")
      try place.write("current: V1\nversions: [V1]\n", to: "F/Models/F/versions.yaml")
      try json(place, ["fixture", "V1", "--rows", "5", "-o", "f.sqlite", "-C", "F"])
      try json(place, ["fixture", "V9", "--rows", "5", "-o", "g.sqlite", "-C", "F"])
      try json(place, ["inspect", "f.sqlite", "-C", "F", "--fetch", "All"])
      let hash = String(repeating: "0a", count: 32)
      try place.write(
        "CoreData: error: metadata={\n    NSStoreModelVersionHashes =     {\n        Hut = <\(hash)>;\n    };\n}\n",
        to: "console.log")
      try json(place, ["inspect", "console.log", "-C", "T"])
      try json(place, ["triage", "console.log", "-C", "T"])
      try json(place, ["triage", "absent.log"])
      try json(place, ["query", store, "Hut", "-C", "T"])
      try Modelc.run("query", store, "Hut", "-C", "T", "--format", "jsonl", in: place.folder)
      try json(place, ["query", store, "Hut", "-C", "T", "--explain"])
      try json(place, ["query", store, "Tent", "-C", "T"])
      try json(place, ["verify", store, "-C", "T"])
      try json(place, ["verify", "T/Diary.sqlite", "--before", store, "-C", "T"])
      try json(place, ["verify", "absent.sqlite"])
      try json(place, ["diff", store, "T/Diary.sqlite", "-C", "T"])
      for kind in ["yaml", "jsonl", "csv"] {
        try json(place, ["export", store, "--as", kind, "-C", "T", "-o", "objects-\(kind)"])
        try json(place, ["export", "absent.sqlite", "--as", kind, "-C", "T", "-o", "none-\(kind)"])
      }
      let line = try HeldSchemas.schema("export-line")
      for text in try String(contentsOf: place.url("objects-jsonl"), encoding: .utf8).split(separator: "\n")
        .prefix(50)
      {
        #expect(line.complaints(about: try JSONDocument(String(text))) == [], "\(text)")
      }
      try json(place, ["diff", "V1", "V2", "-C", "T"])
      try json(place, ["diff", "V1", "V9", "-C", "T"])
      for kind in ["xcdatamodeld", "swift", "json-schema"] {
        try json(place, ["export", "--as", kind, "-C", "T", "-o", "out-\(kind)"])
      }
      try json(place, ["export", "V9", "--as", "momd", "-C", "T", "-o", "out"])
      try json(place, ["repair", store, "-C", "T", "--sql"])
      try json(place, ["repair", "absent.sqlite"])
      try json(place, ["recover", store, "-C", "T"])
      try json(place, ["recover", "absent.sqlite", "-C", "absent"])
      try json(place, ["explain", "--list"])
      try json(place, ["explain", "MC1301"])
      try json(place, ["explain", "MC1301", "MC1302"])
      try json(place, ["explain", "134110"])
      try json(place, ["help", "--all"])
    }
    try expect(
      "diff", "export", "fixture", "inspect", "query", "recover", "repair", "triage", "verify", "explain")
  }

  @Test func `migrations and their plans`() throws {
    try Workplace.withDemo { place, store in
      try json(place, ["plan", store, "-C", "T"])
      try json(place, ["plan", "--from", "V1", "-C", "T"])
      try json(place, ["plan", store, "-C", "absent"])
      try json(place, ["plan", "--from", "V9", "-C", "T"])
      try json(place, ["migrate", store, "other.sqlite", "-C", "absent"])
      try json(place, ["migrate", store, "absent.sqlite", "-C", "T", "--dry-run"])
      try json(place, ["migrate", store, "-C", "T", "--dry-run"])
      try json(place, ["migrate", "absent.sqlite", "-C", "T"])
      let progress = try Modelc.run(
        "migrate", store, "-C", "T", "--dry-run", "--progress", "json", in: place.folder)
      let line = try HeldSchemas.schema("progress-line")
      let lines = progress.stderr.split(separator: "\n")
      #expect(!lines.isEmpty)
      for text in lines { #expect(line.complaints(about: try JSONDocument(String(text))) == [], "\(text)") }
      _ = try place.copyStoreBeside(store, as: "two.sqlite")
      try Modelc.run(
        "migrate", "stores/two.sqlite", "absent.sqlite", "-C", "T", "--report", "jsonl", in: place.folder)
      _ = try place.copyStoreBeside(store, as: "three.sqlite")
      try json(place, ["migrate", "stores/three.sqlite", "absent.sqlite", "-C", "T", "--jobs", "2"])
      try json(place, ["migrate", store, "--into", "stores/two.sqlite", "-C", "T"])
      // A loss that nobody allowed.
      try place.replace("retired: [Hut.warden]\n", with: "", in: "T/Models/Trails/V3.yaml")
      try json(place, ["migrate", store, "-C", "T"])
      try Modelc.run("migrate", store, "-C", "T", "--report", "jsonl", in: place.folder)
    }
    try expect("migrate", "migrate-line", "plan")
  }
}

extension Workplace {
  fileprivate func copyStoreBeside(_ store: String, as name: String) throws -> URL {
    let copy = url(store).deletingLastPathComponent().appending(path: name)
    try Data(contentsOf: url(store)).write(to: copy)
    return copy
  }
}
