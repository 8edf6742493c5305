import GRDB
import PersistentStore
import Testing

@Suite("The length of a text is that of NSString") struct TextLengthTests {
  @Test(arguments: ["UTF-8", "UTF-16le", "UTF-16be"], ["", "zürich", "😀 a"])
  func `whatever the store's encoding`(_ encoding: String, _ text: String) throws {
    let length = try DatabaseQueue().inDatabase { db in
      try db.execute(sql: "PRAGMA encoding = '\(encoding)'")
      try db.execute(sql: "CREATE TABLE t (a)")
      try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [text])
      db.registerTextLength()
      return try Int.fetchOne(db, sql: "SELECT modelc_utf16_length(CAST(a AS BLOB)) FROM t")
    }
    #expect(length == text.utf16.count)
  }
}
