import Foundation
import GRDB
import TestSupport
import Testing

@Suite("A genuine store whose only model is its own takes a new version", .needsFixtures)
struct OwnModelTests {
  static let stores = "alemar11+CoreDataPlus/Tests/Resources/SampleModel2/Fixtures/SampleModel2"

  /// Derived attributes, persistent history, an archived default, 5,000 pages: adopted, given a version 2, migrated.
  @Test(.needsOracle) func `with derived attributes and persistent history`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      let path = try place.copyStore("\(Self.stores)_V1.sqlite")
      expectSuccess(try place.modelc("adopt", path, "-C", "T", "--model", "Library"))
      let models = place.url("T/Models/Library")
      try FileManager.default.copyItem(
        at: models.appending(path: "V1.yaml"), to: models.appending(path: "V2.yaml"))
      try place.write("current: V2\nversions: [V1, V2]\n", to: "T/Models/Library/versions.yaml")
      let edits = [
        ("{to: Book, optional: false, inverse: pages, min: 1}", "{to: Book, inverse: pages}"),
        ("{to: Author, optional: false, inverse: books, min: 1}", "{to: Author, inverse: books}"),
        (
          "      comment: string?",
          "      remark: {type: string?, renamingIdentifier: comment}\n      stars: integer16 = 3"
        ),
      ]
      try place.replace("comment CONTAINS[c]", with: "remark CONTAINS[c]", in: "T/Models/Library/V2.yaml")
      for (old, new) in edits { try place.replace(old, with: new, in: "T/Models/Library/V2.yaml") }

      let query = "SELECT Z_PK, ZCOMMENT FROM ZFEEDBACK ORDER BY 1"
      let comments = try withStore(place.url(path)) { try rows(query, in: $0) }
      let counts = try rowCounts(of: place.url(path))
      let history =
        "SELECT Z_PK, ZENTITY || ' ' || ZENTITYPK || ' ' || ZTRANSACTIONID FROM ACHANGE ORDER BY 1"
      let changes = try withStore(place.url(path)) { try rows(history, in: $0) }
      #expect(!changes.isEmpty)
      let run = try place.modelc("migrate", path, "-C", "T")
      expectSuccess(run)
      try Oracle.expectSound([place.url(path)])
      #expect(try rowCounts(of: place.url(path)) == counts)
      try withStore(place.url(path)) { db in
        let after = try rows(query.replacing("ZCOMMENT", with: "ZREMARK"), in: db)
        #expect(after == comments)
        #expect(try Int.fetchAll(db, sql: "SELECT DISTINCT ZSTARS FROM ZFEEDBACK") == [3])
        let wrong = try Int.fetchOne(
          db,
          sql: """
            SELECT COUNT(*) FROM ZBOOK b
            WHERE b.ZPAGESCOUNT <> (SELECT COUNT(*) FROM ZPAGE p WHERE p.ZBOOK = b.Z_PK)
            """)
        #expect(wrong == 0)
        let triggers = "SELECT COUNT(*) FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'Z_DA_%'"
        #expect(try Int.fetchOne(db, sql: triggers) == 5)
        #expect(try rows(history, in: db) == changes)
      }
    }
  }
}
