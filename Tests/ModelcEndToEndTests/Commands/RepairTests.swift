import Foundation
import GRDB
import TestSupport
import Testing

/// `modelc repair`: stores that a test damaged become sound again, and what was sound in them stays.
@Suite("Repairing a store", .needsFixtures) struct RepairTests {
  static let people = "alemar11+CoreDataPlus/Tests/Resources/SampleModel/Fixtures/SampleModel_V1.sqlite"
  static let bookmarks = "duckduckgo+BrowserServicesKit/Tests/BookmarksTests/Resources/Bookmarks_V5.sqlite"

  /// SQL that damages the store of bookmarks, and the kind of repair that answers it.
  static let damages: [(sql: String, kind: String)] = [
    ("DELETE FROM Z_METADATA", "metadata"),
    ("UPDATE Z_METADATA SET Z_UUID = NULL", "metadata"),
    ("DELETE FROM Z_PRIMARYKEY WHERE Z_ENT < 16000", "entityNumbers"),
    ("UPDATE Z_PRIMARYKEY SET Z_ENT = 77 WHERE Z_ENT = 1", "entityNumbers"),
    ("UPDATE Z_PRIMARYKEY SET Z_MAX = 1", "highestKey"),
    ("DROP INDEX Z_BookmarkEntity_byUUID", "schema"),
    ("UPDATE ZBOOKMARKENTITY SET ZPARENT = 4711 WHERE Z_PK = 2", "reference"),
    ("UPDATE ZBOOKMARKENTITY SET Z_ENT = 99 WHERE Z_PK = 2", "entityOfRow"),
    ("UPDATE ZBOOKMARKENTITY SET Z_PK = -5 WHERE Z_PK = 2", "primaryKey"),
    ("UPDATE ZBOOKMARKENTITY SET Z_FOK_PARENT = NULL WHERE ZPARENT IS NOT NULL", "order"),
    ("UPDATE ZBOOKMARKENTITY SET ZTITLE = X'FF00FF' WHERE Z_PK = 2", "cellType"),
    ("UPDATE ZBOOKMARKENTITY SET ZTITLE = CAST(ZTITLE AS BLOB) WHERE ZTITLE NOT NULL", "cellType"),
    ("UPDATE ZBOOKMARKENTITY SET ZISFOLDER = 7 WHERE Z_PK = 2", "cellType"),
    ("ALTER TABLE ZBOOKMARKENTITY DROP COLUMN ZMODIFIEDAT", "schema"),
    ("DELETE FROM ZBOOKMARKENTITY WHERE Z_PK = 2", "joinRow"),
  ]

  @Test(arguments: damages.indices) func `a damage is planned, then fixed`(_ index: Int) throws {
    let damage = Self.damages[index]
    try Workplace.with { place in
      let copy = try place.copyStore(Self.bookmarks)
      try Self.execute("PRAGMA journal_mode = DELETE; " + damage.sql, in: copy, at: place)
      let damaged = try Data(contentsOf: place.url(copy))
      let plan = try place.modelc("repair", "--format", "json", copy)
      let report = try plan.decoded(as: Report.self)
      #expect(plan.code == 0 && !report.applied && report.backup == nil, "\(plan)")
      #expect(report.repairs.contains { $0.kind == damage.kind }, "\(plan)")
      #expect(try Data(contentsOf: place.url(copy)) == damaged)
      if report.lost > 0 {
        let refused = try place.modelc("repair", "--apply", copy)
        #expect(refused.code == 4 && refused.stderr.contains("error[MC6501]"), "\(refused)")
        #expect(try Data(contentsOf: place.url(copy)) == damaged)
      }
      let run = try place.modelc("repair", "--apply", "--allow-loss", "--format", "json", copy)
      let applied = try run.decoded(as: Report.self)
      #expect(run.code == 0 && applied.applied && applied.repairs == report.repairs, "\(run)")
      #expect(try Data(contentsOf: place.url(#require(applied.backup))) == damaged)
      expectSuccess(try place.modelc("verify", "--full", copy))
      #expect(try place.modelc("repair", copy).stdout == "nothing to repair in \(copy)\n")
    }
  }

