import Foundation
import GRDB
import PersistentStore
import TestSupport
import Testing

@Suite("Of a hostile store nothing runs and nothing leaves the folder", .needsFixtures)
struct HostileStoreTests {
  private static func withStore(
    _ hostile: HostileStore, _ body: (Workplace, _ path: String) throws -> Void
  ) throws {
    try Workplace.with(GenuineModel.moody.package) { place in
      let path = try place.copyStore(GenuineModel.moody.stores[0].path)
      try edit(place.url(path), hostile.make)
      try body(place, path)
    }
  }

  @Test(arguments: HostileStore.all)
  func `inspect and verify look at it, and change nothing`(_ hostile: HostileStore) throws {
    try Self.withStore(hostile) { place, path in
      let before = try place.snapshot()
      let inspection = try place.modelc("inspect", path, "-C", "T")
      if let code = hostile.inspect, code != "MC5105" {
        expectRefusal(inspection, code, exit: 3)
      } else {
        #expect(inspection.code == 0, "\(inspection)")
        #expect(
          inspection.errors == hostile.inspect.map { [$0] } ?? inspection.errors.filter { $0 == "MC5106" })
      }
      let verification = try place.modelc("verify", path, "-C", "T")
      for code in hostile.verify { #expect(verification.stderr.contains("[\(code)]"), "\(verification)") }
      if hostile.verify.isEmpty { expectSuccess(verification) }
      #expect([0, 1, 3].contains(verification.code), "\(verification)")
      for run in [inspection, verification] {
        #expect(!(run.stdout + run.stderr).contains("\u{1B}"), "\(run)")
        #expect(!(run.stdout + run.stderr).contains("\r"))
      }
      #expect(try place.snapshot() == before)
    }
  }

  @Test(arguments: HostileStore.all)
  func `a migration succeeds without it having a say, or is refused`(_ hostile: HostileStore) throws {
    try Self.withStore(hostile) { place, path in
      let rows = try ModelcEndToEndTests.withStore(place.url(path), moodRows)
      let before = try place.snapshot()
      let run = try place.modelc("migrate", path, "-C", "T", "--to", "Moody 2", "--no-backup")
      if hostile.migrate.isEmpty {
        expectSuccess(run)
        #expect(try ModelcEndToEndTests.withStore(place.url(path), moodRows) == rows)
        #expect(try place.snapshot().names == before.names)
      } else {
        #expect(Set(run.errors) == Set(hostile.migrate), "\(run)")
        #expect(run.code == (hostile.migrate == ["MC6005"] ? 4 : 3))
        #expect(try place.snapshot() == before)
      }
    }
  }

  /// How many rows the tables have that a trigger would empty.
  private func moodRows(_ db: Database) throws -> [Int] {
    guard try db.tableExists("ZMOOD"), try db.tableExists("ZGEOGRAPHICREGION") else { return [] }
    return try ["ZMOOD", "ZGEOGRAPHICREGION"].map {
      try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM \($0)") ?? 0
    }
  }

  @Test func `a link among the external files is not followed`() throws {
    try Workplace.withDemo { place, store in
      try place.write("secret", to: "secret.txt")
      try place.write("", to: "copy/placeholder")
      let folder = place.url("stores/.Diary_SUPPORT/_EXTERNAL_DATA")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for name in ["0B7E0D4C-1111-2222-3333-444455556666", "..%2Fsecret.txt"] {
        try FileManager.default.createSymbolicLink(
          at: folder.appending(path: name), withDestinationURL: place.url("secret.txt"))
      }
      let before = try place.snapshot()
      let run = try place.modelc("migrate", store, "-C", "T", "-o", "copy/Diary.sqlite")
      #expect(run.code == 0 || !run.errors.isEmpty, "\(run)")
      let copied = try place.snapshot("copy")
      #expect(copied.names.allSatisfy { copied[$0] != Data("secret".utf8) }, "\(copied)")
      #expect(try place.snapshot() == before)
      let inspection = try place.modelc("inspect", store, "-C", "T")
      #expect(inspection.stdout.contains("0 external files"), "\(inspection)")
    }
  }
}

/// Changes a store as somebody else would, and leaves it in one file.
func edit(_ store: URL, _ body: (Database) throws -> Void) throws {
  var configuration = Configuration()
  configuration.foreignKeysEnabled = false
  let queue = try DatabaseQueue(path: store.path, configuration: configuration)
  try queue.writeWithoutTransaction { db in
    db.registerTriggerFunctions()
    try body(db)
    _ = try Row.fetchAll(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
  }
  try queue.close()
}
