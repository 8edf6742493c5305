import Foundation
import ManagedModel
import ModelFormats
import TestSupport
import Testing

@testable import ManagedModel

@Suite("CloudKit schemas") struct CloudKitSchemaTests {
  private func types(_ schema: CloudKitSchema) -> [String: [String: String]] {
    schema.recordTypes.mapValues { $0.mapValues { "\($0)" } }
  }

  private func read(_ text: String) throws(DiagnosticsError) -> CloudKitSchema {
    try CloudKitSchema(reading: text.utf8, file: "a.ckdb")
  }

  private static let plain = [
    "CD_entityName": "STRING", "CD_moveReceipt": "BYTES", "CD_moveReceipt_ckAsset": "ASSET",
  ]

  @Test func `each attribute type has its field, a long one its asset`() {
    let mirrored = MirroredSchema(
      modelOf(
        """
        Hut
          a: integer16
          b: integer64
          c: boolean
          d: double
          e: float
          f: decimal
          g: date
          h: uuid
          i: uri
          j: string
          k: binary
          l: transformable
          m: Point
          n: string, transient
          o: undefined, transient
        composite Point
          x: double
        """))
    let fields = [
      "CD_a": "INT64", "CD_b": "INT64", "CD_c": "INT64", "CD_d": "DOUBLE", "CD_e": "DOUBLE",
      "CD_f": "DOUBLE", "CD_g": "TIMESTAMP", "CD_h": "STRING", "CD_i": "STRING", "CD_j": "STRING",
      "CD_j_ckAsset": "ASSET", "CD_k": "BYTES", "CD_k_ckAsset": "ASSET", "CD_l": "BYTES",
      "CD_l_ckAsset": "ASSET", "CD_m": "BYTES",
    ]
    #expect(types(mirrored.schema) == ["CD_Hut": Self.plain.merging(fields) { $1 }])
    #expect(mirrored.notes.keys.sorted() == ["CD_Hut.CD_f", "CD_Hut.CD_m"])
  }

