import Foundation
import GRDB
import ManagedModel
import ModelMigration
import TestSupport
import Testing

/// What a mapping drops of references is counted, wherever they lead.
@Suite("No mapping loses references silently") struct SilentLinkLossTests {
  /// Rows with one column less stay; those with two less are written anew.
  @Test(arguments: ["", "n: string?, o: string?"], [false, true])
  func `an object of a to-many without an inverse has one owner, also beside a mapping`(
    dropped: String, isWritten: Bool
  ) throws {
    let list = "relationships: {b: 'destinationInstances(\"BToB\", $source.b)'}"
    let written = isWritten ? "  AToA: {source: A, destination: A, \(list)}\n" : ""
    func version(_ b: String, _ attributes: String = "") -> String {
      """
      entities:
        A: {attributes: {\(attributes)}, relationships: {b: {\(b): B}}}
        B: {attributes: {s: string?}}

      """
    }
    let trial = try CustomTrial(
      [version("to", dropped), version("toMany")],
      mappings: [
        "entityMappings:\n  BToB: {source: B, destination: B, attributes: {s: '\"x\"'}}\n" + written
      ])
    var rows = objects("A", [:], [:]) + objects("B", [:], [:])
    rows[0].toOne["b"] = objectID("B", 1)
    rows[1].toOne["b"] = objectID("B", 2)
    #expect(try trial.run(rows).links("A", "b") == ["1>1", "2>2"])
    rows[1].toOne["b"] = objectID("B", 1)
    let error = #expect(throws: MigrationRefusedError.self) { try trial.run(rows) }
    #expect(refusalCodes(error) == ["MC3108"])
  }

  /// Beside a key there is the entity's number then, which is known when the mapping has made the objects.
  @Test(arguments: [false, true])
  func `references lead to objects of an entity that gets a sub-entity`(byObjects: Bool) throws {
    let old = "entities:\n  Hut: {attributes: {name: string?}}\n  Note: {relationships: {hut: {to: Hut}}}\n"
    var trial = try CustomTrial(
      [old, old + "  Lodge: {parent: Hut}\n"],
      mappings: ["entityMappings:\n  HutToHut: {source: Hut, destination: Hut, where: name != \"x\"}\n"])
    trial.custom.usesObjectCopy = byObjects
    var rows = objects("Hut", ["name": .string("a")], ["name": .string("x")]) + objects("Note", [:], [:])
    for index in 0...1 { rows[index + 2].toOne["hut"] = objectID("Hut", Int64(index + 1)) }
    #expect(try trial.run(rows).links("Note", "hut") == ["1>1", "2>"])
  }

  @Test(arguments: [("author.mentor", ["MC3111 Book.author 1"]), ("author", [])])
  func `a link on the way to another object is lost`(path: String, lost: [String]) throws {
    func version(_ author: String, _ book: String) -> String {
      """
      entities:
        Author:
          relationships:
            \(book): {toMany: Book, inverse: \(author)}
            mentor: {to: Author, inverse: pupils}
            pupils: {toMany: Author, inverse: mentor}
        Book: {relationships: {\(author): {to: Author, inverse: \(book)}}}
      """
    }
    let mapping = """
      entityMappings:
        AuthorToAuthor: {source: Author, destination: Author}
        BookToBook:
          source: Book
          destination: Book
          relationships: {reader: 'destinationInstances("AuthorToAuthor", $source.\(path))'}
      """
    let versions = [version("author", "books"), version("reader", "reads")]
    let trial = try CustomTrial(versions, mappings: [mapping])
    var authors = objects("Author", [:], [:])
    authors[0].toOne["mentor"] = objectID("Author", 2)
    let book = ManagedObject("Book", 1, toOne: ["author": objectID("Author", 1)])
    #expect(try losses(trial, authors + [book]) == lost)
  }

