import Foundation
import GRDB
import ManagedModel
import PersistentStore
import TestSupport
import Testing

@Suite(.needsFixtures) struct StoreReplacementTests {
  @Test(arguments: genuineStores)
  func `the new store stands alone in its place, the old one whole beside it`(path: String) throws {
    try withTemporaryFolder { folder in
      let store = try Fixtures.copyStore(path, into: folder, permissions: 0o640)
      let name = store.lastPathComponent
      let form = try journalForm(of: store)
      let rows = try plainDump(store)
      let before = try FolderSnapshot(folder)

      let replacement = try StoreReplacement(path: store.path)
      let clone = try replacement.beginClone()
      try clone.write { try $0.execute(sql: "CREATE TABLE ZADDED ( Z_PK INTEGER PRIMARY KEY )") }
      let backup = try #require(try replacement.commit(backupVersion: "V1"))

      let after = try FolderSnapshot(folder)
      #expect(after.names == [name, name + ".V1.backup"])
      // What a log held is in the backup's file.
      if before.bytes(name + "-wal")?.isEmpty ?? true {
        #expect(after.bytes(name + ".V1.backup") == before.bytes(name))
        #expect(after.files[name + ".V1.backup"]?.modified == before.files[name]?.modified)
      }
      #expect(after.files[name]?.permissions == 0o640)
      #expect(after.files[name + ".V1.backup"]?.permissions == 0o640)
      #expect(backup.isOldFile == (form == [1, 1]))
      #expect(backup.byteCount == after.bytes(name + ".V1.backup").map { Int64($0.count) })
      #expect(try journalForm(of: store) == form)
      #expect(
        Set(try plainDump(store))
          == Set(rows + ["table ZADDED CREATE TABLE ZADDED ( Z_PK INTEGER PRIMARY KEY )"]))
      #expect(try plainDump(URL(filePath: backup.path)) == rows)
      try StoreConnection(path: store.path).close()
      #expect(try FolderSnapshot(folder) == after)
    }
  }

  @Test(.needsPython, arguments: ["V1", nil] as [String?])
  func `a damaged log is reported, and a copy of it stays where a backup does`(version: String?) throws {
    try withTemporaryFolder { folder in
      let store = folder.appending(path: "s.sqlite")
      try makeStore(at: store, journalMode: "WAL")
      let writes = (1...3).map { "UPDATE ZNOTE SET ZTEXT = 'new \($0)'" }
      _ = try OtherProcess.run(store, ["PRAGMA wal_autocheckpoint = 0"] + writes, dies: true)
      let log = URL(filePath: store.path + "-wal")
      try FileHandle(forUpdating: log).patch([1, 2, 3, 4], at: 32 + 24 + 4000)
      let bytes = try Data(contentsOf: log)
      let replacement = try StoreReplacement(path: store.path)
      try replacement.beginClone().write { try $0.execute(sql: "DELETE FROM ZNOTE") }
      _ = try replacement.commit(backupVersion: version)
      #expect(replacement.warnings.map(\.code.description) == ["MC5301"])
      let copy = try? Data(contentsOf: URL(filePath: store.path + "-wal.damaged"))
      #expect(copy == (version == nil ? nil : bytes))
    }
  }

  @Test(arguments: [bookmarks, rollbackStore])
  func `without a backup only the new store stays`(path: String) throws {
    try withTemporaryFolder { folder in
      let store = try Fixtures.copyStore(path, into: folder)
      let replacement = try StoreReplacement(path: store.path)
      _ = try replacement.beginClone(keepsBackup: false)
      #expect(try replacement.commit(backupVersion: nil) == nil)
      #expect(try listing(of: folder) == [store.lastPathComponent])
    }
  }

  @Test(arguments: [bookmarks, moody, rollbackStore])
  func `a clone sees the store, changes in its log included`(path: String) throws {
    try withTemporaryFolder { folder in
      let store = try Fixtures.copyStore(path, into: folder)
      let form = try journalForm(of: store)
      let expected = try plainDump(store).filter {
        $0.hasPrefix("Z_METADATA|") || $0.hasPrefix("Z_PRIMARYKEY|")
      }
      let replacement = try StoreReplacement(path: store.path)
      let clone = try replacement.beginClone(seesStore: true)
      try clone.write { db in
        for table in ["Z_PRIMARYKEY", "Z_METADATA"] {
          try db.execute(sql: "DELETE FROM main.\(table)")
          try db.execute(sql: "INSERT INTO main.\(table) SELECT * FROM source.\(table)")
        }
      }
      #expect(codes { try replacement.read { _ in } } == [])
      _ = try replacement.commit(backupVersion: nil)
      #expect(try listing(of: folder) == [store.lastPathComponent])
      #expect(
        try plainDump(store).filter { $0.hasPrefix("Z_METADATA|") || $0.hasPrefix("Z_PRIMARYKEY|") }
          == expected)
      #expect(try journalForm(of: store) == form)
    }
  }

  @Test func `the source cannot be written through the clone`() throws {
    try withTemporaryFolder { folder in
      let store = try Fixtures.copyStore(moody, into: folder)
      let before = try FolderSnapshot(folder)
      let replacement = try StoreReplacement(path: store.path)
      let clone = try replacement.beginClone(seesStore: true)
      #expect(
        codes { try clone.write { try $0.execute(sql: "DELETE FROM source.Z_METADATA") } } == ["MC5304"])
      replacement.cancel()
      #expect(try FolderSnapshot(folder) == before)
    }
  }

  @Test(arguments: ["WAL", "DELETE"])
  func `a backup never takes a name that is used`(mode: String) throws {
    try withTemporaryFolder { folder in
      let store = folder.appending(path: "s.sqlite")
      try makeStore(at: store, journalMode: mode)
      let old = try Data(contentsOf: store)
      for name in ["s.sqlite.V_1.backup", "s.sqlite.V_1.backup 2-wal"] {
        try Data("mine".utf8).write(to: folder.appending(path: name))
      }
      let replacement = try StoreReplacement(path: store.path)
      try replacement.beginClone().write { try $0.execute(sql: "DELETE FROM ZNOTE") }
      let backup = try #require(try replacement.commit(backupVersion: "V/1"))
      let after = try FolderSnapshot(folder)
      #expect(backup.path == URL(filePath: store.path).resolvingSymlinksInPath().path + ".V_1.backup 3")
      #expect(
        after.names == [
          "s.sqlite", "s.sqlite.V_1.backup", "s.sqlite.V_1.backup 2-wal", "s.sqlite.V_1.backup 3",
        ])
      #expect(after.bytes("s.sqlite.V_1.backup") == Data("mine".utf8))
      #expect(after.bytes("s.sqlite.V_1.backup 2-wal") == Data("mine".utf8))
      #expect(after.bytes("s.sqlite.V_1.backup 3") == old)
    }
  }

  @Test(arguments: [bookmarks, rollbackStore, oldHeaderStore])
  func `side files that others make after the swap are left alone`(path: String) throws {
    try withTemporaryFolder { folder in
      let store = try Fixtures.copyStore(path, into: folder)
      let replacement = try StoreReplacement(path: store.path)
      _ = try replacement.beginClone()
      let (theirs, suffixes) = (Data("theirs".utf8), ["-journal", "-wal", "-shm"])
      replacement.willPerform = { step in
        guard step == .syncFolder else { return }
        for suffix in suffixes { try theirs.write(to: URL(filePath: store.path + suffix)) }
      }
      _ = try replacement.commit(backupVersion: nil)
      let after = try FolderSnapshot(folder)
      #expect(suffixes.map { after.bytes(store.lastPathComponent + $0) } == [theirs, theirs, theirs])
    }
  }

  @Test func `a link to the store stays a link, and the real store is replaced`() throws {
    try withTemporaryFolder { folder in
      let inner = folder.appending(path: "inner")
      try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
      let store = try Fixtures.copyStore(moody, into: inner)
      let link = folder.appending(path: "link").path
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "inner/Moody.moody")
      let replacement = try StoreReplacement(path: link)
      try replacement.beginClone().write { try $0.execute(sql: "CREATE TABLE ZADDED (a)") }
      _ = try replacement.commit(backupVersion: "V1")
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "inner/Moody.moody")
      #expect(try listing(of: inner) == ["Moody.moody", "Moody.moody.V1.backup"])
      #expect(try plainDump(store).contains("table ZADDED CREATE TABLE ZADDED (a)"))
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
  func `the owner stays the owner`() throws {
    try withTemporaryFolder { folder in
      let store = folder.appending(path: "s.sqlite")
      try makeStore(at: store, journalMode: "WAL")
      #expect(unsafe chown(store.path, 1234, 4321) == 0)
      let replacement = try StoreReplacement(path: store.path)
      _ = try replacement.beginClone()
      let backup = try #require(try replacement.commit(backupVersion: "V1"))
      for path in [store.path, backup.path] {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.ownerAccountID] as? Int == 1234)
        #expect(attributes[.groupOwnerAccountID] as? Int == 4321)
      }
    }
  }
}

