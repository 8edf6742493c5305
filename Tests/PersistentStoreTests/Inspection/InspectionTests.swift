import Foundation
import GRDB
import ManagedModel
import PersistentStore
import TestSupport
import Testing

@Suite(.needsFixtures) struct `Inspecting a store` {
  @Test func `A genuine store tells its entities, rows and file`() throws {
    let inspection = try GenuineStore.sampleModel2(2).open { db throws in
      try inspectStore(db, among: [])
    }
    #expect(
      inspection.entities.map { "\($0.number) \($0.name) \($0.tableName ?? "-") \($0.rows ?? -1)" } == [
        "1 Book ZBOOK 2", "2 GraphicNovel ZBOOK 1", "3 Feedback ZFEEDBACK 3", "4 Page ZPAGE 119",
        "5 Writer ZWRITER 0", "6 Author ZWRITER 1",
      ])
    #expect(inspection.hasPersistentHistory)
    #expect(!inspection.hasCloudKitTables)
    #expect(inspection.journalMode == "wal")
    #expect(inspection.metadata.frameworkVersion == 1344)
    #expect(inspection.storeModel?.entities.count == 6)
    #expect(inspection.pageSize == 4096)
    #expect(inspection.byteCount > 4096)
    #expect(inspection.diagnostics == [])
  }

  @Test func `A renamed entity has its rows and its hash`() throws {
    let store = GenuineStore(
      path: "alemar11+CoreDataPlus/Tests/Resources/SampleModel/Fixtures/SampleModel_V2.sqlite")
    let inspection = try store.open { try inspectStore($0, among: []) }
    let entity = try #require(inspection.entities.first { $0.number == 3 })
    #expect(entity.name == "LuxuryCar")
    #expect(entity.hash != nil)
  }

  @Test(
    arguments: zip(
      GenuineStore.withoutModelCache,
      [
        ["Book 4", "User 3"], ["Image 7", "Ingredient 31", "Recipe 7", "RecipeType 5"],
        ["Tweet 20", "User 2"],
      ]))
  func `A store without a model is told from Z_PRIMARYKEY`(store: GenuineStore, rows: [String]) throws {
    let inspection = try store.open { try inspectStore($0, among: []) }
    #expect(inspection.entities.map { "\($0.name) \($0.rows ?? -1)" } == rows)
    #expect(inspection.storeModel == nil)
    #expect(inspection.recognition == Recognition(recognisedBy: .none, versions: [], nearest: []))
  }

  @Test func `Indexes, bytes and history are told, and a large store is bounded until it is to be counted`()
    throws
  {
    try GenuineStore.sampleModel2(2).open { db throws in
      let inspection = try inspectStore(db, among: [])
      #expect(inspection.isCounted)
      #expect(inspection.indexes.count == 6)
      #expect(
        inspection.indexes.contains { $0.tableName == "ZPAGE" && $0.columnNames == ["ZBOOK"] && !$0.isUnique }
      )
      #expect(inspection.tableByteCounts["ZPAGE"].map { $0 >= 4096 && $0 % 4096 == 0 } == true)
      #expect(inspection.history?.changes == .exact(126))
      #expect(inspection.cloudKitTableNames == [])
      // A table that makes the store large.
      try db.execute(sql: "CREATE TABLE BULK (x); INSERT INTO BULK VALUES (zeroblob(17000000))")
      let bounded = try inspectStore(db, among: [])
      #expect(!bounded.isCounted && bounded.tableByteCounts.isEmpty)
      #expect(bounded.entities.first { $0.name == "Page" }?.count == .atMost(119))
      #expect(bounded.history?.changes == .atMost(126))
      let counted = try inspectStore(db, among: [], counting: .exact)
      #expect(counted.entities == inspection.entities)
      #expect(counted.tableByteCounts["BULK"].map { $0 > 17_000_000 } == true)
    }
  }

  @Test func `A cycle of parents in Z_PRIMARYKEY ends`() throws {
    try GenuineStore.withoutModelCache[0].open { db throws in
      try db.execute(sql: "UPDATE Z_PRIMARYKEY SET Z_SUPER = 3 - Z_ENT")
      let inspection = try inspectStore(db, among: [])
      #expect(inspection.entities.map(\.rows) == [0, 0])
    }
  }

  @Test func `A store of one configuration has that configuration's tables and no more`() throws {
    var model = SampleModels.everyType
    model.entities.append(EntityDescription(name: "Elsewhere"))
    model.configurations = [ConfigurationDescription(name: "Local", entityNames: ["Everything"])]
    let version = ModelVersion(name: "V1", model: model)
    let inspection = try withNewStore(of: SampleModels.everyType) { db, _, _ throws in
      try StoreMetadata(newStoreOf: version, configuration: "Local").write(to: db)
      return try inspectStore(
        db, among: [VersionedModel(name: "Shop", versions: [version], currentVersionName: "V1")])
    }
    #expect(inspection.recognition.versions.map(\.configuration) == ["Local"])
    #expect(inspection.entities.map(\.name) == ["Everything"])
    #expect(inspection.diagnostics == [])
  }
}
