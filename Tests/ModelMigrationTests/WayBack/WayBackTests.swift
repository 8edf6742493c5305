import Foundation
import GRDB
import ManagedModel
import ModelFormats
import PersistentStore
import TestSupport
import Testing

@testable import ModelMigration

/// A store goes back to an earlier version where it is asked to, and forward again.
@Suite("Ways back") struct WayBackTests {
  private static let old = """
    entities:
      Hut:
        attributes: {name: string?, beds: integer16 = 0}
        relationships: {visits: {toMany: Visit, inverse: hut}}
      Visit:
        attributes: {date: date?}
        relationships: {hut: {to: Hut, inverse: visits}}
    """
  private static let new = """
    entities:
      Hut:
        attributes:
          title: {type: string, optional: true, renamingIdentifier: name}
          beds: integer32 = 0
          web: string?
        relationships:
          visits: {toMany: Visit, inverse: hut}
          tags: {toMany: Tag, inverse: huts}
          photos: {toMany: Photo, inverse: hut, ordered: true}
      Visit:
        attributes: {date: date?}
        relationships: {hut: {to: Hut, inverse: visits}}
      Tag:
        attributes: {name: string}
        relationships: {huts: {toMany: Hut, inverse: tags}}
      Photo:
        attributes: {path: string?}
        relationships: {hut: {to: Hut, inverse: photos}}
    """

  private static let objects = [
    ManagedObject(
      "Hut", 1, values: ["title": .string("a"), "beds": .integer(70_000), "web": .string("w")],
      toMany: ["tags": [objectID("Tag", 1)], "photos": [objectID("Photo", 2), objectID("Photo", 1)]]),
    ManagedObject("Hut", 2, values: ["title": .string("b"), "beds": .integer(3)]),
    ManagedObject("Tag", 1, values: ["name": .string("high")]),
    ManagedObject("Photo", 1, values: ["path": .string("p")], toOne: ["hut": objectID("Hut", 1)]),
    ManagedObject("Photo", 2, values: ["path": .string("q")], toOne: ["hut": objectID("Hut", 1)]),
    ManagedObject("Visit", 1, values: ["date": .date(1)], toOne: ["hut": objectID("Hut", 1)]),
  ]

  private func options(
    _ target: String?, keep: URL? = nil, restore: URL? = nil, allowing: Set<AcceptedLoss> = []
  ) -> MigrationOptions {
    var options = MigrationOptions(targetVersion: target, acceptedLosses: allowing, keepsBackup: false)
    options.allowsDowngrade = target != nil
    options.keptLosses = keep?.path
    options.restoredLosses = restore?.path
    return options
  }

  private func migrate(_ store: TestStore, _ model: VersionedModel, _ options: MigrationOptions) throws
    -> MigrationReport
  {
    try migrateStore(at: store.url.path, models: [model], options: options)
  }

