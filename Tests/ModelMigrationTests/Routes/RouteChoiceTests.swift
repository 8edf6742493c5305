import Foundation
import GRDB
import ManagedModel
import ModelArchives
import ModelMigration
import PersistentStore
import TestSupport
import Testing

@Suite("The route of a migration")
struct RouteChoiceTests {
  private static let note = """
    entities:
      Note:
        attributes: {title: string?, text: string?, a: string?, b: string?, c: string?, d: string?}
        fetchIndexes: {byTitle: [title]}
        relationships:
          next: {to: Note, inverse: former}
          former: {to: Note, inverse: next}
    """

  private func note(_ edit: (String) -> String) throws -> VersionedModel {
    try writtenModel(Self.note, edit(Self.note))
  }

  private func notes(_ count: Int64) -> [ManagedObject] {
    (0..<count).map { ManagedObject("Note", $0 + 1, values: ["title": .string("Note \($0)")]) }
  }

  @Test(arguments: [true, false])
  func `an added attribute is one transaction in place`(usesWAL: Bool) throws {
    let model = try note { $0.replacing("a: string?", with: "a: string?, e: string?") }
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[0], usesWAL: usesWAL, objects: notes(3))
      let objects = try store.objects(model.first)
      let before = try Data(contentsOf: store.url)
      let journal = try store.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") }
      let report = try migrateStore(at: store.url.path, models: [model])
      // The test's own reading before has left a `-shm`.
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(Set(names).subtracting(["Store.sqlite-shm"]) == ["Store.sqlite", "Store.sqlite.V1.backup"])
      #expect(report.plan.route == .inPlace)
      #expect(report.plan.routeReason == "only the schema changes, no row is touched")
      #expect(report.plan.statements == ["ALTER TABLE ZNOTE ADD COLUMN ZE VARCHAR"])
      #expect(report.plan.rowsAreBounds && report.objects == 3)
      let backup = try #require(report.backup)
      #expect(try Data(contentsOf: URL(filePath: backup)) == before)
      #expect(try store.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == journal)
      #expect(try store.objects(model.last) == objects)
    }
  }

  @Test func `a rename of an entity and an attribute builds no index`() throws {
    let model = try note {
      $0.replacing("  Note:\n", with: "  Notf:\n    renamingIdentifier: Note\n")
        .replacing("to: Note", with: "to: Notf").replacing("byTitle: [title]", with: "byTitle: [name]")
        .replacing("title: string?", with: "name: {type: string?, renamingIdentifier: title}")
    }
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[0], objects: notes(3))
      let plan = try store.plan(model)
      #expect(plan.route == .inPlace && plan.losses.isEmpty)
      #expect(plan.statements.filter { $0.contains("INDEX") && $0.hasPrefix("CREATE") } == [])
      try store.migrate(model)
      let indexes = try store.read { db in
        try String.fetchAll(db, sql: "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
      }
      let layout = layOutStore(for: model.last, frameworkVersion: 1344)
      #expect(Set(indexes) == Set(layout.indexes.map(\.sql)))
      #expect(
        try store.objects(model.last).map { $0.values["name"] } == (0..<3).map { .string("Note \($0)") })
      #expect(try store.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") } == ["ok"])
      #expect(
        try store.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM ZNOTF WHERE ZNAME = 'Note 1'") } == 1
      )
    }
  }

  @Test func `what changes rows is done on a clone, unless there are none`() throws {
    let model = try note { $0.replacing("title: string?", with: "title: string = \"none\"") }
    try withTemporaryFolder { folder in
      let full = try TestStore("full.sqlite", in: folder, of: model.versions[0], objects: notes(3))
      #expect(try full.plan(model).route == .clone)
      let empty = try TestStore("empty.sqlite", in: folder, of: model.versions[0], objects: [])
      #expect(try empty.plan(model).route == .inPlace)
    }
  }

  @Test(arguments: [true, false])
  func `values that change are one transaction in place where that is asked for`(usesWAL: Bool) throws {
    let model = try note { $0.replacing("a: string?", with: "a: string = \"none\", e: string?") }
    try withTemporaryFolder { folder in
      var objects = notes(4)
      objects[1].values["a"] = .string("kept")
      let store = try TestStore(in: folder, of: model.versions[0], usesWAL: usesWAL, objects: objects)
      let journal = try store.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") }
      #expect(try store.plan(model).route == .clone)
      var options = MigrationOptions(keepsBackup: false)
      options.route = .inPlace
      let report = try migrateStore(at: store.url.path, models: [model], options: options)
      #expect(report.plan.route == .inPlace && report.backup == nil && report.objects == 4)
      #expect(report.plan.statements.last == "UPDATE ZNOTE SET ZA = COALESCE(ZA, 'none') WHERE ZA IS NULL")
      let found = try store.objects(model.last)
      #expect(found.map { $0.values["a"] == .string("none") } == [true, false, true, true])
      #expect(try store.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == journal)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(names.allSatisfy { $0 == "Store.sqlite" || $0.hasPrefix("Store.sqlite-") })
    }
  }

  @Test func `a table that loses many columns is written anew, once, unless a view names it`() throws {
    let model = try note {
      $0.replacing(", a: string?, b: string?, c: string?, d: string?", with: "")
        + "\nretired: [Note.a, Note.b, Note.c, Note.d]\n"
    }
    for hasView in [false, true] {
      try withTemporaryFolder { folder in
        let store = try TestStore(in: folder, of: model.versions[0], objects: notes(3))
        if hasView {
          try store.write { try $0.execute(sql: "CREATE VIEW APPVIEW AS SELECT Z_PK FROM ZNOTE") }
        }
        let expected = try store.objects(model.versions[0].model).map { $0.values["title"] }
        let report = try migrateStore(at: store.url.path, models: [model])
        #expect(report.plan.statements.contains { $0.contains("DROP COLUMN") } == hasView)
        #expect(try store.objects(model.last).map { $0.values["title"] } == expected)
        if hasView {
          #expect(try store.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM APPVIEW") } == 3)
        }
      }
    }
  }

  @Test func `a compacted store has no free pages, and the same rows`() throws {
    let model = try note {
      $0.replacing(", a: string?, b: string?, c: string?, d: string?", with: "")
        + "\nretired: [Note.a, Note.b, Note.c, Note.d]\n"
    }
    try withTemporaryFolder { folder in
      let notes = (1...400).map { key in
        ManagedObject("Note", key, values: ["a": .string(String(repeating: "a", count: 300))])
      }
      let store = try TestStore(in: folder, of: model.versions[0], objects: notes)
      let plain = try store.copy(named: "Plain.sqlite")
      var options = MigrationOptions(keepsBackup: false)
      options.compacts = true
      let report = try migrateStore(at: store.url.path, models: [model], options: options)
      #expect(report.plan.route == .clone && report.objects == 400)
      try plain.migrate(model, route: .clone)
      func pages(_ store: TestStore) throws -> Int {
        try store.read { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
      }
      #expect(try pages(store) * 2 < pages(plain))
      #expect(try store.objects(model.last) == plain.objects(model.last))
      (options.route, options.targetVersion, options.allowsDowngrade) = (
        .inPlace, model.versions[0].name, true
      )
      #expect { try migrateStore(at: store.url.path, models: [model], options: options) } throws: {
        ($0 as? DiagnosticsError)?.diagnostics.map(\.code) == [.routeCannotServe]
      }
    }
  }

  @Test func `a store's own form and what is not the model's go along on every route`() throws {
    let model = try note { $0.replacing("title: string?", with: "title: string = \"none\"") }
    try withTemporaryFolder { folder in
      let store = try TestStore(
        "first.sqlite", in: folder, of: model.versions[0], usesWAL: false, objects: notes(3))
      try store.write { db in
        try db.execute(
          sql: """
            CREATE TABLE APPSETTINGS (k TEXT PRIMARY KEY, v) WITHOUT ROWID;
            CREATE TABLE APPLOG (t, ZTITLE); CREATE INDEX APPLOG_T ON APPLOG (t);
            CREATE INDEX APP_BY_TEXT ON ZNOTE (ZTEXT);
            CREATE TRIGGER APPLOGGING AFTER INSERT ON APPLOG BEGIN DELETE FROM APPLOG WHERE t < 0; END;
            INSERT INTO APPSETTINGS VALUES ('a', 1), ('b', x'00ff');
            INSERT INTO APPLOG VALUES (1, NULL), (2, 'two');
            PRAGMA user_version = 7
            """)
        var metadata = try db.readStoreMetadata()
        metadata.setApplicationValue(.string("kept"), forKey: "com.example.key")
        try metadata.write(to: db)
      }
      let queue = try DatabaseQueue(path: store.url.path)
      try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA page_size = 8192; VACUUM; ANALYZE") }
      try queue.close()
      let copies = try AcceptanceTests.routes.map { ($0, try store.copy(named: "\($0.rawValue).sqlite")) }
      let cells = try copies.map { route, copy in
        try copy.migrate(model, route: route)
        return try copy.read { try StoreCells(of: $0) }
      }
      #expect(cells[0].settings["page_size"] == "8192" && cells[0].settings["user_version"] == "7")
      #expect(cells[0].rows["APPSETTINGS"]?.count == 2)
      #expect(cells[1].differences(from: cells[0]) == [])
      let statistics = try copies[1].1.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM sqlite_stat1") }
      #expect(statistics != 0)
    }
  }

  @Test func `a route that cannot serve is refused with the reason`() throws {
    let model = try note { $0.replacing("title: string?", with: "title: string = \"none\"") }
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[0], objects: notes(3))
      let before = try store.read { try StoreCells(of: $0) }
      var options = MigrationOptions()
      options.route = .inPlace
      let other = #expect(throws: DiagnosticsError.self) {
        try migrateStore(
          at: store.url.path, models: [model], to: .file(folder.appending(path: "o").path), options: options)
      }
      #expect(other?.diagnostics.map(\.code) == [.routeCannotServe])
      #expect(try store.read { try StoreCells(of: $0) } == before)
      // The others serve.
      #expect(try store.plan(model).route == .clone)
    }
  }

  @Test func `to another file, by a clone`() throws {
    let model = try note { $0.replacing("title: string?", with: "title: string = \"none\"") }
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[0], objects: notes(3))
      let before = try Data(contentsOf: store.url)
      let results = try [RouteRequest.clone, .auto].map { route -> StoreCells in
        let output = TestStore(at: folder.appending(path: "\(route.rawValue).sqlite"))
        var options = MigrationOptions()
        options.route = route
        let report = try migrateStore(
          at: store.url.path, models: [model], to: .file(output.url.path), options: options)
        #expect(report.plan.route == .clone)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!names.contains { $0.contains(".modelc-") || $0.hasPrefix("\(route.rawValue).sqlite-") })
        return try output.read { try StoreCells(of: $0) }
      }
      #expect(results[1].differences(from: results[0]) == [])
      #expect(try Data(contentsOf: store.url) == before)
    }
  }

  @Test func `what fails in place is taken back, and leaves no backup`() throws {
    let model = try writtenModel(
      "entities: {Note: {attributes: {title: string?, name: string?}}}",
      "entities: {Note: {attributes: {title: string?}}}")
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[0], objects: [ManagedObject("Note", 1)])
      try store.write { try $0.execute(sql: "CREATE VIEW Lists AS SELECT ZNAME FROM ZNOTE") }
      let before = try store.read { try StoreCells(of: $0) }
      var options = MigrationOptions()
      options.route = .inPlace
      let error = #expect(throws: DiagnosticsError.self) {
        try migrateStore(at: store.url.path, models: [model], options: options)
      }
      #expect(error?.diagnostics.map(\.code) == [.statementFailed])
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(!names.contains { $0.hasSuffix(".backup") })
      #expect(try store.read { try StoreCells(of: $0) } == before)
    }
  }
}