private struct Interruption: Error {}

@Suite(.needsFixtures) struct FailedReplacementTests {
  @Test(arguments: [bookmarks, moody, rollbackStore, surfJournal], SwapStep.allCases.filter { $0 < .rename })
  func `a failure before the swap leaves everything byte for byte`(path: String, step: SwapStep) throws {
    try withTemporaryFolder { folder in
      let store = try Fixtures.copyStore(path, into: folder)
      let before = try FolderSnapshot(folder)
      let replacement = try StoreReplacement(path: store.path)
      try replacement.beginClone().write { try $0.execute(sql: "DELETE FROM Z_PRIMARYKEY") }
      replacement.willPerform = { if $0 == step { throw Interruption() } }
      #expect(throws: Interruption.self) { try replacement.commit(backupVersion: "V1") }
      #expect(try FolderSnapshot(folder) == before)
    }
  }

  @Test(arguments: [bookmarks, moody, rollbackStore, surfJournal])
  func `a rename that fails leaves the old store, object for object`(path: String) throws {
    try withTemporaryFolder { folder in
      let store = try Fixtures.copyStore(path, into: folder)
      let (rows, form) = (try plainDump(store), try journalForm(of: store))
      let replacement = try StoreReplacement(path: store.path)
      let clone = try replacement.beginClone()
      try clone.write { try $0.execute(sql: "DELETE FROM Z_PRIMARYKEY") }
      // Somebody takes the staged file away in the last moment.
      replacement.willPerform = {
        if $0 == .rename { try FileManager.default.removeItem(atPath: clone.path) }
      }
      #expect(codes { _ = try replacement.commit(backupVersion: "V1") } == ["MC6401"])
      #expect(try listing(of: folder).filter { !$0.hasSuffix("-wal") } == [store.lastPathComponent])
      #expect(try plainDump(store) == rows)
      #expect(try journalForm(of: store) == form)
      try StoreConnection(path: store.path).quickCheck()
    }
  }

