import Foundation
import TestSupport
import Testing

@Suite("modelc migrate, back again") struct WayBackCommandTests {
  private static let versions = [
    "entities: {Hut: {attributes: {name: string?, beds: integer16 = 0}}}",
    """
    entities:
      Hut:
        attributes:
          title: {type: string, optional: true, renamingIdentifier: name}
          beds: integer16 = 0
          web: string?
          picture: {type: binary, optional: true, externalStorage: true}
    """,
  ]

  @Test func `what is kept is restored, and nothing else is touched`() throws {
    try CasePlace.with(Self.versions) { place in
      expectSuccess(try place.modelc("fixture", "V2", "--rows", "30", "-o", "store.sqlite"))
      expectSuccess(try place.modelc("fixture", "V2", "--rows", "30", "--seed", "7", "-o", "same.sqlite"))
      try place.write("mine", to: "lost.sqlite")
      let before = try place.snapshot()
      let refused = try place.modelc("migrate", "store.sqlite", "--to", "V1")
      #expect(refused.code == 1 && refused.errors.contains("MC3111"), "\(refused)")
      #expect(refused.stderr.contains("--keep-lost"))
      #expect(
        try place.modelc("migrate", "store.sqlite", "--to", "V1", "--keep-lost", "lost.sqlite").code != 0)
      #expect(try place.snapshot() == before)
      expectSuccess(
        try place.modelc("migrate", "store.sqlite", "--to", "V1", "--keep-lost", "kept.sqlite", "--no-backup")
      )
      expectSuccess(try place.modelc("verify", "kept.sqlite"))
      let other = try place.modelc("migrate", "store.sqlite", "--to", "V2", "--restore", "same.sqlite")
      #expect(other.errors == ["MC6510"])
      for command in [["inspect", "same.sqlite"], ["diff", "store.sqlite", "same.sqlite"]] {
        #expect(other.stderr.contains(" \(command.joined(separator: " "))`"), "\(other)")
        expectSuccess(try Modelc.run(command, in: place.folder))
      }
      let run = try place.modelc("migrate", "store.sqlite", "--restore", "kept.sqlite", "--no-backup")
      expectSuccess(run)
      #expect(run.stdout.contains("Restored 0 objects, and what"))
      let difference = try place.modelc("diff", "--exit-code", "kept.sqlite", "store.sqlite")
      #expect(difference.code == 0, "\(difference)")
      expectSuccess(try place.modelc("verify", "store.sqlite"))
      #expect(try place.snapshot()["same.sqlite"] == before["same.sqlite"])
    }
  }

  @Test func `where nothing is lost, or nothing is to be restored, that is said`() throws {
    try CasePlace.with(Self.versions) { place in
      try place.makeStore("V2", "Hut:\n  p1: {title: a}")
      let back = try place.modelc("migrate", "store.sqlite", "--to", "V1", "--keep-lost", "kept.sqlite")
      #expect(back.code == 0 && back.stderr.contains("nothing was lost: kept.sqlite"), "\(back)")
      let run = try place.modelc("migrate", "store.sqlite", "--restore", "kept.sqlite")
      #expect(run.code == 0 && run.stdout.contains("Nothing was restored"), "\(run)")
      let up = try place.modelc("migrate", "store.sqlite", "--keep-lost", "more.sqlite")
      #expect(up.code == 0 || up.stderr.contains("leave out `--keep-lost FILE`"), "\(up)")
    }
  }

  @Test func `check wants a way back, and tries it`() throws {
    try CasePlace.with([Self.versions[0]]) { place in
      expectSuccess(try place.modelc("release", "V1", "--fixture", "20"))
      try place.write(Self.versions[1], to: "Models/App/V2.yaml")
      try place.write("current: V2\nversions: [V1, V2]\n", to: "Models/App/versions.yaml")
      expectSuccess(try place.modelc("check", "--reversible", "--no-cache"))
      // A mapping there, and none back: what it computes is not undone.
      let mapping = """
        from: V1
        to: V2
        entityMappings:
          HutToHut:
            source: Hut
            destination: Hut
            attributes: {title: "uppercase:($source.name)"}
        """
      try place.write(mapping, to: "Migrations/App/V1-V2.yaml")
      let run = try place.modelc("check", "--reversible", "--no-cache")
      #expect(
        run.code == 1 && (run.stdout + run.stderr).contains("error[MC7034]")
          && (run.stdout + run.stderr).contains("MC3410"), "\(run)")
    }
  }
}

@Suite("modelc diff of stores") struct StoreDifferenceCommandTests {
  private static let model =
    "entities: {Hut: {attributes: {name: string, beds: integer16?}, uniquenessConstraints: [[name]]}}"

  private func withStores(_ body: (CasePlace) throws -> Void) throws {
    try CasePlace.with([Self.model]) { place in
      try place.makeStore("V1", "Hut:\n  p1: {name: a, beds: 1}\n  p2: {name: \"b\\e[31m\", beds: 2}")
      try FileManager.default.moveItem(at: place.url("store.sqlite"), to: place.url("old.sqlite"))
      try place.makeStore("V1", "Hut:\n  p1: {name: c}\n  p2: {name: a, beds: 4}")
      try body(place)
    }
  }

  @Test func `objects are added, removed and changed, whatever their keys are`() throws {
    try withStores { place in
      let before = try place.snapshot()
      let run = try place.modelc("diff", "old.sqlite", "store.sqlite", "--match", "values")
      #expect(run.code == 0 && run.stdout.contains("1 added, 1 removed, 1 changed"), "\(run)")
      #expect(!run.stdout.contains("\u{1B}"))
      // Both were made with one seed, and so have one UUID.
      let keyed = try place.modelc("diff", "old.sqlite", "store.sqlite")
      #expect(keyed.stdout.contains("by primary key: 2 changed"), "\(keyed)")
      #expect(try place.modelc("diff", "--exit-code", "old.sqlite", "store.sqlite").code == 1)
      #expect(try place.modelc("diff", "--exit-code", "old.sqlite", "old.sqlite").code == 0)
      let json = try place.modelc("diff", "old.sqlite", "store.sqlite", "--format", "json")
      #expect(try JSONSerialization.jsonObject(with: Data(json.stdout.utf8)) is [String: Any])
      func page(_ more: String...) throws -> PageData {
        let run = try Modelc.run(
          ["diff", "old.sqlite", "store.sqlite", "--format", "html"] + more, in: place.folder)
        #expect(!run.stdout.contains("\u{1B}"))
        return try #require(PageData(run.stdout))
      }
      let (masked, shown, found) = (
        try page(), try page("--show-values"), try page("--show-values", "--match", "values", "--limit", "1")
      )
      let name = ["comparison", "entities", "0", "objects", "0", "properties", "0", "from"]
      #expect(masked[name] == "•••" && shown[name] == "a" && masked["comparison", "masked"] == true)
      #expect(found["comparison", "entities", "0", "matchedBy", "attributes"] == ["name"])
      let objects: [Any]? = found["comparison", "entities", "0", "objects"]
      #expect(objects?.count == 1)
      #expect(try place.modelc("diff", "old.sqlite", "store.sqlite", "--show-values").code != 0)
      let wrong = try place.modelc("diff", "old.sqlite", "store.sqlite", "--match", "Hut=nmae")
      #expect(wrong.code == 2 && wrong.errors == ["MC7032"], "\(wrong)")
      #expect(try place.modelc("diff", "--schema", "old.sqlite", "store.sqlite").code == 0)
      #expect(try place.snapshot() == before)
    }
  }
}
