import Foundation
import GRDB
import ManagedModel
import PersistentStore
import TestSupport
import Testing

/// What is wrong with a file is said of that file, and is what is wrong with it.
@Suite("Damage is named") struct NamedDamageTests {
  /// A store with a table of two levels of pages.
  private func makeLargeStore(at url: URL) throws {
    try makeStore(at: url)
    let queue = try DatabaseQueue(path: url.path)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE ZT (Z_PK INTEGER PRIMARY KEY, ZN VARCHAR);
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
          INSERT INTO ZT SELECT i, hex(zeroblob(20)) FROM n
          """)
    }
    try queue.close()
  }

  /// Has the last page of the table lead beyond every file.
  private func damage(_ url: URL) throws {
    let queue = try DatabaseQueue(path: url.path)
    let (root, size) = try queue.read { db in
      (
        try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'ZT'") ?? 0,
        try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0
      )
    }
    try queue.close()
    var data = try Data(contentsOf: url)
    let start = (root - 1) * size
    // An inner page of a table; its last child stands in bytes 8 to 11.
    #expect(data[start] == 5)
    data.replaceSubrange(start + 8..<start + 12, with: [0x7F, 0xFF, 0xFF, 0xF0])
    try data.write(to: url)
  }

  private func refusal(_ body: () throws -> Void) -> Diagnostic? {
    do {
      try body()
      return nil
    } catch { return (error as? DiagnosticsError)?.diagnostics.first }
  }

  @Test func `a page number beyond the file is damage, and no full disk`() throws {
    try withTemporaryFolder { folder in
      let (good, bad) = (folder.appending(path: "good.sqlite"), folder.appending(path: "bad.sqlite"))
      try makeLargeStore(at: good)
      try makeLargeStore(at: bad)
      try damage(bad)
      let (one, other) = (try StoreConnection(path: good.path), try StoreConnection(path: bad.path))
      defer {
        try? one.close()
        try? other.close()
      }
      let sum = "SELECT SUM(LENGTH(ZN)) FROM ZT"
      let alone = refusal { try other.read { db in _ = try Int.fetchOne(db, sql: sum) } }
      #expect(alone?.code == .malformedStore)
      // Read together, in either order, the damaged one is named.
      for (first, second) in [(one, other), (other, one)] {
        let found = refusal {
          try first.read(with: second) { left, right in
            _ = (try Int.fetchOne(left, sql: sum), try Int.fetchOne(right, sql: sum))
          }
        }
        #expect(
          found?.code == .malformedStore && found?.message.contains("bad.sqlite") == true, "\(found as Any)")
      }
    }
  }

  @Test(
    arguments: [
      ("gzip", [0x1F, 0x8B, 8, 0]), ("zip", [0x50, 0x4B, 3, 4]), ("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]),
      ("bzip2", Array("BZh9".utf8)), ("zstd", [0x28, 0xB5, 0x2F, 0xFD]),
    ] as [(String, [UInt8])]) func `a packed store is not called encrypted`(_ name: String, _ head: [UInt8])
    throws
  {
    try withTemporaryFolder { folder in
      let file = folder.appending(path: "s.sqlite")
      var random = SeededGenerator(seed: 1)
      try Data(head + (0..<4096).map { _ in UInt8.random(in: 0...255, using: &random) }).write(to: file)
      let found = refusal { _ = try StoreFile(path: file.path) }
      #expect(found?.code == .notASQLiteFile && found?.message.contains(name) == true)
      #expect(found?.help.isEmpty == false)
    }
  }
}