  @Test(arguments: ["DELETE", "WAL"])
  func `a program that opened the store meanwhile and waits for it gets the old store`(mode: String) throws {
    try withTemporaryFolder { folder in
      let store = folder.appending(path: "s.sqlite")
      try makeStore(at: store, journalMode: mode)
      let form = try journalForm(of: store)
      let replacement = try StoreReplacement(path: store.path)
      try replacement.beginClone().write { try $0.execute(sql: "DELETE FROM ZNOTE") }
      // It has the file open, and no lock yet: after a swap it would write into the old file.
      let other = try OtherProcess(holding: store, [])
      #expect(codes { _ = try replacement.commit(backupVersion: "V1") } == ["MC5305"])
      other.end()
      #expect(try listing(of: folder).filter { !$0.hasSuffix("-wal") } == ["s.sqlite"])
      #expect(try journalForm(of: store) == form)
      #expect(try OtherProcess.run(store, ["SELECT count(*) FROM ZNOTE"]) == "1")
    }
  }

  @Test func `the old file stays locked until whoever opened it in the last moment has given up`() throws {
    try withTemporaryFolder { folder in
      let store = folder.appending(path: "s.sqlite")
      try makeStore(at: store, journalMode: "DELETE")
      let replacement = try StoreReplacement(path: store.path)
      _ = try replacement.beginClone()
      var other: OtherProcess?
      // The backup is the old file.
      replacement.willPerform = {
        guard $0 == .syncFolder else { return }
        other = try OtherProcess(holding: URL(filePath: store.path + ".V1.backup"), [], seconds: 1)
      }
      let start = ContinuousClock.now
      #expect(try replacement.commit(backupVersion: "V1")?.isOldFile == true)
      #expect(ContinuousClock.now - start > .seconds(0.5))
      #expect(replacement.warnings == [])
      other?.end()
    }
  }

