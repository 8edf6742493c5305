import Foundation
import GRDB
import ManagedModel
import PersistentStore
import TestSupport
import Testing

@Suite struct StoreFileTests {
  @Test func `what is not there is a mistake in usage, not a finding`() throws {
    try withTemporaryFolder { folder in
      let link = folder.appending(path: "link").path
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "nowhere")
      let loop = folder.appending(path: "loop").path
      try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: "loop")
      try Data("x".utf8).write(to: folder.appending(path: "file"))
      for path in ["none", "none/none", "file/none"].map({ folder.appending(path: $0).path }) + [
        link, loop, "",
      ] {
        #expect(throws: StoreNotFoundError(path: path)) { try StoreConnection(path: path) }
      }
      #expect(throws: StoreNotFoundError(path: folder.path, isFolder: true)) {
        try StoreConnection(path: folder.path)
      }
    }
  }

  @Test(arguments: [(".s.sqlite.icloud", "iCloud"), ("s.sqlite-wal", "log")])
  func `a missing store is reported with what is in its place`(name: String, word: String) throws {
    try withTemporaryFolder { folder in
      let missing = StoreNotFoundError(path: folder.appending(path: "s.sqlite").path)
      #expect(missing.diagnostic.help.isEmpty)
      try Data([1]).write(to: folder.appending(path: name))
      #expect(missing.diagnostic.help.count == 1)
      #expect(missing.diagnostic.help.first?.contains(word) == true)
    }
  }

  static let random = Data((0..<8192).map { _ in UInt8.random(in: 0...255) })
  static let header = Data("SQLite format 3\u{0}".utf8)

  @Test(arguments: [
    (Data(), "is empty"),
    (Data("name,size\nhut,3\n".utf8), "is a text file, not a SQLite file"),
    (Data("Größe\n".utf8), "is a text file, not a SQLite file"),
    (random, "is encrypted, or not a SQLite file"),
    (Data([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0]), "is not a SQLite file"),
    (header, "is cut short: 16 bytes are less than a SQLite file's header"),
    (header + Data(repeating: 0, count: 4080), "starts like a SQLite file, but its header is damaged"),
    (header + random, "starts like a SQLite file, but its header is damaged"),
  ])
  func `bytes that are no store are named for what they are`(bytes: Data, words: String) throws {
    try withTemporaryFolder { folder in
      let file = folder.appending(path: "it's.sqlite")
      try bytes.write(to: file)
      let before = try FolderSnapshot(folder)
      let diagnostic = try refusal { _ = try StoreConnection(path: file.path) }
      #expect(diagnostic.code.description == "MC5001")
      #expect(diagnostic.cocoaCode == 134080)
      #expect(diagnostic.message == "'\(file.path)' \(words)")
      #expect(try FolderSnapshot(folder) == before)
    }
  }

  @Test(.timeLimit(.minutes(1))) func `a pipe or device is refused and never waited for`() throws {
    try withTemporaryFolder { folder in
      let pipe = folder.appending(path: "pipe").path
      #expect(unsafe mkfifo(pipe, 0o600) == 0)
      #expect(codes { _ = try StoreConnection(path: pipe) } == ["MC5001"])
      let store = folder.appending(path: "s.sqlite")
      try makeStore(at: store, journalMode: "DELETE")
      #expect(unsafe mkfifo(store.path + "-journal", 0o600) == 0)
      #expect(codes { _ = try StoreConnection(path: store.path) } == ["MC5001"])
      #expect(codes { _ = try StoreConnection(path: "/dev/zero") } == ["MC5001"])
    }
  }

  @Test(.needsFixtures, arguments: [moody, rollbackStore])
  func `a store that has lost its end is refused`(path: String) throws {
    try withTemporaryFolder { folder in
      let store = try Fixtures.copyStore(path, into: folder)
      let bytes = try Data(contentsOf: store)
      for length in [bytes.count - 1, bytes.count - 4096, bytes.count / 2, 4096, 100] {
        try bytes.prefix(length).write(to: store)
        let diagnostic = try refusal { _ = try StoreConnection(path: store.path) }
        #expect(diagnostic.code.description == "MC5001")
        #expect(
          diagnostic.message == "'\(store.path)' is cut short: it has \(length) bytes of \(bytes.count)")
      }
    }
  }

  @Test func `SQLite files of others are no stores`() throws {
    try withTemporaryFolder { folder in
      let file = folder.appending(path: "other.sqlite")
      let queue = try DatabaseQueue(path: file.path)
      try queue.write { db in
        try db.execute(sql: "CREATE TABLE Z_METADATA (Z_VERSION); CREATE VIEW Z_PRIMARYKEY AS SELECT 1")
      }
      try queue.close()
      let diagnostic = try refusal { _ = try StoreConnection(path: file.path) }
      #expect(diagnostic.code.description == "MC5003")
      #expect(diagnostic.cocoaCode == 134010)
      #expect(diagnostic.notes == ["it has no table 'Z_PRIMARYKEY'"])
    }
  }

  @Test func `links are followed to the real store and its log`() throws {
    try withTemporaryFolder { folder in
      let inner = folder.appending(path: "inner")
      try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
      let store = inner.appending(path: "a?b#c%20 d.sqlite")
      try makeStore(at: store, journalMode: "WAL", rows: 3)
      _ = try OtherProcess.run(store, ["INSERT INTO ZNOTE VALUES (9, 1, 1, 'in the log')"], dies: true)
      let link = folder.appending(path: "link")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: store)
      let before = try FolderSnapshot(inner)
      let connection = try StoreConnection(path: link.path)
      #expect(try connection.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM ZNOTE") } == 4)
      try connection.close()
      #expect(try FolderSnapshot(inner) == before)
      #expect(try listing(of: folder) == ["inner", "link"])
    }
  }

  @Test func `damaged pages are named when they are read`() throws {
    try withTemporaryFolder { folder in
      let store = folder.appending(path: "s.sqlite")
      try makeStore(at: store, rows: 200)
      var bytes = try Data(contentsOf: store)
      for offset in 16384..<20480 { bytes[offset] = 0xff }
      try bytes.write(to: store)
      let connection = try StoreConnection(path: store.path)
      let read = try refusal { try connection.read { _ = try Row.fetchAll($0, sql: "SELECT * FROM ZNOTE") } }
      let check = try refusal { try connection.quickCheck() }
      #expect(read.code.description == "MC5002")
      #expect(read.cocoaCode == 134180)
      #expect(check.code.description == "MC5002")
      #expect(!check.notes.isEmpty)
    }
  }
}

