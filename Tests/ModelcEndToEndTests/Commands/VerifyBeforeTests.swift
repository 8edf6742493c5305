import Foundation
import GRDB
import TestSupport
import Testing

@Suite("modelc verify --before: the account of a migration", .needsFixtures)
struct VerifyBeforeTests {
  /// What of `verify --before OLD --format json` is the account.
  private struct Record: Decodable {
    var diagnostics: [DiagnosticRecord]
    var before: Account

    struct Account: Decodable {
      var from: String
      var to: String
      var before: Int
      var after: Int
      var carried: Int
      var entities: [Entity]
    }

    struct Entity: Decodable {
      var source: String?
      var destination: String?
      var before: Int
      var carried: Int
      var missing: Sample
      var changed: [Property]
      var lost: [Property]
    }

    struct Property: Decodable {
      var name: String
      var objects: Sample
    }

    struct Sample: Decodable {
      var count: Int
      var primaryKeys: [Int]
    }
  }

  /// Genuine stores with the version to migrate them to.
  static let migrations: [(store: GenuineModel.Store, target: String)] = [
    (GenuineModel.bookmarks.stores[0], "BookmarksModel 6"),
    (GenuineModel.bookmarks.stores[3], "BookmarksModel 6"),
    (GenuineModel.sampleModel.stores[0], "SampleModel2"), (GenuineModel.moody.stores[0], "Moody 2"),
    (GenuineModel.syncMetadata.stores[0], "SyncMetadata 4"),
  ]

  @Test(arguments: migrations.indices)
  func `every object of a genuine store is accounted for`(_ index: Int) throws {
    let (store, target) = Self.migrations[index]
    try Workplace.with(store.package) { place in
      let old = try place.copyStore(store.path, into: "old")
      let new = try place.copyStore(store.path)
      let migration = try place.modelc(
        "migrate", new, "-C", "T", "--to", target, "--allow-loss", "MC3111", "--no-backup")
      #expect(migration.code == 0, "\(migration)")
      let run = try place.modelc("verify", new, "--before", old, "-C", "T", "--format", "json")
      #expect(run.code == 0, "\(run)")
      let account = try run.decoded(as: Record.self).before
      #expect(account.from == store.version && account.to == target)
      #expect(account.before == account.after && account.before == account.carried && account.before > 0)
      #expect(account.entities.allSatisfy { $0.missing.count == 0 && $0.changed.isEmpty }, "\(run)")
    }
  }

  @Test func `what is missing, changed and lost is named`() throws {
    try Workplace.withDemo { place, store in
      let old = "stores/Old.sqlite"
      try FileManager.default.copyItem(at: place.url(store), to: place.url(old))
      #expect(try place.modelc("migrate", store, "-C", "T", "--no-backup").code == 0)
      let clean = try place.modelc("verify", store, "--before", old, "-C", "T")
      #expect(clean.code == 0, "\(clean)")
      #expect(clean.stdout.contains("1,000 objects before, 1,000 carried over, 1,000 after"), "\(clean)")
      try edit(place.url(store)) { db in
        try db.execute(
          sql: "DELETE FROM ZPHOTO WHERE Z_PK = 5; UPDATE ZPLACE SET ZNAME = 'x' WHERE Z_PK IN (2, 3)")
        try db.execute(sql: "UPDATE Z_METADATA SET Z_UUID = '\(UUID())'")
      }
      let text = try place.modelc("verify", store, "--before", old, "-C", "T")
      #expect(text.stdout.contains("3 errors") && !text.stdout.contains("No findings"), "\(text)")
      let lines = try place.modelc(
        "verify", store, "--before", old, "-C", "T", "--report", "jsonl=r.jsonl", "--format", "json")
      let results = try lines.decoded(as: [Record].self)
      #expect(lines.code == 1 && results.first?.before.entities.isEmpty == false, "\(lines)")
      let summary = try place.modelc("fleet", "report", "r.jsonl")
      #expect(summary.code == 1 && summary.stdout.contains("MC630"), "\(summary)")
      let run = try place.modelc("verify", store, "--before", old, "-C", "T", "--format", "json")
      #expect(run.code == 1)
      let record = try run.decoded(as: Record.self)
      let errors = record.diagnostics.filter { $0.severity == "error" }.map(\.code)
      #expect(errors.sorted() == ["MC6302", "MC6304", "MC6304"], "\(run)")
      let huts = try #require(record.before.entities.first { $0.source == "Hut" })
      #expect(huts.changed.map(\.name) == ["name"])
      #expect(huts.changed.first?.objects.primaryKeys == [2, 3])
      let photos = try #require(record.before.entities.first { $0.source == "Photo" })
      #expect(photos.missing.primaryKeys == [5] && photos.carried == photos.before - 1)
    }
  }
}
