import Foundation
import GRDB
import ManagedModel
import PersistentStore
import TestSupport
import Testing

@Suite(.needsFixtures) struct StoreConnectionTests {
  @Test(arguments: genuineStores)
  func `reading leaves no trace and sees the changes in the log`(path: String) throws {
    try withTemporaryFolder { folder in
      let store = try Fixtures.copyStore(path, into: folder)
      let expected = try plainDump(store)
      let before = try FolderSnapshot(folder)
      let connection = try StoreConnection(path: store.path)
      #expect(connection.access == (try journalForm(of: store) == [2, 2] ? .exclusive : .shared))
      #expect(try connection.read(dump) == expected)
      try connection.quickCheck()
      // No index of the log beside the store, even while it is open.
      #expect(try listing(of: folder).filter { $0.hasSuffix("-shm") || $0.hasSuffix("-journal") } == [])
      try connection.close()
      #expect(try FolderSnapshot(folder) == before)
    }
  }

  @Test func `the value alone ends the connection, and a refusal too`() throws {
    try withTemporaryFolder { folder in
      let store = folder.appending(path: "s.sqlite")
      try makeStore(at: store, journalMode: "WAL")
      let before = try FolderSnapshot(folder)
      try #require(before.names == ["s.sqlite"])
      do { _ = try StoreConnection(path: store.path).read { try Int.fetchOne($0, sql: "SELECT 1") } }
      #expect(try FolderSnapshot(folder) == before)
      let queue = try DatabaseQueue(path: store.path)
      try queue.write { try $0.execute(sql: "DROP TABLE Z_METADATA") }
      try queue.close()
      let without = try FolderSnapshot(folder)
      #expect(codes { _ = try StoreConnection(path: store.path) } == ["MC5003"])
      #expect(try FolderSnapshot(folder) == without)
    }
  }

  @Test func `nothing can be written, and nothing of the store's own runs`() throws {
    try withTemporaryFolder { folder in
      let store = folder.appending(path: "s.sqlite")
      try makeStore(at: store, journalMode: "WAL")
      let queue = try DatabaseQueue(path: store.path)
      try queue.write { try $0.execute(sql: "CREATE VIEW v AS SELECT 1") }
      try queue.close()
      let connection = try StoreConnection(path: store.path)
      for sql in ["DELETE FROM ZNOTE", "SELECT * FROM v", "CREATE TABLE t (a)"] {
        #expect(throws: (any Error).self) { try connection.read { try $0.execute(sql: sql) } }
      }
    }
  }

  @Test func `reading again while it is read keeps the lock`() throws {
    try withTemporaryFolder { folder in
      let store = folder.appending(path: "s.sqlite")
      try makeStore(at: store, journalMode: "WAL")
      let connection = try StoreConnection(path: store.path)
      // Opens and closes a descriptor of the same file: POSIX would drop the lock.
      _ = try StoreFile(path: store.path)
      #expect(codes { _ = try StoreConnection(path: store.path, busyTimeout: 0.1) } == ["MC5305"])
      #expect(try OtherProcess.run(store, ["DELETE FROM ZNOTE"]) == "database is locked")
      try connection.close()
      #expect(try OtherProcess.run(store, ["DELETE FROM ZNOTE"]) == "")
    }
  }
}

@Suite(.needsFixtures, .needsPython) struct BusyStoreTests {
  @Test(arguments: [
    ["SELECT count(*) FROM ZBOOKMARKENTITY"],
    ["BEGIN", "SELECT count(*) FROM ZBOOKMARKENTITY"],
    ["BEGIN IMMEDIATE", "DELETE FROM ZBOOKMARKENTITY"],
    ["DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 99"],
  ])
  func `a store in use by another program is read beside it`(statements: [String]) throws {
    try withTemporaryFolder { folder in
      let store = try Fixtures.copyStore(bookmarks, into: folder)
      let expected = try plainDump(store)
      let other = try OtherProcess(holding: store, statements)
      // Read in a process of its own: this one must not close descriptors of the store.
      let before = try checksums(store)
      let names = try listing(of: folder)
      let connection = try StoreConnection(path: store.path)
      #expect(connection.access == .shared)
      #expect(try connection.read(dump) == expected)
      try connection.close()
      #expect(try checksums(store) == before)
      #expect(try listing(of: folder) == names)
      other.end()
    }
  }

