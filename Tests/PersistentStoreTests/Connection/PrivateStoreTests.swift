import Foundation
import GRDB
import ManagedModel
import PersistentStore
import TestSupport
import Testing

@Suite(.needsFixtures) struct PrivateStoreTests {
  @Test(arguments: genuineStores)
  func `a clone holds what the store holds, and the store does not notice`(path: String) throws {
    try withTemporaryFolder { folder in
      let store = try Fixtures.copyStore(path, into: folder, permissions: 0o640)
      let expected = try plainDump(store)
      let before = try FolderSnapshot(folder)
      let lock = try StoreLock(StoreFile(path: store.path))
      let clone = try lock.clone(to: folder.appending(path: ".clone").path)
      #expect(try clone.read(dump) == expected)
      try clone.quickCheck()
      try clone.finish(.rollback)
      try lock.close()
      let after = try FolderSnapshot(folder)
      #expect(after.files[".clone"]?.permissions == 0o640)
      #expect(try plainDump(folder.appending(path: ".clone")) == expected)
      try FileManager.default.removeItem(at: folder.appending(path: ".clone"))
      #expect(try FolderSnapshot(folder) == before)
    }
  }

  @Test func `a reading connection clones too, for a result elsewhere`() throws {
    try withTemporaryFolder { folder in
      let store = try Fixtures.copyStore(bookmarks, into: folder)
      let expected = try plainDump(store)
      let before = try FolderSnapshot(folder)
      let out = folder.appending(path: "out")
      try FileManager.default.createDirectory(at: out, withIntermediateDirectories: false)
      let connection = try StoreConnection(path: store.path)
      let clone = try connection.clone(to: out.appending(path: "new.sqlite").path)
      try clone.finish()
      try connection.close()
      #expect(try FolderSnapshot(folder) == before)
      #expect(try listing(of: out) == ["new.sqlite"])
      #expect(try plainDump(out.appending(path: "new.sqlite")) == expected)
      #expect(try journalForm(of: out.appending(path: "new.sqlite")) == [2, 2])
    }
  }

  @Test func `a clone never takes a name that is used, and follows no link`() throws {
    try withTemporaryFolder { folder in
      let store = folder.appending(path: "s.sqlite")
      try makeStore(at: store)
      try Data("mine".utf8).write(to: folder.appending(path: "taken"))
      try FileManager.default.createSymbolicLink(
        atPath: folder.appending(path: "link").path, withDestinationPath: "elsewhere")
      let before = try FolderSnapshot(folder)
      let names = try listing(of: folder)
      let lock = try StoreLock(StoreFile(path: store.path))
      for name in ["taken", "link"] {
        let path = folder.appending(path: name).path
        #expect(codes { _ = try lock.clone(to: path) } == ["MC6003"])
        #expect(codes { _ = try createNewStoreFile(at: path) } == ["MC6003"])
      }
      try lock.close()
      #expect(try FolderSnapshot(folder) == before)
      #expect(try listing(of: folder) == names)
    }
  }

  @Test(arguments: ["-wal", "-shm", "-journal"])
  func `nothing gets a name beside which a file that is gone has left its log`(_ suffix: String) throws {
    try withTemporaryFolder { folder in
      let store = folder.appending(path: "s.sqlite")
      try makeStore(at: store)
      let output = folder.appending(path: "new.sqlite").path
      let connection = try StoreConnection(path: store.path)
      let staged = try connection.stage(for: output)
      try Data("old".utf8).write(to: URL(filePath: output + suffix))
      let before = try FolderSnapshot(folder)
      #expect(codes { _ = try connection.stage(for: output) } == ["MC6003"])
      #expect(codes { _ = try createNewStoreFile(at: output) } == ["MC6003"])
      #expect(try FolderSnapshot(folder) == before)
      try staged.finish()
      let error = #expect(throws: DiagnosticsError.self) { try staged.publish(at: output) }
      #expect(error?.diagnostics.first?.message.contains("'new.sqlite\(suffix)'") == true)
      #expect(error?.diagnostics.first?.help.isEmpty == false)
      try connection.close()
      #expect(try listing(of: folder) == ["new.sqlite\(suffix)", "s.sqlite"].sorted())
    }
  }

  @Test func `triggers of derived attributes neither run nor hinder alterations`() throws {
    try withTemporaryFolder { folder in
      let store = try Fixtures.copyStore(
        "alemar11+CoreDataPlus/Tests/Resources/SampleModel2/Fixtures/SampleModel2_V2.sqlite", into: folder)
      let connection = try StoreConnection(path: store.path)
      let triggers = try connection.read {
        try String.fetchAll($0, sql: "SELECT DISTINCT tbl_name FROM sqlite_master WHERE type = 'trigger'")
      }
      try #require(!triggers.isEmpty)
      let clone = try connection.clone(to: folder.appending(path: "clone").path)
      try clone.write { db in
        for table in triggers {
          try db.execute(sql: "ALTER TABLE \(table) ADD COLUMN ZNEW INTEGER")
          try db.execute(sql: "ALTER TABLE \(table) RENAME COLUMN ZNEW TO ZNEWER")
          try db.execute(sql: "UPDATE \(table) SET Z_OPT = Z_OPT + 1")
          try db.execute(sql: "DELETE FROM \(table)")
        }
      }
      try clone.quickCheck()
    }
  }

  @Test func `a new file has the form of genuine stores and no side files`() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending(path: "new.sqlite").path
      let new = try createNewStoreFile(at: path)
      try new.write { try $0.execute(sql: "CREATE TABLE ZT ( Z_PK INTEGER PRIMARY KEY )") }
      #expect(try new.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "off")
      try new.finish()
      #expect(try listing(of: folder) == ["new.sqlite"])
      #expect(
        try OtherProcess.run(
          URL(filePath: path),
          ["PRAGMA page_size", "PRAGMA auto_vacuum", "PRAGMA journal_mode", "PRAGMA encoding"])
          == "4096\n2\nwal\nUTF-8")
    }
  }

  @Test func `what is not finished is removed, and after an error nothing goes on`() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending(path: "new.sqlite").path
      do {
        let new = try createNewStoreFile(at: path)
        #expect(throws: DatabaseError.self) { try new.write { try $0.execute(sql: "SELECT * FROM none") } }
        #expect(codes { try new.write { try $0.execute(sql: "CREATE TABLE t (a)") } } == ["MC6003"])
        #expect(codes { try new.finish() } == ["MC6003"])
        #expect(try listing(of: folder) == ["new.sqlite"])
      }
      #expect(try listing(of: folder) == [])
    }
  }
}
