import Foundation
import GRDB
import TestSupport
import Testing

/// What is sound but not needed: `inspect --sizes`, `repair --orphans` and `repair --purge-before`.
@Suite("Objects and history that nobody needs") struct RemovalTests {
  private static let model = """
    entities:
      Item: {abstract: true, attributes: {title: string?}}
      Folder:
        parent: Item
        relationships:
          upper: {to: Folder, inverse: lower}
          lower: {toMany: Folder, inverse: upper, deleteRule: cascade}
          notes: {toMany: Note, inverse: folder, deleteRule: cascade}
      Note:
        parent: Item
        relationships:
          folder: {to: Folder, inverse: notes}
          files: {toMany: File, inverse: note, deleteRule: cascade}
          tags: {toMany: Tag, inverse: notes}
      Task:
        relationships:
          files: {toMany: File, inverse: task, deleteRule: cascade}
      File:
        attributes: {data: {type: binary, optional: true, externalStorage: true}}
        relationships:
          note: {to: Note, inverse: files}
          task: {to: Task, inverse: files}
          preview: {to: Preview, inverse: file, deleteRule: cascade}
      Preview:
        attributes: {size: integer32?}
        relationships:
          file: {to: File, inverse: preview}
          locks: {toMany: Lock, inverse: preview, deleteRule: deny}
      Lock:
        relationships:
          preview: {to: Preview, inverse: locks}
      Tag:
        attributes: {name: string?}
        relationships:
          notes: {toMany: Note, inverse: tags}
    """

  /// Three folders in a row, with a note each; files of notes, of tasks and of nobody.
  private static let objects = """
    Folder:
      top: {title: Top}
      mid: {title: Mid, upper: Folder/top}
    Note:
      kept: {title: Kept, folder: Folder/mid}
      lost: {title: Lost}
    Task:
      task: {}
    Tag:
      tag: {name: Tag, notes: [Note/kept, Note/lost]}
    File:
      f1: {note: Note/kept}
      f2: {task: Task/task}
      f3: {note: Note/lost}
      f4: {}
      f5: {}
    Preview:
      p3: {size: 3, file: File/f3}
      p4: {size: 4, file: File/f4}
      p5: {size: 5, file: File/f5}
    Lock:
      l5: {preview: Preview/p5}
    """

  private struct Report: Decodable {
    struct Repair: Decodable, Equatable { var kind: String; var entity: String?; var count, lost: Int }
    struct Finding: Decodable { var code: String }
    var applied: Bool
    var lost, savedBytes: Int
    var repairs: [Repair]
    var diagnostics: [Finding]
  }

