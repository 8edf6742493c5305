import GRDB
import ManagedModel
import PersistentStore
import TestSupport
import Testing

@Suite(.needsFixtures) struct `Layout of genuine stores` {
  @Test(arguments: GenuineStore.withModelCache)
  func `Tables predicted from the model are the real ones`(store: GenuineStore) throws {
    try store.open { db throws in
      let (physical, predicted) = try schemas(in: db)
      #expect(!predicted.tables.isEmpty)
      for table in predicted.tables {
        let real = try #require(physical.table(named: table.name), "no table \(table.name)")
        let realColumns = real.columns.map { "\($0.name) \($0.declaredType)" }
        let columns = table.columns.map { "\($0.name) \($0.declaredType)" }
        // Every one of these stores has its columns in the order of a new store.
        #expect(realColumns == columns)
      }
      let joins = physical.tables.filter { !$0.name.isSystemTable }.map(\.name)
      #expect(Set(joins) == Set(predicted.tables.map(\.name) + predicted.joinTables.map(\.name)))
    }
  }

  @Test(arguments: GenuineStore.withModelCache)
  func `Statements are Core Data's, byte for byte`(store: GenuineStore) throws {
    try store.open { db throws in
      let (physical, predicted) = try schemas(in: db)
      let real = Set(
        physical.tables.map(\.sql) + physical.indexes.map(\.sql) + physical.triggers.map(\.sql))
      let own = Set(predicted.tableStatements + predicted.indexes.map(\.sql) + predicted.triggers.map(\.sql))
      #expect(own.subtracting(real) == [])
      let system = physical.tables.filter { $0.name.isSystemTable }.map(\.name)
      let systemStatements = physical.tables.filter { system.contains($0.name) }.map(\.sql)
      let unexplained = real.subtracting(own).subtracting(systemStatements).filter { text in
        !text.contains(" ON ATRANSACTION") && !text.contains(" ON ACHANGE")
      }
      #expect(unexplained == [])
    }
  }

  @Test func `Tables and system tables stand in the order of a genuine new store`() throws {
    let store = GenuineStore.sampleModel2(2)
    let (order, model) = try store.open { db throws in
      try (db.readPhysicalSchema().tables.map(\.name).filter { !$0.isHistoryTable }, storedModel(in: db))
    }
    try withNewStore(of: model) { db, _, _ throws in
      #expect(try db.readPhysicalSchema().tables.map(\.name) == order)
    }
  }

  @Test func `The oldest stores, without a model cache, have the columns of their entities`() throws {
    // The model of Model1.sqlite, as its xcdatamodel has it.
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Book",
        attributes: [
          AttributeDescription(name: "authorName", type: .string),
          AttributeDescription(name: "title", type: .string),
          AttributeDescription(name: "fileURL", type: .transformable),
        ],
        relationships: [
          RelationshipDescription(name: "user", destinationEntityName: "User", inverseName: "books")
        ]),
      EntityDescription(
        name: "User", attributes: [AttributeDescription(name: "userID", type: .integer32)],
        relationships: [SampleModels.toMany("books", "Book", "user")]),
    ])
    try GenuineStore.withoutModelCache[0].open { db throws in
      let real = try db.readPhysicalSchema()
      let own = layOutStore(for: model, frameworkVersion: 419)
      #expect(own.tables.map(\.createStatement) == ["ZBOOK", "ZUSER"].map { real.table(named: $0)?.sql })
      #expect(own.indexes.map(\.sql) == real.indexes.map(\.sql))
    }
  }

  private func schemas(in db: Database) throws -> (PhysicalSchema, StoreSchema) {
    let framework = try #require(try db.readStoreMetadata().frameworkVersion)
    return (
      try db.readPhysicalSchema(), layOutStore(for: try storedModel(in: db), frameworkVersion: framework)
    )
  }
}
