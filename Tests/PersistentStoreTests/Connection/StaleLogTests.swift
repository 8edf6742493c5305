import Foundation
import GRDB
import ManagedModel
import PersistentStore
import TestSupport
import Testing

/// Logs that belong to the file beside them, in every state in which a program can leave them, and logs that do not.
@Suite("Stale logs", .needsFixtures, .needsPython) struct StaleLogTests {
  /// Python that works on a store as an app does and dies, so that the log stays.
  private static let prelude = """
    import os, shutil, sqlite3, sys
    store = sys.argv[1]
    def connect(path=store):
      c = sqlite3.connect(path, isolation_level=None)
      c.execute("PRAGMA journal_mode = WAL")
      c.execute("PRAGMA wal_autocheckpoint = 0")
      return c
    def table(c):
      return c.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%Z_OPT%' AND name LIKE 'Z%' ORDER BY name").fetchone()[0]
    def touch(c, n=1):
      for i in range(n):
        c.execute(f"UPDATE {table(c)} SET Z_OPT = Z_OPT + 1")
        c.execute("INSERT OR REPLACE INTO Z_MODELCACHE (rowid, Z_CONTENT) VALUES (1, randomblob(?))", (9000 * (i + 1),))

    """

  @discardableResult
  private func run(_ script: String, _ store: URL, _ others: URL...) throws -> String {
    let all = Self.prelude + script + "\nsys.stdout.flush(); os._exit(0)"
    let run = try Python.run(["-c", all, store.path] + others.map(\.path))
    #expect(run.code == 0, "\(run.text)")
    return run.text
  }

  static let states: KeyValuePairs = [
    "one change": "touch(connect())",
    "many changes by several connections":
      "a = connect(); b = connect(); touch(a, 3); touch(b, 3); touch(a); b.execute('CREATE TABLE t (a)'); touch(a)",
    "partly moved into the file":
      "a = connect(); touch(a, 4); r = connect(); r.execute('BEGIN'); r.execute('SELECT * FROM Z_METADATA').fetchone(); touch(a, 4); a.execute('PRAGMA wal_checkpoint(PASSIVE)'); touch(a, 2)",
    "wholly moved into the file": "a = connect(); touch(a, 4); a.execute('PRAGMA wal_checkpoint(FULL)')",
    "begun anew over older frames":
      "a = connect(); touch(a, 9); a.execute('PRAGMA wal_checkpoint(RESTART)'); touch(a, 2)",
    "begun anew with the first page in memory":
      "a = connect(); a.execute('CREATE TABLE t (a)'); a.execute('PRAGMA wal_checkpoint(RESTART)'); a.execute('CREATE TABLE u (a)'); a.execute('CREATE TABLE v (a)')",
    "packed": "a = connect(); touch(a, 5); a.execute('DELETE FROM Z_MODELCACHE'); a.execute('VACUUM')",
    "shrunk":
      "a = connect(); touch(a, 9); a.execute('PRAGMA wal_checkpoint(TRUNCATE)'); a.execute('DELETE FROM Z_MODELCACHE'); a.execute('PRAGMA incremental_vacuum').fetchall()",
    "unfinished":
      "a = connect(); touch(a, 2); a.execute('PRAGMA cache_size = 1'); a.execute('BEGIN'); touch(a, 3)",
    "filled from another store":
      "a = connect(); o = sqlite3.connect(sys.argv[2]); o.backup(a); touch(a)",
  ]

  @Test(arguments: states.map(\.key), [moody, bookmarks])
  func `a log that belongs is never called stale`(state: String, store name: String) throws {
    try withTemporaryFolder { folder in
      let store = try Fixtures.copyStore(name, into: folder)
      let other = try withCheckpointed(name == moody ? bookmarks : moody, named: "other", in: folder)
      let script = try #require(Self.states.first { $0.key == state }?.value)
      try run(script, store, other)
      let before = try FolderSnapshot(folder)
      let connection = try StoreConnection(path: store.path)
      try connection.quickCheck()
      try connection.close()
      let replacement = try StoreReplacement(path: store.path)
      replacement.cancel()
      #expect(try FolderSnapshot(folder) == before)
    }
  }

  /// A copy of a genuine store without a log.
  private func withCheckpointed(_ store: String, named name: String, in folder: URL) throws -> URL {
    let url = folder.appending(path: name)
    let copy = try withTemporaryFolder { inner in
      let copy = try Fixtures.copyStore(store, into: inner)
      try run("c = connect(); c.execute('PRAGMA wal_checkpoint(TRUNCATE)'); c.close()", copy)
      return try Data(contentsOf: copy)
    }
    try copy.write(to: url)
    return url
  }

