import GRDB
import ManagedModel
import PersistentStore
import TestSupport
import Testing

@Suite(.needsFixtures) struct `Binding genuine stores` {
  @Test(arguments: GenuineStore.withModelCache)
  func `Every column and table has its meaning`(store: GenuineStore) throws {
    try store.open { db throws in
      let (schema, diagnostics) = try db.readPhysicalSchema().bound(to: try storedModel(in: db))
      #expect(diagnostics == [])
      #expect(schema.tables.flatMap(\.columns).filter { $0.role == .unknown } == [])
      // Real statements come back from the bound layout.
      let real = try db.readPhysicalSchema()
      for table in schema.tables { #expect(table.createStatement == real.table(named: table.name)?.sql) }
      for table in schema.joinTables { #expect(table.createStatement == real.table(named: table.name)?.sql) }
    }
  }

  @Test func `A renamed entity is found by the name that Z_PRIMARYKEY still has`() throws {
    let store = GenuineStore(
      path: "alemar11+CoreDataPlus/Tests/Resources/SampleModel/Fixtures/SampleModel_V2.sqlite")
    try store.open { db throws in
      let (schema, _) = try db.readPhysicalSchema().bound(to: try storedModel(in: db))
      #expect(schema.entity(named: "LuxuryCar")?.number == 3)
      #expect(schema.entity(named: "LuxuryCar")?.recordedName == "ExpensiveSportCar")
    }
  }

  @Test func `A store of another app holds no property of the model, and all of that is reported`() throws {
    let other = try GenuineStore.bookmarks[0].model()
    try GenuineStore.moody[0].open { db throws in
      let (schema, diagnostics) = try db.readPhysicalSchema().bound(to: other)
      #expect(schema.tables.flatMap(\.columns).allSatisfy { $0.role.property == nil })
      #expect(
        Set(diagnostics.map(\.code)) == [.schemaDiffers, .entityNumbersInconsistent, .unknownSchemaObjects])
    }
  }
}

@Suite struct `Binding altered stores` {
  private let model = SampleModels.hiking

  /// Binds the sample's schema after the statements have changed it.
  private func bind(
    after statements: String...
  ) throws -> (schema: StoreSchema, diagnostics: [Diagnostic]) {
    try withNewStore(of: model) { db, _, _ throws in
      for statement in statements { try db.execute(sql: statement) }
      return try db.readPhysicalSchema().bound(to: model)
    }
  }

  @Test func `An unaltered new store binds to the layout it was made from`() throws {
    let (schema, diagnostics) = try bind()
    #expect(diagnostics == [])
    let layout = layOutStore(for: model, frameworkVersion: 1344)
    #expect(schema.entities == layout.entities)
    #expect(schema.tables.map(\.columns) == layout.tables.map(\.columns))
    #expect(schema.joinTables == layout.joinTables)
    #expect(Set(schema.triggers) == Set(layout.triggers))
  }

  @Test func `Columns bind wherever they stand`() throws {
    let (schema, diagnostics) = try bind(
      after: "ALTER TABLE ZVISIT DROP COLUMN ZDATE", "ALTER TABLE ZVISIT ADD COLUMN ZDATE TIMESTAMP")
    #expect(diagnostics == [])
    #expect(
      schema.table(ofEntity: "Visit")?.columns.last?.role
        == .attribute(PropertyReference(entity: "Visit", property: "date")))
  }