/// What is advised for damage.
@Suite struct DamageHelpTests {
  @Test(arguments: [
    (["row 7 missing from index a", "wrong # of entries in index a"], false),
    (["row 7 missing from index a", "x"], true), ([], true),
  ])
  func `indexes are rebuilt in place, without a backup`(lines: [String], isSaved: Bool) {
    let help = Diagnostic.malformed("s.sqlite", lines).help
    #expect(help.first?.contains("`modelc repair s.sqlite --apply`") == !isSaved)
    #expect(help.first?.contains("s.sqlite.recovered") == isSaved)
  }
}

/// Changes beside the store that are not its own, or were never finished.
@Suite(.needsPython) struct ForeignLogTests {
  @Test(arguments: [(0, 4), (1, 4), (3, 4), (0, 1)])
  func `transactions behind a damaged frame are counted; one that was never finished is not`(
    damaged: Int, transactions: Int
  ) throws {
    try withTemporaryFolder { folder in
      let store = folder.appending(path: "s.sqlite")
      try makeStore(at: store, journalMode: "WAL")
      let writes = (1...transactions).map { "UPDATE ZNOTE SET ZTEXT = 'new \($0)'" }
      _ = try OtherProcess.run(store, ["PRAGMA wal_autocheckpoint = 0"] + writes, dies: true)
      #expect(try StoreFile(path: store.path).examineLog().isEmpty)
      let frames = try #require(try FileStatus(atPath: store.path + "-wal")).size / (24 + 4096)
      #expect(frames == Int64(transactions))
      try FileHandle(forUpdating: URL(filePath: store.path + "-wal"))
        .patch([1, 2, 3, 4], at: UInt64(32 + damaged * (24 + 4096) + 24 + 4000))
      let findings = try StoreFile(path: store.path).examineLog()
      let ignored = transactions - damaged
      #expect(findings.map(\.code) == (ignored > 1 ? [.unreadableWriteAheadLog] : []))
      #expect(findings.allSatisfy { $0.message.contains("ignores \(ignored) transactions") })
      // The next writer would overwrite it.
      let log = try Data(contentsOf: URL(filePath: store.path + "-wal"))
      let notes = try StoreFile(path: store.path).examineLog(keepsCopy: true).flatMap(\.notes)
      let isTold = notes.contains { $0.message.contains("'s.sqlite-wal.damaged'") }
      let copy = try? Data(contentsOf: URL(filePath: store.path + "-wal.damaged"))
      #expect(isTold == (ignored > 1))
      #expect(copy == (ignored > 1 ? log : nil))
      // The same log has one copy; that of another one is not replaced.
      let again = try StoreFile(path: store.path).examineLog(keepsCopy: true).flatMap(\.notes)
      #expect(again == notes)
      try Data("other".utf8).write(to: URL(filePath: store.path + "-wal.damaged"))
      let second = try StoreFile(path: store.path).examineLog(keepsCopy: true).flatMap(\.notes)
      let isSecond = second.contains { $0.message.contains("'s.sqlite-wal.damaged-2'") }
      #expect(isSecond == (ignored > 1))
    }
  }