  private func withStore(_ body: (Workplace) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      try place.write("current: V1\nversions: [V1]\n", to: "Models/App/versions.yaml")
      try place.write(Self.model, to: "Models/App/V1.yaml")
      try place.write(Self.objects, to: "Objects.yaml")
      expectSuccess(try place.modelc("fixture", "V1", "--objects", "Objects.yaml", "-o", "S.sqlite"))
      try body(place)
    }
  }

  private func rows(_ sql: String, in place: Workplace, _ store: String = "S.sqlite") throws -> [String] {
    let queue = try DatabaseQueue(path: place.url(store).path)
    defer { try? queue.close() }
    return try queue.read { try String.fetchAll($0, sql: sql) }
  }

  @Test func `objects without an owner are found and counted`() throws {
    struct Sizes: Decodable {
      struct Orphans: Decodable, Equatable { var entity: String; var count, all: Int; var owners: [String] }
      struct Table: Decodable { var name: String; var rows: Int }
      var orphans: [Orphans]
      var tables: [Table]
    }
    try withStore { place in
      let run = try place.modelc("inspect", "S.sqlite", "--sizes", "--format", "json")
      expectSuccess(run)
      let sizes = try run.decoded(as: Sizes.self)
      // A folder at the top and a tag have no owner to lose.
      #expect(
        sizes.orphans == [
          .init(entity: "File", count: 2, all: 5, owners: ["Note.files", "Task.files"]),
          .init(entity: "Note", count: 1, all: 2, owners: ["Folder.notes"]),
        ])
      #expect(sizes.tables.first { $0.name == "ZITEM" }?.rows == 4)
      let text = try place.modelc("inspect", "S.sqlite", "--sizes")
      #expect(
        text.stdout.contains("File  2 of 5") && text.stdout.contains("repair --orphans 'File,Note' S.sqlite"))
    }
  }

  @Test func `every text of an entity with more attributes than a query has results is measured`() throws {
    struct Sizes: Decodable {
      struct Values: Decodable { var attribute: String }
      var values: [Values]
    }
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      try place.write("current: V1\nversions: [V1]\n", to: "Models/App/versions.yaml")
      let attributes = (1...1_100).map { "text\($0): string" }.joined(separator: ", ")
      try place.write("entities: {Wide: {attributes: {\(attributes)}}}", to: "Models/App/V1.yaml")
      expectSuccess(try place.modelc("fixture", "V1", "--rows", "2", "-o", "S.sqlite"))
      let run = try place.modelc("inspect", "S.sqlite", "--sizes", "--format", "json")
      #expect(try Set(run.decoded(as: Sizes.self).values.map(\.attribute)).count == 1_100)
    }
  }

  /// f4 and its preview go; f5 stays, because its preview may not be deleted; f3 belongs to the note that nobody named.
  @Test func `orphans go as the delete rules say`() throws {
    try withStore { place in
      let before = try Data(contentsOf: place.url("S.sqlite"))
      let plan = try place.modelc("repair", "--orphans", "File", "S.sqlite", "--format", "json")
      let report = try plan.decoded(as: Report.self)
      #expect(
        report.repairs.filter { $0.kind == "orphans" } == [
          .init(kind: "orphans", entity: "File", count: 1, lost: 0),
          .init(kind: "orphans", entity: "Preview", count: 1, lost: 1),
        ], "\(plan)")
      #expect(report.diagnostics.map(\.code) == ["MC6504"] && !report.applied)
      let refused = try place.modelc("repair", "--orphans", "File", "--apply", "S.sqlite")
      #expect(refused.code == 4 && refused.stderr.contains("error[MC6501]"), "\(refused)")
      #expect(try Data(contentsOf: place.url("S.sqlite")) == before)
      let printed = try place.modelc("repair", "--orphans", "File", "S.sqlite").stdout
      let command = try #require(printed.firstMatch(of: #/`.*?modelc (repair [^`]*)`/#)?.1)
      let applied = try Modelc.run(command.split(separator: " ").map(String.init), in: place.folder)
      #expect(applied.code == 0, "\(applied)")
      #expect(try Data(contentsOf: place.url("S.sqlite.damaged.backup")) == before)
      #expect(
        try rows("SELECT COUNT(*) FROM ZFILE UNION ALL SELECT COUNT(*) FROM ZPREVIEW", in: place) == [
          "4", "2",
        ])
      #expect(try rows("SELECT ZSIZE FROM ZPREVIEW ORDER BY 1", in: place) == ["3", "5"])
      expectSuccess(try place.modelc("verify", "--full", "S.sqlite"))
      // What is left is what may not go: nothing more is done.
      let again = try place.modelc("repair", "--orphans", "File", "S.sqlite", "--format", "json")
      #expect(try again.decoded(as: Report.self).repairs.isEmpty, "\(again)")
    }
  }

  @Test func `what goes along of other entities goes, and other references are cleared`() throws {
    try withStore { place in
      let run = try place.modelc("repair", "--orphans", "Note,File", "S.sqlite", "-o", "New.sqlite")
      expectSuccess(run)
      #expect(
        try rows("SELECT ZTITLE FROM ZITEM ORDER BY 1", in: place, "New.sqlite") == ["Kept", "Mid", "Top"])
      #expect(try rows("SELECT COUNT(*) FROM ZFILE", in: place, "New.sqlite") == ["3"])
      #expect(try rows("SELECT COUNT(*) FROM Z_4TAGS", in: place, "New.sqlite") == ["1"])
      expectSuccess(try place.modelc("verify", "--full", "New.sqlite"))
      #expect(try rows("SELECT COUNT(*) FROM ZITEM", in: place) == ["4"])
    }
  }

  @Test func `what cannot be dropped is refused before anything is written`() throws {
    try withStore { place in
      let before = try Data(contentsOf: place.url("S.sqlite"))
      for entity in ["Tag", "Folder"] {
        expectRefusal(try place.modelc("repair", "--orphans", entity, "S.sqlite"), "MC6504", exit: 3)
      }
      expectRefusal(try place.modelc("repair", "--orphans", "Fil", "S.sqlite"), "MC0009", exit: 2)
      #expect(try place.modelc("repair", "--orphans", "all", "--apply", "S.sqlite").code == 2)
      expectRefusal(try place.modelc("repair", "--purge-before", "2026-01-01", "S.sqlite"), "MC6504", exit: 3)
      #expect(try place.modelc("repair", "--purge-before", "yesterday", "S.sqlite").code == 2)
      let queue = try DatabaseQueue(path: place.url("S.sqlite").path)
      try queue.write { try $0.execute(sql: "CREATE TABLE ANSCKMETADATAENTRY (Z_PK INTEGER PRIMARY KEY)") }
      try queue.close()
      for option in [["--orphans", "File"], ["--purge-before", "2026-01-01"]] {
        expectRefusal(try Modelc.run(["repair", "S.sqlite"] + option, in: place.folder), "MC6504", exit: 3)
      }
      // What would be refused is not proposed.
      let sizes = try place.modelc("inspect", "S.sqlite", "--sizes").stdout
      #expect(sizes.contains("File  2 of 5") && !sizes.contains("--orphans"))
      #expect(try rows("SELECT COUNT(*) FROM ZFILE", in: place) == ["5"])
      #expect(before.count > 0)
    }
  }

  /// A chain of a hundred thousand objects, each the owner of the next, and a ring that owns itself.
  @Test func `long chains and rings end`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      try place.write("current: V1\nversions: [V1]\n", to: "Models/App/versions.yaml")
      try place.write(
        """
        entities:
          List: {relationships: {first: {to: Link, inverse: list, deleteRule: cascade}}}
          Link:
            relationships:
              list: {to: List, inverse: first}
              next: {to: Link, inverse: previous, deleteRule: cascade}
              previous: {to: Link, inverse: next}
        """, to: "Models/App/V1.yaml")
      expectSuccess(try place.modelc("fixture", "V1", "--rows", "2", "-o", "S.sqlite"))
      let queue = try DatabaseQueue(path: place.url("S.sqlite").path)
      try queue.write { db in
        try db.execute(
          sql: """
            DELETE FROM ZLIST; DELETE FROM ZLINK;
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
            INSERT INTO ZLINK (Z_PK, Z_ENT, Z_OPT, ZNEXT, ZPREVIOUS)
            SELECT i, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Link'), 1, nullif(i + 1, 100001), nullif(i - 1, 0) FROM n;
            UPDATE ZLINK SET ZNEXT = 99999 WHERE Z_PK = 100000; UPDATE ZLINK SET ZPREVIOUS = 100000 WHERE Z_PK = 99999;
            UPDATE ZLINK SET ZNEXT = NULL WHERE Z_PK = 99998;
            UPDATE Z_PRIMARYKEY SET Z_MAX = 100000
            """)
      }
      try queue.close()
      let run = try place.modelc("repair", "--orphans", "Link", "S.sqlite", "--format", "json")
      // The two of the ring hold one another.
      #expect(try run.decoded(as: Report.self).repairs.map(\.count) == [99998], "\(run)")
    }
  }

  @Test(.needsFixtures) func `old history goes, and its last transaction stays`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      let store = try place.copyStore(
        "alemar11+CoreDataPlus/Tests/Resources/SampleModel2/Fixtures/SampleModel2_V1.sqlite")
      let queue = try DatabaseQueue(path: place.url(store).path)
      try queue.write { db in
        try db.execute(
          sql: """
            INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) VALUES (2, 16002, 800000000);
            INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID) VALUES (90001, 16001, 1, 1, 1, 2)
            """)
      }
      try queue.close()
      let hint = try place.modelc("inspect", store, "--history").stdout
      #expect(hint.contains("repair --purge-before 2026-04-09 \(store)"), "\(hint)")
      let plan = try place.modelc("repair", "--purge-before", "2026-01-01", store, "--format", "json")
      let report = try plan.decoded(as: Report.self)
      #expect(report.repairs.map(\.count) == [5468, 1] && report.lost == 0 && report.savedBytes > 100_000)
      expectSuccess(try place.modelc("repair", "--purge-before", "2099-01-01T00:00:00Z", store, "--apply"))
      #expect(try rows("SELECT Z_PK FROM ATRANSACTION", in: place, store) == ["2"])
      #expect(try rows("SELECT Z_PK FROM ACHANGE", in: place, store) == ["90001"])
      #expect(
        try rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'TRANSACTION'", in: place, store).first != "0"
      )
      expectSuccess(try place.modelc("verify", "--full", store))
    }
  }
}
