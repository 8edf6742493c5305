import Foundation
import GRDB
import ManagedModel
import ModelMigration
import PersistentStore
import TestSupport
import Testing

@Suite("What becomes of indexes") struct IndexTests {
  private static func hut(_ attributes: String, _ indexes: String) -> String {
    """
    entities:
      Hut:
        attributes: {name: string?, beds: integer16 = 0, isOpen: boolean = false, note: string?\(attributes)}
        fetchIndexes: {\(indexes)}
    """
  }

  private func withStore(
    _ old: String, _ new: String, _ body: (TestStore, VersionedModel) throws -> Void
  ) throws {
    try withTemporaryFolder { folder in
      let model = try writtenModel(old, new)
      let huts = (1...20).map {
        ManagedObject("Hut", $0, values: ["beds": .integer($0), "isOpen": .boolean($0 > 9)])
      }
      try body(try TestStore(in: folder, of: model.versions[0], objects: huts), model)
    }
  }

  private func indexes(_ store: TestStore) throws -> [String: String] {
    try store.read { db in
      let rows = try Row.fetchAll(
        db,
        sql:
          "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'ZHUT' AND sql IS NOT NULL"
      )
      return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
    }
  }

  private func verified(_ store: TestStore, _ model: VersionedModel) throws -> [String] {
    let connection = try StoreConnection(path: store.url.path)
    defer { try? connection.close() }
    return try connection.read { db in
      try verifyStore(
        db, name: "s", path: store.url.path, among: [model],
        options: VerificationOptions(integrityCheck: .full)
      ).findings.map(\.diagnostic.message)
    }
  }

  @Test func `a unique index over duplicates is refused by the plan`() throws {
    let model = try writtenModel(
      "entities:\n  Note:\n    attributes: {title: string?}\n    uniquenessConstraints: [[title]]\n")
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[0], objects: [])
      try store.write { db in
        try db.execute(
          sql: """
            DROP INDEX Z_Note_UNIQUE_title;
            INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'same'), (2, 1, 1, 'same')
            """)
      }
      var options = MigrationOptions()
      options.appliesIndexes = true
      let plan = try planMigration(ofStoreAt: store.url.path, models: [model], options: options)
      #expect(plan.diagnostics.filter { $0.severity == .error }.map(\.code) == [.constraintConflict])
      let error = #expect(throws: MigrationRefusedError.self) {
        try migrateStore(at: store.url.path, models: [model], options: options)
      }
      #expect(refusalCodes(error) == ["MC6201"])
    }
  }

  @Test(arguments: AcceptanceTests.routes)
  func `partial indexes and those over expressions follow the model`(_ route: RouteRequest) throws {
    let old = Self.hut(
      "", "stays: {elements: [beds], where: isOpen == YES}, changes: {elements: [name], where: beds > 4}")
    let new = Self.hut(
      ", town: string?",
      "stays: {elements: [beds], where: isOpen == YES}, changes: {elements: [name], where: beds > 5}, "
        + "sum: {elements: [{expression: beds * 2}]}")
    try withStore(old, new) { store, model in
      #expect(try indexes(store)["Z_Hut_changes"]?.hasSuffix("WHERE ZBEDS > 4") == true)
      let report = try store.migrate(model, route: route)
      let after = try indexes(store)
      #expect(after["Z_Hut_stays"]?.hasSuffix("WHERE ZISOPEN = 1") == true)
      #expect(after["Z_Hut_changes"]?.hasSuffix("WHERE ZBEDS > 5") == true)
      #expect(after["Z_Hut_sum"]?.contains("((ZBEDS * 2) COLLATE BINARY ASC)") == true, "\(after)")
      #expect(try verified(store, model) == [])
      #expect(!report.plan.diagnostics.contains { $0.code.description.hasPrefix("MC330") })
    }
  }

  @Test func `--apply-indexes brings them to a store that is of the version`() throws {
    let model = Self.hut("", "open: {elements: [beds], where: isOpen == YES}")
    try withStore(model, model) { store, versions in
      try store.write { try $0.execute(sql: "DROP INDEX Z_Hut_open") }
      let current = VersionedModel(name: "M", versions: [versions.versions[0]], currentVersionName: "V1")
      #expect(try verified(store, current) == ["table 'ZHUT' has no index 'Z_Hut_open'"])
      #expect(try store.plan(current).diagnostics.map(\.code.description) == ["MC3301"])
      var options = MigrationOptions(keepsBackup: false)
      options.appliesIndexes = true
      _ = try migrateStore(at: store.url.path, models: [current], options: options)
      #expect(try verified(store, current) == [])
    }
  }

  @Test(arguments: AcceptanceTests.routes)
  func `indexes of unknown origin stay over what stays, and are said where they go`(_ route: RouteRequest)
    throws
  {
    let new = Self.hut(", town: string?", "").replacing(", note: string?", with: "")
    try withStore(Self.hut("", ""), new) { store, model in
      try store.write { db in
        try db.execute(
          sql: """
            CREATE INDEX by_name ON ZHUT (ZNAME);
            CREATE INDEX by_open ON ZHUT (ZBEDS) WHERE ZISOPEN = 1;
            CREATE INDEX by_sum ON ZHUT (ZBEDS + ZISOPEN);
            CREATE INDEX by_note ON ZHUT (ZNOTE);
            CREATE UNIQUE INDEX by_noted ON ZHUT (ZNAME) WHERE ZNOTE IS NOT NULL
            """)
      }
      let plan = try store.plan(model, allowing: [.droppedData])
      let gone = plan.diagnostics.filter { $0.code == .indexDropped }
      #expect(gone.map { String($0.message.split(separator: "'")[1]) }.sorted() == ["by_note", "by_noted"])
      #expect(gone.allSatisfy { $0.severity == .warning })
      #expect(gone.contains { $0.notes.contains { $0.message.contains("unique") } })
      try store.migrate(model, route: route)
      #expect(try indexes(store).keys.sorted() == ["by_name", "by_open", "by_sum"])
      #expect(try store.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") } == ["ok"])
    }
  }

  @Test func `an index that Core Data made and the model explains stays, whatever its text`() throws {
    let indexes = "folded: {elements: [beds], where: \"name ==[c] 'a'\"}"
    try withStore(Self.hut("", indexes), Self.hut(", town: string?", indexes)) { store, model in
      try store.write { db in
        try db.execute(sql: "CREATE INDEX Z_Hut_folded ON ZHUT (ZBEDS) WHERE ZNAME = 'a' COLLATE NOCASE")
      }
      #expect(try !store.plan(model).diagnostics.contains { $0.code.description.hasPrefix("MC330") })
      try store.migrate(model, route: .clone)
      #expect(try self.indexes(store).keys.sorted() == ["Z_Hut_folded"])
    }
  }

  @Test func `what is not made is said: an R-tree, a condition that needs functions of ours`() throws {
    let indexes =
      "byBeds: {elements: [{property: beds, kind: rtree}]}, folded: {elements: [beds], where: \"name ==[c] 'a'\"}"
    try withStore(Self.hut("", ""), Self.hut(", town: string?", indexes)) { store, model in
      let said = try store.plan(model).diagnostics.filter { $0.code == .indexNotMade }
      #expect(said.map(\.severity) == [.warning, .warning])
      #expect(said.map(\.message).joined().contains("R-tree 'byBeds' of 'Hut'"))
      try store.migrate(model)
      #expect(try self.indexes(store).isEmpty)
      #expect(try verified(store, model).count == 2)
    }
  }
}
