import Foundation
import GRDB
import PersistentStore
import TestSupport
import Testing

/// The last copy of the data never goes: what becomes of a backup follows from what the store holds, and from nothing
/// else that stands beside it.
@Suite("What an interrupted change leaves of a backup") struct LeftBackupTests {
  private static let mark = LeftoversTests.staged + ".backup"
  private static let name = "s.sqlite.V1.backup"

  /// A store, its backup under both names, and the private file of a swap that did not come.
  private func withBackup(
    journalMode: String = "DELETE", _ body: (_ folder: URL, _ store: URL) throws -> Void
  ) throws {
    try withTemporaryFolder { folder in
      let store = folder.appending(path: "s.sqlite")
      try makeStore(at: store, journalMode: journalMode, rows: 3)
      try FileManager.default.copyItem(at: store, to: folder.appending(path: Self.mark))
      try FileManager.default.linkItem(
        at: folder.appending(path: Self.mark), to: folder.appending(path: Self.name))
      try Data("x".utf8).write(to: folder.appending(path: LeftoversTests.staged))
      try body(folder, store)
    }
  }

  /// Clears what is left, and says which names the backups have that stay.
  private func settle(_ store: URL) throws -> [String] {
    let connection = try? StoreConnection(path: store.path)
    let found = try findLeftovers(ofStoreAt: store.path, reading: connection)
    try connection?.close()
    try found.remove(ofStoreAt: store.path, named: store.path)
    return found.compactMap(\.backup).map { URL(filePath: $0).lastPathComponent }
  }

  private func change(_ store: URL, _ sql: String) throws {
    let queue = try DatabaseQueue(path: store.path)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
  }

  enum Disturbance: CaseIterable {
    case moved, emptied, junk, recreated, older, overwritten, written
  }

