import Foundation
import GRDB
import ManagedModel
import PersistentStore
import TestSupport
import Testing

@Suite struct `Objects written and read` {
  @Test func `Every type of value comes back`() throws {
    try withNewStore(of: SampleModels.everyType, objects: [Everything.object]) { db, schema, _ throws in
      let read = try readObjects(
        ofEntity: "Everything", in: db, schema: schema, model: SampleModels.everyType)
      #expect(read == [Everything.object])
      let row = try #require(try Row.fetchOne(db, sql: "SELECT * FROM ZEVERYTHING"))
      #expect(row["ZNEXTERNAL"] == Data([1, 7]))
      #expect((row["ZKUUID"] as Data?)?.count == 16)
      #expect(row["ZDBOOLEAN"] == 1)
      #expect(row["Z_OPT"] == 1)
    }
  }

  @Test func `Relationships stated from one side are there from both, in order`() throws {
    try withNewStore(of: SampleModels.hiking, objects: Hike.objects) { db, schema, _ throws in
      func read(_ entity: String) throws -> [Int64: ManagedObject] {
        let objects = try readObjects(ofEntity: entity, in: db, schema: schema, model: SampleModels.hiking)
        return Dictionary(objects.map { ($0.id.primaryKey, $0) }, uniquingKeysWith: { first, _ in first })
      }
      let (places, trails, visits) = try (read("Place"), read("Trail"), read("Visit"))
      #expect(places.values.map(\.id.entityName).sorted() == ["Hut", "Hut", "Summit", "Summit"])
      #expect(places[1]?.toMany["visits"] == [Hike.visit(2), Hike.visit(1)])
      #expect(visits[2]?.toOne["hut"] == Hike.hut(1))
      #expect(places[4]?.toMany["visits"] == [Hike.visit(3)])
      #expect(places[2]?.toMany["neighbours"] == [Hike.summit(3)])
      #expect(places[3]?.toMany["neighbours"] == [Hike.summit(2)])
      #expect(trails[1]?.toMany["huts"] == [Hike.hut(4), Hike.hut(1)])
      #expect(places[1]?.toMany["trails"] == [Hike.trail(1)])
      #expect(trails[1]?.toMany["marks"] == [Hike.mark(2), Hike.mark(1)])
      #expect(trails[1]?.toMany["leadsTo"] == [Hike.trail(2)])
      #expect(trails[2]?.toMany["comesFrom"] == [Hike.trail(1)])
      #expect(trails[1]?.toOne["highest"] == Hike.summit(2))
      #expect(trails[3]?.toOne["highest"] == Hike.hut(1))
      #expect(visits[1]?.toOne["companion"] == Hike.visit(2))
      #expect(visits[2]?.toOne["companion"] == Hike.visit(1))
      #expect(visits[3]?.toOne["photo"]?.primaryKey == 7)
      #expect(try read("Region")[1]?.toMany["places"] == [Hike.hut(1), Hike.summit(2)])
    }
  }

