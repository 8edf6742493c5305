import Foundation
import GRDB
import ManagedModel
import PersistentStore
import TestSupport
import Testing

@Suite("Indexes that compute something") struct ComputedIndexTests {
  private static func model(_ indexes: FetchIndexDescription...) -> ManagedObjectModel {
    ManagedObjectModel(entities: [
      EntityDescription(
        name: "Hut",
        attributes: [
          AttributeDescription(name: "name", type: .string, isOptional: true),
          AttributeDescription(name: "order", type: .integer16, isOptional: true),
          AttributeDescription(name: "beds", type: .integer16, isOptional: true),
          AttributeDescription(name: "isOpen", type: .boolean, isOptional: true),
          AttributeDescription(name: "opened", type: .date, isOptional: true),
          AttributeDescription(name: "latitude", type: .double, isOptional: true),
        ],
        relationships: [
          RelationshipDescription(name: "region", destinationEntityName: "Region", inverseName: "huts")
        ], fetchIndexes: indexes),
      EntityDescription(
        name: "Region", attributes: [AttributeDescription(name: "name", type: .string, isOptional: true)],
        relationships: [SampleModels.toMany("huts", "Hut", "region")]),
    ])
  }

  private static func index(
    _ name: String, _ properties: [String], where condition: String? = nil, expression: Bool = false,
    _ collation: FetchIndexCollation = .binary
  ) -> FetchIndexDescription {
    FetchIndexDescription(
      name: name,
      elements: properties.map {
        FetchIndexElement(property: $0, isExpression: expression, collation: collation)
      }, partialIndexPredicate: condition)
  }

  private func table(_ indexes: FetchIndexDescription...) throws -> TableLayout {
    var model = Self.model()
    model.entities[0].fetchIndexes = indexes
    return try #require(layOutStore(for: model, frameworkVersion: 1344).table(ofEntity: "Hut"))
  }

  @Test(arguments: [
    ("isOpen == YES", "ZISOPEN = 1"), ("order != nil AND beds > 4", #"(ZORDER IS NOT NULL) AND (ZBEDS > 4)"#),
    ("region == nil", "ZREGION IS NULL"), ("name BEGINSWITH 'Al'", "(ZNAME >= 'Al' AND ZNAME < 'Am')"),
    ("name IN {'a', 'b'}", "ZNAME IN ('a', 'b')"),
    ("NOT (beds BETWEEN {1, 3})", "NOT (ZBEDS BETWEEN 1 AND 3)"),
  ])
  func `a predicate becomes a condition over bare columns`(_ predicate: String, _ condition: String) throws {
    let table = try table(Self.index("some", ["beds", "name"], where: predicate))
    #expect(table.unmadeIndexes == [])
    #expect(
      table.indexes.filter(\.isComputed).map(\.sql) == [
        "CREATE INDEX Z_Hut_some ON ZHUT (ZBEDS COLLATE BINARY ASC, ZNAME COLLATE BINARY ASC) WHERE \(condition)"
      ])
  }

  @Test func `an expression becomes one, and a column of a keyword's name stays bare`() throws {
    let table = try table(Self.index("sum", ["beds + order"], expression: true))
    #expect(
      table.indexes.filter(\.isComputed).map(\.sql) == [
        "CREATE INDEX Z_Hut_sum ON ZHUT ((ZBEDS + ZORDER) COLLATE BINARY ASC)"
      ])
  }

  @Test(arguments: [
    ("name ==[c] 'a'", "modelc_fold"), ("name LIKE 'a*'", "glob"), ("name CONTAINS 'a'", "instr"),
    ("region.name == 'a'", "more than the row"), ("name == $what", "more than the row"),
  ])
  func `what not every program can carry out is left to Core Data`(_ predicate: String, _ reason: String)
    throws
  {
    let table = try table(Self.index("some", ["beds"], where: predicate))
    #expect(table.indexes.filter(\.isComputed) == [])
    #expect(table.unmadeIndexes.map(\.name) == ["Z_Hut_some"])
    #expect(table.unmadeIndexes[0].reason.contains(reason), "\(table.unmadeIndexes)")
  }

  @Test func `an R-tree is no plain index, and nothing is made of it`() throws {
    let table = try table(Self.index("byPlace", ["latitude"], .rtree))
    #expect(!table.indexes.contains { $0.sql.contains("ZLATITUDE") })
    #expect(table.unmadeIndexes.map(\.isRTree) == [true])
  }

  @Test func `a store with them is sound, is written to without our functions, and SQLite takes them`() throws
  {
    let model = Self.model(
      Self.index("open", ["beds"], where: "isOpen == YES"),
      Self.index("sum", ["beds + order"], expression: true),
      Self.index("byPlace", ["latitude"], .rtree), Self.index("folded", ["beds"], where: "name ==[c] 'a'"))
    try withNewStore(of: model, objects: [ManagedObject("Hut", 1, values: ["beds": .integer(3)])]) {
      db, _, file in
      try db.execute(sql: "INSERT INTO ZHUT (Z_PK, Z_ENT, ZBEDS, ZISOPEN) VALUES (2, 1, 5, 1)")
      let plan = try Row.fetchAll(
        db, sql: "EXPLAIN QUERY PLAN SELECT * FROM ZHUT t0 WHERE t0.ZISOPEN = 1 AND t0.ZBEDS > 4")
      #expect("\(plan)".contains("Z_Hut_open"), "\(plan)")
      #expect(try findings(db, model, file.path) == ["MC5105 warning", "MC5105 warning"])
      try db.execute(sql: "DROP INDEX Z_Hut_open; DROP INDEX Z_Hut_sum")
      #expect(try findings(db, model, file.path).count == 4)
      // What the model explains is not unknown, whatever its text.
      try db.execute(
        sql: """
          CREATE INDEX Z_Hut_open ON ZHUT (ZBEDS) WHERE ZISOPEN;
          CREATE INDEX Z_Hut_folded ON ZHUT (ZBEDS) WHERE ZNAME = 'a' COLLATE NOCASE;
          CREATE VIRTUAL TABLE Z_Hut_byPlace USING rtree (Z_PK, low, high);
          CREATE TRIGGER Z_RT_Hut AFTER DELETE ON ZHUT BEGIN DELETE FROM Z_Hut_byPlace WHERE Z_PK = OLD.Z_PK; END
          """)
      #expect(try findings(db, model, file.path) == ["MC5105 warning"])
    }
  }

  private func findings(_ db: Database, _ model: ManagedObjectModel, _ path: String) throws -> [String] {
    db.clearSchemaCache()
    let version = VersionedModel(
      name: "Model", versions: [ModelVersion(name: "V1", model: model)], currentVersionName: "V1")
    return try verifyStore(db, name: "New.sqlite", path: path, among: [version]).findings.map {
      "\($0.diagnostic.code) \($0.diagnostic.severity)"
    }.filter { !$0.hasPrefix("MC5106") }
  }
}
