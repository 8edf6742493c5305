import Foundation
import GRDB
import TestSupport
import Testing

/// Objects of single entities out of damaged stores, against what SQLite finds by their keys, one at a time.
///
/// `.ci/recover` compares them with what SQLite's own `.recover` finds: Debian's shell has none that works.
@Suite("modelc repair --keep", .needsFixtures) struct KeepEntitiesTests {
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

  /// The entities of a store's version. `Z_PRIMARYKEY` may keep the names of before a renaming.
  private func names(_ url: URL) throws -> Set<String> {
    let data = try DatabaseQueue(path: url.path).read { db in
      try #require(try Data.fetchOne(db, sql: "SELECT Z_PLIST FROM Z_METADATA"))
    }
    let list = try unsafe PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
    return Set(try #require(list?["NSStoreModelVersionHashes"] as? [String: Any]).keys)
  }

  /// Those of an entity's objects that SQLite can read whole in a damaged file, each asked for by its key.
  private func readable(_ keys: Set<Int64>, of entity: String, in damaged: URL, like sound: URL) throws
    -> Set<Int64>
  {
    let (table, number) = try DatabaseQueue(path: sound.path).read { db in
      let number = try #require(
        try Int.fetchOne(db, sql: "SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = ?", arguments: [entity]))
      let tables = try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z%'")
      let own = try tables.first { table in
        guard try db.columns(in: table).map(\.name).contains("Z_OPT") else { return false }
        return try Int.fetchOne(db, sql: "SELECT 1 FROM \(table) WHERE Z_ENT = \(number)") != nil
      }
      return (try #require(own), number)
    }
    let queue = try DatabaseQueue(path: damaged.path)
    return keys.filter { key in
      let row = try? queue.read { db in
        try Row.fetchOne(
          db, sql: "SELECT * FROM \(table) NOT INDEXED WHERE Z_PK = \(key) AND Z_ENT = \(number)")
      }
      return row.flatMap { $0 } != nil
    }
  }

  @Test(arguments: stores.indices) func `what is asked for is saved, and the rest left out`(_ index: Int)
    throws
  {
    let (package, path) = Self.stores[index]
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      var random = SeededGenerator(seed: UInt64(index))
      var compared = 0
      for round in 0..<(Fixtures.areWhole ? 20 : 3) {
        let sound = try place.copyStore(path, as: "sound.sqlite", into: "s\(round)")
        let store = try place.copyStore(path, as: "store.sqlite", into: "s\(round)")
        for url in [sound, store].map(place.url) {
          let queue = try DatabaseQueue(path: url.path)
          try queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA journal_mode = DELETE") }
          try queue.close()
        }
        let all = try keys(place.url(sound))
        guard
          let kept = try names(place.url(sound)).intersection(all.keys).sorted().randomElement(using: &random)
        else { return }
        try damage(place.url(store), &random)
        let before = try Data(contentsOf: place.url(store))
        // SQLite may write to a file that it is asked to read.
        let copy = place.url("s\(round)/copy.sqlite")
        try before.write(to: copy)
        let run = try place.modelc(
          "repair", store, "--models", Fixtures.url(package).path, "--keep", kept, "-o",
          "s\(round)/new.sqlite", "-q")
        #expect(try Data(contentsOf: place.url(store)) == before)
        if run.errors.contains("MC6503") { continue }
        #expect(run.code <= 1, "\(run)")
        let saved = try keys(place.url("s\(round)/new.sqlite"))
        let expected = try readable(all[kept] ?? [], of: kept, in: copy, like: place.url(sound))
        compared += expected.count
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
      #expect(compared > 0, "nothing was compared of \(path)")
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

  /// One entity beside the three of persistent history, which no model has.
  @Test func `what Core Data keeps for itself does not make a model another app's`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      try place.write("current: V1\nversions: [V1]\n", to: "P/Models/App/versions.yaml")
      try place.write("entities: {Hut: {attributes: {name: string?}}}\n", to: "P/Models/App/V1.yaml")
      expectSuccess(try place.modelc("fixture", "V1", "-C", "P", "--rows", "5", "-o", "a.sqlite"))
      let queue = try DatabaseQueue(path: place.url("a.sqlite").path)
      try queue.write { db in
        try db.execute(
          sql: """
            INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX)
            VALUES (16001, 'CHANGE', 0, 0), (16002, 'TRANSACTION', 0, 0), (16003, 'TRANSACTIONSTRING', 0, 0);
            UPDATE Z_METADATA SET Z_PLIST = x'00'; DELETE FROM Z_MODELCACHE
            """)
      }
      try queue.close()
      let run = try place.modelc("repair", "a.sqlite", "-C", "P", "--apply", "--allow-loss")
      #expect(run.code == 0 && run.stdout.contains("as version 'V1'"), "\(run)")
    }
  }
}