  @Test func `a link to an object that another mapping makes than the one that is asked is lost`() throws {
    let text = """
      entities:
        Owner: {attributes: {name: string?}, relationships: {best: {to: Pet}}}
        Pet: {attributes: {name: string?}}
        Dog: {parent: Pet}
      """
    let trial = try CustomTrial(
      [text, text.replacing("Owner: {attributes: {", with: "Owner: {attributes: {x: string?, ")],
      mappings: [
        """
        entityMappings:
          Owners:
            source: Owner
            destination: Owner
            relationships: {best: 'destinationInstances("Pets", $source.best)'}
          Pets: {source: Pet, destination: Pet}
        """
      ])
    var owners = objects("Owner", [:], [:])
    owners[0].toOne["best"] = objectID("Pet", 1)
    owners[1].toOne["best"] = objectID("Dog", 2)
    #expect(
      try losses(trial, owners + [ManagedObject("Pet", 1), ManagedObject("Dog", 2)])
        == ["MC3111 Owner.best 1"])
  }

  /// The other end is inferred, and does not take over the links that the written one leaves out.
  @Test func `of a list for a to-one the links that its lookup leaves out are lost`() throws {
    func version(_ person: String, _ inverse: String, _ more: String = "") -> String {
      """
      entities:
        Person: {relationships: {\(person), inverse: members}}}
        Team:
          attributes: {kind: integer16 = 0}
          relationships: {members: {toMany: Person, inverse: \(inverse)}}
      \(more)
      """
    }
    let new = version("main: {to: Team", "main", "  Main: {parent: Team}")
    var trial = try CustomTrial(
      [version("teams: {toMany: Team", "teams"), new],
      mappings: [
        """
        entityMappings:
          People:
            source: Person
            destination: Person
            relationships: {main: 'destinationInstances("Mains", $source.teams)'}
          Teams: {source: Team, destination: Team, where: kind == 0}
          Mains: {source: Team, destination: Main, where: kind == 1}
        """
      ])
    var rows = objects("Team", ["kind": .integer(0)], ["kind": .integer(1)], ["kind": .integer(0)])
    rows.append(ManagedObject("Person", 1, toMany: ["teams": (1...3).map { objectID("Team", $0) }]))
    #expect(try losses(trial, rows, "MC3111") == ["MC3111 Person.teams 2"])
    trial.options.acceptedLosses = [.droppedData]
    #expect(try trial.run(rows).links("Person", "main") == ["1>2"])
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

  @Test(
    arguments: [
      "$source.places[FIRST]", "$source.places[LAST]", "objectFrom:withIndex:($source.places, 0)",
    ], [", ordered: true", ""])
  func `of a list of which one goes on the others are lost`(_ one: String, _ order: String) throws {
    let old = """
      entities:
        Trip: {relationships: {places: {toMany: Place\(order), inverse: trip}}}
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

  /// The other end keeps its name and is inferred: it does not bring them back.
  @Test func `of a list of which one goes on the other end follows`() throws {
    func version(_ list: String, _ inverse: String) -> String {
      """
      entities:
        Trip: {relationships: {\(list), inverse: trip}}}
        Place: {attributes: {name: string?}, relationships: {trip: {to: Trip, inverse: \(inverse)}}}
      """
    }
    let trial = try CustomTrial(
      [version("places: {toMany: Place", "places"), version("main: {to: Place", "main")],
      mappings: [
        """
        entityMappings:
          Trip:
            source: Trip
            destination: Trip
            relationships: {main: 'destinationInstances("Place", $source.places[FIRST])'}
          Place: {source: Place, destination: Place}
        """
      ])
    let places = (1...3).map { ManagedObject("Place", $0, toOne: ["trip": objectID("Trip", 1)]) }
    #expect(try losses(trial, [ManagedObject("Trip", 1)] + places, "MC4104") == ["MC4104 Trip.places 2"])
    let found = try trial.run([ManagedObject("Trip", 1)] + places)
    #expect(found.links("Trip", "main") == ["1>1"])
    #expect(found.links("Place", "trip") == ["1>1", "2>", "3>"])
  }

  /// A to-one whose inverse was a list, and is a new to-one: each object has one.
  @Test(arguments: [false, true])
  func `a new to-one inverse cannot hold several objects, also with a mapping file`(_ isShared: Bool) throws {
    func version(_ list: String, _ inverse: String) -> String {
      """
      entities:
        A: {relationships: {b: {to: B, inverse: \(inverse)}}}
        B: {attributes: {s: string?}, relationships: {\(list), inverse: b}}}
      """
    }
    let trial = try CustomTrial(
      [version("list: {toMany: A", "list"), version("one: {to: A", "one")],
      mappings: ["entityMappings:\n  BToB: {source: B, destination: B, attributes: {s: '\"x\"'}}\n"])
    let rows =
      (1...2).map { ManagedObject("A", $0, toOne: ["b": objectID("B", isShared ? 1 : $0)]) }
      + objects("B", [:], [:])
    let found = try losses(trial, rows)
    #expect(found == [])
    if isShared {
      let error = #expect(throws: MigrationRefusedError.self) { try trial.run(rows) }
      #expect(refusalCodes(error) == ["MC3108"])
    } else {
      #expect(try trial.run(rows).links("B", "one") == ["1>1", "2>2"])
    }
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

  @Test func `a to-one that becomes transient loses nothing, because its inverse keeps the references`()
    throws
  {
    func version(_ more: String) -> String {
      """
      entities:
        Hut: {relationships: {visits: {toMany: Visit, inverse: hut}}}
        Visit: {relationships: {hut: {to: Hut, inverse: visits\(more)}}}
      """
    }
    let model = try writtenModel(version(""), version(", transient: true"))
    try withTemporaryFolder { folder in
      let hut = ManagedObject.ID(entityName: "Hut", primaryKey: 1)
      let store = try TestStore(
        in: folder, of: model.versions[0],
        objects: [ManagedObject("Hut", 1), ManagedObject("Visit", 2, toOne: ["hut": hut])])
      #expect(try store.plan(model).losses == [])
      try store.migrate(model, allowing: [])
      #expect(try store.read { try Int.fetchOne($0, sql: "SELECT Z1VISITS FROM ZVISIT") } == 1)
    }
  }

  private func refusal(
    _ old: String, _ new: String, _ mapping: String, _ rows: [ManagedObject]
  ) throws -> [String] {
    let trial = try CustomTrial(
      ["entities:\n" + old, "entities:\n" + new], mappings: ["entityMappings:\n" + mapping])
    do {
      _ = try trial.run(rows)
      return []
    } catch let error as MigrationRefusedError {
      return error.plan.diagnostics.filter { $0.severity == .error }.map { "\($0.code) \($0.message)" }
    }
  }

  @Test func `an object may be in one relationship of each heir`() throws {
    let old = """
        Vehicle: {abstract: true, relationships: {owner: {to: Person, inverse: vehicles}}}
        Car: {parent: Vehicle}
        Bike: {parent: Vehicle}
        Person: {attributes: {name: string?}, relationships: {vehicles: {toMany: Vehicle, inverse: owner}}}
      """
    let new = """
        Vehicle: {abstract: true}
        Car: {parent: Vehicle, relationships: {owner: {to: Person, inverse: car}}}
        Bike: {parent: Vehicle, relationships: {owner: {to: Person, inverse: bike}}}
        Person:
          attributes: {name: string?}
          relationships: {car: {to: Car, inverse: owner}, bike: {to: Bike, inverse: owner}}
      """
    let mapping = "  P: {source: Person, destination: Person, attributes: {name: '\"x\"'}}\n"
    var rows = [ManagedObject("Car", 1), ManagedObject("Bike", 2), ManagedObject("Car", 3)]
    for index in 0...1 { rows[index].toOne["owner"] = objectID("Person", 1) }
    rows.append(ManagedObject("Person", 1))
    #expect(try refusal(old, new, mapping, rows).filter { $0.hasPrefix("MC3108") } == [])
    rows[2].toOne["owner"] = objectID("Person", 1)
    #expect(try refusal(old, new, mapping, rows).count { $0.hasPrefix("MC3108") } == 1)
  }

  @Test func `a many-to-many is seen from both ends`() throws {
    let old = """
        Photo: {attributes: {name: string?}, relationships: {tags: {toMany: Tag, inverse: photos}}}
        Tag: {relationships: {photos: {toMany: Photo, inverse: tags}}}
      """
    let new = """
        Photo: {attributes: {name: string?}}
        Tag: {relationships: {photos: {toMany: Photo}}}
      """
    let mapping = """
        T: {source: Tag, destination: Tag, relationships: {photos: 'destinationInstances("P", $source.photos)'}}
        P: {source: Photo, destination: Photo, attributes: {name: '"x"'}}
      """
    var rows = [
      ManagedObject("Photo", 1), ManagedObject("Photo", 2), ManagedObject("Tag", 1), ManagedObject("Tag", 2),
    ]
    rows[0].toMany["tags"] = [objectID("Tag", 1)]
    rows[1].toMany["tags"] = [objectID("Tag", 2)]
    #expect(try refusal(old, new, mapping, rows) == [])
    rows[1].toMany["tags"] = [objectID("Tag", 1), objectID("Tag", 2)]
    let found = try refusal(old, new, mapping, rows)
    #expect(found.count == 1 && found[0].hasPrefix("MC3108") && found[0].contains("1 reference "))
  }
}
