import Foundation
import GRDB
import PersistentStore
import TestSupport
import Testing

/// What SQLite would follow, wait for or unlink beside a store.
@Suite("Side files that are not a store's own") struct SideFileTests {
  /// A folder with a database and a text file that nobody may touch.
  private func withCanary(_ body: (_ folder: URL, _ store: URL, _ canary: URL) throws -> Void) throws {
    try withTemporaryFolder { folder in
      try withTemporaryFolder { canary in
        let store = folder.appending(path: "s.sqlite")
        try makeStore(at: store, rows: 3)
        try makeStore(at: canary.appending(path: "diary.sqlite"), rows: 2)
        try Data("dear diary".utf8).write(to: canary.appending(path: "notes.txt"))
        let before = try FolderSnapshot(canary)
        try body(folder, store, canary)
        #expect(try FolderSnapshot(canary) == before)
        #expect(try listing(of: canary) == ["diary.sqlite", "notes.txt"])
      }
    }
  }

  /// Everything that opens a store, or undoes its journal.
  private func refusals(_ store: URL, named file: StoreFile) -> [[String]] {
    [
      codes { try StoreConnection(path: store.path).close() },
      codes { try StoreLock(file).close() },
      codes { try file.undoUnfinishedChanges() },
      codes { _ = try StoreReplacement(path: store.path) },
    ]
  }

  /// The journal of a transaction of its own, ended by the name of a super-journal as SQLite writes it.
  private func leaveJournal(of store: URL, naming name: String) throws {
    _ = try OtherProcess.run(
      store,
      [
        "PRAGMA cache_size = 1", "PRAGMA cache_spill = 1", "BEGIN EXCLUSIVE",
        "UPDATE ZNOTE SET ZTEXT = hex(randomblob(9000))",
      ], dies: true)
    let journal = URL(filePath: store.path + "-journal")
    var bytes = try Data(contentsOf: journal)
    try #require(bytes.count > 512)
    func number(_ value: UInt32) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
    let text = Array(name.utf8)
    bytes += number(0x4000_0001) + text + number(UInt32(text.count))
    bytes += number(text.reduce(0) { $0 &+ UInt32($1) }) + [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    try bytes.write(to: journal)
  }

  @Test(arguments: ["notes.txt", "diary.sqlite", "nothing"])
  func `a journal that names a super-journal never reaches SQLite`(victim: String) throws {
    try withCanary { folder, store, canary in
      let file = try StoreFile(path: store.path)
      try leaveJournal(of: store, naming: canary.appending(path: victim).path)
      let before = try FolderSnapshot(folder)
      #expect(refusals(store, named: file) == [["MC5301"], ["MC5301"], ["MC5301"], ["MC5301"]])
      #expect(try FolderSnapshot(folder) == before)
    }
  }

  @Test func `a journal of the store alone is undone as before`() throws {
    try withCanary { _, store, _ in
      let rows = try plainDump(store)
      _ = try OtherProcess.run(
        store,
        [
          "PRAGMA cache_size = 1", "PRAGMA cache_spill = 1", "BEGIN EXCLUSIVE",
          "UPDATE ZNOTE SET ZTEXT = hex(randomblob(9000))",
        ], dies: true)
      try StoreFile(path: store.path).undoUnfinishedChanges()
      #expect(try plainDump(store) == rows)
    }
  }

  @Test(arguments: [1, 2, 3])
  func `a journal that was cut short is not undone in part`(segment: Int) throws {
    try withCanary { folder, store, _ in
      _ = try OtherProcess.run(
        store,
        [
          "WITH n(i) AS (VALUES (10) UNION ALL SELECT i + 1 FROM n WHERE i < 300) "
            + "INSERT INTO ZNOTE SELECT i, 1, 1, hex(zeroblob(100)) FROM n"
        ])
      _ = try OtherProcess.run(
        store,
        [
          "PRAGMA cache_size = 1", "PRAGMA cache_spill = 1", "BEGIN EXCLUSIVE",
          "UPDATE ZNOTE SET ZTEXT = hex(randomblob(9000))",
        ], dies: true)
      let journal = URL(filePath: store.path + "-journal")
      let bytes = try Data(contentsOf: journal)
      let magic = Data([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7])
      var head = 0
      for _ in 1..<segment {
        head = try #require(bytes.range(of: magic, in: head + 8..<bytes.count)).lowerBound
      }
      // The head, and less than a page.
      try bytes.prefix(head + 700).write(to: journal)
      let before = try FolderSnapshot(folder)
      #expect(codes { try StoreFile(path: store.path).undoUnfinishedChanges() } == ["MC5301"])
      #expect(try FolderSnapshot(folder) == before)
    }
  }

  @Test(arguments: ["-journal", "-shm", "-wal"], [false, true])
  func `a link in the place of a side file is not followed`(suffix: String, isHard: Bool) throws {
    // A log with another name is read, and never written to without '--force'; an index is not SQLite's to read here.
    if isHard, suffix != "-journal" { return }
    try withCanary { folder, store, canary in
      let file = try StoreFile(path: store.path)
      let victim = canary.appending(path: "notes.txt")
      let link = URL(filePath: store.path + suffix)
      if isHard {
        try FileManager.default.linkItem(at: victim, to: link)
      } else {
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: victim)
      }
      let code = suffix == "-wal" || isHard ? "MC5301" : "MC5001"
      #expect(codes { try StoreConnection(path: store.path).close() } == [code])
      #expect(codes { _ = try StoreReplacement(path: store.path) } == [code])
      if suffix != "-wal" { #expect(codes { try file.undoUnfinishedChanges() } == [code]) }
    }
  }
}
