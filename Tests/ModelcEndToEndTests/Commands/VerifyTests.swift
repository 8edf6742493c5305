import Foundation
import GRDB
import TestSupport
import Testing

@Suite("modelc verify", .needsFixtures)
struct VerifyTests {
  /// `verify --format json`.
  private struct Record: Decodable {
    var store: String
    var versions: [String]
    var heldAgainst: String?
    var integrityCheck: String
    var checked: [String: Int]
    var entities: [Entity]
    var findings: [Finding]
    var diagnostics: [DiagnosticRecord]

    struct Entity: Decodable {
      var name: String
      var rows: Int
    }

    struct Finding: Decodable {
      var code: String
      var severity: String
      var entity: String?
      var property: String?
      var count: Int?
      var primaryKeys: [Int]
    }
  }

  @Test(arguments: GenuineModel.stores)
  func `a genuine store has no findings against the version that its app had`(
    _ store: GenuineModel.Store
  ) throws {
    try Workplace.with(store.package) { place in
      let path = try place.copyStore(store.path)
      let before = try place.snapshot()
      let run = try place.modelc("verify", path, "-C", "T", "--full", "--format", "json")
      expectSuccess(run)
      let record = try run.decoded(as: Record.self)
      #expect(record.versions == [store.version])
      #expect(record.heldAgainst == "version" && record.integrityCheck == "full")
      #expect(record.findings.map(\.code) == [], "\(run)")
      #expect((record.checked["rules"] ?? 0) > 0)
      let counts = try rowCounts(of: Fixtures.url(store.path))
      #expect(record.entities.reduce(0) { $0 + $1.rows } == counts.values.reduce(0, +))
      #expect(try place.snapshot() == before)
    }
  }

  @Test func `findings are told, the exit code is 1, and nothing is written`() throws {
    try Workplace.withDemo { place, store in
      expectSuccess(try place.modelc("verify", store, "-C", "T"))
      try edit(place.url(store)) { db in
        try db.execute(sql: "UPDATE ZSTAGE SET ZHUT = 999 WHERE Z_PK IN (3, 7)")
      }
      let before = try place.snapshot()
      let run = try place.modelc("verify", store, "-C", "T")
      #expect(run.code == 1 && run.errors == ["MC5203"], "\(run)")
      #expect(run.stderr.contains("2 references of 'Stage.hut' point to missing objects"))
      #expect(run.stderr.contains("primary keys 3, 7"))
      #expect(run.stdout.contains("1 error in "))
      let record = try place.modelc("verify", store, "-C", "T", "--format", "json").decoded(as: Record.self)
      #expect(record.findings.map(\.code) == ["MC5203"])
      #expect(record.findings.first?.count == 2)
      #expect(record.findings.first?.primaryKeys == [3, 7])
      #expect(record.findings.first?.entity == "Stage" && record.findings.first?.property == "hut")
      #expect(record.diagnostics.map(\.code) == ["MC5203"])
      #expect(try place.snapshot() == before)
    }
  }

  @Test func `a warning is no refusal`() throws {
    try Workplace.withDemo { place, store in
      try edit(place.url(store)) { try $0.execute(sql: "CREATE TABLE notes (text)") }
      let run = try place.modelc("verify", store, "-C", "T")
      #expect(run.code == 0 && run.stderr.contains("warning[MC5107]"), "\(run)")
    }
  }

  @Test func `a store of no version without a model of its own is refused`() throws {
    try Workplace.with(GenuineModel.moody.package) { place in
      let path = try place.copyStore(GenuineModel.books.stores[0].path)
      let run = try place.modelc("verify", path, "-C", "T")
      expectRefusal(run, "MC5102", exit: 3)
      let json = try place.modelc("verify", path, "-C", "T", "--format", "json")
      #expect(json.code == 3)
      #expect(try json.decoded(as: RefusalRecord.self).diagnostics.map(\.code) == ["MC5102"])
    }
  }
}
