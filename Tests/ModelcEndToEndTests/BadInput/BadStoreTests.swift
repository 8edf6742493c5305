import Foundation
import GRDB
import TestSupport
import Testing

@Suite("What is not a store to migrate is refused with one diagnosis and left as it is", .needsFixtures)
struct BadStoreTests {
  /// The commands that say no to the store, with their arguments; some of them as JSON.
  private func commands(_ bad: BadStore, _ path: String) -> [[String]] {
    let target = ["-C", "T"] + bad.target
    let migrations = [
      ["plan", path, "--format", "json"] + target, ["migrate", path] + target,
      ["migrate", path, "--dry-run", "--format", "json"] + target,
      ["migrate", path, "-o", "stores/new.sqlite"] + target,
    ]
    let readings = [["inspect", path, "-C", "T"], ["verify", path, "-C", "T", "--format", "json"]]
    return migrations + (bad.isRefusedByInspect ? readings : [])
  }

  @Test(arguments: BadStore.all)
  func `one error, its exit code, and no byte changed`(_ bad: BadStore) throws {
    try Workplace.with(GenuineModel.moody.package) { place in
      let path = try bad.make(place)
      let before = try place.snapshot()
      for arguments in commands(bad, path) {
        let run = try Modelc.run(arguments, in: place.folder)
        if arguments.contains("json") {
          try expectOneObject(run, bad)
        } else {
          expectRefusal(run, bad.code, exit: bad.exit)
          #expect(run.stderr.hasSuffix("nothing was written\n") == (arguments[0] == "migrate"))
          #expect(!run.stderr.contains("\u{1B}"))
        }
        #expect(try place.snapshot() == before, "\(run)")
      }
    }
  }

  /// As JSON it is one object on standard output, and standard error stays empty.
  private func expectOneObject(_ run: Modelc.Run, _ bad: BadStore) throws {
    let errors = try run.decoded(as: RefusalRecord.self).diagnostics.filter { $0.severity == "error" }
    #expect(errors.map(\.code) == [bad.code], "\(run)")
    #expect(run.code == bad.exit)
    #expect(run.stderr.isEmpty)
  }

  @Test func `another app's store is told the nearest version and what differs`() throws {
    try Workplace.with(GenuineModel.bookmarks.package) { place in
      let path = try place.copyStore(GenuineModel.bookmarks.stores[0].path)
      try place.replace("  - BookmarksModel\n", with: "", in: "T/Models/BookmarksModel/versions.yaml")
      // With its own model it would be migrated.
      let queue = try DatabaseQueue(path: place.url(path).path)
      try queue.write { try $0.execute(sql: "DELETE FROM Z_MODELCACHE") }
      try queue.close()
      let run = try place.modelc("plan", path, "-C", "T")
      expectRefusal(run, "MC5102", exit: 3)
      #expect(run.stderr.contains("nearest: 'BookmarksModel "))
      #expect(run.stderr.contains("BookmarkEntity"))
      #expect(run.stderr.contains("134130"))
    }
  }

  @Test func `a named pipe is not waited for`() throws {
    try Workplace.with(GenuineModel.moody.package) { place in
      let pipe = place.url("pipe.sqlite").path
      #expect(unsafe mkfifo(pipe, 0o600) == 0)
      expectRefusal(try place.modelc("inspect", pipe), "MC5001", exit: 3)
    }
  }

  @Test func `several stores: the good one is migrated and the exit code tells of the bad one`() throws {
    try Workplace.with(GenuineModel.moody.package) { place in
      let good = try place.copyStore(GenuineModel.moody.stores[0].path)
      try place.write("no store", to: "stores/bad.sqlite")
      let run = try place.modelc("migrate", "stores/bad.sqlite", good, "-C", "T", "--to", "Moody 2")
      #expect(run.errors == ["MC5001"])
      #expect(run.code == 3)
      let backup = "Moody.moody.Moody.backup"
      let after = try place.snapshot()
      #expect(after.names == ["Moody.moody", backup, "bad.sqlite"])
      #expect(after["bad.sqlite"] == Data("no store".utf8))
      #expect(try versionHashes(of: place.url(good)) == versionHashes(of: MoodyMigrationTests.genuine))
    }
  }
}
