import Foundation
import GRDB
import TestSupport
import Testing

/// Genuine stores, damaged in random ways of each kind: repaired, they are sound, and what nobody damaged is equal.
///
/// Five ways of each kind; with `MODELC_SEEDS` twenty.
@Suite("Repairing random damages", .needsFixtures, .needsOracle) struct RandomRepairTests {
  private static let samples = "alemar11+CoreDataPlus/Tests/Resources/"
  static let stores = [
    samples + "SampleModel/Fixtures/SampleModel_V1.sqlite",
    samples + "SampleModel2/Fixtures/SampleModel2_V2.sqlite",
    samples + "SampleModel3/Fixtures/SampleModel3_V1.sqlite",
    "duckduckgo+BrowserServicesKit/Tests/BookmarksTests/Resources/Bookmarks_V5.sqlite",
    "duckduckgo+BrowserServicesKit/Tests/BookmarksTests/Resources/Bookmarks_V3.sqlite",
    "objcio+core-data/Migrations/MigrationsTests/Moody 4.moody",
  ]

  @Test(arguments: RandomDamage.kinds) func `what nobody damaged stays`(_ kind: String) throws {
    try Workplace.with { place in
      var repaired: [URL] = []
      var seed = 0
      while repaired.count < (Fixtures.areWhole ? 20 : 5) {
        seed += 1
        try #require(seed < 400, "no store has what takes a damage of the kind \(kind)")
        let name = Self.stores[seed % Self.stores.count]
        let sound = try place.copyStore(name, as: "sound\(seed).sqlite")
        let store = try place.copyStore(name, as: "\(seed).sqlite")
        for path in [sound, store] { try Self.leaveLog(place.url(path)) }
        guard try Self.damage(kind, place.url(store), seed: seed) else { continue }
        let damaged = try Rows(place.url(sound)).changed(in: place.url(store))
        let run = try place.modelc("repair", "--apply", "--allow-loss", store)
        // A value that is gone cannot be invented: where a rule asks for it, `verify` says so still.
        let verified = try place.modelc("verify", "--full", store)
        #expect(Set(verified.errors).isSubset(of: ["MC6103", "MC6117"]), "\(kind) \(seed): \(verified)")
        #expect(
          run.code == verified.code && run.code == (verified.errors.isEmpty ? 0 : 1),
          "\(kind) \(seed): \(run)")
        // A row that gets a new key is the same object.
        let diff = try Modelc.run(
          ["diff", "--format", "json", sound, store] + (kind == "primaryKey" ? ["--match", "values"] : []),
          in: place.folder)
        let others = try diff.decoded(as: Differences.self).objects.subtracting(damaged)
        #expect(others == [], "\(kind) \(seed): \(run.stdout)")
        repaired.append(place.url(store))
      }
      try Oracle.expectSound(repaired)
    }
  }

  private static func damage(_ kind: String, _ url: URL, seed: Int) throws -> Bool {
    let queue = try DatabaseQueue(path: url.path)
    defer { try? queue.close() }
    var damage = RandomDamage(store: queue, random: SeededGenerator(seed: UInt64(seed)))
    return try damage.damage(kind)
  }

  private static func leaveLog(_ url: URL) throws {
    let queue = try DatabaseQueue(path: url.path)
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
    try queue.close()
  }
}

/// What `diff` finds.
private struct Differences: Decodable {
  struct Entity: Decodable {
    var from: String?
    var to: String?
    var objects: [Object]
  }
  struct Object: Decodable {
    struct Keys: Decodable {
      var from: Int64?
      var to: Int64?
    }
    var primaryKeys: Keys
  }
  var entities: [Entity]

  /// Each as its entity and key.
  var objects: Set<String> {
    Set(
      entities.flatMap { entity in
        entity.objects.map {
          "\(entity.from ?? entity.to ?? "") \($0.primaryKeys.from ?? $0.primaryKeys.to ?? 0)"
        }
      })
  }
}

/// The rows of a sound store.
private struct Rows {
  private var rows: [String: Row] = [:]
  private var entities: [Int64: String] = [:]
  /// The ends of many-to-many references.
  private var pairs: [[Int64]] = []

  init(_ url: URL) throws {
    let queue = try DatabaseQueue(path: url.path)
    defer { try? queue.close() }
    try queue.read { db in
      for row in try Row.fetchAll(db, sql: "SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY") {
        entities[row[0]] = row[1]
      }
      let tables = try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '% Z_PK %'")
      for table in tables {
        for row in try Row.fetchAll(db, sql: "SELECT * FROM \"\(table)\" NOT INDEXED") {
          rows["\(table) \(row["Z_PK"] as Int64? ?? 0)"] = row
        }
      }
      let joins = try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*'")
      for table in joins {
        pairs += try Row.fetchAll(db, sql: "SELECT * FROM \"\(table)\"").map { [$0[0] ?? 0, $0[1] ?? 0] }
      }
    }
  }

  /// The objects whose rows are others in a damaged store, those that have a damaged value too, and those at the other
  /// end of their relationships: entity and key.
  func changed(in url: URL) throws -> Set<String> {
    let other = try Rows(url)
    let different = rows.filter { other.rows[$0.key] != $0.value }
    let changed = different.flatMap { key, row in [row] + twins(of: other.rows[key], damaged: row, key) }
    let keys = Set(changed.compactMap { $0["Z_PK"] as Int64? })
    let ends = Set(
      changed.flatMap(references) + pairs.filter { !keys.isDisjoint(with: $0) }.flatMap { $0 })
    let neighbours = rows.values.filter { row in
      ends.contains(row["Z_PK"] as Int64? ?? 0) || references(row).contains(where: keys.contains)
    }
    return Set(
      (changed + (changed.isEmpty ? [] : neighbours)).compactMap { row in
        guard let entity = entities[row["Z_ENT"] as Int64? ?? 0] else { return nil }
        return "\(entity) \(row["Z_PK"] as Int64? ?? 0)"
      })
  }

  /// The rows of the table with a value that the damage wrote.
  private func twins(of row: Row?, damaged before: Row, _ key: String) -> [Row] {
    guard let row else { return [] }
    let table = key.prefix { $0 != " " } + " "
    let columns = row.columnNames.filter { name in
      let value = row[name] as DatabaseValue
      return !name.hasPrefix("Z_") && !value.isNull && value != before[name] as DatabaseValue
    }
    return rows.filter { key, other in
      key.hasPrefix(table) && columns.contains { other[$0] as DatabaseValue == row[$0] as DatabaseValue }
    }.map(\.value)
  }

  private func references(_ row: Row) -> [Int64] {
    RandomDamage.references.compactMap { row.hasColumn($0) ? row[$0] as? Int64 : nil }
  }
}
