import Foundation
import GRDB
import TestSupport
import Testing

/// Files that SQLite does not read any more, or not at all: their pages are read one by one.
///
/// `.ci/recover` compares what is saved of genuine stores with what SQLite's `.recover` finds.
@Suite("modelc repair of damaged pages") struct DamagedPageTests {
  /// A store of a thousand pages, without a log, in a project of its own.
  private func withStore(_ body: (_ place: Workplace, _ store: URL) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      try place.write("current: V1\nversions: [V1]\n", to: "P/Models/App/versions.yaml")
      let huts =
        "entities: {Hut: {attributes: {name: string?, beds: integer32?}, fetchIndexes: {byBeds: [beds]}}}\n"
      try place.write(huts, to: "P/Models/App/V1.yaml")
      let made = try place.modelc("fixture", "V1", "-C", "P", "--rows", "20000", "-o", "Huts.sqlite", "-q")
      expectSuccess(made)
      let store = place.url("Huts.sqlite")
      let queue = try DatabaseQueue(path: store.path)
      try queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA journal_mode = DELETE") }
      try queue.close()
      try body(place, store)
    }
  }

  private func keys(_ url: URL) throws -> Set<Int64> {
    try DatabaseQueue(path: url.path).read { db in try Int64.fetchSet(db, sql: "SELECT Z_PK FROM ZHUT") }
  }

  private func write(_ bytes: [UInt8], atPage page: Int, of store: URL) throws {
    let file = try FileHandle(forUpdating: store)
    try file.seek(toOffset: UInt64(page - 1) * 4096)
    try file.write(contentsOf: Data(bytes))
    try file.close()
  }

  @Test func `verify names the repair of a damaged store once`() throws {
    try withStore { place, store in
      try write(Array(repeating: 0xFF, count: 400), atPage: 20, of: store)
      let run = try place.modelc("verify", "Huts.sqlite", "-C", "P")
      #expect(run.errors == ["MC5002"] && run.stderr.split(separator: " repair ").count == 2, "\(run)")
    }
  }

  @Test func `a store that is cut short is saved by the command that its refusal prints`() throws {
    try withStore { place, store in
      let all = try keys(store)
      let file = try FileHandle(forUpdating: store)
      try file.truncate(atOffset: file.seekToEnd() / 8192 * 4096)
      try file.close()
      let damaged = try Data(contentsOf: store)
      let refused = try place.modelc("migrate", "Huts.sqlite", "-C", "P")
      expectRefusal(refused, "MC5001", exit: 3)
      let command = try #require(refused.stderr.split(separator: "`").first { $0.contains(" repair ") })
      let words = command.split(separator: " ").dropFirst().map(String.init)
      #expect(words == ["repair", "-C", "P", "Huts.sqlite", "-o", "Huts.sqlite.recovered"])
      let run = try Modelc.run(words, in: place.folder)
      expectSuccess(run)
      let saved = try keys(place.url("Huts.sqlite.recovered"))
      #expect(saved.isSubset(of: all) && saved.count > all.count / 3 && saved.count < all.count)
      #expect(run.stdout.contains("\(all.count - saved.count) rows of 'ZHUT' are in pages"), "\(run)")
      #expect(try Data(contentsOf: store) == damaged)
      expectSuccess(try place.modelc("verify", "--full", "Huts.sqlite.recovered", "-C", "P"))
      expectRefusal(
        try place.modelc("repair", "Huts.sqlite", "-o", "Huts.sqlite.recovered"), "MC6003", exit: 4)
      #expect(try FileManager.default.contentsOfDirectory(atPath: place.folder.path).count == 3)
    }
  }

  @Test func `a store without its first page is saved by the commands that its refusal prints`() throws {
    try withStore { place, store in
      let all = try keys(store)
      try write(Array(repeating: 0x5A, count: 4096), atPage: 1, of: store)
      let refused = try place.modelc("verify", "Huts.sqlite", "-C", "P")
      let command = "`dd if=first.sqlite of=COPY bs=4096 count=1 conv=notrunc`"
      #expect(refused.stderr.contains(command), "\(refused)")
      expectSuccess(
        try place.modelc("fixture", "--rows", "0", "V1", "-o", "first.sqlite", "-C", "P"))
      let first = try Data(contentsOf: place.url("first.sqlite")).prefix(4096)
      try write(Array(first), atPage: 1, of: store)
      expectSuccess(try place.modelc("repair", "Huts.sqlite", "-o", "Saved.sqlite", "-C", "P"))
      #expect(try keys(place.url("Saved.sqlite")) == all)
    }
  }

  /// What the log has counts too: of a damaged schema, of a file that has lost its end, and of one that has lost everything.
  /// Pages past the end that the log says have deleted rows.
  @Test(arguments: ["schema", "stale", "end", "all"])
  func `a store with a log is saved by the command that its refusal prints`(damage: String) throws {
    try withStore { place, store in
      let queue = try DatabaseQueue(path: store.path)
      let former = try Data(contentsOf: store)
      let logged = try queue.writeWithoutTransaction { db in
        if damage == "stale" {
          try db.execute(sql: "DELETE FROM ZHUT WHERE Z_PK > 100; VACUUM")
          // Room for the longer name.
          try db.execute(sql: "DELETE FROM ZHUT WHERE Z_PK BETWEEN 2 AND 9")
        }
        try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
        if damage == "all" { try db.execute(sql: "VACUUM") }
        try db.execute(sql: "UPDATE ZHUT SET ZNAME = 'from the log' WHERE Z_PK = 1")
        let logged = try Data(contentsOf: URL(filePath: store.path + "-wal")).count
        for beds in damage == "end" ? [70_001, 70_002] : [] {
          try db.execute(sql: "UPDATE ZHUT SET ZBEDS = \(beds) WHERE Z_PK = 1")
        }
        return logged
      }
      let copy = place.url("Copy.sqlite")
      var bytes = try Data(contentsOf: store)
      try FileManager.default.copyItem(atPath: store.path + "-wal", toPath: copy.path + "-wal")
      try queue.close()
      switch damage {
      case "schema", "stale":
        bytes.replaceSubrange(100..<116, with: Data(repeating: 0xFF, count: 16))
        if damage == "stale" { bytes += former.dropFirst(bytes.count) }
      case "end":
        bytes = bytes.prefix(bytes.count / 8192 * 4096)
        // The later transactions are behind a damaged frame.
        let log = try FileHandle(forUpdating: URL(filePath: copy.path + "-wal"))
        try log.seek(toOffset: UInt64(logged + 4000))
        try log.write(contentsOf: Data("damage".utf8))
        try log.close()
      default: bytes = Data()
      }
      try bytes.write(to: copy)
      let refused = try place.modelc("verify", "Copy.sqlite", "-C", "P")
      let command = try #require(refused.stderr.split(separator: "`").first { $0.contains(" repair ") })
      let words = command.split(separator: " ").dropFirst().map(String.init)
      let run = try Modelc.run(words, in: place.folder)
      let saved = place.url("Copy.sqlite.recovered")
      let name = try DatabaseQueue(path: saved.path).read { db in
        try String.fetchOne(db, sql: "SELECT ZNAME FROM ZHUT WHERE Z_PK = 1")
      }
      #expect(name == "from the log", "\(run)")
      let hasAll = try keys(saved) == keys(store)
      #expect(damage == "end" || hasAll, "\(run)")
      #expect(run.stderr.contains("SQLite ignores 2 transactions") == (damage == "end"), "\(run)")
      let isUnchanged = try Data(contentsOf: copy) == bytes
      #expect(isUnchanged)
    }
  }

  @Test func `without Core Data's own tables a store is saved as the version that is named`() throws {
    try withStore { place, store in
      let before = try keys(store)
      for table in ["Z_METADATA", "Z_PRIMARYKEY"] {
        let queue = try DatabaseQueue(path: store.path)
        try queue.write { db in try db.execute(sql: "DROP TABLE \(table)") }
        try queue.close()
        let saving = ["repair", "Huts.sqlite", "-C", "P", "-o", "\(table).sqlite"]
        #expect(try Modelc.run(saving, in: place.folder).stderr.contains("MC5003"))
        expectSuccess(try Modelc.run(saving + ["--as", "V1"], in: place.folder))
        #expect(try keys(place.url("\(table).sqlite")) == before)
        expectSuccess(try place.modelc("verify", "\(table).sqlite", "-C", "P"))
      }
      // Of another app's file nothing is made.
      try DatabaseQueue(path: place.url("other.sqlite").path).write { db in
        try db.execute(sql: "CREATE TABLE notes (text); INSERT INTO notes VALUES ('x')")
      }
      let other = try place.modelc("repair", "other.sqlite", "-C", "P", "--as", "V1", "-o", "none.sqlite")
      #expect(other.code != 0 && other.stderr.contains("MC5003"), "\(other)")
    }
  }

  @Test func `without a schema, rows are those of the version that is named`() throws {
    try withStore { place, store in
      let before = try keys(store)
      let queue = try DatabaseQueue(path: store.path)
      let roots = try queue.read { db in
        try Int.fetchAll(
          db, sql: "SELECT rootpage FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z!_%' ESCAPE '!'")
      }
      try queue.close()
      for page in roots { try write([UInt8](repeating: 0, count: 4096), atPage: page, of: store) }
      let header = [UInt8](try Data(contentsOf: store).prefix(100))
      try write(header + [UInt8](repeating: 0, count: 3996), atPage: 1, of: store)
      let saving = ["repair", "Huts.sqlite", "-C", "P", "-o", "new.sqlite"]
      #expect(try Modelc.run(saving, in: place.folder).stderr.contains("MC6503"))
      let run = try Modelc.run(saving + ["--as", "V1"], in: place.folder)
      #expect(run.stdout.contains("20000 rows of 'ZHUT' are found"), "\(run)")
      #expect(try keys(place.url("new.sqlite")) == before)
    }
  }

  /// Rows of free pages look like any others; they were deleted.
  @Test func `without its root every row of a table is found, and no deleted one`() throws {
    try withStore { place, store in
      let queue = try DatabaseQueue(path: store.path)
      let root = try queue.write { db in
        try db.execute(sql: "PRAGMA secure_delete = OFF; DELETE FROM ZHUT WHERE Z_PK BETWEEN 3000 AND 9000")
        return try #require(
          try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'ZHUT'"))
      }
      try queue.close()
      let before = try keys(store)
      try write([UInt8](repeating: 0x5A, count: 4096), atPage: root, of: store)
      let run = try place.modelc("repair", "Huts.sqlite", "-C", "P", "--keep", "Hut", "-o", "new.sqlite")
      expectSuccess(run)
      #expect(try keys(place.url("new.sqlite")) == before)
      #expect(!run.stdout.contains("loses"), "\(run)")
    }
  }

  @Test func `what the app keeps beside its objects goes along`() throws {
    try withStore { place, store in
      let queue = try DatabaseQueue(path: store.path)
      let root = try queue.write { db in
        try db.execute(
          sql: """
            CREATE TABLE own (v, k TEXT, n, PRIMARY KEY (k, v)) WITHOUT ROWID;
            INSERT INTO own SELECT Z_PK, printf('key %d', Z_PK % 7), zeroblob(Z_PK) FROM ZHUT LIMIT 3000;
            CREATE TABLE log (id INTEGER PRIMARY KEY AUTOINCREMENT, t TEXT UNIQUE NOT NULL CHECK (t > ''));
            INSERT INTO log (t) VALUES ('a'); CREATE INDEX named ON ZHUT (ZNAME COLLATE NOCASE);
            CREATE VIRTUAL TABLE words USING fts5(name); INSERT INTO words VALUES ('alpine hut');
            CREATE VIEW names AS SELECT ZNAME FROM ZHUT;
            CREATE TRIGGER logged AFTER INSERT ON ZHUT BEGIN INSERT INTO log (t) VALUES (new.ZNAME); END
            """)
        return try #require(
          try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'ZHUT'"))
      }
      func facts(_ db: Database) throws -> [String] {
        try [
          "SELECT sql FROM sqlite_master WHERE sql LIKE 'CREATE %' AND lower(name) = name ORDER BY name",
          "SELECT v || k || length(n) FROM own ORDER BY 1", "SELECT name FROM words WHERE words MATCH 'hut'",
        ].flatMap { try String.fetchAll(db, sql: $0) }
      }
      let before = try queue.read(facts)
      try queue.close()
      try write([UInt8](repeating: 0x5A, count: 4096), atPage: root, of: store)
      let run = try place.modelc("repair", "Huts.sqlite", "-C", "P", "-o", "new.sqlite")
      expectSuccess(run)
      #expect(!run.stdout.contains("loses"), "\(run)")
      #expect(try DatabaseQueue(path: place.url("new.sqlite").path).read(facts) == before)
    }
  }

  /// A tree that leads back into itself, and a record that says it is larger than the file.
  @Test func `pages that lead in circles end`() throws {
    try withStore { place, store in
      let root = try DatabaseQueue(path: store.path).read { db in
        try #require(try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'ZHUT'"))
      }
      var page: [UInt8] = [5, 0, 0, 0, 40, 1, 0, 0, 0, 0, 0, UInt8(root)]
      for cell in 0..<40 { page += [1, UInt8(cell * 5)] }
      page += [UInt8](repeating: 0, count: 256 - page.count)
      for cell in 0..<40 { page += [0, 0, 0, UInt8(root), UInt8(cell)] }
      page += [UInt8](repeating: 0xFF, count: 4096 - page.count)
      try write(page, atPage: root, of: store)
      let run = try place.modelc("repair", "Huts.sqlite", "-C", "P", "-o", "new.sqlite")
      #expect(run.code == 0, "\(run)")
      #expect(try keys(place.url("new.sqlite")).count > 10_000)
    }
  }

  /// Of sixteen such pages twelve cost whole tables, and nothing was said to be lost.
  @Test(.needsFixtures) func `without the page that names a table its rows are found`() throws {
    try Workplace.with { place in
      let store = place.url(
        try place.copyStore(
          "alemar11+CoreDataPlus/Tests/Resources/SampleModel2/Fixtures/SampleModel2_V2.sqlite"))
      let queue = try DatabaseQueue(path: store.path)
      try queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA journal_mode = DELETE") }
      try queue.close()
      func objects(_ store: URL) throws -> [String] {
        try DatabaseQueue(path: store.path).read { db in
          try ["ZBOOK", "ZPAGE", "ZWRITER", "ZFEEDBACK"].flatMap { table in
            try Row.fetchAll(db, sql: "SELECT * FROM \(table) ORDER BY Z_PK").map { "\(table) \($0)" }
          }
        }
      }
      let before = try objects(store)
      try write([UInt8](repeating: 0xA5, count: 4096), atPage: 27, of: store)
      let run = try place.modelc("repair", store.path, "-o", "new.sqlite")
      // All of them are there; that no migration has altered the table is not known.
      #expect(run.code == 1 && run.errors == ["MC6503"] && run.stderr.contains("126 rows"), "\(run)")
      #expect(!run.stdout.contains("loses"), "\(run)")
      #expect(try objects(place.url("new.sqlite")) == before)
    }
  }

  /// Its tables do not begin with Z.
  @Test(.needsFixtures) func `without its root the persistent history is found too`() throws {
    try Workplace.with { place in
      let store = place.url(
        try place.copyStore(
          "alemar11+CoreDataPlus/Tests/Resources/SampleModel2/Fixtures/SampleModel2_V1.sqlite"))
      let queue = try DatabaseQueue(path: store.path)
      let root = try queue.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA journal_mode = DELETE")
        return try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'ACHANGE'") ?? 0
      }
      try queue.close()
      try write([UInt8](repeating: 0xA5, count: 4096), atPage: root, of: store)
      expectSuccess(try place.modelc("repair", store.path, "-o", "new.sqlite"))
      let count = try DatabaseQueue(path: place.url("new.sqlite").path).read { db in
        try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM ACHANGE")
      }
      #expect(count == 5468)
    }
  }

  /// Columns that came later have another order than the model's.
  @Test(arguments: [false, true]) func `a table without its text`(isAltered: Bool) throws {
    try withStore { place, store in
      let all = try keys(store)
      if isAltered {
        let queue = try DatabaseQueue(path: store.path)
        try queue.writeWithoutTransaction { db in
          try db.execute(sql: "DROP INDEX Z_Hut_byBeds; DROP INDEX Z_Hut_beds")
          try db.execute(sql: "ALTER TABLE ZHUT DROP COLUMN ZBEDS")
          try db.execute(sql: "ALTER TABLE ZHUT ADD COLUMN ZBEDS INTEGER")
        }
        try queue.close()
      }
      var bytes = try Data(contentsOf: store)
      while let text = bytes.range(of: Data("CREATE TABLE ZHUT".utf8)) { bytes[text.lowerBound] = 0x58 }
      try bytes.write(to: store)
      let run = try place.modelc("repair", "Huts.sqlite", "-C", "P", "-o", "new.sqlite")
      #expect(try keys(place.url("new.sqlite")) == (isAltered ? [] : all))
      #expect(run.code == 1 && run.errors == ["MC6503"], "\(run)")
      #expect(run.stderr.contains("may have values in wrong columns") != isAltered, "\(run)")
      #expect(run.stdout.contains("lost: 20000") == isAltered, "\(run)")
    }
  }
}
