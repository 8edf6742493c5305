import Foundation
import GRDB
import PersistentStore
import TestSupport
import Testing

@Suite("What an interrupted replacement leaves") struct LeftoversTests {
  static let staged = ".s.sqlite.modelc-0123abcd"

  private func withStore(_ body: (_ folder: URL, _ store: URL) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let store = folder.appending(path: "s.sqlite")
      try makeStore(at: store)
      try body(folder, store)
    }
  }

  private func make(_ names: [String], in folder: URL) throws {
    for name in names { try Data("x".utf8).write(to: folder.appending(path: name)) }
  }

  /// Finds and removes, the store being read; a second look finds nothing.
  private func settle(_ store: URL) throws -> [Leftover] {
    let found = try findings(store)
    try found.remove(ofStoreAt: store.path, named: store.path)
    #expect(try findings(store).filter { $0.meaning != .inUse } == [])
    return found
  }

  private func findings(_ store: URL) throws -> [Leftover] {
    let connection = try StoreConnection(path: store.path)
    defer { try? connection.close() }
    return try findLeftovers(ofStoreAt: store.path, reading: connection)
  }

  @Test func `the copy goes, and the backup where the store holds what it holds`() throws {
    try withStore { folder, store in
      try make([Self.staged, Self.staged + "-journal"], in: folder)
      let mark = folder.appending(path: Self.staged + ".backup")
      try FileManager.default.copyItem(at: store, to: mark)
      try FileManager.default.linkItem(at: mark, to: folder.appending(path: "s.sqlite.V1.backup"))
      // Somebody's own backup.
      try make(["s.sqlite.V0.backup"], in: folder)
      let meanings = try settle(store).map(\.meaning)
      #expect(meanings == [.needlessBackup, .needlessBackup, .unfinishedFile, .unfinishedFile])
      #expect(try listing(of: folder) == ["s.sqlite", "s.sqlite.V0.backup"])
    }
  }

  @Test func `a backup of anything else stays, its log beside it`() throws {
    try withStore { folder, store in
      for suffix in ["", "-wal"] {
        try make([Self.staged + ".backup" + suffix], in: folder)
        try FileManager.default.linkItem(
          at: folder.appending(path: Self.staged + ".backup" + suffix),
          to: folder.appending(path: "s.sqlite.V1.backup" + suffix))
      }
      #expect(try settle(store).map(\.meaning) == [.backupMark, .backupMark])
      #expect(try listing(of: folder) == ["s.sqlite", "s.sqlite.V1.backup", "s.sqlite.V1.backup-wal"])
    }
  }

  @Test func `a store changed where it lies says itself whether it was changed`() throws {
    try withStore { folder, store in
      let mark = folder.appending(path: Self.staged + ".backup")
      try FileManager.default.copyItem(at: store, to: mark)
      try FileManager.default.linkItem(at: mark, to: folder.appending(path: "s.sqlite.V1.backup"))
      let before = try listing(of: folder)
      #expect(try findings(store).map(\.meaning) == [.needlessBackup, .needlessBackup])
      #expect(try listing(of: folder) == before)
      let queue = try DatabaseQueue(path: store.path)
      try queue.write { try $0.execute(sql: "CREATE TABLE ZNEW (Z_PK INTEGER PRIMARY KEY)") }
      try queue.close()
      #expect(try findings(store).map(\.meaning) == [.backupMark])
    }
  }

  @Test func `other names, links and folders are none`() throws {
    try withStore { folder, store in
      let others = [
        ".s.sqlite.modelc-0123ABCD", ".s.sqlite.modelc-0123abc", ".s.sqlite.modelc-0123abcd.txt",
        ".t.sqlite.modelc-0123abcd", "s.sqlite.modelc-0123abcd", ".s.sqlite.modelc-0123abcd.externals",
      ]
      try make(others, in: folder)
      try FileManager.default.createSymbolicLink(
        at: folder.appending(path: Self.staged), withDestinationURL: store)
      try FileManager.default.createDirectory(
        at: folder.appending(path: ".s.sqlite.modelc-99999999"), withIntermediateDirectories: false)
      let before = try listing(of: folder)
      #expect(try settle(store) == [])
      #expect(try listing(of: folder) == before)
    }
  }

  @Test(.needsPython) func `what a living process works on is left alone`() throws {
    try withStore { folder, store in
      try make([Self.staged], in: folder)
      let path = folder.appending(path: Self.staged).path
      let script =
        "import fcntl,sys; f = open(sys.argv[1]); fcntl.flock(f, fcntl.LOCK_EX)\n"
        + "print('ready', flush=True); sys.stdin.read()"
      let process = Python.process(["-c", script, path])
      let (input, output) = (Pipe(), Pipe())
      process.standardInput = input
      process.standardOutput = output
      try process.run()
      _ = output.fileHandleForReading.availableData
      #expect(try settle(store).map(\.meaning) == [.inUse])
      #expect(try listing(of: folder).contains(Self.staged))
      try input.fileHandleForWriting.close()
      process.waitUntilExit()
      #expect(try settle(store).map(\.meaning) == [.unfinishedFile])
    }
  }

  @Test func `what was left of a copy elsewhere is found by its record`() throws {
    try withStore { folder, store in
      try withTemporaryFolder { other in
        try make([".k.sqlite.modelc-89abcdef", "k.sqlite"], in: other)
        let record = folder.appending(path: Self.staged + ".copy")
        try Data(other.appending(path: "k.sqlite").path.utf8).write(to: record)
        #expect(try settle(store).map(\.meaning) == [.unfinishedFile, .unfinishedFile])
        #expect(try listing(of: folder) == ["s.sqlite"] && listing(of: other) == ["k.sqlite"])
        // A record that names the store itself, or nothing that is a path.
        for text in [store.path, "k", "", String(repeating: "/x", count: 4_000)] {
          try Data(text.utf8).write(to: record)
          #expect(try settle(store).map(\.meaning) == [.unfinishedFile], "\(text.prefix(20))")
        }
        let live = try CopyRecord(
          ofStoreAt: store.path, named: "s", to: other.appending(path: "k.sqlite").path)
        #expect(try listing(of: folder).count == 2)
        // What the system refused to remove is found by the record, which stays.
        try make([".k.sqlite.modelc-01234567"], in: other)
        live.remove()
        #expect(try listing(of: folder).count == 2)
        try FileManager.default.removeItem(at: other.appending(path: ".k.sqlite.modelc-01234567"))
        live.remove()
        #expect(try listing(of: folder) == ["s.sqlite"])
      }
    }
  }

  @Test func `a replacement leaves none of its private names`() throws {
    try withStore { folder, store in
      let replacement = try StoreReplacement(path: store.path)
      _ = try replacement.beginClone()
      #expect(try findLeftovers(ofStoreAt: store.path).map(\.meaning) == [.inUse])
      _ = try replacement.commit(backupVersion: "V1")
      #expect(try listing(of: folder) == ["s.sqlite", "s.sqlite.V1.backup"])
    }
  }
}