  @Test func `A column that the model does not know is kept as unknown and reported`() throws {
    let (schema, diagnostics) = try bind(after: "ALTER TABLE ZVISIT ADD COLUMN ZMOOD VARCHAR")
    let column = schema.table(ofEntity: "Visit")?.columns.last
    #expect([column?.name, column?.declaredType] == ["ZMOOD", "VARCHAR"])
    #expect(column?.role == .unknown)
    #expect(diagnostics.map(\.code) == [.unknownSchemaObjects])
    #expect(
      diagnostics.map(\.message) == ["table 'ZVISIT' has a column that the model does not know: 'ZMOOD'"])
    #expect(diagnostics.first?.notes.last?.message.hasSuffix("duplicate column name") == true)
  }

  @Test func `A missing column is an error that names the property`() throws {
    let (schema, diagnostics) = try bind(after: "ALTER TABLE ZVISIT DROP COLUMN ZDATE")
    #expect(schema.table(ofEntity: "Visit")?.columns.contains { $0.name == "ZDATE" } == false)
    #expect(diagnostics.map(\.message) == ["table 'ZVISIT' has no column 'ZDATE' for 'Visit.date'"])
    #expect(diagnostics.map(\.subject) == [ModelSubject(entity: "Visit", property: "date")])
    #expect(diagnostics.hasErrors)
  }

  @Test func `Stale numbers in discriminators, join tables and ordering columns bind`() throws {
    let (schema, diagnostics) = try bind(
      after: "ALTER TABLE ZTRAIL RENAME COLUMN Z3_HIGHEST TO Z9_HIGHEST",
      "ALTER TABLE ZMARK RENAME COLUMN Z7MARKS TO Z12MARKS",
      "ALTER TABLE ZMARK RENAME COLUMN Z_FOK_7MARKS TO Z_FOK_12MARKS",
      "ALTER TABLE Z_4TRAILS RENAME TO Z_3TRAILS", "ALTER TABLE Z_3TRAILS RENAME COLUMN Z_4HUTS TO Z_3HUTS1")
    #expect(diagnostics == [])
    let trail = try #require(schema.table(ofEntity: "Trail"))
    #expect(
      trail.column(for: .discriminator(PropertyReference(entity: "Trail", property: "highest")))?.name
        == "Z9_HIGHEST")
    let marks = PropertyReference(entity: "Trail", property: "marks")
    #expect(schema.table(ofEntity: "Mark")?.column(for: .ownerOrder(marks))?.name == "Z_FOK_12MARKS")
    let join = try #require(schema.joinTable(of: PropertyReference(entity: "Hut", property: "trails")))
    #expect(join.columnNames == ["Z_3HUTS1", "Z_7TRAILS", "Z_FOK_4HUTS"])
  }

  @Test func `A join table within one entity binds under either relationship's name`() throws {
    let (schema, diagnostics) = try bind(after: "ALTER TABLE Z_7LEADSTO RENAME TO Z_7COMESFROM")
    #expect(diagnostics == [])
    let join = try #require(schema.joinTable(of: PropertyReference(entity: "Trail", property: "leadsTo")))
    #expect(join.name == "Z_7COMESFROM")
    #expect(join.source.property == "comesFrom")
    #expect(join.near.column == "Z_7LEADSTO")
    #expect(join.near.order == "Z_FOK_7LEADSTO")
  }

  @Test func `Collision suffixes that another framework chose bind all the same`() throws {
    let (schema, diagnostics) = try bind(after: "ALTER TABLE ZPLACE RENAME COLUMN ZNOTE1 TO ZNOTE2")
    #expect(diagnostics == [])
    let note = PropertyReference(entity: "Summit", property: "note")
    #expect(schema.table(ofEntity: "Summit")?.column(for: .attribute(note))?.name == "ZNOTE2")
  }

  @Test func `Names that only look alike stay apart`() throws {
    func address(_ attribute: String) -> ManagedObjectModel {
      ManagedObjectModel(entities: [
        EntityDescription(name: "Address", attributes: [AttributeDescription(name: attribute, type: .string)])
      ])
    }
    let (schema, diagnostics) = try withNewStore(of: address("line1")) { db, _, _ throws in
      try db.readPhysicalSchema().bound(to: address("line2"))
    }
    #expect(schema.tables[0].columns.last?.role == .unknown)
    #expect(diagnostics.map(\.code) == [.schemaDiffers, .unknownSchemaObjects])
  }

  @Test func `Wrong parents and missing rows in Z_PRIMARYKEY are errors`() throws {
    let parents = try bind(after: "UPDATE Z_PRIMARYKEY SET Z_SUPER = 0 WHERE Z_NAME = 'Hut'")
    #expect(
      parents.diagnostics.map(\.message) == [
        "Z_PRIMARYKEY gives entity 'Hut' the parent number 0, the model 3"
      ])
    let rows = try bind(after: "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Mark'")
    #expect(rows.diagnostics.map(\.message) == ["Z_PRIMARYKEY has no row for entity 'Mark'"])
    let types = try bind(after: "UPDATE Z_PRIMARYKEY SET Z_NAME = NULL, Z_SUPER = 'x' WHERE Z_NAME = 'Mark'")
    #expect(types.diagnostics.map(\.code) == [.entityNumbersInconsistent])
  }

  @Test func `Foreign tables, triggers and views are reported, history and CloudKit tables are not`() throws {
    let (_, diagnostics) = try bind(
      after: "CREATE TABLE notes (x)", "CREATE VIRTUAL TABLE words USING fts5(t)",
      "CREATE VIEW peek AS SELECT 1", "CREATE TABLE ACHANGE (Z_PK INTEGER)",
      "CREATE TABLE ANSCKEVENT (Z_PK INTEGER)",
      "CREATE TRIGGER evil AFTER INSERT ON ZMARK BEGIN DELETE FROM ZHUT; END")
    #expect(
      diagnostics.map(\.message) == [
        "the store has tables of unknown origin: 'notes', 'words'",
        "the store has a trigger of unknown origin: 'evil'",
        "the store has a view of unknown origin: 'peek'",
      ])
  }
}
