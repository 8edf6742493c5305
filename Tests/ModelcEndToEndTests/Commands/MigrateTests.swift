import Foundation
import TestSupport
import Testing

@Suite("modelc migrate")
struct MigrateTests {
  @Test func `a store that is current already is left alone`() throws {
    try Workplace.withDemo { place, _ in
      try FileManager.default.moveItem(at: place.url("T/Diary.sqlite"), to: place.url("stores/Now.sqlite"))
      let before = try place.snapshot()
      let run = try place.modelc("migrate", "stores/Now.sqlite", "-C", "T")
      expectSuccess(run)
      #expect(run.stdout == "stores/Now.sqlite is already V3; nothing to do\n")
      #expect(try place.snapshot() == before)
      let compacted = try place.modelc("migrate", "stores/Now.sqlite", "-C", "T", "--compact")
      #expect(compacted.stderr.contains("note: stores/Now.sqlite is not compacted; `-o FILE` writes"))
      let json = try place.modelc("migrate", "stores/Now.sqlite", "-C", "T", "--format", "json")
      let record = try json.decoded(as: MigrationRecord.self)
      #expect(record.from == "V3" && record.to == "V3")
      #expect(record.steps.isEmpty && record.backup == nil)
    }
  }

  @Test func `--dry-run does everything but the swap`() throws {
    try Workplace.withDemo { place, store in
      let before = try place.snapshot()
      let run = try place.modelc("migrate", store, "-C", "T", "--dry-run")
      expectSuccess(run)
      #expect(run.stdout.contains("nothing was written"))
      #expect(run.stdout.contains("1,000 objects"))
      #expect(try place.snapshot() == before)
    }
  }

  @Test func `-o leaves the store alone and writes the migrated one`() throws {
    try Workplace.withDemo { place, store in
      let before = try place.snapshot()
      let run = try place.modelc("migrate", store, "-C", "T", "-o", "stores/New.sqlite")
      expectSuccess(run)
      #expect(run.stdout.contains(", next to stores/New.sqlite"), "\(run)")
      let after = try place.snapshot()
      #expect(after.names == ["Diary.sqlite", "New.sqlite"])
      #expect(after["Diary.sqlite"] == before["Diary.sqlite"])
      #expect(
        try versionHashes(of: place.url("stores/New.sqlite"))
          == versionHashes(of: place.url("T/Diary.sqlite")))
      #expect(try rowCounts(of: place.url("stores/New.sqlite")) == rowCounts(of: place.url("T/Diary.sqlite")))

      let again = try place.modelc("migrate", store, "-C", "T", "-o", "stores/New.sqlite")
      expectRefusal(again, "MC6003", exit: 2)
      let nowhere = try place.modelc("migrate", store, "-C", "T", "-o", "none/New.sqlite")
      expectRefusal(nowhere, "MC0009", exit: 2)
      #expect(try place.snapshot() == after)
    }
  }

  @Test func `-o writes a store that is current already, too`() throws {
    try Workplace.withDemo { place, _ in
      let run = try place.modelc("migrate", "T/Diary.sqlite", "-C", "T", "-o", "New.sqlite")
      expectSuccess(run)
      let counts = try rowCounts(of: place.url("New.sqlite"))
      #expect(try rowCounts(of: place.url("T/Diary.sqlite")) == counts)
      #expect(counts.values.reduce(0, +) == 1000)
    }
  }

  @Test func `--no-backup keeps no old store`() throws {
    try Workplace.withDemo { place, store in
      let run = try place.modelc("migrate", store, "-C", "T", "--no-backup", "--format", "json")
      expectSuccess(run)
      #expect(try run.decoded(as: MigrationRecord.self).backup == nil)
      #expect(try place.snapshot().names == ["Diary.sqlite"])
    }
  }

  @Test func `the backup is the old store under the first name that is free`() throws {
    try Workplace.withDemo { place, store in
      let old = try place.snapshot()["Diary.sqlite"]
      try place.write("mine", to: "stores/Diary.sqlite.V1.backup")
      try place.write("mine too", to: "stores/Diary.sqlite.V1.backup 2")
      let run = try place.modelc("migrate", store, "-C", "T")
      expectSuccess(run)
      #expect(run.stdout.contains("Diary.sqlite.V1.backup 3"))
      let after = try place.snapshot()
      #expect(
        after.names == [
          "Diary.sqlite", "Diary.sqlite.V1.backup", "Diary.sqlite.V1.backup 2", "Diary.sqlite.V1.backup 3",
        ])
      #expect(after["Diary.sqlite.V1.backup"] == Data("mine".utf8))
      #expect(after["Diary.sqlite.V1.backup 2"] == Data("mine too".utf8))
      #expect(after["Diary.sqlite.V1.backup 3"] == old)
    }
  }

  @Test(.needsFixtures)
  func `the backup of a store with a log is one file, which has what the log held`() throws {
    try Workplace.with(GenuineModel.bookmarks.package) { place in
      let path = try place.copyStore(GenuineModel.bookmarks.stores[4].path)
      let before = try place.snapshot()
      let run = try place.modelc("migrate", path, "-C", "T")
      expectSuccess(run)
      let after = try place.snapshot()
      let backup = "Bookmarks_V5.sqlite.BookmarksModel 5.backup"
      #expect(before["Bookmarks_V5.sqlite-wal"]?.isEmpty == false)
      #expect(after.names == ["Bookmarks_V5.sqlite", backup])
      // And it is a store again.
      let inspection = try place.modelc("inspect", "stores/\(backup)", "-C", "T", "--format", "json")
      #expect(try inspection.decoded(as: InspectionRecord.self).versions == ["BookmarksModel 5"])
    }
  }

  @Test func `through a symbolic link the store itself is migrated, and the link stays`() throws {
    try Workplace.withDemo { place, store in
      let link = place.url("Link.sqlite").path
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: store)
      expectSuccess(try place.modelc("migrate", "Link.sqlite", "-C", "T"))
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == store)
      #expect(try place.snapshot().names == ["Diary.sqlite", "Diary.sqlite.V1.backup"])
      #expect(try versionHashes(of: place.url(store)) == versionHashes(of: place.url("T/Diary.sqlite")))
    }
  }

  @Test func `--report writes the record of the run`() throws {
    try Workplace.withDemo { place, store in
      expectSuccess(try place.modelc("migrate", store, "-C", "T", "--report", "run.json"))
      let record = try JSONDecoder().decode(
        MigrationRecord.self, from: Data(contentsOf: place.url("run.json")))
      #expect(record.counts?.values.reduce(0, +) == 1000)
      #expect(record.backup?.hasSuffix("stores/Diary.sqlite.V1.backup") == true)
      #expect((record.seconds ?? 0) > 0 && (record.peakBytes ?? 0) > 0)
    }
  }

  @Test func `the store keeps its permissions and its journal mode`() throws {
    try Workplace.withDemo { place, store in
      let files = FileManager.default
      try files.setAttributes([.posixPermissions: 0o640], ofItemAtPath: place.url(store).path)
      let header = try Data(contentsOf: place.url(store))[18..<20]
      expectSuccess(try place.modelc("migrate", store, "-C", "T"))
      for name in [store, store + ".V1.backup"] {
        let attributes = try files.attributesOfItem(atPath: place.url(name).path)
        #expect(attributes[.posixPermissions] as? Int == 0o640, "\(name)")
      }
      #expect(try Data(contentsOf: place.url(store))[18..<20] == header)
    }
  }
}