  /// How the log that does not belong came about, written to `sys.argv[2]`.
  static let origins: KeyValuePairs = [
    "of another store":
      "c = connect(sys.argv[3]); touch(c, 5); c.execute('CREATE TABLE ZEXTRA (a)'); shutil.copy(sys.argv[3] + '-wal', sys.argv[2])",
    "of a new store, which is all in its log": """
    c = sqlite3.connect(sys.argv[2] + '.new', isolation_level=None)
    c.execute('PRAGMA journal_mode = WAL'); c.execute('PRAGMA wal_autocheckpoint = 0')
    o = sqlite3.connect(sys.argv[3])
    for line in o.iterdump(): c.execute(line)
    c.execute("UPDATE Z_METADATA SET Z_UUID = 'B0B0B0B0-0000-4000-8000-000000000000'")
    shutil.copy(sys.argv[2] + '.new-wal', sys.argv[2])
    """,
    "of a later state of this store": """
    shutil.copy(store, store + '.later')
    c = connect(store + '.later')
    c.execute('CREATE TABLE big (a)')
    c.execute('WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) INSERT INTO big SELECT randomblob(3000) FROM n')
    c.execute('PRAGMA wal_checkpoint(TRUNCATE)')
    c.execute('UPDATE big SET a = randomblob(3001) WHERE rowid % 7 = 0'); c.execute('CREATE INDEX i ON big (a)')
    shutil.copy(store + '.later-wal', sys.argv[2])
    """,
  ]

  @Test(arguments: origins.map(\.key))
  func `a log that does not belong is named, and the command that mends it does`(origin: String) throws {
    try withTemporaryFolder { folder in
      let place = folder.appending(path: "the app's")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      let store = try withCheckpointed(moody, named: "Shop.sqlite", in: place)
      let uuid = try run(
        """
        c = connect(); c.execute('PRAGMA journal_mode = DELETE')
        for i in range(40): touch(c)
        c.execute('PRAGMA journal_mode = WAL')
        print(c.execute('SELECT Z_UUID FROM Z_METADATA').fetchone()[0]); c.close()
        """, store)
      let other = try withCheckpointed(bookmarks, named: "other", in: folder)
      let script = try #require(Self.origins.first { $0.key == origin }?.value)
      let log = folder.appending(path: "log")
      try run(script, store, log, other)
      for name in try listing(of: place) where name != "Shop.sqlite" {
        try FileManager.default.removeItem(at: place.appending(path: name))
      }
      try FileManager.default.moveItem(at: log, to: URL(filePath: store.path + "-wal"))
      let before = try FolderSnapshot(folder)
      let refused = try refusal { _ = try StoreConnection(path: store.path) }
      #expect(refused.code == .foreignWriteAheadLog)
      #expect(refused.notes.contains { $0.message.contains("is intact") }, "\(refused)")
      #expect(codes { _ = try StoreReplacement(path: store.path) } == ["MC5302"])
      #expect(try FolderSnapshot(folder) == before)
      let command = try #require(refused.help.first?.split(separator: "`").dropFirst().first)
      #expect(try CommandOutput(of: ["sh", "-c", String(command)]).code == 0)
      let connection = try StoreConnection(path: store.path)
      try connection.quickCheck()
      let now = try connection.read { try String.fetchOne($0, sql: "SELECT Z_UUID FROM Z_METADATA") }
      #expect(now == uuid.trimmingCharacters(in: .whitespacesAndNewlines))
      try connection.close()
      #expect(try listing(of: place) == ["Shop.sqlite", "Shop.sqlite-wal.aside"])
    }
  }

  @Test func `where the file is not whole either, it is damage`() throws {
    try withTemporaryFolder { folder in
      let store = try withCheckpointed(moody, named: "Shop.sqlite", in: folder)
      let other = try withCheckpointed(bookmarks, named: "other", in: folder)
      try run(
        "c = connect(sys.argv[2]); touch(c, 5); shutil.copy(sys.argv[2] + '-wal', store + '-wal')", store,
        other)
      var bytes = try Data(contentsOf: store)
      for offset in 4096 * 3..<4096 * 6 { bytes[offset] = 0xff }
      try bytes.write(to: store)
      #expect(codes { try StoreConnection(path: store.path).quickCheck() } == ["MC5002"])
    }
  }
}
