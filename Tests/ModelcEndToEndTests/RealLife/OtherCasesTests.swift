import Foundation
import GRDB
import TestSupport
import Testing

/// Those cases of `shared/design/cases.md` that need more than two versions and a store: a list of releases, another
/// model, files beside the store, another program. Each prints its line of the table.
@Suite("Other cases from real life") struct OtherCasesTests {
  private let first = "entities:\n  Hut: {attributes: {name: string?}}\n"
  private let second = "entities:\n  Hut: {attributes: {name: string?, beds: integer16 = 2}}\n"
  private let third = "entities:\n  Hut: {attributes: {name: string?, beds: integer16 = 2, town: string?}}\n"

  @Test func `4: only a log with the hashes is at hand`() throws {
    try CasePlace.with([first, second, third]) { place in
      try place.makeStore("V2", "Hut:\n  p1: {name: a}")
      for isOld in [false, true] {
        try place.write(try place.log(ofStore: "store.sqlite", isOld: isOld), to: "crash.log")
        let run = try place.modelc("inspect", "crash.log")
        expectSuccess(run)
        #expect(
          run.stdout.contains("1 entity: V2 of App, by \(isOld ? "all their digits" : "the digits")"),
          "\(run)")
      }
      let log = try place.log(ofStore: "store.sqlite", isOld: true)
      try place.write(log.replacing("Hut = <", with: "Hut = <ffff"), to: "other.log")
      #expect(try place.modelc("inspect", "other.log").code == 3)
      printCase(
        4, "only a log with hashes", "inspect crash.log", "names V2, whole or by the digits it prints")
    }
  }

  @Test func `6: the store is newer than the app`() throws {
    try CasePlace.with([first, second, third], current: "V2") { place in
      try place.makeStore("V3", "Hut:\n  p1: {name: a, town: b}")
      let before = try place.snapshot()
      expectRefusal(try place.modelc("migrate", "store.sqlite"), "MC5104", exit: 3)
      // The same app without that version at all: what the store carries tells what would be lost.
      try FileManager.default.removeItem(at: place.url("Models/App/V3.yaml"))
      try place.write("current: V2\nversions: [V1, V2]\n", to: "Models/App/versions.yaml")
      let run = try place.modelc("migrate", "store.sqlite")
      expectRefusal(run, "MC5112", exit: 3)
      #expect(run.stderr.contains("'Hut.town'"), "\(run)")
      #expect(try place.snapshot()["store.sqlite"] == before["store.sqlite"])
      printCase(6, "the store is newer than the app", "migrate", "MC5104; without V3 MC5112, by name")
    }
  }

  @Test func `7: a released version was removed`() throws {
    try CasePlace.with([first, second, third]) { place in
      try place.makeStore("V2", "Hut:\n  p1: {name: a}")
      expectSuccess(try place.modelc("release", "V1", "V2"))
      try FileManager.default.removeItem(at: place.url("Models/App/V2.yaml"))
      try place.write("current: V3\nversions: [V1, V3]\n", to: "Models/App/versions.yaml")
      #expect(try place.modelc("check").stdout.contains("MC7004"))
      let run = try place.modelc("migrate", "store.sqlite")
      expectSuccess(run)
      #expect(run.stderr.contains("it is 'V2' as released on"), "\(run)")
      #expect(run.stderr.contains("is no longer among those of the model"), "\(run)")
      #expect(run.stderr.contains("bring that version back"), "\(run)")
    }
  }

  @Test func `7: a released version was edited in place`() throws {
    try CasePlace.with([first]) { place in
      try place.makeStore("V1", "Hut:\n  p1: {name: a}")
      expectSuccess(try place.modelc("release", "V1"))
      try place.write(second, to: "Models/App/V1.yaml")
      #expect(try place.modelc("check").stdout.contains("MC7001"))
      let run = try place.modelc("migrate", "store.sqlite")
      expectSuccess(run)
      #expect(run.stderr.contains("it is 'V1' as released on"), "\(run)")
      #expect(try place.export() == "Hut:\n  p1:\n    name: a\n    beds: 2")
      printCase(
        7, "a released version was edited", "check, migrate", "MC7001; the store's own model is the source")
    }
  }

  @Test func `9: two mapping models for the same two versions`() throws {
    let old = "entities:\n  Hut: {attributes: {name: string?}}\n  Lake: {attributes: {name: string?}}\n"
    let new = old.replacing("name: string?", with: "name: string?, title: string?")
    try CasePlace.with([old, new]) { place in
      try place.makeStore("V1", "Hut:\n  p1: {name: a}\nLake:\n  p1: {name: b}")
      for entity in ["Hut", "Lake"] {
        try place.write(
          """
          from: V1
          to: V2
          entityMappings:
            \(entity)ToIt:
              source: \(entity)
              destination: \(entity)
              attributes: {title: "uppercase:($source.name)"}
          """, to: "Migrations/App/\(entity).yaml")
      }
      expectSuccess(try place.modelc("migrate", "store.sqlite"))
      #expect(
        try place.export()
          == "Hut:\n  p1:\n    name: a\n    title: A\nLake:\n  p1:\n    name: b\n    title: B")
      printCase(
        9, "two mapping models for one step", "migrate", "both are carried out, each for its entities")
    }
  }

  @Test func `11: time and room are told before`() throws {
    try CasePlace.with([first, second]) { place in
      try place.makeStore("V1", "Hut:\n  p1: {name: a}")
      let plan = try place.modelc("plan", "store.sqlite")
      expectSuccess(plan)
      #expect(
        plan.stdout.contains(#/needs\s+at most .* next to the store, about .* on this machine/#), "\(plan)")
      printCase(11, "500 MB: time and room", "plan", "both are told")
    }
  }

  @Test func `16: a transformer changed, and no hash did`() throws {
    let old = "entities:\n  Hut: {attributes: {shape: {type: transformable?, transformer: A}}}\n"
    try CasePlace.with([old, old.replacing("transformer: A", with: "transformer: B")]) { place in
      try place.makeStore("V1", "Hut:\n  p1: {}")
      let check = try place.modelc("check", "--level", "source")
      // One cause, one finding: the other rule says the same.
      #expect(check.stdout.contains("MC2103") && !check.stdout.contains("MC7007"), "\(check)")
      #expect(check.stdout.contains("`versionHashModifier`"), "\(check)")
      expectSuccess(try place.modelc("migrate", "store.sqlite"))
      printCase(16, "a transformer changed", "check", "MC2103 and its cure")
    }
  }

  @Test func `18: the store is encrypted`() throws {
    try CasePlace.with([first, second]) { place in
      var generator = SeededGenerator(seed: 18)
      let bytes = Data((0..<16_384).map { _ in UInt8.random(in: 0...255, using: &generator) })
      try bytes.write(to: place.url("store.sqlite"))
      for command in ["plan", "migrate", "inspect", "verify"] {
        let run = try place.modelc(command, "store.sqlite")
        expectRefusal(run, "MC5001", exit: 3)
        #expect(run.stderr.contains("is encrypted, or not a SQLite file"), "\(run)")
      }
      #expect(try Data(contentsOf: place.url("store.sqlite")) == bytes)
      printCase(18, "the store is encrypted", "every command", "MC5001 says so, nothing changed")
    }
  }

  @Test func `19 and 20: metadata that are ahead of the tables, or damaged`() throws {
    try CasePlace.with([first, second]) { place in
      try place.makeStore("V2", "Hut:\n  p1: {name: a}")
      try place.damage("ALTER TABLE ZHUT DROP COLUMN ZBEDS")
      var before = try place.snapshot()
      let ahead = try place.modelc("plan", "store.sqlite")
      #expect(ahead.code != 0 && ahead.stderr.contains("MC5105") && ahead.stderr.contains("V1"), "\(ahead)")
      #expect(try place.snapshot() == before)
      try place.damage("UPDATE Z_METADATA SET Z_PLIST = x'00'")
      before = try place.snapshot()
      let run = try place.modelc("migrate", "store.sqlite")
      expectRefusal(run, "MC5004", exit: 3)
      #expect(run.stderr.contains("its model in Z_MODELCACHE is intact: 'Hut'"), "\(run)")
      #expect(try place.modelc("inspect", "store.sqlite", "--model").stdout.contains("beds: integer16 = 2"))
      #expect(try place.snapshot() == before)
      printCase(19, "metadata current, tables older", "plan", "MC5105 says whose tables they are")
      printCase(
        20, "metadata damaged, cache whole", "migrate, inspect --model",
        "MC5004 names the model that is there")
    }
  }

  @Test(arguments: ["clone", "in-place"])
  func `22: a dangling reference under a relationship that becomes required`(_ route: String) throws {
    let old = """
      entities:
        Hut:
          attributes: {name: string?}
          relationships: {owner: {to: Person, inverse: huts}}
        Person:
          attributes: {name: string?}
          relationships: {huts: {toMany: Hut, inverse: owner}}
      """
    try CasePlace.with([old, old.replacing("{to: Person", with: "{to: Person, optional: false")]) { place in
      try place.makeStore(
        "V1", "Hut:\n  p1: {owner: Person/p1}\n  p2: {owner: Person/p1}\nPerson:\n  p1: {name: x}")
      try place.damage("UPDATE ZHUT SET ZOWNER = 9 WHERE Z_PK = 2")
      #expect(try place.modelc("verify", "store.sqlite").errors == ["MC5203"])
      expectSuccess(try place.modelc("migrate", "store.sqlite", "--route", route))
      #expect(try place.read("SELECT ZOWNER || '' FROM ZHUT ORDER BY Z_PK") == ["1", "9"])
      let verified = try place.modelc("verify", "store.sqlite")
      #expect(verified.errors == ["MC5203"] && verified.stderr.contains("primary key 2"), "\(verified)")
      printCase(
        22, "a dangling reference", "migrate --route \(route)",
        "stays as it was; verify names it, before and after")
    }
  }

  @Test func `26: partial and expression indexes`() throws {
    let indexed = second + "    fetchIndexes: {free: {elements: [beds], where: beds > 1}}\n"
    try CasePlace.with([
      first.replacing("{attributes: {name: string?}}", with: "\n    attributes: {name: string?}"),
      indexed.replacing(
        "{attributes: {name: string?, beds: integer16 = 2}}",
        with: "\n    attributes: {name: string?, beds: integer16 = 2}"),
    ]) { place in
      try place.makeStore("V1", "Hut:\n  p1: {name: a}")
      expectSuccess(try place.modelc("migrate", "store.sqlite"))
      let made = try place.read("SELECT sql FROM sqlite_master WHERE type = 'index' AND sql LIKE '%WHERE%'")
      #expect(made.count == 1 && made[0].contains("ZBEDS"), "\(made)")
      expectSuccess(try place.modelc("verify", "store.sqlite"))
      printCase(26, "partial and expression indexes", "migrate", "made; R-trees are said (MC3303)")
    }
  }

  @Test func `37: a store of one configuration`() throws {
    let model = { (more: String) in
      "entities:\n  Hut: {attributes: {name: string?\(more)}}\n  Log: {attributes: {at: date?}}\n"
        + "configurations:\n  Local: [Hut]\n"
    }
    let only = "entities:\n  Hut: {attributes: {name: string?}}\n"
    try CasePlace.with([model(""), model(", beds: integer16 = 2")]) { place in
      try place.makeStore(of: only, "Hut:\n  p1: {name: a}")
      let inspected = try place.modelc("inspect", "store.sqlite")
      #expect(inspected.stdout.contains("V1 of App, configuration Local"), "\(inspected)")
      expectSuccess(try place.modelc("migrate", "store.sqlite"))
      #expect(try place.export() == "Hut:\n  p1:\n    name: a\n    beds: 2")
      #expect(try place.read("SELECT name FROM sqlite_master WHERE name = 'ZLOG'") == [])
      printCase(37, "a store of one configuration", "migrate", "migrated, with no table of others")
    }
  }

  @Test(arguments: [false, true])
  func `38: a store of two merged models`(_ isCustom: Bool) throws {
    try CasePlace.with([first, second]) { place in
      let events = "entities:\n  Event: {attributes: {at: string?}}\n"
      let renamed = events.replacing("{at: string?}", with: "{time: {type: string?, renamingIdentifier: at}}")
      try place.writeModel("Log", [events, renamed])
      try place.makeStore(
        of: first + "  Event: {attributes: {at: string?}}\n", "Hut:\n  p1: {name: a}\nEvent:\n  p1: {at: b}")
      if isCustom {
        try place.write(
          """
          from: V1
          to: V2
          inferred: false
          entityMappings:
            EventToEvent:
              source: Event
              destination: Event
              attributes: {time: "uppercase:($source.at)"}
          """, to: "Migrations/Log/V1-V2.yaml")
      }
      let plan = try place.modelc("plan", "store.sqlite")
      let path = isCustom ? "V1+V1 → V2+V1 → V2+V2" : "V1+V1 → V2+V2"
      expectSuccess(plan)
      #expect(plan.stdout.contains(path), "\(plan)")
      expectSuccess(try place.modelc("migrate", "store.sqlite"))
      #expect(
        try place.export()
          == "Event:\n  p1:\n    time: \(isCustom ? "B" : "b")\nHut:\n  p1:\n    name: a\n    beds: 2")
      // What a custom step computes is not compared.
      let compared = try place.modelc("verify", "store.sqlite", "--before", "store.sqlite.V1+V1.backup")
      #expect(compared.code == 0 && compared.errors == [], "\(compared)")
      #expect(try place.modelc("migrate", "store.sqlite").stdout.contains("already"))
      if Oracle.isPresent { try Oracle.expectSound([place.url("store.sqlite")]) }
      printCase(
        38, "a store of two merged models", "migrate",
        "each part goes its way\(isCustom ? ", custom steps too" : "")")
    }
  }

  @Test func `39: versions branch and come together`() throws {
    let other = second.replacing("integer16 = 2", with: "integer16 = 2, lake: string?")
    let both = third.replacing("town: string?", with: "town: string?, lake: string?")
    try CasePlace.with([first, second, third, other, both]) { place in
      try place.write(
        "current: V5\nversions: [V1, V2, V3, {name: V4, from: V2}, {name: V5, from: [V3, V4]}]\n",
        to: "Models/App/versions.yaml")
      for (version, value) in [("V1", ""), ("V3", ", town: t"), ("V4", ", lake: l")] {
        try place.makeStore(version, "Hut:\n  p1: {name: a\(value)}")
        expectSuccess(try place.modelc("migrate", "store.sqlite", "--chain", "stepwise", "--no-backup"))
        expectSuccess(try place.modelc("verify", "store.sqlite"))
        #expect(try place.export().contains(value.isEmpty ? "name: a" : "\(value.dropFirst(2))"))
      }
      // What is compiled says it too.
      expectSuccess(try place.modelc("compile"))
      try place.makeStore("V4", "Hut:\n  p1: {name: a}")
      let plan = try place.modelc("plan", "store.sqlite", "--models", "Build/App.momd")
      #expect(plan.stdout.contains("V4 → V5"), "\(plan)")
      printCase(
        39, "versions branch", "migrate", "from each of them to the one that follows both (`from: [V3, V4]`)")
    }
  }

  @Test func `41: two stores become versions of one model`() throws {
    try withTemporaryFolder { folder in
      for (index, text) in [first, second].enumerated() {
        let maker = folder.appending(path: "maker\(index)")
        try CasePlace(folder: maker).writeModel("App", [text])
        try CasePlace(folder: maker).makeStore("V1", "Hut:\n  p1: {name: a}")
        try FileManager.default.copyItem(
          at: maker.appending(path: "store.sqlite"), to: folder.appending(path: "App\(index).sqlite"))
      }
      let place = CasePlace(folder: folder)
      expectSuccess(try place.modelc("adopt", "App1.sqlite", "--as", "New"))
      expectSuccess(
        try place.modelc("adopt", "App0.sqlite", "--into", "App1", "--before", "New", "--as", "Old"))
      expectSuccess(try place.modelc("migrate", "App0.sqlite"))
      #expect(try place.export("App0.sqlite") == "Hut:\n  p1:\n    name: a\n    beds: 2")
      printCase(
        41, "two stores, one model", "adopt STORE --into MODEL --before VERSION", "listed as versions")
    }
  }

  @Test func `43: more columns than SQLite takes`() throws {
    let columns = (1...2_100).map { "a\($0): integer16?" }.joined(separator: ", ")
    try CasePlace.with(["entities:\n  Hut: {attributes: {\(columns)}}\n"]) { place in
      let run = try place.modelc("compile")
      #expect(run.errors == ["MC0007"] && run.code == 1, "\(run)")
      printCase(
        43, "more than 2,000 columns", "compile", "MC0007; MC1111 where several entities share a table")
    }
  }
}
