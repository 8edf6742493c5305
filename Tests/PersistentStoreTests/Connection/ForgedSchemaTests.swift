import Foundation
import GRDB
import ManagedModel
import PersistentStore
import TestSupport
import Testing

@Suite("A schema that SQLite did not write is refused before anything is made of it") struct ForgedSchemaTests
{
  private static let tails = [
    "; DELETE FROM ZNOTE", ";DELETE FROM ZNOTE", " ; ; SELECT 1", "; -- \n ATTACH 'x' AS v",
    "; /* */ SELECT ';'",
    "; DELETE FROM ZNOTE WHERE ';' <> ' -- '",
  ]

  private static let texts = [
    ("table", "ZNEW", "ZNEW", "CREATE TABLE ZNEW (a)"),
    ("index", "x", "ZNOTE", "CREATE INDEX x ON ZNOTE (ZTEXT)"),
    ("view", "v", "v", "CREATE VIEW v AS SELECT 1"),
    (
      "trigger", "t", "ZNOTE",
      "CREATE TRIGGER t AFTER UPDATE ON ZNOTE BEGIN SELECT CASE WHEN 1 THEN 2 END; SELECT 3; END"
    ),
  ]

  /// A store to whose schema a row is added as it is.
  private func refusals(
    _ type: String, _ name: String, _ table: String, _ sql: String, root: String? = nil
  ) throws -> Diagnostic? {
    try withStore { db in
      try db.execute(sql: "CREATE TABLE spare (a); CREATE INDEX spareIndex ON ZNOTE (ZTEXT)")
      try db.execute(sql: "PRAGMA writable_schema = ON")
      let spare = type == "index" ? "spareIndex" : "spare"
      let root =
        root
        ?? (["table", "index"].contains(type)
          ? "(SELECT rootpage FROM sqlite_master WHERE name = '\(spare)')" : "0")
      try db.execute(
        sql:
          "INSERT INTO sqlite_master VALUES (?, CAST(? AS TEXT), CAST(? AS TEXT), \(root), CAST(? AS TEXT))",
        arguments: [type, Data(name.utf8), Data(table.utf8), Data(sql.utf8)])
      try db.execute(sql: "DELETE FROM sqlite_master WHERE name IN ('spare', 'spareIndex')")
    }
  }

