import GRDB
import ManagedModel
import PersistentStore
import Testing

@Suite struct `Quoted identifiers` {
  @Test(arguments: [
    ("ZGROUP", "ZGROUP"), ("_x1", "_x1"), ("Group", "\"Group\""), ("1A", "\"1A\""), ("", "\"\""),
    ("ZGRÖSSE", "\"ZGRÖSSE\""), ("a\"; DROP TABLE b; --", "\"a\"\"; DROP TABLE b; --\""), ("a b", "\"a b\""),
  ])
  func `Names stay bare where SQLite reads them so`(name: String, quoted: String) {
    #expect(name.quotedIdentifier == quoted)
  }

  @Test(arguments: [
    "ZGRÖSSE", "order", "a\"b", "a.b", "'", "ZNAME", "rowid", "Z 1", "a\"\u{301} INTEGER); DROP TABLE b; --",
    "'\u{301}",
    "a\r\n\"\u{338}",
  ])
  func `SQLite reads back the name that was meant`(name: String) throws {
    try DatabaseQueue().write { db throws in
      try db.execute(sql: "CREATE TABLE \(name.quotedIdentifier) (\(name.quotedIdentifier) INTEGER)")
      #expect(try String.fetchOne(db, sql: "SELECT name FROM sqlite_master") == name)
      #expect(try String.fetchOne(db, sql: "SELECT \(name.sqlText)") == name)
    }
  }
}
