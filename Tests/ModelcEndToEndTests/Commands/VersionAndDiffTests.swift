import Foundation
import TestSupport
import Testing

@Suite("modelc version and diff")
struct VersionAndDiffTests {
  @Test func `versions that are in no lock have the day and the oldest tag of git`() throws {
    try Workplace.withSample { place in
      let repository = Repository(folder: place.url("P"))
      func commit(_ day: String, _ names: String...) throws {
        for name in names { try repository.git("add", name) }
        try repository.git(
          "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", day, "--date", day)
      }
      try repository.git("init", "-q")
      try commit("2026-01-31T12:00:00Z", "Models/Trails/V1.yaml", "Models/Trails/versions.yaml")
      try repository.git("tag", "v1")
      try repository.git("tag", "v1-again")
      try commit("2026-02-28T12:00:00Z", "Models/Trails/V2.yaml")
      struct List: Decodable {
        struct Version: Decodable { var name: String; var since, firstTag: String? }
        var versions: [Version]
      }
      let list: List = try place.modelc("version", "list", "-C", "P", "--format", "json").decoded()
      #expect(list.versions.map { $0.since == nil } == [false, false, true])
      #expect(list.versions.map(\.firstTag) == ["v1", nil, nil])
      let text = try place.modelc("version", "list", "-C", "P").stdout
      #expect(text.contains(", first in v1") && text.contains(", in no tag"))
      try repository.git("clone", "-q", "--depth", "1", "file://\(place.url("P").path)", place.url("Q").path)
      #expect(!(try place.modelc("version", "list", "-C", "Q").stdout.contains("since")))
    }
  }

  private struct VersionList: Decodable {
    struct Version: Decodable {
      var name: String
      var predecessor: String?
      var state: String
      var checksum: String
      var entities: [String: String]
      var sameHashesAs: String?
    }
    struct Stage: Decodable {
      var kind: String
      var versions: [String]
      var willMigrate: String?
    }
    var model: String
    var current: String
    var versions: [Version]
    var stages: [Stage]
  }

  private func list(_ place: Workplace) throws -> VersionList {
    try place.modelc("version", "list", "-C", "P", "--format", "json").decoded()
  }

