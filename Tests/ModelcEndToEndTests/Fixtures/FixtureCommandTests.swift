import Foundation
import GRDB
import TestSupport
import Testing

@Suite("modelc fixture") struct FixtureCommandTests {
  private struct Made: Decodable {
    struct Entity: Decodable { var name: String; var rows: Int }
    var store: String
    var version: String
    var uuid: String
    var entities: [Entity]
    var externalFiles: Int
  }

  /// The sample's project, with a large binary value allowed beside the store.
  private func withProject(_ body: (Workplace) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      try place.write("current: V1\nversions: [V1]\n", to: "Models/M/versions.yaml")
      try place.write(
        """
        entities:
          Hut:
            attributes:
              name: {type: string, matching: "[A-Z][a-z]{2,9}"}
              photo: {type: binary?, externalStorage: true}
              opened: date?
            relationships:
              visits: {toMany: Visit, inverse: hut, ordered: true}
            uniquenessConstraints: [[name]]
          Visit:
            attributes: {secret: string}
            relationships:
              hut: {to: Hut, optional: false, inverse: visits}
        """, to: "Models/M/V1.yaml")
      try body(place)
    }
  }

  @Test(.needsOracle) func `the same command makes the same files, byte for byte`() throws {
    try withProject { place in
      for name in ["a", "b", "c"] {
        let seed = name == "c" ? "8" : "7"
        let run = try place.modelc(
          "fixture", "V1", "--rows", "300", "--seed", seed, "-o", "\(name)/s.sqlite".replacing("/", with: ""))
        expectSuccess(run)
      }
      let files = try place.snapshot(".").files
      #expect(files["as.sqlite"] == files["bs.sqlite"])
      #expect(files["as.sqlite"] != files["cs.sqlite"])
      func external(_ name: String) -> [Data] {
        files.filter { $0.key.hasPrefix(".\(name)_SUPPORT/_EXTERNAL_DATA/") && !$0.key.hasSuffix("/") }
          .sorted { $0.key < $1.key }.map(\.value)
      }
      #expect(external("as").count == 2)
      #expect(external("as") == external("bs"))
      try Oracle.expectSound([place.url("as.sqlite"), place.url("cs.sqlite")])
    }
  }

  @Test func `what is made is told, as text and as JSON`() throws {
    try withProject { place in
      let text = try place.modelc("fixture", "V1", "--rows", "9", "-o", "a.sqlite")
      #expect(text.stdout.hasPrefix("a.sqlite: 9 objects of V1"), "\(text)")
      let json = try place.modelc("fixture", "V1", "--rows", "9", "-o", "b.sqlite", "--format", "json")
      let made: Made = try json.decoded()
      #expect(made.store == "b.sqlite")
      #expect(made.version == "V1")
      #expect(made.entities.map(\.rows).reduce(0, +) == 9)
      #expect(UUID(uuidString: made.uuid) != nil)
    }
  }

  @Test func `a part of a store stands on its own, and its values are others`() throws {
    try withProject { place in
      expectSuccess(try place.modelc("fixture", "V1", "--rows", "200", "-o", "big.sqlite"))
      let before = try place.snapshot(".")
      let run = try place.modelc(
        "fixture", "--from", "big.sqlite", "--rows", "20", "--mask", "Visit.secret", "-o", "small.sqlite")
      expectSuccess(run)
      for (path, bytes) in before.files { #expect(try place.snapshot(".").files[path] == bytes) }
      func texts(_ store: String, _ sql: String) throws -> Set<String> {
        try withStore(place.url(store)) { Set(try rows(sql, in: $0)) }
      }
      let names = "SELECT ZNAME FROM ZHUT"
      #expect(try texts("small.sqlite", names).isSubset(of: texts("big.sqlite", names)))
      let secrets = "SELECT Z_PK, ZSECRET FROM ZVISIT WHERE length(ZSECRET) > 0"
      #expect(try texts("small.sqlite", secrets).isDisjoint(with: texts("big.sqlite", secrets)))
      #expect(
        try texts("small.sqlite", "SELECT count(*) FROM ZVISIT WHERE ZHUT NOT IN (SELECT Z_PK FROM ZHUT)")
          == ["0"])
      let counts = try rowCounts(of: place.url("small.sqlite"))
      #expect(counts.values.reduce(0, +) == 20)
      let other = try place.modelc("fixture", "V1", "--from", "big.sqlite", "--rows", "5", "-o", "own.sqlite")
      expectSuccess(other)
    }
  }

  @Test func `objects of a file are refused at their places`() throws {
    try withProject { place in
      try place.write("Hut:\n  p1: {name: alp, photo: 12}\nVisit:\n  v: {}\n", to: "o.yaml")
      let run = try place.modelc("fixture", "V1", "--objects", "o.yaml", "-o", "s.sqlite")
      #expect(run.code == 1)
      #expect(run.errors == ["MC0004"], "\(run)")
      #expect(run.stderr.contains("o.yaml:2:26"))
      try place.write("Hut:\n  p1: {name: alp}\nVisit:\n  v: {secret: x}\n", to: "o.yaml")
      let rules = try place.modelc("fixture", "V1", "--objects", "o.yaml", "-o", "s.sqlite")
      #expect(rules.errors == ["MC0302", "MC0005"], "\(rules)")
      #expect(try place.snapshot(".").files.keys.contains { $0.hasPrefix("s.sqlite") } == false)
    }
  }

  @Test(
    arguments: [
      (["fixture", "V1", "-o", "s"], 2, ""), (["fixture", "--rows", "3", "-o", "s"], 2, ""),
      (["fixture", "V1", "--rows", "-1", "-o", "s"], 2, ""),
      (["fixture", "V1", "--rows", "3", "--objects", "o", "-o", "s"], 2, ""),
      (["fixture", "V1", "--rows", "3", "--mask", "x", "-o", "s"], 2, ""),
      (["fixture", "V9", "--rows", "3", "-o", "s"], 2, "MC0009"),
      (["fixture", "V1", "--objects", "none.yaml", "-o", "s"], 2, "MC0009"),
      (["fixture", "V1", "--rows", "3", "--framework", "old", "-o", "s"], 2, "MC0009"),
      (["fixture", "V1", "--rows", "3", "-o", "Models/M/V1.yaml"], 2, "MC0012"),
      (["fixture", "V1", "--rows", "3", "-o", "none/s"], 4, "MC6003"),
      (["export", "--as", "yaml"], 2, ""), (["export", "s", "--as", "json-schema"], 2, ""),
      (["export", "none", "--as", "jsonl"], 2, "MC0009"),
      (["export", "Models/M/V1.yaml", "--as", "yaml"], 3, "MC5001"),
    ] as [([String], Int32, String)])
  func `mistakes on the command line are refused`(_ arguments: [String], _ code: Int32, _ error: String)
    throws
  {
    try withProject { place in
      let before = try place.snapshot(".")
      let run = try Modelc.run(arguments, in: place.folder)
      #expect(run.code == code, "\(run)")
      #expect(run.errors == (error.isEmpty ? [] : [error]), "\(run)")
      #expect(try place.snapshot(".") == before)
    }
  }

  @Test(.needsOracle) func `an old Core Data is imitated`() throws {
    try withProject { place in
      expectSuccess(
        try place.modelc("fixture", "V1", "--rows", "9", "--framework", "637", "-o", "old.sqlite"))
      let statements = try withStore(place.url("old.sqlite")) { db in
        try rows("SELECT sql FROM sqlite_master WHERE name = 'ZHUT'", in: db)
      }
      #expect(statements.first?.hasSuffix("CONSTRAINT ZNAME UNIQUE (ZNAME))") == true, "\(statements)")
      try Oracle.expectSound([place.url("old.sqlite")])
    }
  }
}
