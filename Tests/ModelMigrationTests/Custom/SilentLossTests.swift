import Foundation
import GRDB
import ManagedModel
import ModelMigration
import TestSupport
import Testing

/// What a mapping drops is counted however it is written.
@Suite("No mapping loses values without a word") struct SilentLossTests {
  private func losses(
    _ trial: CustomTrial, _ objects: [ManagedObject], _ code: String? = nil
  ) throws -> [String] {
    try withTemporaryFolder { folder in
      let plan = try trial.plan(try trial.store(objects, in: folder))
      return plan.losses.filter { code == nil ? !$0.isAcknowledged : $0.code.description == code }.map {
        "\($0.code) \($0.entity)\($0.property.map { ".\($0)" } ?? "") \($0.count)"
      }.sorted()
    }
  }

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

  /// Such a mapping says no more than inference, so statements carry it out.
  @Test(arguments: [("", ["MC3111 A.q 1"]), ("drops: [A.q]\n", []), ("drops: [Q.as]\n", [])])
  func `links that a mapping drops are meant, also where statements carry it out`(
    drops: String, left: [String]
  ) throws {
    let objects = "\n    attributes: {s: string?}"
    let trial = try CustomTrial(
      [
        "entities:\n  A:\(objects)\n    relationships: {q: {to: Q, inverse: as}}\n"
          + "  Q:\(objects)\n    relationships: {as: {toMany: A, inverse: q}}\n",
        "entities:\n  A:\(objects)\n  Q:\(objects)\n",
      ], mappings: ["\(drops)entityMappings:\n  AToA: {source: A, destination: A}\n"])
    let owner = ManagedObject("A", 1, values: ["s": .string("a")], toOne: ["q": objectID("Q", 1)])
    #expect(try losses(trial, [owner, ManagedObject("Q", 1)]) == left)
  }

  /// What computes with a list, or asks how long it is, does not say which objects are linked.
  @Test(arguments: [
    ("attributes: {n: $source.bs.@count}", "", true), ("attributes: {n: '$source.bs[SIZE]'}", "", true),
    ("attributes: {n: $source.bs.@sum.p}", "", true), ("attributes: {n: 'max:($source.bs.p)'}", "", true),
    ("attributes: {n: 'SUBQUERY($source.bs, $b, $b.p > 1).@count'}", "", true),
    ("where: bs.@count > 0", "", true), ("attributes: {n: $source.bs.@count}", "drops: [A.bs]\n", false),
    ("attributes: {n: $source.bs.@count}", "drops: [B.a]\n", false),
    ("attributes: {n: 'objectFrom:withIndex:($source.bs.p, 0)'}", "", false),
    ("attributes: {n: '$source.bs[FIRST].p'}", "", false), ("attributes: {n: $source.c.p}", "", false),
  ])
  func `links are lost where mappings only count them`(_ way: String, _ drops: String, _ isLost: Bool) throws
  {
    let (old, new) = ("attributes: {p: integer64?}", "attributes: {p: integer64?, n: integer64?}")
    let leads = way.contains(".c.") ? "c: {to: B, inverse: a}" : "bs: {toMany: B, inverse: a}"
    let trial = try CustomTrial(
      [
        "entities:\n  A: {\(old), relationships: {\(leads)}}\n"
          + "  B: {\(old), relationships: {a: {to: A, inverse: \(leads.prefix { $0 != ":" })}}}\n",
        "entities:\n  A: {\(new)}\n  B: {\(old)}\n",
      ], mappings: ["\(drops)entityMappings:\n  AToA: {source: A, destination: A, \(way)}\n"])
    let linked = ManagedObject("B", 1, values: ["p": .integer(2)], toOne: ["a": objectID("A", 1)])
    #expect(try losses(trial, [ManagedObject("A", 1), linked]) == (isLost ? ["MC3111 B.a 1"] : []))
    let path = try planPath(from: "V1", models: [trial.model], custom: trial.custom)
    #expect(path.diagnostics.contains { $0.code == .droppedData } == isLost)
  }

  @Test func `plans name what inferred steps after a mapping lose`() throws {
    let other = "  B: {attributes: {y: string?}}\n"
    let trial = try CustomTrial(
      [
        "entities:\n  A: {attributes: {x: string?, n: string?}}\n" + other,
        "entities:\n  A: {attributes: {x: string?, m: string?}}\n" + other,
        "entities:\n  A: {attributes: {m: string?}}\n",
      ], mappings: ["entityMappings:\n  AToA: {source: A, destination: A, attributes: {m: $source.n}}\n"])
    func lost(_ found: [Diagnostic]) -> [String] {
      found.filter { $0.code == .droppedData && $0.severity == .warning }.compactMap(\.subject).map {
        [$0.entity, $0.property].compactMap(\.self).joined(separator: ".")
      }.sorted()
    }
    let path = try planPath(from: "V1", models: [trial.model], custom: trial.custom)
    #expect(lost(path.diagnostics) == ["A.x", "B"])
    #expect(!path.diagnostics.contains { $0.notes.contains { $0.message.contains("is known only when") } })
    try withTemporaryFolder { folder in
      let plan = try trial.plan(try trial.store(objects("B", ["y": .string("b")]), in: folder))
      #expect(lost(plan.diagnostics) == ["A.x", "B"])
    }
  }