  @Test func `list shows the versions, their states and stages`() throws {
    try Workplace.withSample { place in
      let stages =
        "stages:\n  - {lightweight: [V1]}\n  - {custom: [V2, V3], willMigrate: FillNames, label: names}\n"
      let file = place.url("P/Models/Trails/versions.yaml")
      try place.write(
        try String(contentsOf: file, encoding: .utf8) + stages, to: "P/Models/Trails/versions.yaml")
      let run = try place.modelc("version", "list", "-C", "P")
      expectSuccess(run)
      let lines = run.stdout.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
      #expect(lines.first == "Trails: 3 versions")
      #expect(lines.contains { $0.hasPrefix("V3 V2 8") && $0.hasSuffix("current") })
      #expect(
        lines.suffix(3) == ["stages", "lightweight V1", "custom V2 → V3, willMigrate FillNames: names"])
      let json = try list(place)
      #expect(json.versions.map(\.name) == ["V1", "V2", "V3"])
      #expect(json.versions.map(\.predecessor) == [nil, "V1", "V2"])
      #expect(json.versions[0].entities.count == 5)
      #expect(json.stages.map(\.kind) == ["lightweight", "custom"])
      #expect(json.stages[1].willMigrate == "FillNames")
    }
  }

  @Test func `new makes a draft, as a copy or as a change, that differs in nothing yet`() throws {
    try Workplace.withSample { place in
      let copy = try place.modelc("version", "new", "V4", "-C", "P")
      expectSuccess(copy)
      #expect(copy.stdout == "P/Models/Trails/V4.yaml: a copy of V3\n")
      let change = try place.modelc("version", "new", "V5", "--extends", "-C", "P")
      expectSuccess(change)
      #expect(change.stdout == "P/Models/Trails/V5.yaml: a change of V3\n")
      let text = try String(contentsOf: place.url("P/Models/Trails/V5.yaml"), encoding: .utf8)
      #expect(text.hasPrefix("# yaml-language-server: $schema=../Schemas/model.schema.json\n"))
      #expect(text.hasSuffix("\nextends: V3\n"))
      let versions = try list(place).versions
      #expect(versions.map(\.name) == ["V1", "V2", "V3", "V4", "V5"])
      #expect(Set(versions.suffix(3).map(\.checksum)).count == 1)
      #expect(versions.last?.state == "draft" && versions.last?.sameHashesAs == "V4")
      expectSuccess(try place.modelc("compile", "-C", "P"))
      #expect(try place.modelc("diff", "V3", "V5", "-C", "P").stdout == "V3 → V5: no differences\n")
      expectRefusal(try place.modelc("version", "new", "v4", "-C", "P"), "MC2102", exit: 1)
    }
  }

  @Test func `a store that is not there is told before what is for two stores`() throws {
    try Workplace.withSample { place in
      expectSuccess(try place.modelc("fixture", "V1", "-C", "P", "--rows", "2", "-o", "a.sqlite", "-q"))
      let run = try place.modelc("diff", "a.sqlite", "typo.sqlite", "--match", "Hut=name", "-C", "P")
      #expect(run.stderr.contains("there is no file or folder 'typo.sqlite'"), "\(run)")
      // What one of two stores lacks is not equal.
      expectSuccess(try place.modelc("migrate", "a.sqlite", "-o", "b.sqlite", "-C", "P"))
      let stores = try place.modelc("diff", "a.sqlite", "b.sqlite", "-C", "P")
      #expect(stores.stdout.contains("\n  only in b.sqlite, not compared: "), "\(stores)")
      let last = try place.modelc("diff", "a.sqlite", "b.sqlite", "-C", "P", "--exit-code")
      #expect(last.code == 1, "\(last)")
    }
  }

  @Test func `diff shows what changed, and what of it moves hashes, in each format`() throws {
    try Workplace.withSample { place in
      expectSuccess(try place.modelc("version", "new", "V4", "--extends", "-C", "P"))
      let file = "P/Models/Trails/V4.yaml"
      let text = try String(contentsOf: place.url(file), encoding: .utf8)
      try place.write(
        text + "entities: {Hut: {attributes: {stars: integer16 = 3}}}\nremove: [Visit.rating]\n", to: file)
      let plain = try place.modelc("diff", "V3", "V4", "-C", "P")
      expectSuccess(plain)
      #expect(plain.stdout.hasPrefix("V3 → V4: 2 changes; * changes version hashes\n"))
      #expect(plain.stdout.contains("\n  * Hut.stars added (integer16, required, default 3)\n"))
      #expect(plain.stdout.contains("\n  * Visit.rating removed"))
      // A draft alone is the later one beside the current version.
      #expect(try place.modelc("diff", "V4", "-C", "P").stdout == plain.stdout)
      #expect(try place.modelc("diff", "V1", "-C", "P").stdout.hasPrefix("V1 → V3: "))
      // The file alone says the same: it finds what it extends beside it.
      #expect(
        try place.modelc("diff", "P/Models/Trails/V3.yaml", file).stdout.split(separator: "\n").dropFirst(2)
          == plain.stdout.split(separator: "\n").dropFirst(2))
      #expect(
        plain.stdout.contains("\n  lightweight; 3 of 3 older versions can update without a mapping model\n"))
      let markdown = try place.modelc("diff", "V3", "V4", "-C", "P", "--format", "markdown")
      #expect(
        markdown.stdout.contains(
          "### `V3` → `V4`\n\nLightweight; 3 of 3 older versions can update without a mapping model.\n\n| Change | Changes the hash of |\n|---|---|\n"
        ))
      let mermaid = try place.modelc("diff", "V3", "V4", "-C", "P", "--format", "mermaid")
      #expect(mermaid.stdout.contains("classDiagram") || mermaid.stdout.contains("erDiagram"))
      let json = try place.modelc("diff", "V3", "V4", "-C", "P", "--format", "json")
      let object = try JSONSerialization.jsonObject(with: Data(json.stdout.utf8)) as? [String: Any]
      #expect((object?["changes"] as? [Any])?.count == 2)
      #expect(try place.modelc("diff", "V3", "V4", "-C", "P", "--exit-code").code == 1)
      #expect(try place.modelc("diff", "V3", "V3", "-C", "P", "--exit-code").code == 0)
    }
  }

  @Test func `a version that extends is migrated to like any other`() throws {
    try Workplace.withDemo { place, store in
      expectSuccess(try place.modelc("version", "new", "V4", "--extends", "-C", "T"))
      let file = "T/Models/Trails/V4.yaml"
      let text = try String(contentsOf: place.url(file), encoding: .utf8)
      try place.write(text + "entities: {Trail: {attributes: {region: {optional: true}}}}\n", to: file)
      let plan = try place.modelc("plan", store, "--to", "V4", "-C", "T")
      expectSuccess(plan)
      expectSuccess(try place.modelc("migrate", store, "--to", "V4", "-C", "T"))
      let after = try place.modelc("inspect", store, "-C", "T", "--format", "json")
      #expect(try after.decoded(as: InspectionRecord.self).versions == ["V4"])
    }
  }

  @Test func `the plan says why an entity changes, also where no property moves`() throws {
    try Workplace.withDemo { place, store in
      try place.replace(
        "      name: string\n      region: string = Alps",
        with: "      name: string?\n      region: string = Alps",
        in: "T/Models/Trails/V2.yaml")
      let plan = try place.modelc("plan", store, "--to", "V2", "-C", "T")
      #expect(plan.stdout.contains("Trail.name"), "\(plan)")
      for line in plan.stdout.split(separator: "\n") where line.hasPrefix("  change  ") {
        let entity = line.split(separator: " ")[1]
        #expect(
          plan.stdout.contains("\n  \(entity).") || plan.stdout.contains("\n  \(entity):"), "\(line)\n\(plan)"
        )
      }
    }
  }
}
