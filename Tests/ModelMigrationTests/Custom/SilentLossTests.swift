import Foundation
import GRDB
import ManagedModel
import ModelMigration
import TestSupport
import Testing

/// What a mapping drops is counted however it is written.
@Suite("No mapping loses values silently") struct SilentLossTests {
  private static let texts = "entities:\n  A: {attributes: {s: string?, i: integer64?, t: string?}}\n"
  private static let numbers = "entities:\n  A: {attributes: {s: string?, i: integer16?, t: integer32?}}\n"

  private var rows: [ManagedObject] {
    objects(
      "A", ["s": .string("a"), "i": .integer(70_000), "t": .string("12")],
      ["s": .string("b"), "i": .integer(5), "t": .string("abc")],
      ["s": .string("  "), "i": .integer(80_000), "t": .string("x")])
  }

  @Test(arguments: [
    #"trim(s) != """#, #"uppercase:(trim(s)) IN {"A", "B"}"#, #"lookup("t", s) == "yes""#,
    #"s IN {"a", "b"}"#,
  ])
  func `the rows that a filter takes are asked, whatever it calls`(_ filter: String) throws {
    let trial = try CustomTrial(
      [Self.texts, Self.numbers],
      mappings: [
        """
        lookups: {t: {a: yes, b: yes}}
        entityMappings:
          AToA: {source: A, destination: A, where: '\(filter)', attributes: {t: 'parseInt($source.t)'}}
        """
      ])
    #expect(try losses(trial, rows) == ["MC3109 A.i 1", "MC3118 A.t 1"])
  }