  @Test(arguments: Disturbance.allCases)
  func `the store is not what the backup holds, and the backup stays`(disturbance: Disturbance) throws {
    try withBackup { folder, store in
      let backup = try Data(contentsOf: folder.appending(path: Self.name))
      let files = FileManager.default
      if disturbance != .written, disturbance != .overwritten { try files.removeItem(at: store) }
      switch disturbance {
      case .moved: break
      case .emptied: try Data().write(to: store)
      case .junk: try Data("a note".utf8).write(to: store)
      case .recreated: try makeStore(at: store)
      case .older: try makeStore(at: store, rows: 2)
      case .overwritten:
        try makeStore(at: folder.appending(path: "older"), rows: 2)
        let handle = try FileHandle(forWritingTo: store)
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(contentsOf: folder.appending(path: "older")))
        try handle.close()
        try files.removeItem(at: folder.appending(path: "older"))
      case .written: try change(store, "UPDATE ZNOTE SET ZTEXT = 'written since' WHERE Z_PK = 1")
      }
      let left = try? Data(contentsOf: store)
      #expect(try settle(store) == [Self.name])
      #expect(try Data(contentsOf: folder.appending(path: Self.name)) == backup)
      #expect((try? Data(contentsOf: store)) == left)
      #expect(try listing(of: folder).filter { $0.contains(".modelc-") } == [])
    }
  }

  @Test(arguments: [true, false])
  func `a private file without a backup stays where the app has begun another store`(isAnother: Bool) throws {
    try withTemporaryFolder { folder in
      let (store, staged) = (
        folder.appending(path: "s.sqlite"), folder.appending(path: LeftoversTests.staged)
      )
      for (url, identity, rows) in [(staged, "A", 3), (store, isAnother ? "B" : "A", 1)] {
        try makeStore(at: url, rows: rows)
        try change(url, "INSERT INTO Z_METADATA VALUES (1, '\(identity)', x'00')")
      }
      let content = try Data(contentsOf: staged)
      let kept = try settle(store)
      #expect(kept.count == (isAnother ? 1 : 0))
      for name in kept { #expect(try Data(contentsOf: folder.appending(path: name)) == content) }
      #expect(!FileManager.default.fileExists(atPath: staged.path))
    }
  }

  @Test func `a change that is in the log alone is a change`() throws {
    try withBackup(journalMode: "WAL") { _, store in
      let statements = ["PRAGMA wal_autocheckpoint = 0", "DELETE FROM ZNOTE"]
      let output = try OtherProcess.run(store, statements, dies: true)
      #expect(output == "0")
      let names = try settle(store)
      #expect(names == [Self.name])
    }
  }

  @Test(arguments: ["renamed", "moved away", "never named"])
  func `a backup that lost its name gets one`(how: String) throws {
    try withBackup { folder, store in
      let files = FileManager.default
      let named = folder.appending(path: Self.name)
      try files.removeItem(at: store)
      try withTemporaryFolder { elsewhere in
        switch how {
        case "renamed": try files.moveItem(at: named, to: folder.appending(path: "mine"))
        case "moved away": try files.moveItem(at: named, to: elsewhere.appending(path: "mine"))
        default: try files.removeItem(at: named)
        }
        let name = how == "renamed" ? "mine" : "s.sqlite.interrupted-0123abcd.backup"
        #expect(try settle(store) == [name])
        #expect(try listing(of: folder) == [name])
      }
    }
  }

  @Test func `two backups without a name get one each, and no file is replaced`() throws {
    try withTemporaryFolder { folder in
      let store = folder.appending(path: "s.sqlite")
      for (number, digits) in ["0123abcd", "89abcdef"].enumerated() {
        try makeStore(at: folder.appending(path: ".s.sqlite.modelc-\(digits).backup"), rows: number + 1)
      }
      try Data("mine".utf8).write(to: folder.appending(path: "s.sqlite.interrupted-89abcdef.backup"))
      let names = ["s.sqlite.interrupted-0123abcd.backup", "s.sqlite.interrupted-89abcdef.backup 2"]
      #expect(try settle(store) == names)
      #expect(try listing(of: folder) == (names + ["s.sqlite.interrupted-89abcdef.backup"]).sorted())
    }
  }

  @Test func `a mark stays where its backup's name is taken in the meantime`() throws {
    try withTemporaryFolder { folder in
      let (store, mark) = (folder.appending(path: "s.sqlite"), folder.appending(path: Self.mark))
      try makeStore(at: mark)
      let found = try findLeftovers(ofStoreAt: store.path)
      let name = try #require(found.first?.backup)
      try Data("theirs".utf8).write(to: URL(filePath: name))
      #expect(throws: (any Error).self) {
        try found.remove(ofStoreAt: store.path, named: store.path)
      }
      #expect(FileManager.default.fileExists(atPath: mark.path))
    }
  }

  @Test func `a renamed backup of a change that did not happen is its owner's`() throws {
    try withBackup { folder, store in
      try FileManager.default.moveItem(
        at: folder.appending(path: Self.name), to: folder.appending(path: "mine"))
      #expect(try settle(store) == [])
      #expect(try listing(of: folder) == ["mine", "s.sqlite"])
    }
  }

  @Test(arguments: ["part", "nothing", "log moved", "log part"])
  func `a backup goes where the store holds every byte of it, or every row`(case name: String) throws {
    try withBackup(journalMode: name.hasPrefix("log") ? "WAL" : "DELETE") { folder, store in
      let mark = folder.appending(path: Self.mark)
      try FileManager.default.removeItem(at: folder.appending(path: Self.name))
      switch name {
      case "part", "nothing":
        let handle = try FileHandle(forWritingTo: mark)
        try handle.truncate(atOffset: name == "part" ? 5_000 : 0)
        try handle.close()
      default:
        // A dead program's changes: in the backup's log, and in the store's file once the log was moved into it.
        let statements = ["PRAGMA wal_autocheckpoint = 0", "UPDATE ZNOTE SET ZTEXT = 'new'"]
        #expect(try OtherProcess.run(store, statements, dies: true) == "0")
        try FileManager.default.removeItem(at: mark)
        try FileManager.default.copyItem(at: store, to: mark)
        var log = try Data(contentsOf: URL(filePath: store.path + "-wal"))
        if name == "log part" { log = log.prefix(log.count / 2) }
        try log.write(to: URL(filePath: mark.path + "-wal"))
        if name == "log moved" { try change(store, "PRAGMA journal_mode = DELETE") }
      }
      #expect(try settle(store) == [])
      #expect(
        try listing(of: folder).filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") } == ["s.sqlite"])
    }
  }

  @Test(arguments: [
    "INSERT INTO ZNOTE VALUES (9, 1, 1, 'x')", "UPDATE ZNOTE SET ZTEXT = CAST(ZTEXT AS BLOB)",
    "CREATE INDEX i ON ZNOTE (ZTEXT)", "UPDATE ZNOTE SET ZTEXT = char(233) WHERE Z_PK = 2",
  ])
  func `rows are compared by their bytes`(sql: String) throws {
    try withBackup { folder, store in
      try change(store, "UPDATE ZNOTE SET ZTEXT = 'e' || char(769) WHERE Z_PK = 2")
      try FileManager.default.removeItem(at: folder.appending(path: Self.name))
      try FileManager.default.removeItem(at: folder.appending(path: Self.mark))
      try FileManager.default.copyItem(at: store, to: folder.appending(path: Self.mark))
      try change(store, sql)
      #expect(try settle(store) == ["s.sqlite.interrupted-0123abcd.backup"])
    }
  }
}
