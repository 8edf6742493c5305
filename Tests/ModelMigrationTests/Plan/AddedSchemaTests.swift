import Foundation
import GRDB
import ManagedModel
import ModelMigration
import PersistentStore
import TestSupport
import Testing

/// Views, triggers and tables that an app added to its store, and an index that is missing.
@Suite("Schemas of stores that apps have changed") struct AddedSchemaTests {
  /// A photo's `name` becomes `title`.
  private func renamedName() throws -> VersionedModel {
    let renamed = "title: {type: string?, renamingIdentifier: name}"
    return try writtenModel(
      "entities: {Photo: {attributes: {name: string?}}}", "entities: {Photo: {attributes: {\(renamed)}}}")
  }

  @Test(arguments: ["TABLE ZALBUM (a)", "VIEW Zalbum AS SELECT 1"])
  func `a name that something of the app's own has is refused by the plan`(_ taken: String) throws {
    let old = "entities:\n  Photo: {attributes: {size: integer32 = 0}}\n"
    let model = try writtenModel(old, old + "  Album: {attributes: {title: string?}}\n")
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[0], objects: [ManagedObject("Photo", 1)])
      try store.write { try $0.execute(sql: "CREATE \(taken)") }
      let plan = try store.plan(model)
      #expect(plan.diagnostics.filter { $0.severity == .error }.map(\.code.description) == ["MC5107"])
    }
  }

  @Test func `a broken view of the app's own is named where names of it change, and else stays`() throws {
    let model = try renamedName()
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[0], objects: [ManagedObject("Photo", 1)])
      try store.write {
        try $0.execute(
          sql: """
            CREATE TABLE OWN (a); CREATE VIEW Others AS SELECT a, b FROM OWN;
            CREATE VIEW Lists AS SELECT ZNAME, b FROM ZPHOTO
            """)
      }
      let error = #expect(throws: DiagnosticsError.self) { try store.migrate(model) }
      #expect(
        error?.diagnostics.first?.help.first?.contains("view 'Lists' is broken") == true,
        "\(String(describing: error))")
      try store.write { try $0.execute(sql: "DROP VIEW Lists") }
      try store.migrate(model)
      let left = try store.read {
        try String.fetchAll($0, sql: "SELECT name FROM sqlite_master WHERE type = 'view'")
      }
      #expect(left == ["Others"])
    }
  }

  @Test(arguments: [
    ("names", "", "CREATE VIEW names AS SELECT ZNAME FROM ZPHOTO"),
    (
      "own", "CREATE TABLE OWN (a); ",
      "CREATE TRIGGER own AFTER INSERT ON OWN BEGIN UPDATE ZPHOTO SET ZNAME = new.a; END"
    ),
  ])
  func `a view, and a trigger of a table of the app's own, keep their text where columns are recreated`(
    _ name: String, _ table: String, _ sql: String
  ) throws {
    let model = try writtenModel(
      "entities: {Photo: {attributes: {name: string?}}}",
      "entities: {Photo: {attributes: {title: {type: string?, renamingIdentifier: name}, name: {type: string?, renamingIdentifier: other}}}}"
    )
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[0], objects: [ManagedObject("Photo", 1)])
      try store.write { try $0.execute(sql: table + sql) }
      try store.migrate(model)
      let kept = try store.read {
        try String.fetchOne($0, sql: "SELECT sql FROM sqlite_master WHERE name = '\(name)'")
      }
      #expect(kept == sql)
    }
  }

  @Test(arguments: ["", "; CREATE TRIGGER t INSTEAD OF DELETE ON Lists BEGIN SELECT 1; END"])
  func `a view that reads what a migration takes away is not called broken`(_ trigger: String) throws {
    let model = try writtenModel(
      "entities: {Photo: {attributes: {name: string?, size: integer32 = 0}}}",
      "entities: {Photo: {attributes: {size: integer32 = 0}}}")
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[0], objects: [ManagedObject("Photo", 1)])
      try store.write { try $0.execute(sql: "CREATE VIEW Lists AS SELECT ZNAME FROM ZPHOTO\(trigger)") }
      let planned = try store.plan(model).diagnostics.filter { $0.severity == .error }
      #expect(planned.map(\.code.description) == ["MC6001"])
      #expect(planned.first?.message.contains("would fail: ") == true)
      if !trigger.isEmpty { return }
      let error = #expect(throws: DiagnosticsError.self) { try store.migrate(model) }
      let help = error?.diagnostics.first?.help.first ?? ""
      #expect(
        help.contains("'Lists' reads what this step removes") && help.contains("`DROP VIEW Lists`"),
        "\(String(describing: error))")
    }
  }

  @Test func `a view of SQLite's statistics, which an empty copy does not have, is in nobody's way`() throws {
    let model = try renamedName()
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[0], objects: [ManagedObject("Photo", 1)])
      try store.write { try $0.execute(sql: "ANALYZE; CREATE VIEW Counts AS SELECT tbl FROM sqlite_stat1") }
      #expect(try store.plan(model).diagnostics.filter { $0.severity == .error } == [])
    }
  }

  /// One that fires for a column that is gone SQLite would not name.
  @Test(arguments: [
    ("", "appsOwn(new.ZNAME)", true), ("", "appsOwn(new.Z_PK)", false),
    (" OF Z_OPT, ZNAME", "new.Z_PK", true),
  ])
  func `a trigger of the app's own that the new columns break is named`(
    _ columns: String, _ value: String, isBroken: Bool
  ) throws {
    let model = try renamedName()
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[0], objects: [ManagedObject("Photo", 1)])
      try store.write {
        try $0.execute(
          sql: """
            CREATE TABLE OWN (a); CREATE TRIGGER own AFTER UPDATE\(columns) ON ZPHOTO BEGIN
            INSERT INTO OWN VALUES (\(value)); END
            """)
      }
      let warnings = try store.plan(model).diagnostics.filter { $0.message.contains("that change: 'own'") }
      #expect(warnings.map(\.severity) == (isBroken ? [.warning] : []))
      guard isBroken else {
        try store.migrate(model)
        let triggers = "SELECT COUNT(*) FROM sqlite_master WHERE type = 'trigger'"
        #expect(try store.read { try Int.fetchOne($0, sql: triggers) } == 1)
        return
      }
      let error = #expect(throws: DiagnosticsError.self) { try store.migrate(model) }
      #expect(
        error?.diagnostics.first?.help.first?.contains("trigger 'own' is broken") == true,
        "\(String(describing: error))")
    }
  }

  @Test(arguments: [
    ("ZALBUM(Z_PK)", true), ("ZPHOTO(ZSIZE)", true), ("ZPHOTO", false), ("\"zphoto\" (ZNAME)", false),
  ])
  func `a foreign key of the app's own that would lead to nothing is a warning`(
    _ clause: String, isBroken: Bool
  ) throws {
    let renamed = "title: {type: string?, renamingIdentifier: name}"
    let model = try writtenModel(
      "entities: {Album: {attributes: {a: string?}}, Photo: {attributes: {name: string?, size: integer32?}}}",
      "entities: {Picture: {renamingIdentifier: Photo, attributes: {\(renamed)}}}")
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[0], objects: [ManagedObject("Photo", 1)])
      try store.write { try $0.execute(sql: "CREATE TABLE OWN (a REFERENCES \(clause))") }
      let found = try store.plan(model).diagnostics.filter { $0.message.contains("table 'OWN' lead") }
      #expect(found.map(\.severity) == (isBroken ? [.warning] : []))
      try store.migrate(model)
      if !isBroken {
        let sql = try store.read {
          try String.fetchOne($0, sql: "SELECT sql FROM sqlite_master WHERE name = 'OWN'")
        }
        #expect(sql?.contains("ZPICTURE") == true && sql?.contains("ZNAME") == false)
      }
    }
  }

  @Test(arguments: [true, false])
  func `duplicates that a missing index let in are found by the plan`(_ isDuplicate: Bool) throws {
    let old = "entities:\n  Photo: {attributes: {name: string?}, uniquenessConstraints: [[name]]}\n"
    let model = try writtenModel(old, old + "  Album: {attributes: {title: string?}}\n")
    try withTemporaryFolder { folder in
      let photos = (1...2).map { ManagedObject("Photo", $0, values: ["name": .string("p\($0)")]) }
      let store = try TestStore(in: folder, of: model.versions[0], objects: photos)
      try store.write { db in
        try db.execute(sql: "DROP INDEX Z_Photo_UNIQUE_name")
        if isDuplicate { try db.execute(sql: "UPDATE ZPHOTO SET ZNAME = 'p'") }
      }
      let errors = try store.plan(model).diagnostics.filter { $0.severity == .error }
      #expect(errors.map(\.code) == (isDuplicate ? [.duplicateValues] : []))
    }
  }
}