  /// What V2 has, empty or with one value for all, and V4 no more is in no store of V1.
  @Test(arguments: [false, true])
  func `plans name nothing as lost that comes after the store's version`(isMappedLast: Bool) throws {
    let (first, mapping) = ("x: string?", "{source: A, destination: A, attributes: {x: 'trim($source.x)'}}")
    let added = first + ", y: string?, z: integer64 = 3"
    let trial = try CustomTrial(
      [
        "entities:\n  A: {attributes: {\(first)}}\n",
        "entities:\n  A: {attributes: {\(added)}}\n  B: {attributes: {t: string?}}\n",
        "entities:\n  A: {attributes: {\(added), w: string?}}\n  B: {attributes: {t: string?}}\n",
        "entities:\n  A: {attributes: {\(first), w: string?}}\n",
      ],
      mappings: ["", "", ""].enumerated().map {
        $0.offset == (isMappedLast ? 2 : 1) ? "entityMappings: {AToA: \(mapping)}" : ""
      })
    func isLost(_ version: String) throws -> Bool {
      try planPath(from: version, models: [trial.model], custom: trial.custom).diagnostics
        .contains { $0.code == .droppedData }
    }
    let (early, late) = (try isLost("V1"), try isLost("V2"))
    #expect(!early && late)
    try withTemporaryFolder { folder in
      let plan = try trial.plan(try trial.store(objects("A", ["x": .string("a")]), in: folder))
      #expect(!plan.isBlocked && !plan.diagnostics.contains { $0.code == .droppedData })
    }
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

  @Test(arguments: [
    "$source.places[FIRST]", "$source.places[LAST]", "objectFrom:withIndex:($source.places, 0)",
  ])
  func `of a list of which one goes on the others are lost`(_ one: String) throws {
    let old = """
      entities:
        Trip: {relationships: {places: {toMany: Place, ordered: true, inverse: trip}}}
        Place: {attributes: {name: string?}, relationships: {trip: {to: Trip, inverse: places}}}
      """
    let new = """
      entities:
        Trip: {relationships: {main: {to: Place, inverse: holder}}}
        Place: {attributes: {name: string?}, relationships: {holder: {to: Trip, inverse: main}}}
      """
    let trial = try CustomTrial(
      [old, new],
      mappings: [
        """
        entityMappings:
          Trip:
            source: Trip
            destination: Trip
            relationships: {main: 'destinationInstances("Place", \(one))'}
          Place: {source: Place, destination: Place}
        """
      ])
    let keys: [[Int64]] = [[1, 2, 3], [4, 5]]
    let trips = keys.enumerated().map { index, places in
      var trip = ManagedObject("Trip", Int64(index + 1))
      trip.toMany["places"] = places.map { objectID("Place", $0) }
      return trip
    }
    let all = trips + (1...5).map { ManagedObject("Place", $0) }
    #expect(try losses(trial, all, "MC4104") == ["MC4104 Trip.places 3"])
    #expect(try losses(trial, all, "MC3125") == [])
  }

  @Test func `what the mapping of the other half reads is lost of this half`() throws {
    let model =
      "relationships: {boss: {to: K, inverse: team}, team: {toMany: K, inverse: boss}, solo: {to: T}}"
    let other = "  T: {attributes: {t: string?}}\n"
    let trial = try CustomTrial(
      [
        "entities:\n  A:\n    attributes: {k: string?, title: string?}\n    "
          + model.replacing("K", with: "A") + "\n" + other,
        "entities:\n  P:\n    attributes: {title: string?}\n    " + model.replacing("K", with: "P")
          + "\n  Q: {attributes: {k: string?}}\n" + other,
      ],
      mappings: [
        """
        drops: [A.k]
        entityMappings:
          AToP: {source: A, destination: P, where: k == "p"}
          AToQ: {source: A, destination: Q, where: k == "q"}
        """
      ])
    func a(_ key: Int64, _ kind: String, boss: Int64? = nil, solo: Bool = false) -> ManagedObject {
      var object = ManagedObject("A", key, values: ["k": .string(kind), "title": .string("t\(key)")])
      if let boss { object.toOne["boss"] = objectID("A", boss) }
      if solo { object.toOne["solo"] = objectID("T", 1) }
      return object
    }
    let found = [
      a(1, "p", solo: true), a(2, "q", boss: 1, solo: true), a(3, "q", boss: 2), a(4, "p", boss: 1),
    ]
    #expect(
      try losses(trial, found + objects("T", ["t": .string("x")]))
        == ["MC3111 A.boss 2", "MC3111 A.solo 1", "MC3111 A.title 2"])
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

  @Test(arguments: [
    "",
    "PToCat: {source: P, destination: Cat, where: k == 1, relationships: {qs: \"destinationInstances('QToQ', $source.qs)\"}}",
    "QToQ: {source: Q, destination: Q, relationships: {cat: \"destinationInstances('PToCat', $source.p)\"}}",
  ])
  func `a split entity's links are lost where what it becomes has none`(_ written: String) throws {
    let mappings = [
      "PToCat: {source: P, destination: Cat, where: k == 1}",
      "PToDog: {source: P, destination: Dog, where: k == 2}",
      "QToQ: {source: Q, destination: Q}",
    ].filter { $0.prefix(5) != written.prefix(5) }
    let trial = try CustomTrial(
      [
        """
        entities:
          P: {attributes: {k: integer32}, relationships: {qs: {toMany: Q, inverse: p}}}
          Q: {relationships: {p: {to: P, inverse: qs}}}
        """,
        """
        entities:
          Cat: {attributes: {k: integer32}, relationships: {qs: {toMany: Q, inverse: cat}}}
          Dog: {attributes: {k: integer32}}
          Q: {relationships: {cat: {to: Cat, inverse: qs}}}
        """,
      ],
      mappings: [
        "entityMappings:\n" + (mappings + [written]).filter { !$0.isEmpty }.map { "  \($0)\n" }.joined()
      ])
    let rows =
      objects("P", ["k": .integer(1)], ["k": .integer(2)])
      + (1...3).map { key in
        ManagedObject("Q", key, values: [:], toOne: ["p": objectID("P", key == 1 ? 1 : 2)])
      }
    #expect(try losses(trial, rows) == ["MC3111 Q.p 2"])
  }

  @Test func `the plan names what a later step would drop`() throws {
    let trial = try CustomTrial(
      [
        "entities:\n  Note: {attributes: {title: string?, town: string?}}\n",
        "entities:\n  Note: {attributes: {title: string?, town: string?, code: string?}}\n",
        "entities:\n  Note: {attributes: {title: string?, code: string?}}\n",
      ],
      mappings: [
        "entityMappings: {NoteToNote: {source: Note, destination: Note, attributes: {code: $source.title}}}"
      ])
    try withTemporaryFolder { folder in
      let plan = try trial.plan(try trial.store(objects("Note", ["town": .string("x")]), in: folder))
      let found = plan.diagnostics.filter { $0.subject?.property == "town" }
      #expect(found.map(\.severity) == [.warning] && !plan.isBlocked)
    }
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

  /// To nobody, and to an object of another entity in the same table; kept by an inferred step first, or not.
  @Test(arguments: [9999, 1], [false, true])
  func `references that a custom step drops are told by plan and run, and are no change`(
    _ key: Int, _ isChain: Bool
  ) throws {
    let first = """
      entities:
        Base: {abstract: true, attributes: {title: string?}}
        Note: {parent: Base, attributes: {rating: integer16 = 0}, relationships: {folder: {to: Folder, inverse: notes}}}
        Folder: {parent: Base, relationships: {notes: {toMany: Note, inverse: folder}}}

      """
    let second = first.replacing("rating: integer16 = 0", with: "rating: integer16 = 0, extra: string?")
    let mapping =
      "entityMappings: {NoteToNote: {source: Note, destination: Note, attributes: {rating: $source.rating * 2}}}"
    let trial = try CustomTrial(
      (isChain ? [first] : []) + [second, second.replacing("rating: integer16", with: "rating: double")],
      mappings: (isChain ? [""] : []) + [mapping])
    try withTemporaryFolder { folder in
      var notes = [1, 2].map { ManagedObject("Note", $0, values: ["rating": .integer($0)]) }
      notes[1].toOne["folder"] = objectID("Folder", 3)
      let store = try trial.store(notes + [ManagedObject("Folder", 3)], in: folder)
      try store.write { try $0.execute(sql: "UPDATE ZBASE SET ZFOLDER = \(key) WHERE Z_PK = 1") }
      let old = try store.copy(named: "Old.sqlite")
      let plan = try trial.plan(store)
      #expect(told(plan.diagnostics) == ["Note.folder 1"])
      let report = try trial.migrate(store)
      #expect(told(report.plan.diagnostics + report.diagnostics) == ["Note.folder 1"])
      let keys = try store.read { try Int?.fetchAll($0, sql: "SELECT ZFOLDER FROM ZBASE ORDER BY Z_PK") }
      #expect(keys == [nil, 3, nil])
      #expect(try ComparedMappingTests().errors(old, store, trial) == [])
    }
  }

  private func told(_ findings: [Diagnostic]) -> [String] {
    findings.filter { $0.code.description == "MC3126" && $0.severity == .warning }.map {
      "\($0.subject?.entity ?? "").\($0.subject?.property ?? "") \($0.message.prefix(1))"
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