  @Test func `Keys, numbers and maxima stand as Core Data would have them`() throws {
    try withNewStore(of: SampleModels.hiking, objects: Hike.objects) { db, _, _ throws in
      #expect(
        try Int.fetchAll(db, sql: "SELECT Z_FOK_HUT FROM ZVISIT WHERE ZHUT = 1 ORDER BY Z_PK") == [
          3072, 2048,
        ])
      #expect(
        try Row.fetchAll(db, sql: "SELECT Z_4HUTS, Z_FOK_4HUTS FROM Z_4TRAILS ORDER BY 2") == [
          ["Z_4HUTS": 4, "Z_FOK_4HUTS": 2048], ["Z_4HUTS": 1, "Z_FOK_4HUTS": 3072],
        ])
      #expect(
        try Int.fetchAll(db, sql: "SELECT Z3_HIGHEST FROM ZTRAIL WHERE ZHIGHEST NOTNULL ORDER BY Z_PK") == [
          5, 4,
        ])
      let maxima = try Row.fetchAll(
        db, sql: "SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_MAX > 0 ORDER BY 1"
      )
      .map { "\($0[0] as String) \($0[1] as Int)" }
      #expect(maxima == ["Mark 2", "Photo 7", "Place 4", "Region 1", "Trail 3", "Visit 3"])
      #expect(try Int?.fetchAll(db, sql: "SELECT ZVISITCOUNT FROM ZPLACE ORDER BY Z_PK") == [2, nil, nil, 1])
    }
  }

  @Test func `Members of several entities that name their owner have a place each`() throws {
    let model = modelOf(
      "List\n  songs => Song.list, ordered\nSong\n  list -> List.songs\nLive < Song")
    let list = ManagedObject("List", 1)
    let songs = [
      ManagedObject("Song", 1, toOne: ["list": list.id]), ManagedObject("Live", 2, toOne: ["list": list.id]),
    ]
    try withNewStore(of: model, objects: [list] + songs) { db, _, _ throws in
      #expect(try Int.fetchOne(db, sql: "SELECT COUNT(DISTINCT Z_FOK_LIST) FROM ZSONG") == 2)
    }
  }

  @Test func `Objects inserted later raise the maximum, and derived attributes follow`() throws {
    try withNewStore(of: SampleModels.hiking, objects: Hike.objects) { db, schema, _ throws in
      let late = ManagedObject("Visit", 9, values: ["date": .date(5)], toOne: ["hut": Hike.hut(1)])
      try insert([late], into: db, schema: schema, model: SampleModels.hiking)
      #expect(try Int.fetchOne(db, sql: "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Visit'") == 9)
      #expect(try Int.fetchOne(db, sql: "SELECT ZVISITCOUNT FROM ZPLACE WHERE Z_PK = 1") == 3)
    }
  }

  @Test func `Triggers of derived attributes do in a store what the writer does at once`() throws {
    try withNewStore(of: SampleModels.hiking, objects: Hike.objects) { db, _, _ throws in
      for name in ["Updated", "InsertUpdated"] {
        db.add(
          function: DatabaseFunction("NSCoreDataDATrigger\(name)AffectedObjectValue", argumentCount: 5) { _ in
            nil
          })
      }
      func counts() throws -> [Int?] {
        try Int?.fetchAll(db, sql: "SELECT ZVISITCOUNT FROM ZPLACE ORDER BY Z_PK")
      }
      try db.execute(sql: "INSERT INTO ZVISIT (Z_PK, Z_ENT, Z_OPT, ZHUT) VALUES (20, 8, 1, 4)")
      #expect(try counts() == [2, nil, nil, 2])
      try db.execute(sql: "UPDATE ZVISIT SET ZHUT = 1 WHERE Z_PK = 20")
      #expect(try counts() == [3, nil, nil, 1])
      try db.execute(sql: "DELETE FROM ZVISIT WHERE Z_PK = 20")
      #expect(try counts() == [2, nil, nil, 1])
      try db.execute(
        sql: "INSERT INTO ZPLACE (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (8, 4, 1, 'h'), (9, 5, 1, 's')")
      #expect(try counts() == [2, nil, nil, 1, 0, nil])
    }
  }

  @Test(arguments: [
    (
      ManagedObject("Place", 1),
      "object 1 of 'Place' cannot be written: the model has no concrete entity of that name"
    ),
    (
      ManagedObject("Nothing", 1),
      "object 1 of 'Nothing' cannot be written: the model has no concrete entity of that name"
    ),
    (ManagedObject("Mark", 0), "object 0 of 'Mark' cannot be written: primary keys begin at 1"),
    (ManagedObject("Mark", 1), "object 1 of 'Mark' cannot be written: UNIQUE constraint failed: ZMARK.Z_PK"),
    (
      ManagedObject("Mark", 5, values: ["size": .integer(1)]),
      "object 5 of 'Mark' cannot be written: its entity has no stored property 'size'"
    ),
    (
      ManagedObject("Mark", 5, values: ["colour": .integer(1)]),
      "object 5 of 'Mark' cannot be written: the value of 'colour' is not a valid string"
    ),
    (
      ManagedObject("Trail", 5, toMany: ["marks": [Hike.hut(1)]]),
      "object 5 of 'Trail' cannot be written: 'marks' cannot lead to an object of 'Hut'"
    ),
    (
      ManagedObject("Trail", 5, toMany: ["marks": [Hike.mark(77)]]),
      "object 5 of 'Trail' cannot be written: it refers to object 77 of 'Mark', which does not exist"
    ),
    (
      ManagedObject("Trail", 5, toMany: ["highest": [Hike.hut(1)]]),
      "object 5 of 'Trail' cannot be written: its entity has no stored property 'highest'"
    ),
    (
      ManagedObject("Trail", 5, toOne: ["huts": Hike.hut(1)]),
      "object 5 of 'Trail' cannot be written: its entity has no stored property 'huts'"
    ),
  ])
  func `An object that does not fit the model is refused`(object: ManagedObject, message: String) throws {
    try withNewStore(of: SampleModels.hiking, objects: Hike.objects) { db, schema, _ throws in
      let error = #expect(throws: DiagnosticsError.self) {
        try insert([object], into: db, schema: schema, model: SampleModels.hiking)
      }
      #expect(error?.diagnostics.map(\.message) == [message])
    }
  }

  @Test func `A value in a file of its own is fetched or refused, and no name leads elsewhere`() throws {
    try withNewStore(of: SampleModels.everyType, objects: [Everything.object]) { db, schema, _ throws in
      let name = UUID().uuidString
      func read(_ stored: Data) throws -> AttributeValue? {
        try db.execute(sql: "UPDATE ZEVERYTHING SET ZNEXTERNAL = ?", arguments: [stored])
        return try readObjects(ofEntity: "Everything", in: db, schema: schema, model: SampleModels.everyType)
        {
          $0 == name ? Data([5]) : nil
        }.first?.values["nExternal"]
      }
      #expect(try read(Data([2]) + Data(name.utf8) + Data([0])) == .binary(Data([5])))
      let missing = #expect(throws: DiagnosticsError.self) {
        try read(Data([2]) + Data(UUID().uuidString.utf8) + Data([0]))
      }
      #expect(missing?.diagnostics.map(\.code) == [.externalDataMissing])
      let hostile = #expect(throws: DiagnosticsError.self) {
        try read(Data([2]) + Data("../../../../../../../../../etc/passwd".utf8.prefix(36)) + Data([0]))
      }
      #expect(hostile?.diagnostics.map(\.code) == [.cellOfWrongType])
    }
  }
}

@Suite(.needsFixtures) struct `Objects of genuine stores` {
  @Test(arguments: GenuineStore.withModelCache)
  func `All are read, and written to a new store they read the same`(store: GenuineStore) throws {
    let (model, objects) = try store.open { db throws in
      let model = try storedModel(in: db)
      let (schema, _) = try db.readPhysicalSchema().bound(to: model)
      let rows = try schema.tables.map { try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM \($0.name)") ?? 0 }
      let objects = try all(in: db, schema, model)
      #expect(objects.count == rows.reduce(0, +))
      return (model, objects)
    }
    try withNewStore(of: model, objects: objects) { db, schema, _ throws in
      let copied = try all(in: db, schema, model)
      #expect(copied == objects)
    }
  }

  private func all(in db: Database, _ schema: StoreSchema, _ model: ManagedObjectModel) throws
    -> [ManagedObject]
  {
    try schema.tables.flatMap { table in
      try readObjects(ofEntity: table.rootEntityName, in: db, schema: schema, model: model)
    }
  }
}
