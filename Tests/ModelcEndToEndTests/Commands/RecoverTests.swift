import Foundation
import GRDB
import TestSupport
import Testing

@Suite("modelc recover")
struct RecoverTests {
  private static let staged = "stores/.Diary.sqlite.modelc-0123abcd"

  /// As a kill just before the rename leaves it.
  private func interrupt(_ place: Workplace) throws {
    try place.write("half a store", to: Self.staged)
    let backup = place.url("stores/Diary.sqlite.V1.backup")
    try FileManager.default.copyItem(at: place.url("stores/Diary.sqlite"), to: backup)
    try FileManager.default.linkItem(at: backup, to: place.url(Self.staged + ".backup"))
  }

  @Test func `says what was left, clears it, and finds nothing after that`() throws {
    try Workplace.withDemo { place, store in
      let untouched = try place.snapshot()
      expectSuccess(try place.modelc("recover", store, "-C", "T"))
      #expect(try place.snapshot() == untouched)
      try interrupt(place)
      let before = try place.snapshot()
      let look = try place.modelc("recover", store, "--dry-run", "-C", "T")
      expectSuccess(look)
      #expect(look.stdout.contains("would remove  Diary.sqlite.V1.backup"), "\(look)")
      #expect(try place.snapshot() == before)
      let recovery = try place.modelc("recover", store, "-C", "T")
      expectSuccess(recovery)
      #expect(recovery.stdout.hasPrefix("stores/Diary.sqlite is V1, intact\n"), "\(recovery)")
      #expect(try place.snapshot() == untouched)
      let again = try place.modelc("recover", store, "-C", "T")
      #expect(again.stdout.contains("nothing was left"), "\(again)")
    }
  }

  @Test func `a log that nobody wrote to goes too, and one with changes stays`() throws {
    try Workplace.withDemo { place, store in
      let untouched = try place.snapshot()
      try place.write("", to: store + "-wal")
      expectSuccess(try place.modelc("recover", store, "-C", "T"))
      #expect(try place.snapshot() == untouched)
      try place.write("", to: store + "-wal")
      try place.write("half a store", to: Self.staged)
      expectSuccess(try place.modelc("recover", store, "-C", "T"))
      #expect(try place.snapshot() == untouched)
    }
  }

  @Test func `migrate clears it by itself, and a dry run does not`() throws {
    try Workplace.withDemo { place, store in
      try interrupt(place)
      let before = try place.snapshot()
      for command in [["migrate", "--dry-run"], ["plan"]] {
        let look = try Modelc.run(command + [store, "-C", "T"], in: place.folder)
        expectSuccess(look)
        #expect(look.stderr.contains("warning[MC6404]"), "\(look)")
        #expect(try place.snapshot() == before)
      }
      let run = try place.modelc("migrate", store, "-C", "T")
      expectSuccess(run)
      #expect(run.stderr.contains("warning[MC6404]"), "\(run)")
      #expect(try place.snapshot().names == ["Diary.sqlite", "Diary.sqlite.V1.backup"])
    }
  }

  @Test(arguments: ["recover", "migrate"])
  func `takes back what a dead program left half done`(command: String) throws {
    try Workplace.withDemo { place, store in
      let path = place.url(store).path
      try edit(place.url(store)) { _ = try Row.fetchAll($0, sql: "PRAGMA journal_mode = DELETE") }
      let rows = try rowCounts(of: place.url(store))
      let script = """
        import os, sqlite3, sys
        c = sqlite3.connect(sys.argv[1], isolation_level=None)
        c.execute("PRAGMA cache_size = 1")
        c.execute("PRAGMA cache_spill = 1")
        c.execute("BEGIN EXCLUSIVE")
        c.execute("UPDATE ZVISIT SET ZTEXT = 'half done' || hex(randomblob(500))")
        os._exit(0)
        """
      _ = try Python.run(["-c", script, path])
      try #require(FileManager.default.fileExists(atPath: path + "-journal"))
      for reading in [["plan"], ["migrate", "--dry-run"], ["inspect"]] {
        expectRefusal(try Modelc.run(reading + [store, "-C", "T"], in: place.folder), "MC5301", exit: 6)
      }
      if command == "migrate" {
        let run = try place.modelc("migrate", store, "-C", "T")
        expectSuccess(run)
        #expect(run.stderr.contains("warning[MC6404]"), "\(run)")
        #expect(!FileManager.default.fileExists(atPath: path + "-journal"))
        let objects = try place.modelc("export", store, "-C", "T", "--as", "jsonl")
        return #expect(objects.code == 0 && !objects.stdout.contains("half done"))
      }
      let recovery = try place.modelc("recover", store, "-C", "T")
      expectSuccess(recovery)
      #expect(recovery.stdout.contains("were rolled back"), "\(recovery)")
      #expect(!FileManager.default.fileExists(atPath: path + "-journal"))
      #expect(try rowCounts(of: place.url(store)) == rows)
      expectSuccess(try place.modelc("migrate", store, "-C", "T"))
    }
  }

  @Test func `a result that was never finished is cleared by its name`() throws {
    try Workplace.withDemo { place, _ in
      try place.write("half", to: "stores/.New.sqlite.modelc-0123abcd")
      let recovery = try place.modelc("recover", "stores/New.sqlite", "-C", "T")
      expectSuccess(recovery)
      #expect(recovery.stdout.contains("does not exist"), "\(recovery)")
      #expect(try place.snapshot().names == ["Diary.sqlite"])
      #expect(try place.modelc("recover", "stores/New.sqlite", "-C", "T").code == 2)
    }
  }
}