  /// Of `t` nothing is left in the new version: what an object becomes says which value it had, or does not.
  @Test(arguments: [
    (#"where: t == "x""#, []), (#"where: t != "12" AND i != 5"#, []), (#"where: t IN {"x", "y"}"#, []),
    (#"where: t != "12""#, ["MC3111 A.t 2"]), (#"where: t IN {"x", "abc"}"#, ["MC3111 A.t 2"]),
    (#"where: t == "x" OR i == 5"#, ["MC3111 A.t 2"]), ("where: median:({i, 1}) > 0", ["MC3111 A.t 3"]),
    ("where: length:(t) == 1", ["MC3111 A.t 1"]),
    ("where: t == nil", []), ("where: NOT (t == nil)", ["MC3111 A.t 3"]),
    ("where: i == 80000", ["MC3111 A.t 1"]), ("where: t != nil", ["MC3111 A.t 3"]),
    (#"where: t LIKE "*""#, ["MC3111 A.t 3"]), ("groupBy: $source.t", ["MC3111 A.t 3"]),
  ])
  func `a value that only a condition reads is lost with its attribute`(_ part: String, _ lost: [String])
    throws
  {
    let trial = try CustomTrial(
      [Self.texts, Self.texts.replacing(", t: string?", with: "")],
      mappings: ["entityMappings:\n  AToA:\n    source: A\n    destination: A\n    \(part)\n"])
    #expect(try losses(trial, rows).filter { $0.contains("A.t") } == lost)
  }

  /// Objects 1 to 3 have a median of 2 at most, of which the second mapping leaves out what is above the limit.
  @Test(arguments: [("2", [String]()), ("1", ["MC4104 A 2"])])
  func `what goes where only objects can be asked for a condition is counted`(
    _ limit: String, _ dropped: [String]
  ) throws {
    let trial = try CustomTrial(
      [
        "entities:\n  A: {attributes: {t: string?, i: integer32?}}\n",
        "entities:\n  A: {attributes: {i: integer32?, x: string?}}\n  B: {attributes: {u: string?}}\n",
      ],
      mappings: [
        """
        entityMappings:
          AToA: {source: A, destination: A, where: 'median:({i, 1}) > 2'}
          AToB: {source: A, destination: B, where: 'median:({i, 1}) <= \(limit)', attributes: {u: $source.t}}
        """
      ])
    let rows = (1...5).map { ManagedObject("A", $0, values: ["i": .integer($0), "t": .string("x")]) }
    #expect(try losses(trial, rows) == ["MC3111 A.t 2"])
    #expect(try losses(trial, rows, "MC4104") == dropped)
  }

  /// The same six objects, four of them for the first mapping.
  @Test(arguments: ["i %@ 40001", "median:({i, 1}) %@ 20001"])
  func `numbers and links are counted whatever a condition calls`(_ condition: String) throws {
    let trial = try CustomTrial(
      [
        """
        entities:
          A: {attributes: {i: integer32?}, relationships: {b: {to: B, inverse: as}}}
          B: {relationships: {as: {toMany: A, inverse: b}}}
        """,
        """
        entities:
          A: {attributes: {i: integer16?}}
          C: {attributes: {t: string?}, relationships: {b: {to: B, inverse: cs}}}
          B: {relationships: {cs: {toMany: C, inverse: b}}}
        """,
      ],
      mappings: [
        """
        entityMappings:
          AToA: {source: A, destination: A, where: '\(condition.replacing("%@", with: ">"))'}
          AToC:
            source: A
            destination: C
            where: '\(condition.replacing("%@", with: "<="))'
            relationships: {b: 'destinationInstances("BToB", $source.b)'}
        """
      ])
    let rows = (1...6).map {
      ManagedObject("A", $0, values: ["i": .integer($0 * 20_000)], toOne: ["b": objectID("B", 1)])
    }
    let found = try ["MC3109", "MC3111"].flatMap { try losses(trial, rows + objects("B", [:]), $0) }
    #expect(found == ["MC3109 A.i 4", "MC3111 A.b 4", "MC3111 A.i 2"])
  }

  @Test func `a comparison leaves rows without a value out, beside any function`() throws {
    let trial = try CustomTrial(
      [Self.texts, Self.texts + "  B: {attributes: {x: string?}}\n"],
      mappings: [
        #"""
        entityMappings:
          AToA: {source: A, destination: A, where: 'i != 5 AND trim("a") == "a"'}
        """#
      ])
    let found = try trial.run(objects("A", ["i": .integer(1)], ["i": .integer(5)], ["s": .string("no i")]))
    #expect(found["A"].count == 1 && found.codes.contains("MC4104"))
  }

  @Test func `a double that no decimal can be is refused before the run, accepted or not`() throws {
    var trial = try CustomTrial(
      [
        "entities:\n  A: {attributes: {x: double?}}\n",
        "entities:\n  A: {attributes: {x: decimal?, s: string?}}\n",
      ],
      mappings: ["entityMappings:\n  AToA: {source: A, destination: A, where: x != 1}\n"])
    trial.options.acceptedLosses = [.narrowedNumbers]
    let rows = objects("A", ["x": .double(1e200)], ["x": .double(2.5)], ["x": .double(1)])
    let error = #expect(throws: MigrationRefusedError.self) { try trial.run(rows) }
    #expect(refusalCodes(error) == ["MC6116"])
    #expect(
      error?.plan.diagnostics.first { $0.severity == .error }?.notes.first?.message.contains("key 1") == true)
    #expect(try trial.run(Array(rows.dropFirst())).texts("A", "x") == ["2.5"])
  }

  @Test(arguments: ["$source.s", "trim($source.s)", #"lookup("t", $source.s)"#])
  func `objects that a mapping leaves without a required value are counted`(_ value: String) throws {
    let trial = try CustomTrial(
      [
        Self.texts,
        "entities:\n  A: {attributes: {s: string, i: integer64?, t: string?}}\n",
      ],
      mappings: [
        """
        lookups: {t: {a: x, b: y}}
        entityMappings:
          AToA: {source: A, destination: A, where: 'i != 9', attributes: {s: '\(value)'}}
        """
      ])
    let rows = objects(
      "A", ["s": .string("a"), "i": .integer(1)], ["i": .integer(2), "t": .string("x")],
      ["s": .string("b"), "i": .integer(3)], ["i": .integer(9)])
    let error = #expect(throws: MigrationRefusedError.self) { try trial.run(rows) }
    #expect(refusalCodes(error) == ["MC3101"])
    let finding = error?.plan.diagnostics.first { $0.severity == .error }
    #expect(finding?.message.hasPrefix("1 object has no value for 'A.s'") == true)
    let help = finding?.help.first ?? ""
    #expect(help.contains("coalesce($source.s, …)") == (value == "$source.s"), "\(help)")
    #expect(finding?.notes.first?.message.contains("key 2") == true)
  }

  @Test func `the result's own value is no value of the source`() throws {
    let trial = try CustomTrial(
      [Self.texts, Self.texts + "  B: {attributes: {x: string?}}\n"],
      mappings: [
        #"""
        entityMappings:
          AToA: {source: A, destination: A, attributes: {s: 'concat($destination.s, "")'}}
        """#
      ])
    #expect(try losses(trial, rows) == ["MC3111 A.s 3"])
  }

  @Test func `a key that a table does not have is counted, and one that cannot be found refused`() throws {
    func trial(_ table: String, _ expression: String) throws -> CustomTrial {
      try CustomTrial(
        [Self.texts, Self.texts + "  B: {attributes: {x: string?}}\n"],
        mappings: [
          """
          lookups: {t: {\(table)}}
          entityMappings:
            AToA: {source: A, destination: A, attributes: {s: '\(expression)'}}
          """
        ])
    }
    #expect(try losses(trial("a: x, b: y", #"lookup("t", $source.s)"#), rows, "MC3118") == ["MC3118 A.s 1"])
    #expect(try losses(trial("a: x", #"coalesce(lookup("t", $source.s), "none")"#), rows, "MC3118") == [])
    #expect(
      try losses(trial("5: x, 70000: y, 80000: z", #"lookup("t", $source.i)"#), rows) == ["MC3111 A.s 3"])
    let (_, diagnostics) = try trial("5: x, other: y, 5.0: z", #"lookup("t", $source.i)"#).resolved
    #expect(diagnostics.map(\.message) == ["2 keys of the table 't' can never be found: '5.0', 'other'"])
  }

  @Test func `digits that begin with a zero are text`() throws {
    let trial = try CustomTrial(
      [Self.texts, Self.texts + "  B: {attributes: {x: string?}}\n"],
      mappings: [
        """
        lookups: {t: {a: "004", b: "012", "  ": "100"}}
        entityMappings:
          AToA: {source: A, destination: A, attributes: {s: 'lookup("t", $source.s)'}}
        """
      ])
    #expect(try trial.run(rows).texts("A", "s") == ["004", "012", "100"])
  }

  @Test(arguments: ["$source.t", "trim($source.t)", "concat($source.t, '!')"])
  func `a value of an object that is merged away is counted, computed or not`(_ value: String) throws {
    let trial = try CustomTrial(
      [Self.texts, Self.texts + "  B: {attributes: {x: string?}}\n"],
      mappings: [
        """
        drops: [A.i]
        entityMappings:
          AToA: {source: A, destination: A, groupBy: $source.s, attributes: {t: "\(value)", i: }}
        """
      ])
    let found = objects(
      "A", ["s": .string("k"), "t": .string("first")], ["s": .string("k"), "t": .string("second")])
    #expect(try losses(trial, found) == ["MC3120 A.t 1"])
  }

  @Test func `a required reference is not emptied by the filter of another mapping`() throws {
    let version = """
      entities:
        C: {attributes: {t: string}, relationships: {ds: {toMany: D, inverse: c}}}
        D: {attributes: {t: string?}, relationships: {c: {to: C, inverse: ds, optional: false}}}

      """
    let trial = try CustomTrial(
      [version, version + "  E: {attributes: {x: string?}}\n"],
      mappings: [#"entityMappings: {CToC: {source: C, destination: C, where: 't != "drop"'}}"#])
    let rows =
      objects("C", ["t": .string("keep")], ["t": .string("drop")])
      + (1...3).map { key in
        ManagedObject("D", key, values: [:], toOne: ["c": objectID("C", key == 1 ? 1 : 2)])
      }
    #expect(throws: MigrationValidationError.self) { try trial.run(rows) }
  }

  @Test(arguments: ["", "groupBy: $source.k, ", #"where: 'place.inner.z > 0 AND trim(k) != ""', "#])
  func `a composite in a composite is read on every way`(_ way: String) throws {
    let composites = """
      composites:
        Inner: {q: string?, z: double?}
        Place: {name: string?, inner: {type: composite?, composite: Inner}}

      """
    let attributes = "k: string?, place: {type: composite?, composite: Place}"
    let trial = try CustomTrial(
      [
        composites + "entities:\n  A: {attributes: {\(attributes)}}\n",
        composites + "entities:\n  A: {attributes: {\(attributes), text: string?, next: double?}}\n",
      ],
      mappings: [
        """
        entityMappings:
          AToA:
            {source: A, destination: A, \(way)attributes:
              {text: "concat($source.place.inner.q, '/', $source.place.name)", next: $source.place.inner.z + 1}}
        """
      ])
    let found = try trial.run(
      objects(
        "A",
        [
          "k": .string("a"), "place.name": .string("n"), "place.inner.q": .string("q"),
          "place.inner.z": .double(1.5),
        ]))
    #expect(found.texts("A", "text") == ["q/n"] && found.texts("A", "next") == ["2.5"])
    #expect(found.texts("A", "place.inner.q") == ["q"])
  }

  @Test(arguments: [
    ("", "x y -", [String]()), ("groupBy: $source.title, ", "", ["MC3111 Item.ZOLD 2"]),
    ("where: rating > 1, ", "y -", []),
  ])
  func `what columns hold that no model knows stays with its objects, or is counted`(
    _ way: String, _ kept: String, _ counted: [String]
  ) throws {
    let version = "entities:\n  Item: {attributes: {title: string, rating: integer16 = 0}}\n"
    var trial = try CustomTrial(
      [version, version.replacing("integer16", with: "double")],
      mappings: [
        "entityMappings: {ItemToItem: {source: Item, destination: Item, \(way)attributes: {rating: $source.rating * 2}}}"
      ])
    try withTemporaryFolder { folder in
      let rows = objects(
        "Item", ["title": .string("a"), "rating": .integer(1)],
        ["title": .string("b"), "rating": .integer(2)],
        ["title": .string("c"), "rating": .integer(3)])
      let store = try trial.store(rows, in: folder)
      try store.write { db in
        try db.execute(
          sql: """
            ALTER TABLE ZITEM ADD COLUMN ZOLD VARCHAR; UPDATE ZITEM SET ZOLD = 'x' WHERE Z_PK = 1;
            UPDATE ZITEM SET ZOLD = 'y' WHERE Z_PK = 2
            """)
      }
      let plan = try trial.plan(store)
      #expect(
        plan.losses.filter { !$0.isAcknowledged }.map {
          "\($0.code) \($0.entity).\($0.property ?? "") \($0.count)"
        }
          == counted)
      #expect(plan.isBlocked == !counted.isEmpty)
      // No mapping can name a column.
      #expect(!plan.diagnostics.flatMap(\.help).contains { $0.contains("drops:") })
      trial.options.acceptedLosses = [.droppedData("Item.ZOLD")]
      try trial.migrate(store)
      if !counted.isEmpty { return }
      let found = try store.read { db in
        try String.fetchAll(db, sql: "SELECT coalesce(ZOLD, '-') FROM ZITEM ORDER BY Z_PK")
      }
      #expect(found.joined(separator: " ") == kept)
    }
  }

  @Test func `an entity that leaves its table takes along what columns hold that no model knows`() throws {
    let model = try writtenModel(
      "entities: {Base: {attributes: {name: string?}}, Kid: {parent: Base, attributes: {toy: string?}}}",
      "entities: {Base: {attributes: {name: string?, old: string?}}, Kid: {attributes: {name: string?, toy: string?}}}"
    )
    try withTemporaryFolder { folder in
      let rows = [ManagedObject("Base", 1), ManagedObject("Kid", 2, values: ["toy": .string("car")])]
      let store = try TestStore(in: folder, of: model.versions[0], objects: rows)
      try store.write { db in
        try db.execute(sql: "ALTER TABLE ZBASE ADD COLUMN ZOLD VARCHAR; UPDATE ZBASE SET ZOLD = 'x' || Z_PK")
      }
      try store.migrate(model, allowing: [])
      let found = try store.read { db in
        try String.fetchAll(
          db,
          sql:
            "SELECT ZOLD1 FROM ZBASE UNION ALL SELECT ZTOY || ZOLD FROM ZKID UNION ALL SELECT ZOLD FROM ZBASE"
            + " WHERE ZOLD IS NOT NULL")
      }
      #expect(found == ["x1", "carx2"])
    }
  }

  @Test func `what is advised takes the place of no mapping that is there`() throws {
    let trial = try CustomTrial(
      [
        "entities:\n  A: {attributes: {name: string?, note: string?}}\n",
        "entities:\n  A: {attributes: {name: string?}}\n  C: {attributes: {name: string?, note: string?}}\n",
      ],
      mappings: [
        """
        entityMappings:
          AToC: {source: A, destination: C, where: name != nil, attributes: {note: }}
          AToA: {source: A, destination: A}
        """
      ])
    try withTemporaryFolder { folder in
      let store = try trial.store(objects("A", ["name": .string("a"), "note": .string("b")]), in: folder)
      let plan = try trial.plan(store)
      #expect(plan.isBlocked && plan.diagnostics.allSatisfy { $0.proposal == nil })
    }
  }
}

extension CustomTrial {
  fileprivate var resolved: (mappingModel: MappingModel, diagnostics: [Diagnostic]) {
    (custom.mappingModels[model.name] ?? []).resolved(from: model.versions[0], to: model.versions[1])
  }
}
