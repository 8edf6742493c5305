import Foundation
import GRDB
import TestSupport
import Testing

@Suite("modelc inspect --history", .needsFixtures) struct InspectHistoryTests {
  private static let sample =
    "alemar11+CoreDataPlus/Tests/Resources/SampleModel2/Fixtures/SampleModel2_V1.sqlite"

  private struct History: Decodable, Equatable {
    struct Writer: Decodable, Equatable {
      var author, bundle: String?; var transactions, changes: Int; var last: String
    }
    struct Changes: Decodable, Equatable { var entity: String; var inserted, updated, deleted: Int }
    struct Day: Decodable, Equatable { var day: String; var transactions, changes: Int }
    var transactions, changes, bytes: Int
    var isMirrored: Bool
    var writers: [Writer]
    var entities: [Changes]
    var days: [Day]
  }

  private func history(of store: String, in place: Workplace) throws -> History {
    let run = try place.modelc("inspect", store, "--history", "--format", "json")
    expectSuccess(run)
    return try run.decoded()
  }

  @Test func `who saved, when and what, in a genuine store and in one that was added to`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      let store = try place.copyStore(Self.sample)
      let first = try history(of: store, in: place)
      #expect(first.transactions == 1 && first.changes == 5468 && first.bytes > 100_000 && !first.isMirrored)
      #expect(first.entities.first == .init(entity: "Page", inserted: 4970, updated: 0, deleted: 0))
      #expect(first.days == [.init(day: "2024-05-10", transactions: 1, changes: 5468)])
      let queue = try DatabaseQueue(path: place.url(store).path)
      try queue.writeWithoutTransaction { db in
        try db.execute(
          sql:
            """
            INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP, ZAUTHOR) VALUES (2, 16002, 700000000, 'sync'), (3, 16002, 1e300, 'sync');
            INSERT INTO ATRANSACTION (Z_PK, ZTIMESTAMP) VALUES (4, 'yesterday'), (5, NULL), (6, -9e999);
            INSERT INTO ACHANGE (Z_PK, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID) VALUES (90001, 1, 999, 1, 2), (90002, 2, 999, 1, 2);
            """)
      }
      try queue.close()
      let second = try history(of: store, in: place)
      #expect(second.transactions == 6 && second.changes == 5470)
      // More authors than are listed: all are counted.
      let many = try DatabaseQueue(path: place.url(store).path)
      try many.write { db in
        for key in 100..<400 {
          try db.execute(
            sql: "INSERT INTO ATRANSACTION (Z_PK, ZTIMESTAMP, ZAUTHOR) VALUES (\(key), 1, 'a\(key)')")
        }
      }
      try many.close()
      let third = try history(of: store, in: place)
      #expect(third.transactions == 306 && third.changes == 5470 && third.writers.count == 200)
      let sync = second.writers.first { $0.author == "sync" }
      #expect(sync?.transactions == 2 && sync?.changes == 2 && sync?.bundle == nil)
      let unknown = second.entities.first { $0.entity == "entity 999" }
      #expect(unknown == .init(entity: "entity 999", inserted: 0, updated: 1, deleted: 1))
    }
  }

  @Test func `a history whose table of texts is gone is counted without them`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      let store = try place.copyStore(Self.sample)
      let queue = try DatabaseQueue(path: place.url(store).path)
      try queue.write { db in try db.execute(sql: "DROP TABLE ATRANSACTIONSTRING") }
      try queue.close()
      let found = try history(of: store, in: place)
      #expect(found.transactions == 1 && found.writers.count == 1 && found.writers.first?.bundle == nil)
    }
  }

  @Test func `a store without history is refused`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      let store = try place.copyStore(
        "alemar11+CoreDataPlus/Tests/Resources/SampleModel/Fixtures/SampleModel_V1.sqlite")
      expectRefusal(try place.modelc("inspect", store, "--history"), "MC0009", exit: 2)
    }
  }
}