  @Test func `a store that somebody else replaced is not overwritten`() throws {
    try withTemporaryFolder { folder in
      let store = folder.appending(path: "s.sqlite")
      try makeStore(at: store)
      let replacement = try StoreReplacement(path: store.path)
      _ = try replacement.beginClone()
      replacement.willPerform = { step in
        guard step == .rename else { return }
        try FileManager.default.removeItem(at: store)
        try Data("theirs".utf8).write(to: store)
      }
      #expect(codes { _ = try replacement.commit(backupVersion: nil) } == ["MC6401"])
      #expect(try Data(contentsOf: store) == Data("theirs".utf8))
      #expect(try listing(of: folder) == ["s.sqlite"])
    }
  }

  @Test(arguments: ["DELETE", "WAL"])
  func `what somebody else replaced has its backup still`(journalMode: String) throws {
    try withTemporaryFolder { folder in
      let store = folder.appending(path: "s.sqlite")
      try makeStore(at: store, journalMode: journalMode, rows: 3)
      let rows = try plainDump(store)
      let replacement = try StoreReplacement(path: store.path)
      _ = try replacement.beginClone()
      replacement.willPerform = { step in
        guard step == .rename else { return }
        try FileManager.default.removeItem(at: store)
        try makeStore(at: store, rows: 1)
      }
      let error = try #require(throws: DiagnosticsError.self) {
        _ = try replacement.commit(backupVersion: "V1")
      }
      #expect(error.diagnostics.map(\.code.description) == ["MC6401", "MC6405"])
      #expect(error.diagnostics.last?.notes.first?.message.contains("s.sqlite.V1.backup") == true)
      #expect(try plainDump(folder.appending(path: "s.sqlite.V1.backup")) == rows)
      #expect(try listing(of: folder).filter { $0.contains(".modelc-") } == [])
    }
  }

  @Test func `a file with another name is copied for its backup`() throws {
    try withTemporaryFolder { folder in
      let store = folder.appending(path: "s.sqlite")
      try makeStore(at: store)
      try FileManager.default.linkItem(at: store, to: folder.appending(path: "other"))
      let replacement = try StoreReplacement(path: store.path)
      _ = try replacement.beginClone()
      let backup = try #require(try replacement.commit(backupVersion: "V1"))
      #expect(!backup.isOldFile)
      let bytes = try Data(contentsOf: URL(filePath: backup.path))
      let queue = try DatabaseQueue(path: folder.appending(path: "other").path)
      try queue.write { try $0.execute(sql: "DELETE FROM ZNOTE") }
      try queue.close()
      #expect(try Data(contentsOf: URL(filePath: backup.path)) == bytes)
    }
  }

  @Test(arguments: [bookmarks, moody, rollbackStore])
  func `what is neither committed nor cancelled is cleared`(path: String) throws {
    try withTemporaryFolder { folder in
      let store = try Fixtures.copyStore(path, into: folder)
      let before = try FolderSnapshot(folder)
      do {
        let replacement = try StoreReplacement(path: store.path)
        let clone = try replacement.beginClone(seesStore: true)
        try clone.write { try $0.execute(sql: "CREATE TABLE t (a)") }
        #expect(codes { _ = try replacement.beginClone() } == ["MC6401"])
      }
      #expect(try FolderSnapshot(folder) == before)
    }
  }

  @Test func `a step that failed cannot be committed`() throws {
    try withTemporaryFolder { folder in
      let store = try Fixtures.copyStore(bookmarks, into: folder)
      let before = try FolderSnapshot(folder)
      let replacement = try StoreReplacement(path: store.path)
      let clone = try replacement.beginClone()
      #expect(throws: DatabaseError.self) { try clone.write { try $0.execute(sql: "DROP TABLE none") } }
      #expect(codes { _ = try replacement.commit(backupVersion: "V1") } == ["MC6003"])
      #expect(codes { _ = try replacement.commit(backupVersion: "V1") } == ["MC6401"])
      #expect(try FolderSnapshot(folder) == before)
    }
  }

  @Test(.needsMounting) func `too little room is said before anything is written`() throws {
    try Medium.with(size: "300k") { medium in
      let store = try Fixtures.copyStore(bookmarks, into: medium.folder)
      let before = try FolderSnapshot(medium.folder)
      let replacement = try StoreReplacement(path: store.path)
      _ = try replacement.beginClone()
      replacement.cancel()
      try Data(count: 150_000).write(to: medium.folder.appending(path: "ballast"))
      let again = try StoreReplacement(path: store.path)
      let diagnostic = try refusal { _ = try again.beginClone() }
      #expect(diagnostic.code.description == "MC5306")
      again.cancel()
      try FileManager.default.removeItem(at: medium.folder.appending(path: "ballast"))
      #expect(try FolderSnapshot(medium.folder) == before)
    }
  }

  @Test(.needsMounting) func `too little room for the journal of a change in place is said, too`() throws {
    try Medium.with(size: "300k") { medium in
      let store = try Fixtures.copyStore(bookmarks, into: medium.folder)
      let before = try FolderSnapshot(medium.folder)
      let lock = try StoreLock(StoreFile(path: store.path))
      func require(journal: Int64, keepsBackup: Bool) throws {
        let file = lock.file
        try file.requireRoom(
          file.room(content: file.byteCount, journal: journal, keepsBackup: keepsBackup))
      }
      try require(journal: 50_000, keepsBackup: true)
      let journal = try refusal { try require(journal: 300_000, keepsBackup: false) }
      #expect(journal.code.description == "MC5306")
      let both = try refusal { try require(journal: 200_000, keepsBackup: true) }
      #expect(both.code.description == "MC5306")
      try lock.close()
      #expect(try FolderSnapshot(medium.folder) == before)
    }
  }

  @Test(.needsMounting) func `a disk that becomes full costs nothing but time`() throws {
    try Medium.with(size: "600k") { medium in
      let store = try Fixtures.copyStore(bookmarks, into: medium.folder)
      let before = try FolderSnapshot(medium.folder)
      let replacement = try StoreReplacement(path: store.path)
      let clone = try replacement.beginClone()
      let found = codes {
        try clone.write { try $0.execute(sql: "CREATE TABLE big AS SELECT zeroblob(1000000) AS a") }
      }
      #expect(found == ["MC5306"])
      replacement.cancel()
      #expect(try FolderSnapshot(medium.folder) == before)
    }
  }

  @Test(.needsMounting) func `a disk that becomes full while the backup is made leaves the old store`() throws
  {
    try Medium.with(size: "600k") { medium in
      let store = try Fixtures.copyStore(bookmarks, into: medium.folder)
      let before = try FolderSnapshot(medium.folder)
      let replacement = try StoreReplacement(path: store.path)
      _ = try replacement.beginClone()
      let ballast = medium.folder.appending(path: "ballast")
      replacement.willPerform = { step in
        guard step == .backUp else { return }
        _ = try OtherProcess.output(of: ["dd", "if=/dev/zero", "of=\(ballast.path)", "bs=4k", "count=1000"])
      }
      #expect(codes { _ = try replacement.commit(backupVersion: "V1") } == ["MC5306"])
      try FileManager.default.removeItem(at: ballast)
      #expect(try FolderSnapshot(medium.folder) == before)
    }
  }
}
