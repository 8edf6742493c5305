import Foundation
import GRDB
import TestSupport
import Testing

/// Duplicates that a new constraint forbids: one of each group stays, takes what it lacks and the children of the others, and is
/// marked.
@Suite("Duplicates before a constraint") struct DuplicateTests {
  private func withStore(_ body: (_ place: Workplace) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      func version(_ more: String, _ constraint: String) -> String {
        """
        entities:
          Photo:
            attributes: {id: string, title: string?, size: integer32 = 0\(more)}
            relationships: {tags: {toMany: Tag, inverse: photo}}
        \(constraint)  Tag:
            attributes: {name: string?}
            relationships: {photo: {to: Photo, inverse: tags}}

        """
      }
      try place.write("current: V2\nversions: [V1, V2]\n", to: "P/Models/App/versions.yaml")
      try place.write(version("", ""), to: "P/Models/App/V1.yaml")
      try place.write(
        version(
          ", needsUpload: boolean = false, total: integer64 = 0", "    uniquenessConstraints: [[id]]\n"),
        to: "P/Models/App/V2.yaml")
      expectSuccess(try place.modelc("fixture", "V1", "--rows", "0", "-o", "a.sqlite", "-C", "P", "-q"))
      let queue = try DatabaseQueue(path: place.url("a.sqlite").path)
      try queue.write { db in
        let rows = "(1,1,1,'a',NULL,10), (2,1,1,'a','x',20), (3,1,1,'b','y',30), (4,1,1,'a','z',40)"
        try db.execute(
          sql: """
            INSERT INTO ZPHOTO (Z_PK, Z_ENT, Z_OPT, ZID, ZTITLE, ZSIZE) VALUES \(rows);
            INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZPHOTO, ZNAME)
            VALUES (1,2,1,1,'t1'), (2,2,1,2,'t2'), (3,2,1,3,'t3'), (4,2,1,4,'t4');
            UPDATE Z_PRIMARYKEY SET Z_MAX = 4
            """)
      }
      try queue.close()
      try body(place)
    }
  }

  private func mapping(_ lines: String) -> String {
    "from: V1\nto: V2\nentityMappings:\n  PhotoToPhoto:\n    source: Photo\n    destination: Photo\n\(lines)"
  }

  @Test func `the finding proposes the mapping, and the mapping keeps, fills, moves and marks`() throws {
    try withStore { place in
      let found = try place.modelc("plan", "a.sqlite", "-C", "P")
      #expect(found.errors == ["MC3105"] && found.stderr.contains("1 group of duplicates"), "\(found)")
      #expect(found.stderr.contains("groupBy: $source.id"))
      try place.write(
        mapping(
          """
              groupBy: $source.id
              keep: merge
              attributes:
                needsUpload: TERNARY(count:($sources) > 1, YES, NO)
                total: $sources.@sum.size

          """), to: "P/Migrations/App/V1-V2.yaml")
      expectSuccess(try place.modelc("migrate", "a.sqlite", "-C", "P", "--no-backup"))
      try DatabaseQueue(path: place.url("a.sqlite").path).read { db in
        let photos = try Row.fetchAll(
          db, sql: "SELECT ZID, ZTITLE, ZNEEDSUPLOAD, ZTOTAL, ZSIZE FROM ZPHOTO ORDER BY ZID")
        #expect(
          photos.map { $0.databaseValues.map(\.description) } == [
            ["\"a\"", "\"x\"", "1", "70", "10"], ["\"b\"", "\"y\"", "0", "30", "30"],
          ])
        let tags = try String.fetchAll(
          db, sql: "SELECT p.ZID || t.ZNAME FROM ZTAG AS t JOIN ZPHOTO AS p ON p.Z_PK = t.ZPHOTO ORDER BY 1")
        #expect(tags == ["at1", "at2", "at4", "bt3"])
      }
      expectSuccess(try place.modelc("verify", "--full", "a.sqlite", "-C", "P"))
    }
  }

  @Test func `there is no group where nothing is grouped, and none for its own key`() throws {
    try withStore { place in
      let before = try Data(contentsOf: place.url("a.sqlite"))
      for lines in [
        "    attributes: {total: $sources.@count}\n",
        "    groupBy: $sources.@count\n    keep: first\n",
      ] {
        try place.write(mapping(lines), to: "P/Migrations/App/V1-V2.yaml")
        let run = try place.modelc("migrate", "a.sqlite", "-C", "P")
        #expect(run.errors.contains("MC4205") && run.code != 0, "\(run)")
      }
      #expect(try Data(contentsOf: place.url("a.sqlite")) == before)
    }
  }
}