  @Test func `side files that a dead program left are read and kept`() throws {
    try withTemporaryFolder { folder in
      let store = folder.appending(path: "s.sqlite")
      try makeStore(at: store, journalMode: "WAL", rows: 3)
      _ = try OtherProcess.run(store, ["DELETE FROM ZNOTE WHERE Z_PK > 1"], dies: true)
      let before = try FolderSnapshot(folder)
      try #require(before.names == ["s.sqlite", "s.sqlite-shm", "s.sqlite-wal"])
      let connection = try StoreConnection(path: store.path)
      #expect(connection.access == .exclusive)
      #expect(try connection.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM ZNOTE") } == 1)
      try connection.close()
      #expect(try FolderSnapshot(folder) == before)
    }
  }

  @Test func `a store that another program holds alone is refused`() throws {
    try withTemporaryFolder { folder in
      let store = folder.appending(path: "s.sqlite")
      try makeStore(at: store, journalMode: "WAL")
      let other = try OtherProcess(
        holding: store, ["PRAGMA locking_mode = EXCLUSIVE", "DELETE FROM ZNOTE", "SELECT * FROM ZNOTE"])
      let names = try listing(of: folder)
      #expect(codes { _ = try StoreConnection(path: store.path, busyTimeout: 0.2) } == ["MC5305"])
      #expect(try listing(of: folder) == names)
      other.end()
    }
  }

  @Test func `a store that stays locked is refused after a bounded wait`() throws {
    try withTemporaryFolder { folder in
      let store = try Fixtures.copyStore(rollbackStore, into: folder)
      let before = try FolderSnapshot(folder)
      let other = try OtherProcess(holding: store, ["BEGIN EXCLUSIVE"])
      let start = ContinuousClock.now
      let diagnostic = try refusal { _ = try StoreConnection(path: store.path, busyTimeout: 0.3) }
      #expect(diagnostic.code.description == "MC5305")
      #expect(diagnostic.cocoaCode == 134081)
      #expect(ContinuousClock.now - start < .seconds(5))
      other.end()
      #expect(try FolderSnapshot(folder) == before)
      try StoreConnection(path: store.path).close()
    }
  }

  private func checksums(_ store: URL) throws -> String {
    try OtherProcess.output(of: ["cksum", store.path, store.path + "-wal"])
  }
}

@Suite(.needsFixtures, .needsMounting, .serialized) struct ReadOnlyMediumTests {
  @Test(arguments: [(bookmarks, StoreAccess.privateCopy), (moody, .immutable), (rollbackStore, .shared)])
  func `a store on a read-only medium is read with its log`(path: String, access: StoreAccess) throws {
    try Medium.with(size: "4m") { medium in
      let store = try Fixtures.copyStore(path, into: medium.folder)
      let expected = try plainDump(store)
      let before = try FolderSnapshot(medium.folder)
      try medium.makeReadOnly()
      let copiesBefore = try privateCopies()
      let connection = try StoreConnection(path: store.path)
      #expect(connection.access == access)
      #expect(try connection.read(dump) == expected)
      #expect(try privateCopies().subtracting(copiesBefore).isEmpty == (access != .privateCopy))
      try connection.close()
      #expect(try FolderSnapshot(medium.folder) == before)
      #expect(try privateCopies().subtracting(copiesBefore).isEmpty)
    }
  }

  private func privateCopies() throws -> Set<String> {
    let folder = FileManager.default.temporaryDirectory
    return Set(
      try listing(of: folder).filter { name in
        FileManager.default.fileExists(atPath: folder.appending(path: "\(name)/store-wal").path)
      })
  }

  @Test func `a store without a log file on a read-only medium is read as it lies`() throws {
    try Medium.with(size: "4m") { medium in
      let store = medium.folder.appending(path: "s.sqlite")
      try makeStore(at: store, journalMode: "WAL")
      try medium.makeReadOnly()
      let connection = try StoreConnection(path: store.path)
      #expect(connection.access == .immutable)
      #expect(try connection.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM ZNOTE") } == 1)
    }
  }

  @Test(arguments: [bookmarks, moody, rollbackStore])
  func `a migration on a read-only medium is refused`(path: String) throws {
    try Medium.with(size: "4m") { medium in
      let store = try Fixtures.copyStore(path, into: medium.folder)
      try medium.makeReadOnly()
      #expect(codes { _ = try StoreReplacement(path: store.path) } == ["MC5304"])
    }
  }
}