  private func withStore(_ edit: (Database) throws -> Void) throws -> Diagnostic? {
    try withTemporaryFolder { folder in
      let store = folder.appending(path: "s.sqlite")
      try makeStore(at: store, journalMode: "DELETE", rows: 3)
      let queue = try DatabaseQueue(path: store.path)
      try queue.writeWithoutTransaction(edit)
      try queue.close()
      let before = try FolderSnapshot(folder)
      var found: Diagnostic?
      do { try StoreConnection(path: store.path).close() } catch let error as DiagnosticsError {
        found = error.diagnostics.first
      }
      #expect(
        codes { _ = try StoreLock(StoreFile(path: store.path)) }
          == (found.map { [$0.code.description] } ?? []))
      #expect(try FolderSnapshot(folder) == before)
      return found
    }
  }

  @Test func `the rows themselves are none`() throws {
    for (type, name, table, sql) in Self.texts {
      #expect(try refusals(type, name, table, sql) == nil, "\(sql)")
      #expect(try refusals(type, name, table, sql + " -- done; SELECT 1") == nil)
    }
  }

  @Test(arguments: tails) func `a text that goes on after its statement`(tail: String) throws {
    for (type, name, table, sql) in Self.texts {
      let found = try refusals(type, name, table, sql + tail)
      #expect(found?.code.description == "MC5002", "\(sql + tail)")
      #expect(found?.notes.first?.message.contains("'\(name)'") == true, "\(sql + tail)")
    }
  }

  @Test(arguments: [
    ("Table", "ZNEW", "ZNEW", "CREATE TABLE ZNEW (a)"),
    ("TRIGGER", "t", "ZNOTE", "CREATE TRIGGER t AFTER UPDATE ON ZNOTE BEGIN SELECT 1; END"),
    ("thing", "ZNEW", "ZNEW", "CREATE TABLE ZNEW (a)"), ("view", "ZNEW", "ZNEW", "CREATE TABLE ZNEW (a)"),
    ("table", "ZNEW", "ZNEW", "CREATE TABLE ZOTHER (a)"),
    ("index", "x", "ZOTHER", "CREATE INDEX x ON ZNOTE (ZTEXT)"),
    ("trigger", "t", "ZNEW", "CREATE TRIGGER t AFTER UPDATE ON ZNOTE BEGIN SELECT 1; END"),
    ("table", "ZNEW", "ZNEW", "CREATE TABLE ZNEW AS SELECT 1"), ("table", "ZNEW", "ZNEW", "DROP TABLE ZNOTE"),
    ("table", "ZNEW", "ZNEW", "ATTACH 'x' AS v"), ("table", "ZNEW", "ZNEW", ""),
    ("table", "ZNEW", "ZNEW", "CREATE TABLE ZNEW ('a"),
    ("trigger", "t", "ZNOTE", "CREATE TRIGGER t AFTER UPDATE ON ZNOTE BEGIN SELECT 1; END; END"),
    ("table", "ZNEW", "ZNEW", "CREATE TABLE ZNEW (a)\u{0}; DELETE FROM ZNOTE"),
    ("table", "ZNEW\u{0}x", "ZNEW\u{0}x", "CREATE TABLE ZNEW (a)"),
  ]) func `a row that says of itself what its text does not`(
    _ type: String, _ name: String, _ table: String, _ sql: String
  ) throws {
    #expect(try refusals(type, name, table, sql)?.code.description == "MC5002", "\(sql)")
  }

  @Test(arguments: [
    "UPDATE sqlite_master SET sql = CAST(sql AS BLOB) WHERE name = 'ZNOTE'",
    "UPDATE sqlite_master SET sql = CAST(sql || '; DELETE FROM ZNOTE' AS BLOB) WHERE name = 'ZNOTE'",
    "UPDATE sqlite_master SET name = CAST(name AS BLOB) WHERE name = 'ZNOTE'",
    "UPDATE sqlite_master SET tbl_name = NULL WHERE name = 'ZNOTE'",
    "UPDATE sqlite_master SET sql = NULL WHERE name = 'ZNOTE'",
    "UPDATE sqlite_master SET type = CAST(type AS BLOB) WHERE name = 'ZNOTE'",
    "UPDATE sqlite_master SET rootpage = -1 WHERE name = 'ZNOTE'",
    "UPDATE sqlite_master SET rootpage = 0 WHERE name = 'ZNOTE'",
    "UPDATE sqlite_master SET rootpage = 'x' WHERE name = 'ZNOTE'",
    "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'Z_METADATA') WHERE name = 'ZNOTE'",
    "UPDATE sqlite_master SET sql = sql || printf('%.*c', 2000000, ' ') WHERE name = 'ZNOTE'",
  ]) func `cells of another type, shared pages, endless texts`(_ sql: String) throws {
    let found = try withStore { db in
      try db.execute(sql: "PRAGMA writable_schema = ON")
      try db.execute(sql: sql)
    }
    #expect(found?.code.description == "MC5002", "\(sql)")
  }

  @Test(arguments: [
    "CREATE TABLE ZX (a CHECK (a LIKE '%a%b%c%'))", "CREATE TABLE ZX (a, b AS (a NOT GLOB '*a*b*'))",
    "CREATE INDEX x ON ZNOTE (ZTEXT) WHERE ZTEXT LIKE 'a%'", "CREATE INDEX x ON ZNOTE (ZTEXT GLOB '*a')",
    "CREATE TABLE ZX (a, b AS (glob('*a*b*', a)))", "CREATE TABLE ZX (a, b AS (\"like\" ('%a%', a)))",
  ]) func `comparisons with patterns`(_ sql: String) throws {
    let found = try withStore { try $0.execute(sql: sql) }
    #expect(found?.code.description == "MC5002", "\(sql)")
    #expect(found?.notes.first?.message.contains("computes values with") == true)
  }

  @Test(arguments: [
    "CREATE TABLE \"like\" (match INTEGER, [glob] VARCHAR, a TEXT, regexp)",
    "CREATE TABLE p (a PRIMARY KEY); CREATE TABLE c (a REFERENCES p (a) MATCH FULL, b INTEGER PRIMARY KEY AUTOINCREMENT)",
    "CREATE TABLE w (a PRIMARY KEY, b UNIQUE) WITHOUT ROWID; CREATE INDEX \"a \"\" ; b\" ON w (b) WHERE b > 1",
    "CREATE VIEW v AS SELECT * FROM ZNOTE WHERE ZTEXT LIKE '%;%'; CREATE VIEW w (a) AS SELECT 1",
    "CREATE TRIGGER t INSTEAD OF UPDATE OF \"on\" ON v BEGIN SELECT CASE 1 WHEN 2 THEN 3 END; DELETE FROM ZNOTE WHERE ZTEXT GLOB ';'; END;",
    "CREATE VIRTUAL TABLE f USING fts5(a, b); CREATE VIRTUAL TABLE r USING rtree(id, x, y)",
    "ALTER TABLE ZNOTE ADD COLUMN \"a;b\" TEXT DEFAULT ';'; ALTER TABLE ZNOTE RENAME COLUMN ZTEXT TO \"Z TEXT\"; ANALYZE",
    "CREATE TABLE /* ; */ c (a -- ; \n, b); ALTER TABLE c RENAME TO \"x'y\"; CREATE UNIQUE INDEX IF NOT EXISTS main.u ON \"x'y\" (b)",
    "CREATE TABLE ZÄPFEL (ZÖL INTEGER); CREATE INDEX ZÄPFEL_ZÖL ON ZÄPFEL (ZÖL)",
    "CREATE TEMP TABLE t (a); CREATE TABLE s AS SELECT 1 AS a, 'x' AS b",
  ]) func `what SQLite itself writes is none`(_ sql: String) throws {
    let found = try withStore { db in
      try db.execute(
        sql:
          "CREATE VIEW IF NOT EXISTS v AS SELECT 1 AS \"on\"; DROP VIEW v; CREATE VIEW v AS SELECT 1 AS \"on\""
      )
      if !sql.contains("ON v") { try db.execute(sql: "DROP VIEW v") }
      try db.execute(sql: sql)
    }
    #expect(found == nil, "\(sql)")
  }

  @Test(arguments: texts) func `text of a store is run as one statement or not at all`(
    _ type: String, _ name: String, _ table: String, _ sql: String
  ) throws {
    try withTemporaryFolder { folder in
      let store = folder.appending(path: "s.sqlite")
      try makeStore(at: store, journalMode: "DELETE", rows: 3)
      let queue = try DatabaseQueue(path: store.path)
      try queue.writeWithoutTransaction { db in
        #expect(throws: DatabaseError.self) { try db.executeStatement(sql + "; DELETE FROM ZNOTE") }
        #expect(throws: DatabaseError.self) { try db.executeStatement(sql + ";\nDELETE FROM") }
        #expect(
          try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master WHERE name = ?", arguments: [name])
            == 0)
        try db.executeStatement(sql + "; -- end")
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM ZNOTE") == 3)
        #expect(
          try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master WHERE name = ?", arguments: [name])
            == 1)
      }
      try queue.close()
    }
  }

  @Test func `nothing but the one source can be attached`() throws {
    try withTemporaryFolder { folder in
      let store = folder.appending(path: "s.sqlite")
      try makeStore(at: store, journalMode: "DELETE", rows: 3)
      let lock = try StoreLock(StoreFile(path: store.path))
      #expect(throws: (any Error).self) {
        try lock.read { try $0.execute(sql: "ATTACH ':memory:' AS other") }
      }
      let new = try lock.clone(to: folder.appending(path: "a").path).createNextFile(
        at: folder.appending(path: "b").path, for: lock.file)
      #expect(throws: (any Error).self) {
        try new.write { try $0.execute(sql: "ATTACH ':memory:' AS other") }
      }
      new.discard()
      try lock.close()
    }
  }
}