  @Test func `a frame of another round before one of this round is damaged`() throws {
    try withTemporaryFolder { folder in
      let store = folder.appending(path: "s.sqlite")
      try makeStore(at: store, journalMode: "WAL")
      let writes = (1...4).map { "UPDATE ZNOTE SET ZTEXT = 'new \($0)'" }
      _ = try OtherProcess.run(store, ["PRAGMA wal_autocheckpoint = 0"] + writes, dies: true)
      try FileHandle(forUpdating: URL(filePath: store.path + "-wal"))
        .patch([1, 2, 3, 4], at: 32 + 24 + 4096 + 8)
      let messages = try StoreFile(path: store.path).examineLog().map(\.message)
      #expect(messages.map { $0.hasPrefix("frame 2 of") && $0.contains("ignores 2 transactions") } == [true])
    }
  }

  /// Logs of gigabytes cost seconds each time.
  @Test func `a log is read as far as it could contradict its store`() throws {
    try withTemporaryFolder { folder in
      let store = folder.appending(path: "s.sqlite")
      try makeStore(at: store, journalMode: "WAL")
      let writes = ["CREATE TABLE other (a)", "UPDATE ZNOTE SET ZTEXT = 'new'"]
      _ = try OtherProcess.run(store, ["PRAGMA wal_autocheckpoint = 0"] + writes, dies: true)
      let (file, log) = (try StoreFile(path: store.path), store.path + "-wal")
      let read = try LogPages(ofLogAt: log)
      let judged = try LogPages(ofLogAt: log, judging: file.header)
      #expect(read?.pageCount != nil && judged != nil && judged?.pageCount == nil)
      var other = file.header
      other.changeCount += 9
      let foreign = try LogPages(ofLogAt: log, judging: other)
      #expect(foreign?.pageCount == read?.pageCount)
    }
  }

  @Test func `a file that has lost its end is refused with a log too, unless the log has that`() throws {
    try withTemporaryFolder { folder in
      for (write, isWhole) in [("UPDATE ZNOTE SET ZTEXT = 'new' WHERE Z_PK = 1", false), ("VACUUM", true)] {
        let store = folder.appending(path: isWhole ? "whole.sqlite" : "cut.sqlite")
        try makeStore(at: store, journalMode: "WAL", rows: 200)
        _ = try OtherProcess.run(store, ["PRAGMA wal_autocheckpoint = 0", write], dies: true)
        try FileManager.default.removeItem(atPath: store.path + "-shm")
        let bytes = try Data(contentsOf: store)
        try bytes.prefix(bytes.count - 4096).write(to: store)
        let found = codes { _ = try StoreConnection(path: store.path) }
        #expect(found == (isWhole ? [] : ["MC5001"]))
      }
    }
  }

