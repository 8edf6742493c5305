import Foundation
import GRDB
import TestSupport
import Testing

private let hasSQLiteShell = (try? CommandOutput(of: ["sqlite3", "--version"]))?.code == 0

/// Objects of single entities out of damaged stores, against what SQLite's own shell recovers.
@Suite("modelc repair --keep", .needsFixtures, .enabled(if: hasSQLiteShell, "sqlite3 is absent"))
struct KeepEntitiesTests {
  private static let stores = GenuineModel.withStores.flatMap { model in
    model.stores.map { (package: model.package, store: $0.path) }
  }

  /// Bytes of pages behind the first one, which has the schema, are written over.
  private func damage(_ url: URL, _ random: inout SeededGenerator) throws {
    var data = try Data(contentsOf: url)
    let size = Int(data[16]) << 8 | Int(data[17])
    let pages = data.count / size
    guard pages > 4 else { return }
    for _ in 0..<max(1, pages / 12) {
      let page = Int.random(in: 2..<pages, using: &random)
      let start = page * size + Int.random(in: 0..<(size / 2), using: &random)
      let end = min(start + Int.random(in: 8..<size, using: &random), (page + 1) * size)
      for index in start..<end { data[index] = UInt8.random(in: 0...255, using: &random) }
    }
    try data.write(to: url)
  }

  /// The primary keys of an entity's rows, by its name.
  private func keys(_ url: URL) throws -> [String: Set<Int64>] {
    let queue = try DatabaseQueue(path: url.path)
    return try queue.read { db in
      var keys: [String: Set<Int64>] = [:]
      for row in try Row.fetchAll(
        db, sql: "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT < 16000")
      {
        guard let name = row[1] as String?, let number = row[0] as Int? else { continue }
        for table in try String.fetchAll(
          db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z%'")
        {
          let columns = try db.columns(in: table).map(\.name)
          guard columns.contains("Z_ENT"), columns.contains("Z_OPT") else { continue }
          let found = try Int64.fetchAll(db, sql: "SELECT Z_PK FROM \(table) WHERE Z_ENT = \(number)")
          if !found.isEmpty { keys[name, default: []].formUnion(found) }
        }
      }
      return keys
    }
  }

  @Test(arguments: stores.indices) func `what is asked for is saved, and the rest left out`(_ index: Int)
    throws
  {
    let (package, path) = Self.stores[index]
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      var random = SeededGenerator(seed: UInt64(index))
      for round in 0..<(Fixtures.areWhole ? 20 : 3) {
        let sound = try place.copyStore(path, as: "sound.sqlite", into: "s\(round)")
        let store = try place.copyStore(path, as: "store.sqlite", into: "s\(round)")
        for url in [sound, store].map(place.url) {
          let queue = try DatabaseQueue(path: url.path)
          try queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA journal_mode = DELETE") }
          try queue.close()
        }
        let all = try keys(place.url(sound))
        guard let kept = all.keys.sorted().randomElement(using: &random) else { return }
        try damage(place.url(store), &random)
        let before = try Data(contentsOf: place.url(store))
        let run = try place.modelc(
          "repair", store, "--models", Fixtures.url(package).path, "--keep", kept, "-o",
          "s\(round)/new.sqlite", "-q")
        #expect(try Data(contentsOf: place.url(store)) == before)
        if run.errors.contains("MC6503") { continue }
        #expect(run.code <= 1, "\(run)")
        let saved = try keys(place.url("s\(round)/new.sqlite"))
        let recovered = place.url("s\(round)/recovered.sqlite")
        _ = try CommandOutput(
          of: [
            "sh", "-c",
            "sqlite3 '\(place.url(store).path)' '.recover --ignore-freelist' 2>/dev/null | sqlite3 '\(recovered.path)' >/dev/null 2>&1",
          ])
        let other = (try? keys(recovered)) ?? [:]
        // What is damaged in a row's own bytes may look like another key.
        let expected = (other[kept] ?? []).intersection(all[kept] ?? [])
        #expect(
          expected.isSubset(of: saved[kept] ?? []),
          "\(path) \(round): \(expected.subtracting(saved[kept] ?? []).count) of \(expected.count) are missing\n\(run)"
        )
        #expect((saved[kept] ?? []).isSubset(of: all[kept] ?? []), "\(path) \(round)")
        let verified = try place.modelc(
          "verify", "--models", Fixtures.url(package).path, "s\(round)/new.sqlite")
        #expect(
          Set(verified.errors).isSubset(of: ["MC6103", "MC6117", "MC6104"]), "\(path) \(round) \(verified)")
      }
    }
  }

  @Test func `the new file is free, the entity is there, and a model of another app is not taken`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      let (package, path) = Self.stores[0]
      let store = try place.copyStore(path)
      let models = ["--models", Fixtures.url(package).path]
      for arguments in [["--keep", "Mood"], ["-o", "x.sqlite", "--apply"]] {
        #expect(try Modelc.run(["repair", store] + arguments + models, in: folder).code == 2)
      }
      expectRefusal(
        try Modelc.run(["repair", store, "--keep", "Mod", "-o", "x.sqlite"] + models, in: folder), "MC0009",
        exit: 2)
      expectRefusal(
        try Modelc.run(["repair", store, "-o", store] + models, in: folder), "MC6003", exit: 4)
      expectSuccess(try Modelc.run(["repair", store, "-o", "x.sqlite"] + models, in: folder))
      expectSuccess(try place.modelc("init", "--sample", "P"))
      let queue = try DatabaseQueue(path: place.url(store).path)
      try queue.write { db in
        try db.execute(sql: "DELETE FROM Z_MODELCACHE")
        try db.execute(sql: "UPDATE ZMOOD SET Z_ENT = 77")
      }
      try queue.close()
      expectRefusal(try Modelc.run(["repair", store, "-C", "P"], in: folder), "MC6502", exit: 3)
    }
  }
}