  @Test func `only a named target leads back, and losses are counted`() throws {
    var model = try writtenModel(Self.old, Self.new)
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[1], objects: Self.objects)
      model.currentVersionName = "V1"
      let error = #expect(throws: DiagnosticsError.self) { try migrate(store, model, options(nil)) }
      #expect(error?.diagnostics.map(\.code.description) == ["MC5104"])
      let status = try StoreMigrator(models: [model], options: options("V1")).status(of: store.url)
      #expect(status.path == ["V2", "V1"])
      let refused = #expect(throws: MigrationRefusedError.self) { try migrate(store, model, options("V1")) }
      let losses = refused?.plan.losses.map { "\($0.entity).\($0.property ?? "*") \($0.count)" } ?? []
      #expect(
        losses.sorted() == [
          "Hut.beds 1", "Hut.tags 1", "Hut.web 1", "Photo.* 2", "Tag.* 1",
        ])
      let report = try migrate(store, model, options("V1", allowing: [.droppedData, .narrowedNumbers]))
      #expect(report.plan.path == ["V2", "V1"])
      let huts = try store.objects(model.first).filter { $0.id.entityName == "Hut" }
      #expect(huts.map { $0.values["name"] } == [.string("a"), .string("b")])
      #expect(huts.map { $0.values["beds"] } == [.integer(32_767), .integer(3)])
    }
  }

  @Test func `what was kept comes back, but for what was deleted or changed meanwhile`() throws {
    let model = try writtenModel(Self.old, Self.new)
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[1], objects: Self.objects)
      let before = normalized(try store.objects(model.last), model.last)
      let kept = folder.appending(path: "kept.sqlite")
      _ = try migrate(store, model, options("V1", keep: kept))
      let again = try store.copy(named: "again.sqlite")
      let report = try migrate(store, model, options("V2", restore: kept))
      #expect(report.restored == RestoredLosses(objects: 3, changed: 2, gone: 0))
      #expect(normalized(try store.objects(model.last), model.last) == before)
      // The older app deleted a hut and gave another one beds.
      try again.write { db in
        try db.execute(sql: "DELETE FROM ZHUT WHERE Z_PK = 1; UPDATE ZVISIT SET ZHUT = NULL")
        try db.execute(sql: "UPDATE ZHUT SET ZBEDS = 9")
      }
      let second = try migrate(again, model, options("V2", restore: kept))
      #expect(second.restored?.objects == 3)
      #expect(second.restored?.gone == 1)
      let objects = try again.objects(model.last)
      #expect(objects.filter { $0.id.entityName == "Photo" }.allSatisfy { $0.toOne["hut"] == nil })
      #expect(objects.first { $0.id == objectID("Hut", 2) }?.values["beds"] == .integer(9))
    }
  }

  /// The earlier version has a place for them in some objects: those are newer there.
  @Test func `what was kept comes back to objects that lost it, and to no others`() throws {
    let model = try writtenModel(
      """
      entities:
        Note: {attributes: {title: string?}}
        Tag:
          parent: Note
          attributes: {size: integer32?}
          relationships: {list: {to: Box, inverse: notes}, lists: {toMany: Box, inverse: tags}}
        Box: {relationships: {notes: {toMany: Tag, inverse: list}, tags: {toMany: Tag, inverse: lists}}}
      """,
      """
      entities:
        Note:
          attributes: {title: string?, size: integer32?}
          relationships: {list: {to: Box, inverse: notes}, lists: {toMany: Box, inverse: tags}}
        Tag: {parent: Note}
        Box: {relationships: {notes: {toMany: Note, inverse: list}, tags: {toMany: Note, inverse: lists}}}
      """)
    let box = objectID("Box", 1)
    let objects = [
      ManagedObject(
        "Note", 1, values: ["size": .integer(1)], toOne: ["list": box], toMany: ["lists": [box]]),
      ManagedObject("Tag", 2, values: ["size": .integer(2)], toOne: ["list": box], toMany: ["lists": [box]]),
      ManagedObject("Box", 1), ManagedObject("Box", 2),
    ]
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[1], objects: objects)
      let kept = folder.appending(path: "kept.sqlite")
      _ = try migrate(store, model, options("V1", keep: kept))
      try store.write { db in
        try db.execute(sql: "UPDATE ZNOTE SET ZSIZE = 9, ZLIST = 2 WHERE Z_PK = 2")
        let join = try String.fetchOne(
          db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'Z_[0-9]*'")
        try db.execute(sql: "DELETE FROM \(join ?? "")")
      }
      let report = try migrate(store, model, options("V2", restore: kept))
      #expect(report.restored == RestoredLosses(objects: 0, changed: 1, gone: 0))
      let found = try store.objects(model.last)
      let (note, tag) = (
        found.first { $0.id.primaryKey == 1 && $0.id.entityName == "Note" },
        found.first { $0.id.entityName == "Tag" }
      )
      #expect(note?.values["size"] == .integer(1) && note?.toOne["list"] == box)
      #expect(note?.toMany["lists"] == [box])
      #expect(tag?.values["size"] == .integer(9) && tag?.toOne["list"] == objectID("Box", 2))
      #expect(tag?.toMany["lists"] ?? [] == [])
    }
  }

  /// The greatest integer is no double.
  @Test func `a number that comes back is no loss on the way`() throws {
    let model = try writtenModel(
      "entities: {Hut: {attributes: {beds: integer64?}}}", "entities: {Hut: {attributes: {beds: double?}}}")
    try withTemporaryFolder { folder in
      let store = try TestStore(
        in: folder, of: model.versions[1], objects: [ManagedObject("Hut", 1, values: ["beds": .double(1e19)])]
      )
      let kept = folder.appending(path: "kept.sqlite")
      _ = try migrate(store, model, options("V1", keep: kept))
      #expect(throws: MigrationRefusedError.self) { try migrate(store, model, options("V2")) }
      let report = try migrate(store, model, options("V2", restore: kept))
      #expect(report.restored?.changed == 1)
      #expect(try store.objects(model.last).first?.values["beds"] == .double(1e19))
    }
  }

  /// Core Data keeps the numbers that a store has; a migration gives those that the target's model does.
  @Test func `what was kept comes back by the numbers that its entities had`() throws {
    let model = try writtenModel(
      "entities: {Hut: {attributes: {name: string?}}}",
      """
      entities:
        Hut:
          attributes: {name: string?, web: string?}
          relationships: {photos: {toMany: Photo, inverse: hut, ordered: true}}
        Photo:
          attributes: {path: string?}
          relationships: {hut: {to: Hut, inverse: photos}}
      """)
    let objects = [
      ManagedObject(
        "Hut", 1, values: ["name": .string("a"), "web": .string("w")],
        toMany: ["photos": [objectID("Photo", 2), objectID("Photo", 1)]]),
      ManagedObject("Photo", 1, values: ["path": .string("p")], toOne: ["hut": objectID("Hut", 1)]),
      ManagedObject("Photo", 2, values: ["path": .string("q")], toOne: ["hut": objectID("Hut", 1)]),
    ]
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[1], objects: objects)
      try store.write { db in
        for table in ["Z_PRIMARYKEY", "ZHUT", "ZPHOTO"] {
          try db.execute(sql: "UPDATE \(table) SET Z_ENT = 7 WHERE Z_ENT = 2")
          try db.execute(sql: "UPDATE \(table) SET Z_ENT = 2 WHERE Z_ENT = 1")
        }
      }
      let before = normalized(try store.objects(model.last), model.last)
      #expect(before.count == 3)
      let kept = folder.appending(path: "kept.sqlite")
      _ = try migrate(store, model, options("V1", keep: kept))
      let report = try migrate(store, model, options("V2", restore: kept))
      #expect(report.restored == RestoredLosses(objects: 2, changed: 1, gone: 0))
      #expect(normalized(try store.objects(model.last), model.last) == before)
    }
  }

  @Test func `what came meanwhile has its place behind what comes back`() throws {
    let text = """
      entities:
        Hut:
          relationships:
            beds: {toMany: Bed, inverse: hut%@}
            tags: {toMany: Tag, inverse: huts%@}
        Bed: {attributes: {name: string?}, relationships: {hut: {to: Hut, inverse: beds}}}
        Tag: {attributes: {name: string?}, relationships: {huts: {toMany: Hut, inverse: tags}}}
      """
    let model = try writtenModel(
      text.replacing("%@", with: ""), text.replacing("%@", with: ", ordered: true"))
    func ids(_ entity: String, _ keys: [Int64]) -> [ManagedObject.ID] { keys.map { objectID(entity, $0) } }
    let hut = ManagedObject("Hut", 1, toMany: ["beds": ids("Bed", [3, 1, 2]), "tags": ids("Tag", [2, 1])])
    try withTemporaryFolder { folder in
      let store = try TestStore(
        in: folder, of: model.versions[1],
        objects: [hut] + (1...3).map { ManagedObject("Bed", $0) } + (1...3).map { ManagedObject("Tag", $0) })
      let kept = folder.appending(path: "kept.sqlite")
      _ = try migrate(store, model, options("V1", keep: kept))
      try store.write { db in
        let join =
          try String.fetchOne(db, sql: "SELECT name FROM sqlite_master WHERE name GLOB 'Z_[0-9]*TAGS'") ?? ""
        try db.execute(sql: "DELETE FROM ZBED WHERE Z_PK = 1; INSERT INTO \(join) VALUES (1, 3)")
        try db.execute(sql: "INSERT INTO ZBED (Z_PK, Z_ENT, Z_OPT, ZHUT) VALUES (4, 1, 1, 1), (5, 1, 1, 1)")
        try db.execute(sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = 5 WHERE Z_NAME = 'Bed'")
      }
      let report = try migrate(store, model, options("V2", restore: kept))
      #expect(report.restored?.changed ?? 0 > 0)
      let found = try #require(try store.objects(model.last).first { $0.id.entityName == "Hut" })
      #expect(found.toMany["beds"]?.map(\.primaryKey) == [3, 2, 4, 5])
      #expect(found.toMany["tags"]?.map(\.primaryKey) == [2, 1, 3])
      #expect(
        try store.read {
          try Int.fetchOne($0, sql: "SELECT COUNT(DISTINCT Z_FOK_HUT) FROM ZBED") == 4
        })
    }
  }

  @Test func `a file of another store, or one that exists, is refused and nothing is written`() throws {
    let model = try writtenModel(Self.old, Self.new)
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[1], objects: Self.objects)
      let other = try TestStore("other.sqlite", in: folder, of: model.versions[1], objects: Self.objects)
      let canary = try Data(contentsOf: other.url)
      #expect(throws: (any Error).self) { try migrate(store, model, options("V1", keep: other.url)) }
      #expect(try Data(contentsOf: other.url) == canary)
      let kept = folder.appending(path: "kept.sqlite")
      _ = try migrate(store, model, options("V1", keep: kept))
      let back = try Data(contentsOf: store.url)
      let error = #expect(throws: DiagnosticsError.self) {
        try migrate(store, model, options("V2", restore: other.url))
      }
      #expect(error?.diagnostics.map(\.code.description) == ["MC6510"])
      let none = folder.appending(path: "none.sqlite")
      let missing = #expect(throws: MigrationRefusedError.self) {
        try migrate(store, model, options("V2", restore: none))
      }
      #expect(missing?.plan.diagnostics.contains { $0.message.hasSuffix("there is no such file") } == true)
      #expect(try Data(contentsOf: store.url) == back)
    }
  }

  @Test func `a downgrade that fails takes back what it kept, and not the folder of another store`() throws {
    let model = try writtenModel(Self.old, Self.new)
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[1], objects: Self.objects)
      // As a store 'kept.sqlite' has it: the extension does not tell two stores apart.
      let file = folder.appending(path: ".kept_SUPPORT/_EXTERNAL_DATA/value")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data([1]).write(to: file)
      let kept = folder.appending(path: "kept.backup")
      let box = Locked<MigrationMonitor?>(nil)
      let monitor = MigrationMonitor { if $0.phase == .clone { box.withLock { $0 }?.cancel() } }
      box.withLock { $0 = monitor }
      let error = #expect(throws: DiagnosticsError.self) {
        try migrateStore(
          at: store.url.path, models: [model], options: options("V1", keep: kept), monitor: monitor)
      }
      #expect(error?.diagnostics.map(\.code) == [.cancelled])
      #expect(!FileManager.default.fileExists(atPath: kept.path))
      #expect(try Data(contentsOf: file) == Data([1]))
    }
  }

  @Test func `a downgrade that fails removes the large values that it kept`() throws {
    let old = "entities: {Hut: {attributes: {name: string?}}}"
    let model = try writtenModel(
      old, old.replacing("string?", with: "string?, photo: {type: binary?, externalStorage: true}"))
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[1], objects: [ManagedObject("Hut", 1)])
      let values = ExternalFolder.support.path(ofStoreAt: store.url.path) + "/_EXTERNAL_DATA"
      let file = UUID().uuidString
      try FileManager.default.createDirectory(atPath: values, withIntermediateDirectories: true)
      try Data(repeating: 1, count: 300_000).write(to: URL(filePath: values).appending(path: file))
      let cell = Data([2]) + Data(file.utf8) + Data([0])
      try store.write { try $0.execute(sql: "UPDATE ZHUT SET ZPHOTO = ?", arguments: [cell]) }
      let kept = folder.appending(path: "kept.backup")
      let keptValues = ExternalFolder.support.path(ofStoreAt: kept.path)
      let (box, wasThere) = (Locked<MigrationMonitor?>(nil), Locked(false))
      let monitor = MigrationMonitor {
        if $0.phase != .clone { return }
        let isThere = FileManager.default.fileExists(atPath: keptValues)
        wasThere.withLock { $0 = isThere }
        box.withLock { $0 }?.cancel()
      }
      box.withLock { $0 = monitor }
      var settings = self.options("V1", keep: kept)
      settings.route = .clone
      let error = #expect(throws: DiagnosticsError.self) {
        try migrateStore(at: store.url.path, models: [model], options: settings, monitor: monitor)
      }
      #expect(error?.diagnostics.map(\.code) == [.cancelled])
      #expect(wasThere.withLock { $0 })
      #expect(!FileManager.default.fileExists(atPath: keptValues))
    }
  }

  @Test func `a mapping file says the way back under reverse`() throws {
    let model = try writtenModel(
      "entities: {Hut: {attributes: {name: string?}}}",
      "entities: {Hut: {attributes: {first: string?, last: string?}}}")
    let text = """
      from: V1
      to: V2
      drops: [Hut.name]
      entityMappings:
        HutToHut:
          source: Hut
          destination: Hut
          attributes: {first: $source.name, last: '"x"'}
      reverse:
        drops: [Hut.last]
        entityMappings:
          HutToHut:
            source: Hut
            destination: Hut
            attributes: {name: $source.first}
      """
    let reading = readMappingFile(yaml: Data(text.utf8), file: "V1-V2.yaml")
    #expect(reading.diagnostics == [])
    #expect(
      readMappingFile(yaml: Data(writeMappingFile(reading.mappingModels).utf8), file: "").mappingModels
        == reading.mappingModels)
    let custom = CustomMigrations(mappingModels: [
      "Sample": [], model.name: reading.mappingModels.flatMap(\.bothDirections),
    ])
    try withTemporaryFolder { folder in
      let store = try TestStore(
        in: folder, of: model.versions[0],
        objects: [ManagedObject("Hut", 1, values: ["name": .string("a b")])])
      for target in ["V2", "V1"] {
        _ = try migrateStore(
          at: store.url.path, models: [model], options: options(target), custom: custom)
      }
      #expect(try store.objects(model.first).map(\.values) == [["name": .string("a b")]])
    }
    let back = downgrade(from: model.versions[1], to: model.versions[0], of: model, custom: custom)
    #expect(back?.isMapped == true)
    #expect(back?.diagnostics == [])
    let there = CustomMigrations(mappingModels: [model.name: reading.mappingModels])
    let inferred = downgrade(from: model.versions[1], to: model.versions[0], of: model, custom: there)
    #expect(inferred?.diagnostics.map(\.code) == [.downgradeInferred])
    #expect(inferred?.dropped == ["Hut.first", "Hut.last"])
  }

  @Test func `what cannot be inferred back has a downgrade if it is defined`() throws {
    let model = try writtenModel(
      "entities: {Hut: {attributes: {opened: string?}}}", "entities: {Hut: {attributes: {opened: date?}}}")
    let text = """
      from: V1
      to: V2
      entityMappings:
        HutToHut:
          source: Hut
          destination: Hut
          attributes: {opened: 'parseDate($source.opened, "yyyy")'}
      reverse:
        entityMappings:
          HutToHut:
            source: Hut
            destination: Hut
            attributes: {opened: 'formatDate($source.opened, "yyyy")'}
      """
    let reading = readMappingFile(yaml: Data(text.utf8), file: "V1-V2.yaml")
    let both = CustomMigrations(mappingModels: [
      model.name: reading.mappingModels.flatMap(\.bothDirections)
    ])
    for (custom, codes) in [(both, []), (CustomMigrations(), ["MC3103"])] {
      let back = downgrade(from: model.versions[1], to: model.versions[0], of: model, custom: custom)
      #expect(back?.diagnostics.map(\.code.description) == codes)
    }
  }

  /// Xcode keeps no order, so any version may follow any other; what computes the old values is on the way between. The
  /// earlier version is asked for, or the current one again.
  @Test(arguments: [true, false])
  func `a downgrade in a package goes through the versions between`(isAsked: Bool) throws {
    var model = try writtenModel(
      "entities: {Hut: {attributes: {height: double?}}}",
      "entities: {Hut: {attributes: {height: double?, x: string?}}}",
      "entities: {Hut: {attributes: {height: double?, x: string?, y: string?}}}")
    for index in model.versions.indices {
      model.versions[index].origin = .xcode
      model.versions[index].predecessorNames = []
    }
    model.isOrderGuessed = isAsked
    func scaling(_ from: String, _ to: String, _ expression: String) -> CustomMappingModel {
      CustomMappingModel(
        sourceVersionName: from, destinationVersionName: to,
        entityMappings: [
          CustomEntityMapping(
            name: "HutToHut", sourceEntityName: "Hut", destinationEntityName: "Hut",
            attributeMappings: [CustomPropertyMapping(name: "height", expression: expression)])
        ])
    }
    let custom = CustomMigrations(mappingModels: [
      model.name: [
        scaling("V1", "V2", "$source.height / 100.0"), scaling("V2", "V1", "$source.height * 100.0"),
      ]
    ])
    try withTemporaryFolder { folder in
      let store = try TestStore(
        in: folder, of: model.versions[0],
        objects: [ManagedObject("Hut", 1, values: ["height": .double(250)])])
      _ = try migrateStore(at: store.url.path, models: [model], options: options("V3"), custom: custom)
      let there = try store.objects(model.versions[2].model).map { $0.values["height"] }
      #expect(there == [.double(2.5)])
      if !isAsked { model.currentVersionName = "V1" }
      _ = try migrateStore(
        at: store.url.path, models: [model],
        options: options(isAsked ? "V1" : nil, allowing: [.droppedData]), custom: custom)
      #expect(try store.objects(model.first).map(\.values) == [["height": .double(250)]])
    }
  }

  @Test(arguments: [2, 3])
  func `a mapping model that passes versions is not undone either`(start: Int) throws {
    let model = try writtenModel(
      "entities: {Hut: {attributes: {name: string?}}}",
      "entities: {Hut: {attributes: {name: string?, x: string?}}}",
      "entities: {Hut: {attributes: {name: string?, x: string?, y: string?}}}",
      "entities: {Hut: {attributes: {name: string?, x: string?, y: string?, z: string?}}}")
    let there = CustomMappingModel(sourceVersionName: "V1", destinationVersionName: "V3")
    let custom = CustomMigrations(mappingModels: [model.name: [there]])
    let back = downgrade(from: model.versions[start], to: model.versions[0], of: model, custom: custom)
    #expect(back?.diagnostics.map(\.code) == [.downgradeInferred])
    #expect(back?.diagnostics.first?.message.hasPrefix("the downgrade from 'V3' to 'V1'") == true)
  }
}
