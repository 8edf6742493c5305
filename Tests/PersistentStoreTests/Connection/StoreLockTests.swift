import Foundation
import GRDB
import PersistentStore
import TestSupport
import Testing

@Suite(.needsFixtures, .needsPython) struct StoreLockTests {
  @Test(arguments: genuineStores)
  func `while it is held nobody else writes, and nothing is changed by it`(path: String) throws {
    try withTemporaryFolder { folder in
      let store = try Fixtures.copyStore(path, into: folder)
      let before = try FolderSnapshot(folder)
      let lock = try StoreLock(StoreFile(path: store.path))
      #expect(try lock.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM Z_METADATA") } == 1)
      #expect(try OtherProcess.run(store, ["BEGIN IMMEDIATE"]) == "database is locked")
      // Opening and closing the file within this process does not let others in.
      _ = try StoreFile(path: store.path)
      #expect(try OtherProcess.run(store, ["DELETE FROM Z_METADATA"]) == "database is locked")
      try lock.close()
      #expect(try FolderSnapshot(folder) == before)
    }
  }

  @Test(arguments: [
    ("WAL", ["SELECT * FROM ZNOTE"]),
    ("WAL", ["BEGIN IMMEDIATE"]),
    ("WAL", ["PRAGMA locking_mode = EXCLUSIVE", "SELECT * FROM ZNOTE"]),
    ("DELETE", ["BEGIN", "SELECT * FROM ZNOTE"]),
    ("DELETE", ["BEGIN IMMEDIATE"]),
    ("DELETE", ["BEGIN EXCLUSIVE"]),
  ])
  func `a store that another program uses cannot be locked`(mode: String, statements: [String]) throws {
    try withTemporaryFolder { folder in
      let store = folder.appending(path: "s.sqlite")
      try makeStore(at: store, journalMode: mode, rows: 100)
      let other = try OtherProcess(holding: store, statements)
      let names = try listing(of: folder)
      #expect(codes { _ = try StoreLock(StoreFile(path: store.path), busyTimeout: 0.2) } == ["MC5305"])
      #expect(try listing(of: folder) == names)
      other.end()
      let lock = try StoreLock(StoreFile(path: store.path))
      #expect(try lock.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM ZNOTE") } == 100)
    }
  }

  @Test func `a lock that is released in time is waited for`() throws {
    try withTemporaryFolder { folder in
      let store = folder.appending(path: "s.sqlite")
      try makeStore(at: store)
      let other = try OtherProcess(holding: store, ["BEGIN IMMEDIATE"])
      nonisolated(unsafe) let ending = other
      DispatchQueue.global().asyncAfter(deadline: .now() + 0.3) { unsafe ending.end() }
      let lock = try StoreLock(StoreFile(path: store.path), busyTimeout: 20)
      try lock.close()
    }
  }

  @Test(arguments: ["WAL", "DELETE"])
  func `what others wrote before the lock is in the clone`(mode: String) throws {
    try withTemporaryFolder { folder in
      let store = folder.appending(path: "s.sqlite")
      try makeStore(at: store, journalMode: mode)
      let file = try StoreFile(path: store.path)
      _ = try OtherProcess.run(store, ["INSERT INTO ZNOTE VALUES (2, 1, 1, 'new')"], dies: true)
      let lock = try StoreLock(file)
      let clone = try lock.clone(to: folder.appending(path: "clone").path)
      #expect(try clone.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM ZNOTE") } == 2)
      try lock.close()
      let connection = try StoreConnection(file)
      let other = try connection.clone(to: folder.appending(path: "other").path)
      #expect(try other.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM ZNOTE") } == 2)
    }
  }

  @Test(arguments: ["WAL", "DELETE"])
  func `an update happens whole or not at all`(mode: String) throws {
    try withTemporaryFolder { folder in
      let store = folder.appending(path: "s.sqlite")
      try makeStore(at: store, journalMode: mode, rows: 3)
      let old = try Data(contentsOf: store)
      let lock = try StoreLock(StoreFile(path: store.path))
      let backup = try lock.backUp(version: "V1")
      #expect(!backup.isOldFile)
      #expect(throws: CancellationError.self) {
        try lock.update { db in
          try db.execute(sql: "DELETE FROM ZNOTE")
          throw CancellationError()
        }
      }
      #expect(try lock.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM ZNOTE") } == 3)
      try lock.update(editingSchema: true) { db in
        try db.execute(sql: "DELETE FROM ZNOTE WHERE Z_PK = 1")
        try db.execute(
          sql: """
            PRAGMA writable_schema = ON; \
            UPDATE sqlite_master SET sql = replace(sql, 'ZTEXT', 'ZBODY') WHERE name = 'ZNOTE'; \
            PRAGMA writable_schema = RESET
            """)
      }
      #expect(try lock.read { try Int.fetchOne($0, sql: "SELECT count(ZBODY) FROM ZNOTE") } == 2)
      // The switch is off again.
      #expect(throws: (any Error).self) {
        try lock.update { db in
          try db.execute(
            sql: "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = '' WHERE name = 'ZNOTE'")
        }
      }
      backup.keep()
      lock.closeAfterChange()
      #expect(try listing(of: folder) == ["s.sqlite", "s.sqlite.V1.backup"])
      #expect(try FolderSnapshot(folder).bytes("s.sqlite.V1.backup") == old)
      #expect(try journalForm(of: store) == (mode == "WAL" ? [2, 2] : [1, 1]))
      #expect(try OtherProcess.run(store, ["SELECT count(ZBODY) FROM ZNOTE"]) == "2")
    }
  }
}