  @Test func `sub-entities share their root's record type, and many to many has one of its own`() {
    let mirrored = MirroredSchema(
      modelOf(
        """
        Place, abstract
          name: uuid?
        Hut < Place
          owner -> Person.huts
          guests => Person.visited
        Person
          huts => Hut.owner
          visited => Hut.guests
          code: integer16?
        Guide < Person
          level: integer16?
        Cook < Person
          level: date?
        """))
    let joins = ["CD_entityNames": "STRING", "CD_recordNames": "STRING", "CD_relationships": "STRING"]
    #expect(
      types(mirrored.schema) == [
        "CDMR": joins, "CD_Place": Self.plain.merging(["CD_name": "STRING", "CD_owner": "STRING"]) { $1 },
        "CD_Person": Self.plain.merging(["CD_code": "INT64", "CD_level": "INT64"]) { $1 },
      ])
    #expect(mirrored.notes["CD_Person.CD_level"]?.contains("INT64 and TIMESTAMP") == true)
  }

  @Test func `of marked configurations, without names that CloudKit does not take, encrypted where asked`() {
    var model = modelOf("Hut\n  name: uuid?\n  größe: double?\nDraft\n  text: string?")
    model.entities[0].attributes[0].allowsCloudEncryption = true
    model.configurations = [ConfigurationDescription(name: "Cloud", entityNames: ["Hut"])]
    #expect(MirroredSchema(model).schema.recordTypes.count == 2)
    model.editorSettings.cloudKitConfigurations = ["Cloud"]
    let mirrored = MirroredSchema(model)
    #expect(
      types(mirrored.schema) == ["CD_Hut": Self.plain.merging(["CD_name": "ENCRYPTED STRING"]) { $1 }])
    #expect(mirrored.unnameable == ["Hut.größe"])
  }

  @Test func `a schema only grows`() throws {
    let old = try read(
      """
      DEFINE SCHEMA
        RECORD TYPE Users ( roles LIST<INT64> );
        RECORD TYPE CD_Hut ( CD_a NUMBER, CD_b NUMBER PREFERRED AS DOUBLE, CD_c STRING, CD_fax STRING, own STRING );
        RECORD TYPE CD_Old ( CD_x STRING );
      """)
    let new = try read(
      """
      DEFINE SCHEMA
        RECORD TYPE CD_Hut ( CD_a INT64, CD_b INT64, CD_c ENCRYPTED STRING, CD_d STRING, CD_d_ckAsset ASSET );
        RECORD TYPE CD_New ( CD_x STRING );
      """)
    let difference = new.difference(from: old)
    #expect(difference.addedPaths == ["CD_Hut.CD_d", "CD_New"])
    #expect(difference.newTypes == ["CD_New"])
    #expect(difference.removed == ["CD_Hut.CD_fax", "CD_Old"])
    #expect(
      difference.retyped.map { "\($0.path) \($0.old) \($0.new)" } == [
        "CD_Hut.CD_b NUMBER PREFERRED AS DOUBLE INT64", "CD_Hut.CD_c STRING ENCRYPTED STRING",
      ])
    #expect(new.difference(from: new) == CloudKitSchema.Difference())
    #expect(
      difference.added.text(head: [], notes: ["CD_Hut.CD_d": "why"], parts: ["CD_Hut"]).hasPrefix(
        """
        DEFINE SCHEMA

            RECORD TYPE CD_Hut (
                // not documented: why
                CD_d         STRING,
                CD_d_ckAsset ASSET
            );

            RECORD TYPE CD_New (
                "___createTime" TIMESTAMP,
        """))
  }

  @Test(.needsFixtures) func `what is written of every genuine version reads back the same`() throws {
    var count = 0
    for url in Fixtures.all(withExtension: "xcdatamodeld") {
      for version in ModelReader().read(url.path).model?.versions ?? [] {
        let mirrored = MirroredSchema(version.model)
        let text = mirrored.schema.text(head: [version.name], notes: mirrored.notes)
        #expect(try read(text) == mirrored.schema, "\(url.path) \(version.name)")
        count += mirrored.schema.recordTypes.isEmpty ? 0 : 1
      }
    }
    #expect(count > 100)
  }

  @Test(.needsFixtures) func `what each genuine step adds makes production as large as the new version`()
    throws
  {
    var (steps, additions) = (0, 0)
    for url in Fixtures.all(withExtension: "xcdatamodeld") {
      let versions = ModelReader().read(url.path).model?.versions ?? []
      for (before, after) in zip(versions, versions.dropFirst()) {
        let (old, new) = (MirroredSchema(before.model).schema, MirroredSchema(after.model))
        let added = new.schema.difference(from: old).added
        #expect(
          try read(added.text(head: [after.name], notes: new.notes)) == added, "\(url.path) \(after.name)")
        for (type, fields) in added.recordTypes {
          #expect(fields.keys.allSatisfy { old.recordTypes[type]?[$0] == nil }, "\(type) of \(after.name)")
        }
        var production = old
        production.recordTypes.merge(added.recordTypes) { $0.merging($1) { former, _ in former } }
        #expect(
          new.schema.difference(from: production).added == CloudKitSchema(), "\(url.path) \(after.name)")
        steps += 1
        additions += added.recordTypes.isEmpty ? 0 : 1
      }
    }
    #expect(steps > 50 && additions > 10)
  }

  @Test func `comments, roles, grants, indexes and quoted names are read`() throws {
    let schema = try read(
      """
      \u{FEFF}define schema -- é
        CREATE ROLE DeptManager; /* a
        */ RECORD TYPE "cloudkit.share" ( );
        RECORD TYPE Department (\r
          "___recordID" REFERENCE QUERYABLE, "grant" LIST<ENCRYPTED STRING> SEARCHABLE SORTABLE, // phone
          GRANT WRITE, CREATE, READ TO DeptManager, a LOCATION
        );
      """)
    #expect(
      types(schema) == [
        "cloudkit.share": [:], "Department": ["grant": "LIST<ENCRYPTED STRING>", "a": "LOCATION"],
      ])
    #expect(try read(schema.text(head: [])) == schema)
  }

  @Test(arguments: [
    ("", "1:1"), ("DEFINE", "1:7"), ("DEFINE SCHEMA RECORD", "1:21"), ("SELECT", "1:1"),
    ("DEFINE SCHEMA\n/* é", "2:1"), ("DEFINE SCHEMA\nRECORD TYPE A ( x STRING", "2:25"),
    ("DEFINE SCHEMA RECORD TYPE A ( x STRING, );", "1:41"),
    ("DEFINE SCHEMA RECORD TYPE A ( x TEXT );", "1:33"),
    ("DEFINE SCHEMA RECORD TYPE A ( x ENCRYPTED ASSET );", "1:43"),
    ("DEFINE SCHEMA RECORD TYPE A ( x LIST<LIST<STRING>> );", "1:38"),
    ("DEFINE SCHEMA RECORD TYPE A ( x STRING, x STRING );", "1:41"),
    ("DEFINE SCHEMA RECORD TYPE A ( ); RECORD TYPE A ( );", "1:46"),
    ("DEFINE SCHEMA RECORD TYPE \"A ( );", "1:27"), ("DEFINE SCHEMA RECORD TYPE \"\" ( );", "1:27"),
    ("DEFINE SCHEMA RECORD TYPE Hütte ( );", "1:27"), ("DEFINE SCHEMA RECORD TYPE _a ( );", "1:27"),
    ("DEFINE SCHEMA\0", "1:14"), ("DEFINE SCHEMA CREATE ROLE a", "1:28"),
  ])
  func `hostile text is one error with a place`(_ text: String, _ place: String) {
    do throws(DiagnosticsError) {
      _ = try read(text)
      Issue.record("read: \(text)")
    } catch {
      #expect(error.diagnostics.map { $0.place.map { "\($0.start.line):\($0.start.column)" } } == [place])
    }
  }

  @Test func `no cut and no wrong byte of a schema stops the reader`() {
    let model = modelOf("Hut\n  a: string?\n  b: decimal?\n  c => Hut.c")
    let whole = Array(MirroredSchema(model).schema.text(head: ["x"]).utf8)
    for length in 0..<whole.count {
      _ = try? CloudKitSchema(reading: whole.prefix(length), file: "")
      var wrong = whole
      wrong[length] = UInt8(truncatingIfNeeded: length &* 37)
      _ = try? CloudKitSchema(reading: wrong, file: "")
    }
    let deep = "DEFINE SCHEMA RECORD TYPE A ( x " + String(repeating: "LIST<", count: 50_000)
    #expect(throws: DiagnosticsError.self) { try read(deep) }
  }
}
