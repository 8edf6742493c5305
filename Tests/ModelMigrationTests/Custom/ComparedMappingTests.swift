import Foundation
import GRDB
import ManagedModel
import ModelMigration
import PersistentStore
import ReleaseChecks
import TestSupport
import Testing

/// A migrated store against the one before, where a mapping says what became of its objects.
@Suite("Comparing across mapping models") struct ComparedMappingTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var old: String
    var new: String
    var mapping: String
    /// Put into the migrated store.
    var damage: String
    /// What is then found.
    var found: [String]
    var testDescription: String { name }
  }

  private static let huts =
    "entities:\n  Hut: {attributes: {name: string?, beds: integer16 = 2}}\n  Shed: {attributes: {name: string?}}\n"
  private static func lodges(_ more: String = "") -> String {
    "entities:\n  Lodge: {attributes: {title: string?, beds: integer16 = 2}}\n\(more)"
  }
  private static let shed = "  Shed: {attributes: {name: string?}}\n"

  static let cases = [
    Case(
      name: "an entity becomes another", old: huts, new: lodges(shed),
      mapping:
        "entityMappings:\n  HutToLodge: {source: Hut, destination: Lodge, attributes: {title: $source.name}}\n",
      damage: "UPDATE ZLODGE SET ZTITLE = 'x' WHERE Z_PK = 2; DELETE FROM ZLODGE WHERE Z_PK = 3",
      found: ["MC6302 Lodge", "MC6304 Lodge.title"]),
    Case(
      name: "a computed value", old: huts, new: lodges(shed),
      mapping:
        "entityMappings:\n  HutToLodge: {source: Hut, destination: Lodge, attributes: {title: \"uppercase:($source.name)\", beds: $source.beds + 1}}\n",
      damage: "DELETE FROM ZLODGE WHERE Z_PK = 3", found: ["MC6302 Lodge"]),
    Case(
      name: "a filter", old: huts, new: lodges(shed),
      mapping:
        "entityMappings:\n  HutToLodge: {source: Hut, destination: Lodge, where: beds > 2, attributes: {title: $source.name}}\n",
      damage: "UPDATE ZLODGE SET ZTITLE = 'x' WHERE Z_PK = 2", found: ["MC6304 Lodge.title"]),
    Case(
      name: "two entities become one", old: huts, new: lodges(),
      mapping: """
        entityMappings:
          HutToLodge: {source: Hut, destination: Lodge, attributes: {title: $source.name}}
          ShedToLodge: {source: Shed, destination: Lodge, attributes: {title: $source.name, beds: 0}}

        """, damage: "", found: []),
  ]

  @Test(arguments: cases) func `a right migration is right, and a wrong value is found`(_ item: Case) throws {
    let objects =
      (1...3).map { ManagedObject("Hut", $0, values: ["name": .string("h\($0)"), "beds": .integer($0 + 1)]) }
      + (1...2).map { ManagedObject("Shed", $0, values: ["name": .string("s\($0)")]) }
    try withTemporaryFolder { folder in
      var trial = try CustomTrial([item.old, item.new], mappings: [item.mapping])
      trial.options.acceptedLosses = [.droppedData]
      let store = try trial.store(objects, in: folder)
      let old = try store.copy(named: "Old.sqlite")
      try trial.migrate(store)
      #expect(try errors(old, store, trial) == [])
      #expect(try compared(old, store, trial).after == store.objects(trial.model.last).count)
      if item.damage.isEmpty { return }
      try store.write { try $0.execute(sql: item.damage) }
      #expect(try errors(old, store, trial) == item.found)
    }
  }

  @Test func `what goes with a dropped object is not missing`() throws {
    let text = """
      entities:
        Hut: {attributes: {name: string?}, relationships: {beds: {toMany: Bed, inverse: hut}}}
        Bed: {relationships: {hut: {to: Hut, inverse: beds}, sheets: {toMany: Sheet, inverse: bed}}}
        Sheet: {relationships: {bed: {to: Bed, inverse: sheets}}}
        Shed: {attributes: {name: string?}, versionHashModifier: %@}
      """
    var made = objects("Hut", ["name": .string("old")], ["name": .string("new")])
    made.append(ManagedObject("Bed", 3))
    for (entity, to) in [("Bed", "hut"), ("Sheet", "bed")] {
      for key in Int64(1)...2 {
        var object = ManagedObject(entity, key)
        object.toOne[to] = objectID(entity == "Bed" ? "Hut" : "Bed", key)
        made.append(object)
      }
    }
    try withTemporaryFolder { folder in
      let trial = try CustomTrial(
        ["a", "b"].map { text.replacing("%@", with: $0) },
        mappings: [
          "entityMappings:\n  Hut: {source: Hut, destination: Hut, where: name != 'old', onDrop: cascade}\n"
        ])
      let store = try trial.store(made + objects("Shed", [:], [:]), in: folder)
      let old = try store.copy(named: "Old.sqlite")
      try trial.migrate(store)
      #expect(try errors(old, store, trial) == [])
      // What the cascade does not reach is missing, in an entity that it reaches too.
      try store.write {
        try $0.execute(sql: "DELETE FROM ZSHED WHERE Z_PK = 2; DELETE FROM ZBED WHERE Z_PK = 3")
      }
      #expect(try errors(old, store, trial) == ["MC6302 Bed", "MC6302 Shed"])
    }
  }

  /// The rows hold no more than the files' names.
  @Test func `files of external data are read, unless both stores share them`() throws {
    let text =
      "entities:\n  Photo: {attributes: {data: {type: binary, optional: true, externalStorage: true}}}\n"
    try withTemporaryFolder { folder in
      let trial = try CustomTrial([text, text + "  Hut: {attributes: {name: string?}}\n"], mappings: [])
      let store = try trial.store(objects("Photo", [:], [:]), in: folder)
      let names = [UUID().uuidString, UUID().uuidString]
      try store.write { db in
        for (key, name) in zip(1..., names) {
          let reference = Data([2]) + Data(name.utf8) + Data([0])
          try db.execute(sql: "UPDATE ZPHOTO SET ZDATA = ? WHERE Z_PK = ?", arguments: [reference, key])
        }
      }
      let old = try store.copy(named: "Old.sqlite")
      let folders = try [old, store].map { store in
        let data = URL(filePath: ExternalFolder.support.path(ofStoreAt: store.url.path)).appending(
          path: "_EXTERNAL_DATA")
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        return data
      }
      for name in names {
        try Data(repeating: 7, count: 150_000).write(to: folders[0].appending(path: name))
      }
      let files = folders.map { $0.appending(path: names[0]) }
      try FileManager.default.linkItem(at: files[0], to: files[1])
      try Data(repeating: 7, count: 150_000).write(to: folders[1].appending(path: names[1]))
      try trial.migrate(store)
      #expect(try errors(old, store, trial) == [])
      try Data(repeating: 8, count: 150_000).write(to: folders[1].appending(path: names[1]))
      #expect(try errors(old, store, trial) == ["MC6304 Photo.data"])
      try FileManager.default.removeItem(at: folders[1].appending(path: names[1]))
      #expect(try errors(old, store, trial) == ["MC6304 Photo.data"])
      // A backup's files stay beside the store.
      try FileManager.default.removeItem(atPath: ExternalFolder.support.path(ofStoreAt: old.url.path))
      #expect(try errors(old, store, trial) == [])
    }
  }

  /// Links of a many-to-many are in no column of an object, and members' places are compared with one another.
  @Test func `links that are gone and an order that is another are found`() throws {
    let text = """
      entities:
        Hut:
          attributes: {name: string?}
          relationships:
            tags: {toMany: Tag, inverse: huts, ordered: true}
            beds: {toMany: Bed, inverse: hut, ordered: true}
            guests: {toMany: Guest, inverse: huts}
        Tag: {relationships: {huts: {toMany: Hut, inverse: tags}}}
        Bed: {relationships: {hut: {to: Hut, inverse: beds}}}
        Guest: {attributes: {name: %@}, relationships: {huts: {toMany: Hut, inverse: guests}}}
      """
    func ids(_ entity: String, _ keys: Int64...) -> [ManagedObject.ID] { keys.map { objectID(entity, $0) } }
    let huts = (Int64(1)...2).map {
      ManagedObject(
        "Hut", $0,
        toMany: $0 == 1
          ? ["tags": ids("Tag", 2, 1), "beds": ids("Bed", 3, 1, 2), "guests": ids("Guest", 1, 2)]
          : ["tags": ids("Tag", 1), "guests": ids("Guest", 2)])
    }
    let made = huts + objects("Tag", [:], [:]) + objects("Bed", [:], [:], [:]) + objects("Guest", [:], [:])
    try withTemporaryFolder { folder in
      let trial = try CustomTrial(
        ["string?", "string"].map { text.replacing("%@", with: $0) }, mappings: [""])
      let given = made.map {
        $0.id.entityName == "Guest"
          ? ManagedObject("Guest", $0.id.primaryKey, values: ["name": .string("g")]) : $0
      }
      let store = try trial.store(given, in: folder)
      let old = try store.copy(named: "Old.sqlite")
      try trial.migrate(store)
      #expect(try errors(old, store, trial) == [])
      /// A join table and one of its columns.
      func column(_ pattern: String, besides other: String) throws -> (table: String, name: String) {
        let sql =
          "SELECT m.name, c.name FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c ON c.name LIKE ?"
          + " WHERE m.name GLOB 'Z_[0-9]*' AND EXISTS (SELECT 1 FROM pragma_table_info(m.name) WHERE name LIKE ?)"
        let row = try store.read { try Row.fetchOne($0, sql: sql, arguments: [pattern, other]) }
        return try (#require(row?[0]), #require(row?[1]))
      }
      let (guests, place) = try (column("%GUESTS", besides: "%HUTS%"), column("Z_FOK%", besides: "%TAGS"))
      // A link is one finding, at one of its ends; an order is one of the end that has it.
      for (number, (damage, ends)) in [
        ("DELETE FROM \(guests.table)", ["Hut.guests", "Guest.huts"]),
        ("UPDATE ZBED SET Z_FOK_HUT = 99999 WHERE Z_PK = 3", ["Hut.beds"]),
        ("UPDATE \(place.table) SET \(place.name) = 99999 - \(place.name)", ["Hut.tags"]),
      ].enumerated() {
        let damaged = try store.copy(named: "Damaged\(number).sqlite")
        try damaged.write { try $0.execute(sql: damage) }
        let found = try errors(old, damaged, trial)
        #expect(found.count == 1 && ends.contains { found[0] == "MC6304 \($0)" }, "\(damage): \(found)")
      }
    }
  }

  @Test func `links whose other end was dropped with consent have not changed`() throws {
    func version(_ place: String, _ ofPlace: String, _ ofHut: String) -> String {
      """
      entities:
        Trip:
          relationships: {place: {to: \(place), inverse: trips}, seen: {toMany: \(place), inverse: visitors}}
        Place: {attributes: {name: string?}\(ofPlace)}
        Hut: {parent: Place\(ofHut)}
        Lake: {parent: Place}

      """
    }
    let ends =
      ", relationships: {trips: {toMany: Trip, inverse: place}, visitors: {toMany: Trip, inverse: seen}}"
    let (hut, lake) = (objectID("Hut", 1), objectID("Lake", 2))
    let made = [
      ManagedObject("Trip", 1, toOne: ["place": hut], toMany: ["seen": [hut, lake]]),
      ManagedObject("Trip", 2, toOne: ["place": lake], toMany: ["seen": [lake]]), ManagedObject("Hut", 1),
      ManagedObject("Lake", 2),
    ]
    try withTemporaryFolder { folder in
      var trial = try CustomTrial([version("Place", ends, ""), version("Hut", "", ends)], mappings: [""])
      trial.options.acceptedLosses = [.droppedData]
      let store = try trial.store(made, in: folder)
      let old = try store.copy(named: "Old.sqlite")
      try trial.migrate(store)
      #expect(try errors(old, store, trial) == [])
      try store.write { try $0.execute(sql: "UPDATE ZTRIP SET ZPLACE = NULL") }
      #expect(try errors(old, store, trial) == ["MC6304 Trip.place"])
    }
  }

  private static let narrowings: [(old: String, new: String, value: AttributeValue)] = [
    ("integer32", "integer16", .integer(70_000)), ("double", "float", .double(0.1)),
    ("double", "integer16", .double(2.5)), ("integer64", "double", .integer(.max)),
  ]

  @Test(arguments: narrowings.indices)
  func `a number that was narrowed is told, and another one is an error`(_ index: Int) throws {
    let (old, new, value) = Self.narrowings[index]
    for mapping in ["", "entityMappings:\n  Hut: {source: Hut, destination: Hut, where: name != 'x'}\n"] {
      try withTemporaryFolder { folder in
        var trial = try CustomTrial(
          [old, new].map { "entities:\n  Hut: {attributes: {name: string?, beds: \($0)?}}\n" },
          mappings: [mapping])
        trial.options.acceptedLosses = [.narrowedNumbers]
        let store = try trial.store(objects("Hut", ["name": .string("h"), "beds": value], [:]), in: folder)
        let before = try store.copy(named: "Old.sqlite")
        try trial.migrate(store)
        #expect(try errors(before, store, trial) == [])
        try store.write { try $0.execute(sql: "UPDATE ZHUT SET ZBEDS = 7 WHERE Z_PK = 1") }
        #expect(try errors(before, store, trial) == ["MC6304 Hut.beds"])
      }
    }
  }

  @Test func `what goes with an object of a group is not missing`() throws {
    let text = """
      entities:
        Hut: {attributes: {name: string?}, relationships: {beds: {toMany: Bed, inverse: hut}}}
        Bed: {relationships: {hut: {to: Hut, inverse: beds}}, versionHashModifier: %@}
      """
    try withTemporaryFolder { folder in
      let trial = try CustomTrial(
        ["a", "b"].map { text.replacing("%@", with: $0) },
        mappings: [
          "entityMappings:\n  Hut: {source: Hut, destination: Hut, groupBy: $source.name, keep: last, onDrop: cascade}\n"
        ])
      let beds = (1...3).map { ManagedObject("Bed", $0, toOne: ["hut": objectID("Hut", $0)]) }
      let huts = objects("Hut", ["name": .string("a")], ["name": .string("a")], ["name": .string("b")])
      let store = try trial.store(huts + beds, in: folder)
      let old = try store.copy(named: "Old.sqlite")
      try trial.migrate(store)
      #expect(try errors(old, store, trial) == [])
    }
  }

  private func compared(
    _ old: TestStore, _ new: TestStore, _ trial: CustomTrial
  ) throws -> StoreComparison {
    try old.read { before in
      try new.read { after in
        try compareStores(
          before: before, at: old.url.path, after: after, at: new.url.path, models: [trial.model],
          custom: trial.custom)
      }
    }
  }

  func errors(_ old: TestStore, _ new: TestStore, _ trial: CustomTrial) throws -> [String] {
    try compared(old, new, trial).diagnostics.filter { $0.severity == .error }.map {
      "\($0.code) \($0.subject?.entity ?? "")" + ($0.subject?.property.map { ".\($0)" } ?? "")
    }.sorted()
  }
}
