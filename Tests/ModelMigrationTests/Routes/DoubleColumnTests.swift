import Foundation
import GRDB
import ManagedModel
import ModelMigration
import PersistentStore
import StoreRepair
import TestSupport
import Testing

@Suite("Two columns for one relationship") struct DoubleColumnTests {
  private static func model(_ more: String = "") -> String {
    """
    entities:
      Owner: {relationships: {huts: {toMany: Hut, inverse: owner}}}
      Hut: {attributes: {name: string?\(more)}, relationships: {owner: {to: Owner, inverse: huts}}}
    """
  }

  /// The second column holds the owners; the first one an old one, and nothing.
  private func withStore(
    isUsed: Bool = true, isIndexed: Bool = true, _ body: (TestStore, VersionedModel) throws -> Void
  ) throws {
    let objects =
      (1...3).map { ManagedObject("Owner", $0) }
      + (1...3).map { ManagedObject("Hut", $0, toOne: ["owner": objectID("Owner", $0)]) }
    try withTemporaryFolder { folder in
      let model = try writtenModel(Self.model(), Self.model(", beds: integer16 = 1"))
      let store = try TestStore(in: folder, of: model.versions[0], objects: objects)
      try store.write { db in
        try db.execute(sql: "ALTER TABLE ZHUT ADD COLUMN ZOWNER1 INTEGER")
        if isIndexed { try db.execute(sql: "CREATE INDEX ZHUT_ZOWNER1_INDEX ON ZHUT (ZOWNER1)") }
        if isUsed {
          try db.execute(
            sql: "UPDATE ZHUT SET ZOWNER1 = ZOWNER; UPDATE ZHUT SET ZOWNER = NULL WHERE Z_PK > 1")
          try db.execute(sql: "UPDATE ZHUT SET ZOWNER = 2 WHERE Z_PK = 1")
        }
      }
      try body(store, model)
    }
  }

  private func owners(_ store: TestStore, _ model: ManagedObjectModel) throws -> [Int64?] {
    try store.objects(model).filter { $0.id.entityName == "Hut" }.map { $0.toOne["owner"]?.primaryKey }
  }

  @Test(arguments: [true, false])
  func `the second is read; verify names the relationship, repair keeps that column`(_ isIndexed: Bool) throws
  {
    try withStore(isIndexed: isIndexed) { store, model in
      #expect(try owners(store, model.first) == [1, 2, 3])
      var old = model
      old.currentVersionName = "V1"
      let found = try store.read { db in
        try verifyStore(db, name: "s", path: store.url.path, among: [old]).findings
      }.filter { $0.diagnostic.code == .columnTwice }
      #expect(found.map(\.diagnostic.subject?.property) == ["owner"] && found[0].repairText != nil)
      let plan = try repairStore(at: store.url.path, models: [old])
      #expect(plan.lost == 1)
      #expect(throws: RepairRefusedError.self) {
        try repairStore(at: store.url.path, models: [old], options: StoreRepairOptions(isApplied: true))
      }
      _ = try repairStore(
        at: store.url.path, models: [old], options: StoreRepairOptions(isApplied: true, allowsLoss: true))
      #expect(try owners(store, model.first) == [1, 2, 3])
      let columns = try store.read { try $0.columns(in: "ZHUT").map(\.name) }
      #expect(columns.contains("ZOWNER1") && !columns.contains("ZOWNER"))
    }
  }

  @Test(arguments: AcceptanceTests.routes)
  func `a migration takes what the second holds`(_ route: RouteRequest) throws {
    try withStore { store, model in
      try store.migrate(model, route: route)
      #expect(try owners(store, model.last) == [1, 2, 3])
    }
  }

  @Test func `a column that holds nothing is not read`() throws {
    try withStore(isUsed: false) { store, model in
      #expect(try owners(store, model.first) == [1, 2, 3])
      let found = try store.read { db in
        try verifyStore(db, name: "s", path: store.url.path, among: [model]).findings
      }
      #expect(!found.contains { $0.diagnostic.code == .columnTwice })
    }
  }
}
