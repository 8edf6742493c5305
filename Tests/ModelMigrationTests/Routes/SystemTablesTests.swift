import Foundation
import GRDB
import ManagedModel
import ModelArchives
import ModelMigration
import PersistentStore
import StoreRepair
import TestSupport
import Testing

@Suite("What Core Data keeps beside a model's tables")
struct SystemTablesTests {
  private static let note = """
    entities:
      Link:
        attributes: {target: uri?, comment: string?}
      Note:
        attributes: {title: string?}
    """

  private func withStore(
    _ model: VersionedModel, _ route: RouteRequest, _ body: (TestStore) throws -> Void
  ) throws {
    try withTemporaryFolder { folder in
      let notes = [ManagedObject("Note", 1, values: ["title": .string("one")])]
      let store = try TestStore("\(route.rawValue).sqlite", in: folder, of: model.versions[0], objects: notes)
      try body(store)
    }
  }

  private func addHistory(_ store: TestStore, _ model: VersionedModel) throws {
    try store.write { db in
      for sql in FrameworkFeatures(version: 1344).historyStatements(model: model.first) {
        try db.execute(sql: sql)
      }
      try db.execute(
        sql: """
          INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 1), (16002, 'TRANSACTION', 0, 1),
            (16003, 'TRANSACTIONSTRING', 0, 0);
          INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) VALUES (1, 16002, 1.5);
          INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
            VALUES (1, 16001, 0, 2, 1, 1)
          """)
    }
  }

  private func tables(_ store: TestStore, _ pattern: String) throws -> Int? {
    try store.read { db in
      try Int.fetchOne(
        db, sql: "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name LIKE ?",
        arguments: [pattern])
    }
  }

