import Foundation
import GRDB
import TestSupport
import Testing

/// Files beside a store that lead elsewhere: nothing there is touched.
@Suite("Links and journals that lead elsewhere")
struct OtherNamesTests {
  private func withCanary(_ body: (Workplace, _ store: String, _ canary: URL) throws -> Void) throws {
    try Workplace.withDemo { place, store in
      let canary = place.url("canary")
      try FileManager.default.createDirectory(at: canary, withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: place.url(store), to: canary.appending(path: "diary.sqlite"))
      try Data("dear diary".utf8).write(to: canary.appending(path: "notes.txt"))
      let before = try FolderSnapshot(canary)
      try body(place, store, canary)
      #expect(try FolderSnapshot(canary) == before)
    }
  }

  /// What a link leads to would have the old name still.
  @Test func `a name that is not UTF-8 is refused, and what to rename with the file is said`() throws {
    let command = "'\(Modelc.executable.path)' verify \"$(printf 'h\\374tte.sqlite')\""
    let run = try CommandOutput(of: ["sh", "-c", command])
    #expect(run.code == 2 && run.text.contains("MC5403") && run.text.contains("'-wal'"), "\(run)")
  }

  @Test(arguments: ["notes.txt", "diary.sqlite"])
  func `a super-journal is not unlinked`(victim: String) throws {
    try withCanary { place, store, canary in
      try edit(place.url(store)) { _ = try Row.fetchAll($0, sql: "PRAGMA journal_mode = DELETE") }
      let script = """
        import os, sqlite3, struct, sys
        c = sqlite3.connect(sys.argv[1], isolation_level=None)
        c.execute("PRAGMA cache_size = 1")
        c.execute("PRAGMA cache_spill = 1")
        c.execute("BEGIN EXCLUSIVE")
        c.execute("UPDATE ZVISIT SET ZTEXT = 'half done' || hex(randomblob(500))")
        name = sys.argv[2].encode()
        with open(sys.argv[1] + "-journal", "ab") as f:
            f.write(struct.pack(">I", 0x40000001) + name + struct.pack(">II", len(name), sum(name) & 0xffffffff))
            f.write(bytes([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]))
        os._exit(0)
        """
      _ = try Python.run(["-c", script, place.url(store).path, canary.appending(path: victim).path])
      let before = try place.snapshot()
      for command in [["recover"], ["recover", "--dry-run"], ["migrate"], ["inspect"], ["verify"], ["plan"]] {
        let run = try Modelc.run(command + [store, "-C", "T"], in: place.folder)
        #expect(run.errors.contains("MC5301") && run.code == 6, "\(run)")
      }
      #expect(try place.snapshot() == before)
    }
  }

  @Test func `a folder of large values that is a link is not followed`() throws {
    try withCanary { place, store, canary in
      let data = canary.appending(path: "_EXTERNAL_DATA")
      try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
      try Data("private".utf8).write(to: data.appending(path: UUID().uuidString))
      try FileManager.default.createSymbolicLink(
        at: place.url("stores/.Diary_SUPPORT"), withDestinationURL: canary)
      expectRefusal(try place.modelc("migrate", store, "-o", "new.sqlite", "-C", "T"), "MC5308", exit: 6)
      #expect(!FileManager.default.fileExists(atPath: place.url(".new_SUPPORT").path))
      #expect(!FileManager.default.fileExists(atPath: place.url("new.sqlite").path))
      let inspection = try place.modelc("inspect", store, "-C", "T", "--format", "json")
      #expect(!inspection.stdout.contains("\"externalFiles\" : {"), "\(inspection)")
      try FileManager.default.removeItem(at: data)
    }
  }

  @Test func `a store with two names is swapped with a warning, and changed in place only by force`() throws {
    try Workplace.withDemo { place, store in
      let other = place.url("other.sqlite")
      let old = try versionHashes(of: place.url(store))
      try FileManager.default.linkItem(at: place.url(store), to: other)
      let before = try place.snapshot()
      for arguments in [["--route", "in-place"], ["--route", "in-place", "--dry-run"]] {
        let refusal = try Modelc.run(["migrate", store, "-C", "T"] + arguments, in: place.folder)
        expectRefusal(refusal, "MC5309", exit: 6)
        #expect(try place.snapshot() == before)
      }
      let elsewhere = try place.modelc("migrate", store, "-C", "T", "-o", "new.sqlite")
      #expect(elsewhere.code == 0 && !elsewhere.stderr.contains("MC5309"), "\(elsewhere)")
      let swap = try place.modelc("migrate", store, "-C", "T", "--route", "clone")
      #expect(swap.code == 0 && swap.stderr.contains("warning[MC5309]"), "\(swap)")
      #expect(try versionHashes(of: other) == old)
      #expect(try versionHashes(of: place.url("stores/Diary.sqlite.V1.backup")) == old)
      #expect(try versionHashes(of: place.url(store)) != old)
    }
    try Workplace.withDemo { place, store in
      let other = place.url("other.sqlite")
      try FileManager.default.linkItem(at: place.url(store), to: other)
      let run = try place.modelc("migrate", store, "-C", "T", "--route", "in-place", "--force")
      #expect(run.code == 0 && run.stderr.contains("warning[MC5309]"), "\(run)")
      #expect(try versionHashes(of: other) == versionHashes(of: place.url(store)))
      #expect(try place.snapshot().names == ["Diary.sqlite", "Diary.sqlite.V1.backup"])
      printCase(
        40, "a store with two names", "migrate", "MC5309: a warning where it is swapped, --force in place")
    }
  }
}