  /// Rows that nobody damaged are what they were: of 20 ways to damage some, no other row changes.
  @Test(arguments: 0..<20) func `sound rows stay`(_ seed: Int) throws {
    try Workplace.with { place in
      let copy = try place.copyStore(Self.people)
      try Self.execute("PRAGMA journal_mode = DELETE", in: copy, at: place)
      let before = try Self.rows(copy, at: place)
      let keys = before.keys.sorted()
      let key = keys[(seed * 7919) % keys.count]
      let table = key.split(separator: " ")[0]
      let number = key.split(separator: " ")[1]
      let damage = ["Z_ENT = 500", "Z_ENT = NULL", "Z_PK = -1", "Z_ENT = 'x'"][seed % 4]
      try Self.execute("UPDATE \(table) SET \(damage) WHERE Z_PK = \(number)", in: copy, at: place)
      expectSuccess(try place.modelc("repair", "--apply", "--allow-loss", copy))
      expectSuccess(try place.modelc("verify", "--full", copy))
      let after = try Self.rows(copy, at: place)
      #expect(after.count == before.count)
      let owned = table == "ZPERSON" && damage.hasPrefix("Z_PK")
      let changed = keys.filter { after[$0] != before[$0] && $0 != key && !(owned && $0.hasPrefix("ZCAR")) }
      #expect(changed == [])
    }
  }

  /// Every row that stands in a page that can be read is in the repaired store, and no other.
  @Test(arguments: 0..<12) func `pages are saved around the damage`(_ seed: Int) throws {
    try Workplace.with { place in
      let copy = try place.copyStore(
        "alemar11+CoreDataPlus/Tests/Resources/SampleModel2/Fixtures/SampleModel2_V1.sqlite")
      try Self.execute("PRAGMA journal_mode = DELETE", in: copy, at: place)
      let before = try Self.rows(copy, at: place)
      let file = try FileHandle(forUpdating: place.url(copy))
      let pages = Int(try file.seekToEnd()) / 4096
      for index in 0..<3 {
        try file.seek(toOffset: UInt64(20 + (seed * 37 + index * 101) % (pages - 20)) * 4096)
        try file.write(contentsOf: Data(repeating: seed.isMultiple(of: 2) ? 0 : 0xA5, count: 4096))
      }
      try file.close()
      let damaged = try Data(contentsOf: place.url(copy))
      let run = try place.modelc("repair", "--apply", "--allow-loss", "--format", "json", copy)
      let report = try run.decoded(as: Report.self)
      #expect([0, 1].contains(run.code) && report.applied, "\(run)")
      #expect(try Data(contentsOf: place.url(#require(report.backup))) == damaged)
      let verified = try place.modelc("verify", "--full", copy)
      #expect(verified.code == run.code)
      let after = try Self.rows(copy, at: place)
      #expect(Set(after.keys).isSubset(of: before.keys))
      #expect(before.count - after.count <= report.lost && after.count > before.count / 2)
    }
  }

  private func withHut(
    _ damage: String, _ body: (_ place: Workplace, _ report: Report, _ run: Modelc.Run) throws -> Void
  ) throws {
    try Workplace.with { place in
      try place.write("current: V1\nversions: [V1]\n", to: "Models/App/versions.yaml")
      let model = """
        entities:
          Hut:
            attributes: {name: string, code: uuid}
            relationships: {visits: {toMany: Visit, inverse: hut, deleteRule: cascade}}
          Visit:
            relationships: {hut: {to: Hut, inverse: visits}}
        """
      try place.write(model, to: "Models/App/V1.yaml")
      let objects = """
        Hut: {p1: {name: Alpha, code: 0B7E0D4C-1111-2222-3333-444455556666}}
        Visit: {p1: {hut: Hut/p1}, p2: {hut: Hut/p1}}
        """
      try place.write(objects, to: "objects.yaml")
      expectSuccess(try place.modelc("fixture", "V1", "--objects", "objects.yaml", "-o", "Huts.sqlite", "-q"))
      try Self.execute(damage, in: "Huts.sqlite", at: place)
      let run = try place.modelc("repair", "--apply", "--allow-loss", "--format", "json", "Huts.sqlite")
      try body(place, run.decoded(as: Report.self), run)
    }
  }

  @Test func `a required text keeps what can be read of it`() throws {
    try withHut("UPDATE ZHUT SET ZNAME = CAST(x'416C70FF61' AS TEXT)") { place, report, run in
      #expect(run.code == 0 && report.lost == 1, "\(run)")
      expectSuccess(try place.modelc("verify", "--full", "Huts.sqlite"))
      let (names, references) = try DatabaseQueue(path: place.url("Huts.sqlite").path).read { db in
        try (
          String.fetchAll(db, sql: "SELECT ZNAME FROM ZHUT"),
          Int.fetchOne(db, sql: "SELECT COUNT(ZHUT) FROM ZVISIT")
        )
      }
      #expect(names == ["Alp\u{FFFD}a"] && references == 2)
    }
  }

  @Test func `a UUID that is written as a text is converted`() throws {
    try withHut("UPDATE ZHUT SET ZCODE = '0b7e0d4c-1111-2222-3333-444455556666'") { place, report, run in
      #expect(run.code == 0 && report.applied && report.lost == 0, "\(run)")
      expectSuccess(try place.modelc("verify", "--full", "Huts.sqlite"))
      let code = try DatabaseQueue(path: place.url("Huts.sqlite").path).read { db in
        try String.fetchOne(db, sql: "SELECT hex(ZCODE) FROM ZHUT")
      }
      #expect(code == "0B7E0D4C111122223333444455556666")
    }
  }