  @Test(arguments: AcceptanceTests.routes)
  func `history stays where numbers and properties stay`(_ route: RouteRequest) throws {
    let model = try writtenModel(Self.note, Self.note + "\n  Zebra:\n    attributes: {name: string?}\n")
    try withStore(model, route) { store in
      try addHistory(store, model)
      let before = try store.read { try StoreCells(of: $0) }
      let report = try store.migrate(model, route: route)
      #expect(report.plan.diagnostics.filter { $0.code == .coreDataSystemTables }.isEmpty)
      let after = try store.read { try StoreCells(of: $0) }
      for name in ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"] {
        #expect(after.rows[name] == before.rows[name])
        #expect(after.schema[name] == before.schema[name])
      }
      let rows = try store.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM Z_PRIMARYKEY") }
      #expect(rows == 6)
    }
  }

  private func addCloudKit(_ store: TestStore) throws {
    try store.write { db in
      try db.execute(
        sql: """
          CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY, Z_ENT, ZENTITYID, ZENTITYPK);
          INSERT INTO ANSCKRECORDMETADATA VALUES (1, 16008, 2, 1);
          INSERT INTO Z_PRIMARYKEY VALUES (16008, 'NSCKRecordMetadata', 0, 1)
          """)
    }
  }

  @Test(arguments: ["UPDATE ZNOTE SET ZTITLE = x'6162'", "UPDATE Z_PRIMARYKEY SET Z_MAX = 0"])
  func `a repair of objects says that CloudKit does not export it`(_ damage: String) throws {
    let model = try writtenModel(Self.note)
    try withStore(model, .clone) { store in
      try store.write { try $0.execute(sql: "CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY); \(damage)") }
      let unmirrored = try repairStore(at: store.url.path, models: [model])
      #expect(!unmirrored.repairs.isEmpty && unmirrored.warnings == [])
      try addCloudKit(store)
      let warnings = try repairStore(at: store.url.path, models: [model]).warnings
      #expect(warnings.map(\.code) == (damage.contains("TITLE") ? [.coreDataSystemTables] : []))
    }
  }

  @Test(arguments: AcceptanceTests.routes)
  func `tables of CloudKit stay where numbers stay`(_ route: RouteRequest) throws {
    let model = try writtenModel(
      Self.note, Self.note.replacing("title: string?", with: "title: string?, text: string?"))
    try withStore(model, route) { store in
      try addCloudKit(store)
      let before = try store.read { try StoreCells(of: $0) }
      try store.migrate(model, route: route)
      let after = try store.read { try StoreCells(of: $0) }
      #expect(after.rows["ANSCKRECORDMETADATA"] == before.rows["ANSCKRECORDMETADATA"])
      #expect(after.rows["Z_PRIMARYKEY"]?.contains { $0.contains("NSCKRecordMetadata") } == true)
      printCase(
        24, "a store that mirrors to CloudKit", "migrate, route \(route)",
        "its tables stay where numbers stay")
    }
  }

  @Test(arguments: AcceptanceTests.routes)
  func `tables of CloudKit go only when that is asked for`(_ route: RouteRequest) throws {
    let model = try writtenModel(Self.note, Self.note + "\n  Aardvark:\n    attributes: {name: string?}\n")
    try withStore(model, route) { store in
      try addCloudKit(store)
      let before = try Data(contentsOf: store.url)
      let error = #expect(throws: MigrationRefusedError.self) { try store.migrate(model, route: route) }
      let errors = error?.plan.diagnostics.filter { $0.severity == .error } ?? []
      #expect(errors.map(\.code) == [.coreDataSystemTables])
      #expect(try Data(contentsOf: store.url) == before)
      var options = MigrationOptions(keepsBackup: false)
      options.route = route
      options.dropsCloudKit = true
      _ = try migrateStore(at: store.url.path, models: [model], options: options)
      #expect(try tables(store, "ANSCK%") == 0)
      let rows = try store.read { try Int.fetchAll($0, sql: "SELECT Z_ENT FROM Z_PRIMARYKEY ORDER BY 1") }
      #expect(rows == [1, 2, 3])
    }
  }

  @Test(arguments: [PropertyListValue.boolean(true), .integer(1)])
  func `work that Core Data has put off is finished first`(_ value: PropertyListValue) throws {
    let model = try writtenModel(
      Self.note, Self.note.replacing("title: string?", with: "title: string?, b: string?"))
    try withStore(model, .auto) { store in
      try setMetadata(store, value, "NSPersistentStoreDeferredLightweightMigrationOptionKey")
      let before = try Data(contentsOf: store.url)
      let error = #expect(throws: MigrationRefusedError.self) { try store.migrate(model) }
      #expect(error?.plan.diagnostics.map(\.code) == [.deferredMigrationPending])
      #expect(try Data(contentsOf: store.url) == before)
      try setMetadata(store, .boolean(false), "NSPersistentStoreDeferredLightweightMigrationOptionKey")
      try store.migrate(model)
    }
  }

  private func setMetadata(_ store: TestStore, _ value: PropertyListValue, _ key: String) throws {
    try store.write { db in
      var metadata = try db.readStoreMetadata()
      metadata.setApplicationValue(value, forKey: key)
      try metadata.write(to: db)
    }
  }

  // MARK: object URIs

  /// Link and Note change names with one another, the hardest case.
  private func swapped() throws -> VersionedModel {
    try writtenModel(
      Self.note,
      """
      entities:
        Link:
          renamingIdentifier: Note
          attributes: {title: string?}
        Note:
          renamingIdentifier: Link
          attributes: {target: uri?, comment: string?}
      """)
  }

  @Test(arguments: AcceptanceTests.routes)
  func `URIs of objects are counted, and rewritten on demand`(_ route: RouteRequest) throws {
    let model = try swapped()
    try withStore(model, route) { store in
      let uuid = try store.read { try $0.readStoreMetadata().uuid }
      func uri(_ entity: String, _ key: Int) -> String { "x-coredata://\(uuid)/\(entity)/p\(key)" }
      try store.write { db in
        try db.execute(
          sql:
            "INSERT INTO ZLINK (Z_PK, Z_ENT, Z_OPT, ZTARGET, ZCOMMENT) VALUES (1, 1, 1, ?, ?), (2, 1, 1, ?, NULL)",
          arguments: [uri("Note", 1), "see \(uri("Link", 2)) and \(uri("Note", 1))", "https://example.org"])
      }
      try setMetadata(store, .array([.string(uri("Note", 1))]), "com.example.last")
      let plan = try store.plan(model)
      let findings = plan.diagnostics.filter { $0.code == .objectURIsChange }
      #expect(findings.map(\.severity) == [.warning, .warning, .warning])
      #expect(findings.allSatisfy { $0.message.hasPrefix("1 value of") })

      var options = MigrationOptions(keepsBackup: false)
      options.route = route
      options.rewritesURIs = true
      _ = try migrateStore(at: store.url.path, models: [model], options: options)
      let found = try store.objects(model.last).filter { $0.id.entityName == "Note" }
      #expect(found[0].values["target"] == .uri(uri("Link", 1)))
      #expect(found[0].values["comment"] == .string("see \(uri("Note", 2)) and \(uri("Link", 1))"))
      #expect(found[1].values["target"] == .uri("https://example.org"))
      let metadata = try store.read { try $0.readStoreMetadata() }
      #expect(metadata["com.example.last"] == .array([.string(uri("Link", 1))]))
    }
  }

  @Test func `a rename in place does not read rows to count URIs`() throws {
    let model = try writtenModel(
      Self.note, Self.note.replacing("  Note:\n", with: "  Notf:\n    renamingIdentifier: Note\n"))
    try withStore(model, .auto) { store in
      let report = try store.migrate(model)
      #expect(report.plan.route == .inPlace)
      let findings = report.plan.diagnostics.filter { $0.code == .objectURIsChange }
      #expect(findings.map(\.severity) == [.information])
    }
  }
}