  @Test(arguments: [("VACUUM", "modelc repair"), ("UPDATE ZNOTE SET ZTEXT = 'new'", "from a backup")])
  func `an empty file says that its log is not empty`(write: String, help: String) throws {
    try withTemporaryFolder { folder in
      let store = folder.appending(path: "s.sqlite")
      try makeStore(at: store, journalMode: "WAL")
      _ = try OtherProcess.run(store, ["PRAGMA wal_autocheckpoint = 0", write], dies: true)
      try Data().write(to: store)
      let before = try FolderSnapshot(folder)
      let diagnostic = try refusal { _ = try StoreConnection(path: store.path) }
      #expect(diagnostic.code.description == "MC5001" && diagnostic.message.hasSuffix("is empty"))
      #expect(diagnostic.help.allSatisfy { $0.contains(help) } && diagnostic.help.count == 1)
      #expect(try FolderSnapshot(folder) == before)
    }
  }

  @Test func `a store whose beginning was overwritten says what saves its other pages`() throws {
    try withTemporaryFolder { folder in
      let store = folder.appending(path: "s.sqlite")
      try makeStore(at: store, rows: 200)
      try FileHandle(forUpdating: store).patch(Array(repeating: 0, count: 4096), at: 0)
      let other = folder.appending(path: "other")
      try Data(count: 65536).write(to: other)
      let help = try [store, other].map { url in
        try refusal { _ = try StoreConnection(path: url.path) }.help.joined()
      }
      #expect(help[0].contains("`dd if=first.sqlite of=COPY") && help[1].isEmpty)
    }
  }

  @Test(arguments: ["garbage", "checksum", "page size", "mode", "folder"])
  func `a log that cannot be the store's is refused`(kind: String) throws {
    try withTemporaryFolder { folder in
      let store = folder.appending(path: "s.sqlite")
      let wal = URL(filePath: store.path + "-wal")
      try makeStore(at: store, journalMode: "WAL")
      _ = try OtherProcess.run(store, ["UPDATE ZNOTE SET ZTEXT = 'new'"], dies: true)
      try FileManager.default.removeItem(atPath: store.path + "-shm")
      var log = try Data(contentsOf: wal)
      try #require(log.count > 4096)
      switch kind {
      case "garbage": log = Data(repeating: 0x41, count: 5000)
      case "checksum": log[20] ^= 1
      case "page size": log = try logOfOtherPageSize(in: folder)
      case "mode": try FileHandle(forUpdating: store).patch([1, 1], at: 18)
      default: try FileManager.default.removeItem(at: wal)
      }
      if kind == "folder" {
        try FileManager.default.createDirectory(at: wal, withIntermediateDirectories: false)
      } else {
        try log.write(to: wal)
      }
      let before = try FolderSnapshot(folder)
      let code = ["page size", "mode"].contains(kind) ? "MC5302" : "MC5301"
      #expect(codes { _ = try StoreConnection(path: store.path) } == [code])
      #expect(codes { _ = try StoreReplacement(path: store.path) } == [code])
      #expect(try FolderSnapshot(folder) == before)
    }
  }

  @Test func `a journal that was never finished is refused, not rolled back`() throws {
    try withTemporaryFolder { folder in
      let store = folder.appending(path: "s.sqlite")
      try makeStore(at: store, rows: 500)
      _ = try OtherProcess.run(
        store, ["PRAGMA cache_size = 2", "BEGIN", "UPDATE ZNOTE SET ZTEXT = ZTEXT || 'y'"], dies: true)
      let before = try FolderSnapshot(folder)
      try #require(before.names == ["s.sqlite", "s.sqlite-journal"])
      #expect(codes { _ = try StoreConnection(path: store.path) } == ["MC5301"])
      #expect(codes { _ = try StoreReplacement(path: store.path) } == ["MC5301"])
      #expect(try FolderSnapshot(folder) == before)
    }
  }

  private func logOfOtherPageSize(in folder: URL) throws -> Data {
    try withTemporaryFolder { folder in
      let other = folder.appending(path: "other")
      _ = try OtherProcess.run(
        other, ["PRAGMA page_size = 1024", "PRAGMA journal_mode = WAL", "CREATE TABLE t (a)"], dies: true)
      return try Data(contentsOf: URL(filePath: other.path + "-wal"))
    }
  }
}

extension FileHandle {
  func patch(_ bytes: [UInt8], at offset: UInt64) throws {
    try seek(toOffset: offset)
    try write(contentsOf: Data(bytes))
    try close()
  }
}
