import Foundation
import GRDB
import TestSupport
import Testing

/// This process is the other one: it holds the lock while `modelc` runs.
@Suite("A store that another process is writing to is refused", .needsFixtures)
struct BusyStoreTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var store: GenuineModel.Store
    var target: String
    var lock: String
    var testDescription: String { "\(store.testDescription), BEGIN \(lock)" }
  }

  static let cases = ["IMMEDIATE", "EXCLUSIVE"].flatMap { lock in
    [
      Case(store: GenuineModel.moody.stores[0], target: "Moody 2", lock: lock),
      Case(store: GenuineModel.books.stores[0], target: "Model3", lock: lock),
    ]
  }

  @Test(arguments: cases)
  func `migrate says so and changes nothing`(_ busy: Case) throws {
    try Workplace.with(busy.store.package) { place in
      let path = try place.copyStore(busy.store.path)
      // SQLite itself removes an empty log when the other one closes.
      if try place.snapshot()["\(busy.store.testDescription)-wal"]?.isEmpty == true {
        try FileManager.default.removeItem(at: place.url(path + "-wal"))
      }
      let before = try place.snapshot()
      try withLock(on: place.url(path), busy.lock) {
        let beside = try names(in: place)
        let target = ["-C", "T", "--to", busy.target, "--allow-loss", "MC3111"]
        let run = try Modelc.run(["migrate", path] + target, in: place.folder)
        expectRefusal(run, "MC5305", exit: 6)
        let json = try Modelc.run(["migrate", path, "--format", "json"] + target, in: place.folder)
        #expect(try json.decoded(as: RefusalRecord.self).diagnostics.map(\.code) == ["MC5305"])
        #expect(json.code == 6 && json.stderr.isEmpty)
        #expect(try names(in: place) == beside)
      }
      // What the other one had beside the store went with it.
      let after = try place.snapshot()
      #expect(after == before)
      printCase(17, "another process has the store (\(busy.lock))", "migrate", "MC5305, nothing changed")
    }
  }

  @Test func `reading goes on beside a writer of a store with a write-ahead log`() throws {
    try Workplace.with(GenuineModel.moody.package) { place in
      let path = try place.copyStore(GenuineModel.moody.stores[0].path)
      try withLock(on: place.url(path), "IMMEDIATE") {
        expectSuccess(try place.modelc("inspect", path, "-C", "T"))
        expectSuccess(try place.modelc("verify", path, "-C", "T"))
        expectSuccess(try place.modelc("plan", path, "-C", "T", "--to", "Moody 2"))
      }
    }
  }

  private func names(in place: Workplace) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: place.url("stores").path).sorted()
  }

  /// Holds a transaction open; the file is not touched by other means meanwhile, which would drop POSIX locks.
  private func withLock<Result>(on store: URL, _ kind: String, _ body: () throws -> Result) throws -> Result {
    let queue = try DatabaseQueue(path: store.path)
    let result = try queue.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN \(kind)")
      defer { try? db.execute(sql: "ROLLBACK") }
      return try body()
    }
    try queue.close()
    return result
  }
}
