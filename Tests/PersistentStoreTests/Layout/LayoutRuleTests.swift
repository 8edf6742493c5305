import ManagedModel
import PersistentStore
import Testing

@Suite struct `Layout rules` {
  private let hiking = layOutStore(for: SampleModels.hiking, frameworkVersion: 1344)

  @Test func `Entities are numbered by name without regard to case, children after their parent`() {
    #expect(
      hiking.entities.map { "\($0.number) \($0.name)" } == [
        "1 Mark", "2 Photo", "3 Place", "4 Hut", "5 Summit", "6 Region", "7 Trail", "8 Visit",
      ])
    let model = ManagedObjectModel(
      entities: ["NWFlow", "NetworkAttachment", "a"].map { EntityDescription(name: $0) })
    #expect(
      layOutStore(for: model, frameworkVersion: 1344).entities.map(\.name) == [
        "a", "NetworkAttachment", "NWFlow",
      ])
  }

  @Test func `An index over the entity has its number, and of one name the first counts`() {
    var entity = EntityDescription(
      name: "A", attributes: [AttributeDescription(name: "n", type: .string)],
      fetchIndexes: [
        FetchIndexDescription(
          name: "i", elements: [FetchIndexElement(property: "entity"), FetchIndexElement(property: "n")]),
        FetchIndexDescription(name: "i", elements: [FetchIndexElement(property: "n", isAscending: false)]),
      ], compoundIndexes: [["n", "entity"]])
    func indexes(_ framework: Int) -> [String] {
      layOutStore(for: ManagedObjectModel(entities: [entity]), frameworkVersion: framework).tables[0].indexes
        .map { "\($0.name) \($0.columnNames.joined(separator: ","))" }
    }
    #expect(indexes(1344) == ["Z_A_i Z_ENT,ZN", "Z_A_compoundIndex ZN,Z_ENT"])
    #expect(indexes(700).contains("ZA_ZN_Z_ENT ZN,Z_ENT"))
    // A property of the name is what the index means.
    entity.attributes.append(AttributeDescription(name: "entity", type: .string))
    #expect(indexes(1344).first == "Z_A_i ZENTITY,ZN")
  }

  @Test func `A hierarchy shares a table, and the second property of a name gets a suffix`() {
    #expect(
      hiking.table(ofEntity: "Summit")?.createStatement
        == "CREATE TABLE ZPLACE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZREGION INTEGER,"
        + " ZBEDS INTEGER, ZVISITCOUNT INTEGER, ZHEIGHT FLOAT, ZNAME VARCHAR, ZNOTE VARCHAR, ZNOTE1 BLOB )")
  }

  @Test func `Discriminators follow references to entities with sub-entities, ordering keys stand last`() {
    #expect(
      hiking.table(ofEntity: "Trail")?.columns.map(\.name) == [
        "Z_PK", "Z_ENT", "Z_OPT", "ZORDER", "ZHIGHEST", "Z3_HIGHEST", "ZTITLE",
      ])
    #expect(
      hiking.table(ofEntity: "Visit")?.columns.map(\.name) == [
        "Z_PK", "Z_ENT", "Z_OPT", "ZCOMPANION", "ZHUT", "ZPHOTO", "Z_FOK_HUT", "ZDATE",
      ])
  }

  @Test func `A to-many without inverse has its column in the destination's table`() {
    let table = hiking.table(ofEntity: "Mark")
    #expect(
      table?.columns.map(\.name) == ["Z_PK", "Z_ENT", "Z_OPT", "Z7MARKS", "Z_FOK_7MARKS", "ZCOLOUR"])
    #expect(
      table?.column(for: .owner(PropertyReference(entity: "Trail", property: "marks")))?.name == "Z7MARKS")
  }

  @Test func `Join tables are named by the smaller entity number`() {
    #expect(
      hiking.joinTables.map(\.createStatement) == [
        "CREATE TABLE Z_4TRAILS ( Z_4HUTS INTEGER, Z_7TRAILS INTEGER, Z_FOK_4HUTS INTEGER,"
          + " PRIMARY KEY (Z_4HUTS, Z_7TRAILS) )",
        "CREATE TABLE Z_5NEIGHBOURS ( Z_5NEIGHBOURS INTEGER, REFLEXIVE INTEGER,"
          + " PRIMARY KEY (Z_5NEIGHBOURS, REFLEXIVE) )",
        "CREATE TABLE Z_7LEADSTO ( Z_7COMESFROM INTEGER, Z_7LEADSTO INTEGER, Z_FOK_7LEADSTO INTEGER,"
          + " PRIMARY KEY (Z_7COMESFROM, Z_7LEADSTO) )",
      ])
    #expect(
      hiking.joinTables[0].indexes.map(\.sql) == [
        "CREATE INDEX Z_4TRAILS_Z_7TRAILS_INDEX ON Z_4TRAILS (Z_7TRAILS, Z_4HUTS)"
      ])
    #expect(layOutStore(for: SampleModels.hiking, frameworkVersion: 519).joinTables[0].indexes == [])
  }

  @Test func `Two join tables that would share a column name of one entity differ by a suffix`() {
    let model = ManagedObjectModel(entities: [
      EntityDescription(name: "Album", relationships: [SampleModels.toMany("artists", "Artist", "albums")]),
      EntityDescription(
        name: "Artist",
        relationships: [
          SampleModels.toMany("albums", "Album", "artists"), SampleModels.toMany("shows", "Show", "artists"),
        ]),
      EntityDescription(name: "Show", relationships: [SampleModels.toMany("artists", "Artist", "shows")]),
    ])
    let schema = layOutStore(for: model, frameworkVersion: 1344)
    #expect(schema.joinTables.map(\.name) == ["Z_1ARTISTS", "Z_2SHOWS"])
    #expect(
      schema.joinTables.map(\.columnNames) == [["Z_1ALBUMS", "Z_2ARTISTS"], ["Z_2ARTISTS1", "Z_3SHOWS"]])
  }

  @Test func `An attribute whose column is Core Data's own gets a suffix`() {
    let model = ManagedObjectModel(entities: [
      EntityDescription(name: "Odd", attributes: [AttributeDescription(name: "_pk", type: .string)])
    ])
    #expect(layOutStore(for: model, frameworkVersion: 1344).tables[0].columns.last?.name == "Z_PK1")
  }

  @Test func `Composites are flattened to their elements, and one that contains itself ends`() {
    let position = CompositeDescription(
      name: "Position",
      elements: [
        AttributeDescription(name: "longitude", type: .double),
        AttributeDescription(name: "label", type: .string),
        AttributeDescription(name: "self", type: .composite, compositeName: "Position"),
      ])
    let model = ManagedObjectModel(
      entities: [
        EntityDescription(
          name: "Stop",
          attributes: [AttributeDescription(name: "position", type: .composite, compositeName: "Position")])
      ], composites: [position])
    let table = layOutStore(for: model, frameworkVersion: 1344).tables[0]
    #expect(table.columns.dropFirst(3).map(\.name) == ["ZLONGITUDE", "ZLABEL"])
    let reference = PropertyReference(entity: "Stop", property: "position.label")
    #expect(table.column(for: .attribute(reference))?.declaredType == "VARCHAR")
  }

  @Test(arguments: [(754, 0, 1), (847, 1, 0)])
  func `Uniqueness is a clause in old stores, an index in new ones`(
    framework: Int, indexes: Int, clauses: Int
  ) throws {
    let table = try #require(
      layOutStore(for: SampleModels.hiking, frameworkVersion: framework).table(ofEntity: "Place"))
    #expect(table.indexes.filter { $0.sql.hasPrefix("CREATE UNIQUE") }.count == indexes)
    #expect(table.inlineConstraints.count == clauses)
    #expect(table.createStatement.hasSuffix("CONSTRAINT ZNAME UNIQUE (ZNAME))") == (clauses == 1))
  }

  @Test func `Fetch indexes are named after entity and index, in both directions`() throws {
    let indexes = try #require(hiking.table(ofEntity: "Hut")).indexes
    #expect(
      indexes.map(\.sql) == [
        "CREATE INDEX ZPLACE_ZREGION_INDEX ON ZPLACE (ZREGION)",
        "CREATE INDEX ZPLACE_Z_ENT_INDEX ON ZPLACE (Z_ENT)",
        "CREATE UNIQUE INDEX Z_Place_UNIQUE_name ON ZPLACE (ZNAME COLLATE BINARY ASC)",
        "CREATE INDEX Z_Hut_byBeds ON ZPLACE (ZBEDS COLLATE BINARY DESC, ZNAME COLLATE BINARY ASC)",
      ])
  }

  @Test func `Invalid models are laid out too`() {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "A", superentityName: "A",
        relationships: [
          RelationshipDescription(name: "b", destinationEntityName: "Nowhere", inverseName: "x")
        ]),
      EntityDescription(name: "a", attributes: [AttributeDescription(name: "x", type: .string)]),
    ])
    let schema = layOutStore(for: model, frameworkVersion: 1344)
    #expect(schema.tables.map(\.name) == ["ZA", "ZA1"])
    #expect(layOutStore(for: ManagedObjectModel(), frameworkVersion: 1344).tables == [])
  }
}
