import Foundation
import GRDB
import ManagedModel
import ModelMigration
import PersistentStore
import TestSupport
import Testing

@Suite("Persistent history goes along") struct HistoryTests {
  private static let model = """
    entities:
      Link:
        attributes: {target: uri?, title: {type: string?, preserveAfterDeletion: true}}
      Note:
        attributes: {title: string?}
    """

  /// A thousand transactions with a change each, of links (number 1) and notes (number 2) in turn: an insert, two updates, a delete.
  private func withHistory(
    _ model: VersionedModel, _ route: RouteRequest, _ body: (TestStore) throws -> Void
  ) throws {
    try withTemporaryFolder { folder in
      let notes = (1...3).map { ManagedObject("Note", Int64($0), values: ["title": .string("n")]) }
      let store = try TestStore("\(route.rawValue).sqlite", in: folder, of: model.versions[0], objects: notes)
      try store.write { db in
        for sql in FrameworkFeatures(version: 1344).historyStatements(model: model.first) {
          try db.execute(sql: sql)
        }
        try db.execute(
          sql: """
            INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 2000), (16002, 'TRANSACTION', 0, 1500),
              (16003, 'TRANSACTIONSTRING', 0, 1);
            INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (1, 16003, 'app');
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000)
              INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZAUTHORTS, ZTIMESTAMP) SELECT i, 16002, 1, i / 2.0 FROM n;
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000)
              INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS, ZTOMBSTONE0)
              SELECT i, 16001, (i / 2) % 3, 1 + i % 2, i, i, iif((i / 2) % 3 = 1, x'0002', NULL), iif((i / 2) % 3 = 2 AND i % 2 = 0, x'ff', NULL) FROM n
            """)
      }
      try body(store)
    }
  }

  private struct History: Equatable {
    var transactions: [String]
    /// Primary key, type, object and transaction of every change, by the entity's name.
    var changes: [String: [String]]
    var columns: Int
    var tombstones: Int
    var maxima: [String: Int]

    init(_ db: Database) throws {
      transactions = try String.fetchAll(
        db, sql: "SELECT Z_PK || ' ' || ZAUTHORTS || ' ' || ZTIMESTAMP FROM ATRANSACTION ORDER BY Z_PK")
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT Z_NAME, c.Z_PK || ' ' || ZCHANGETYPE || ' ' || ZENTITYPK || ' ' || ZTRANSACTIONID
          FROM ACHANGE c LEFT JOIN Z_PRIMARYKEY p ON p.Z_ENT = ZENTITY ORDER BY c.Z_PK
          """)
      changes = Dictionary(grouping: rows, by: { $0[0] ?? "nobody" }).mapValues { $0.map { $0[1] } }
      columns = try Int.fetchOne(db, sql: "SELECT count(ZCOLUMNS) FROM ACHANGE") ?? 0
      tombstones = try Int.fetchOne(db, sql: "SELECT count(ZTOMBSTONE0) FROM ACHANGE") ?? 0
      let found = try Row.fetchAll(db, sql: "SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000")
      maxima = Dictionary(uniqueKeysWithValues: found.map { ($0[0], $0[1]) })
    }
  }

  private func migrated(
    _ second: String, _ route: RouteRequest, renaming names: [String: String] = [:],
    allow: [Diagnostic.Code] = []
  ) throws -> (before: History, after: History, warnings: [String]) {
    let model = try writtenModel(Self.model, second)
    var result: (History, History, [String])?
    try withHistory(model, route) { store in
      let before = try store.read { try History($0) }
      let plan = try store.plan(model)
      try store.migrate(model, route: route)
      var after = try store.read { try History($0) }
      for (old, new) in names { after.changes[old] = after.changes.removeValue(forKey: new) }
      result = (
        before, after,
        plan.diagnostics.filter { $0.code == .coreDataSystemTables && $0.severity == .warning }.map(\.message)
      )
    }
    return try #require(result)
  }

  @Test(arguments: AcceptanceTests.routes) func `through an added attribute`(_ route: RouteRequest) throws {
    let (before, after, warnings) = try migrated(
      Self.model.replacing(
        "attributes: {title: string?}", with: "attributes: {title: string?, text: string?}"), route)
    #expect(after.changes == before.changes && after.transactions == before.transactions)
    #expect(after.maxima == before.maxima && after.maxima["TRANSACTION"] == 1500)
    #expect(after.tombstones == before.tombstones)
    // Those of notes say no more what changed, those of links do.
    #expect(before.columns == 334 && after.columns == 167)
    #expect(warnings.count == 1 && warnings[0].hasPrefix("167 changes"), "\(warnings)")
    printCase(
      23, "persistent history, an attribute is added", "migrate, route \(route)", "all transactions stay")
  }

  @Test(arguments: AcceptanceTests.routes) func `through a renamed entity`(_ route: RouteRequest) throws {
    let (before, after, warnings) = try migrated(
      Self.model.replacing("  Note:\n", with: "  Apple:\n    renamingIdentifier: Note\n"), route,
      renaming: ["Note": "Apple"])
    #expect(after == before)
    #expect(warnings == [])
  }

  @Test(arguments: AcceptanceTests.routes) func `through entities before others in the alphabet`(
    _ route: RouteRequest
  ) throws {
    let (before, after, warnings) = try migrated(
      Self.model + "\n  Aardvark: {attributes: {name: string?}}\n  Middle: {attributes: {name: string?}}\n",
      route)
    #expect(after == before)
    #expect(warnings == [])
  }

  @Test(arguments: AcceptanceTests.routes) func `but for an entity that is gone`(_ route: RouteRequest) throws
  {
    let note =
      "entities:\n  Aardvark: {attributes: {name: string?}}\n  Note:\n    attributes: {title: string?}\n"
    let (before, after, warnings) = try migrated(note, route)
    #expect(after.changes == before.changes.filter { $0.key == "Note" })
    #expect(after.transactions == before.transactions && after.maxima == before.maxima)
    #expect(
      warnings == ["the persistent history loses 500 changes of entities that the new version does not have"])
  }

  @Test(arguments: AcceptanceTests.routes)
  func `and without values of attributes that are preserved no longer`(_ route: RouteRequest) throws {
    let second = Self.model.replacing(
      "target: uri?", with: "target: {type: uri?, preserveAfterDeletion: true}")
    let (before, after, warnings) = try migrated(second, route)
    #expect(after.changes == before.changes && after.columns == before.columns)
    #expect(before.tombstones == 167 && after.tombstones == 0)
    #expect(warnings.count == 1 && warnings[0].hasPrefix("167 changes"), "\(warnings)")
  }

  @Test func `a custom step begins an empty history, whose numbers go on`() throws {
    let trial = try CustomTrial(
      [Self.model, Self.model.replacing("target: uri?", with: "target: uri?, length: integer16?")],
      mappings: [
        "entityMappings:\n  L: {source: Link, destination: Link, attributes: {length: $source.title.length}}\n"
      ])
    try withHistory(trial.model, .auto) { store in
      let before = try store.read { try History($0) }
      let plan = try trial.plan(store)
      #expect(
        plan.diagnostics.contains {
          $0.code == .coreDataSystemTables && $0.message.contains("1000 transactions")
        })
      try trial.migrate(store)
      let after = try store.read { try History($0) }
      #expect(after.changes == [:] && after.transactions == [])
      #expect(after.maxima == before.maxima && after.maxima["TRANSACTION"] == 1500)
    }
  }
}