  @Test func `references to an object that is dropped are lost as well`() throws {
    try withHut("UPDATE ZHUT SET ZCODE = x'00'") { place, report, run in
      #expect(run.code == 0 && report.lost == 3, "\(run)")
      expectSuccess(try place.modelc("verify", "--full", "Huts.sqlite"))
    }
  }

  @Test func `a required value whose column is missing stays missing`() throws {
    try withHut("ALTER TABLE ZHUT DROP COLUMN ZCODE") { place, report, run in
      #expect(run.code == 1 && report.applied && report.lost == 0, "\(run)")
      let verified = try place.modelc("verify", "Huts.sqlite")
      #expect(verified.errors == ["MC6103"], "\(verified)")
    }
  }

  /// As one damaged byte in the table's text leaves it.
  @Test func `a column under another name keeps its values`() throws {
    try withHut("ALTER TABLE ZHUT RENAME COLUMN ZNAME TO ZNAMX") { place, report, run in
      #expect(run.code == 0 && report.lost == 0, "\(run)")
      expectSuccess(try place.modelc("verify", "--full", "Huts.sqlite"))
    }
  }

  @Test func `what nobody can save is said and left`() throws {
    try Workplace.with { place in
      let copy = try place.copyStore(Self.bookmarks)
      try Self.execute("PRAGMA journal_mode = DELETE", in: copy, at: place)
      var bytes = try Data(contentsOf: place.url(copy))
      for index in 100..<bytes.count { bytes[index] = 0x5A }
      try bytes.write(to: place.url(copy))
      let before = try place.snapshot()
      let run = try place.modelc("repair", "--apply", "--allow-loss", copy)
      #expect(run.code == 3, "\(run)")
      #expect(try place.snapshot() == before)
    }
  }

  @Test func `nothing tells the version, and a name does`() throws {
    try Workplace.with { place in
      let copy = try place.copyStore(Self.bookmarks)
      let ruin = "PRAGMA journal_mode = DELETE; DELETE FROM Z_METADATA; DELETE FROM Z_MODELCACHE"
      try Self.execute(ruin, in: copy, at: place)
      expectRefusal(try place.modelc("repair", copy), "MC6502", exit: 3)
      try place.write("current: V1\nversions: [V1]\n", to: "Models/M/versions.yaml")
      try place.write("entities: {Hut: {}}\n", to: "Models/M/V1.yaml")
      expectRefusal(try place.modelc("repair", copy, "--as", "V9"), "MC2101", exit: 2)
    }
  }

  @Test func `what an interrupted migration left goes once the store is whole`() throws {
    try Workplace.with { place in
      let copy = try place.copyStore(Self.bookmarks)
      let (folder, name) = ("stores", URL(filePath: copy).lastPathComponent)
      let left = "\(folder)/.\(name).migrationdestination_41b5a6b5c6e848c462a8480cd24caef3"
      let other = "\(folder)/.\(name).migrationdestination_mine"
      for path in [left, left + "-wal", other] { try place.write("x", to: path) }
      #expect(
        try place.modelc("repair", copy).stdout.contains("2 files of an interrupted migration are dropped"))
      #expect(FileManager.default.fileExists(atPath: place.url(left).path))
      expectSuccess(try place.modelc("repair", "--apply", copy))
      #expect(!FileManager.default.fileExists(atPath: place.url(left).path))
      #expect(FileManager.default.fileExists(atPath: place.url(other).path))
    }
  }

  private struct Report: Decodable {
    struct Repair: Decodable, Equatable {
      var kind: String
      var count: Int
      var lost: Int
      var summary: String
    }
    var applied: Bool
    var lost: Int
    var backup: String?
    var repairs: [Repair]
  }

  private static func execute(_ sql: String, in store: String, at place: Workplace) throws {
    let queue = try DatabaseQueue(path: place.url(store).path)
    try queue.writeWithoutTransaction { db in try db.execute(sql: sql) }
    try queue.close()
  }

  /// Every row of an entity's table as text, by its table and key.
  private static func rows(_ store: String, at place: Workplace) throws -> [String: String] {
    let queue = try DatabaseQueue(path: place.url(store).path)
    defer { try? queue.close() }
    return try queue.read { db in
      var rows: [String: String] = [:]
      let tables = try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '% Z_PK %'")
      for table in tables {
        for row in try Row.fetchAll(db, sql: "SELECT * FROM \"\(table)\"") {
          rows["\(table) \(row["Z_PK"] as Int64? ?? 0)"] = "\(row)"
        }
      }
      return rows
    }
  }
}
