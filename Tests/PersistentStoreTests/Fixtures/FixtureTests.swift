import Foundation
import GRDB
import ManagedModel
import ModelFormats
import PersistentStore
import StoreFixtures
import TestSupport
import Testing

/// A fixture of a model in a file of its own, open for reading.
func withFixture<Result>(
  of model: ManagedObjectModel, _ content: FixtureContent, seed: UInt64 = 1,
  imitating imitation: StoreImitation = StoreImitation(),
  _ body: (Database, FixtureReport, URL) throws -> Result
) throws -> Result {
  try withTemporaryFolder { folder in
    let file = folder.appending(path: "Fixture.sqlite")
    let report = try makeFixture(
      at: file.path, of: ModelVersion(name: "V1", model: model), content, seed: seed, imitating: imitation)
    let connection = try StoreConnection(path: file.path)
    defer { try? connection.close() }
    return try connection.read { try body($0, report, file) }
  }
}

/// All objects of a store, by entity and key.
func allObjects(in db: Database, model: ManagedObjectModel, at file: URL) throws -> [ManagedObject] {
  let (schema, diagnostics) = try db.readPhysicalSchema().bound(to: model)
  #expect(diagnostics == [])
  let reader = ObjectReader(db, schema: schema, model: model) {
    try readExternalData($0, ofStoreAt: file.path)
  }
  var objects: [ManagedObject] = []
  for name in reader.concreteEntityNames {
    try reader.forEachObject(ofEntity: name, includingSubentities: false) { objects.append($0) }
  }
  return objects
}

/// What the reader of files of objects, which knows every rule of a save, says of them.
func ruleFindings(_ objects: [ManagedObject], model: ManagedObjectModel) -> [String] {
  let hierarchy = EntityHierarchy(model)
  var text = ""
  var entity = ""
  for object in objects {
    if object.id.entityName != entity {
      entity = object.id.entityName
      text += entity.entityYAML
    }
    text += object.yaml(ObjectShape(entity, hierarchy: hierarchy))
  }
  let (read, diagnostics) = readObjectFile(yaml: Data(text.utf8), file: "o.yaml", model: model)
  let errors = diagnostics.filter { $0.severity == .error }.map { "\($0.code) \($0.message)" }
  if errors.isEmpty { #expect(read == objects) }
  return errors
}

@Suite struct `Fixtures of models` {
  @Test func `Every edge of every type occurs, nil included`() throws {
    try withFixture(of: SampleModels.everyType, .rows(120)) { db, report, file throws in
      #expect(report.count == 120)
      let objects = try allObjects(in: db, model: SampleModels.everyType, at: file)
      let values = Dictionary(grouping: objects.flatMap(\.values), by: \.key).mapValues { $0.map(\.value) }
      for name in values.keys { #expect((values[name] ?? []).count < 120, "no nil in \(name)") }
      #expect(values.count == 14)
      for (name, edges) in [
        "aInteger16": [.integer(32767), .integer(-32768)], "bInteger32": [.integer(-2_147_483_648)],
        "cInteger64": [.integer(.min), .integer(.max)], "dBoolean": [.boolean(true), .boolean(false)],
        "fDouble": [.double(.greatestFiniteMagnitude)], "hString": [.string(""), .string("E\u{301}toile")],
        "iDate": [.date(-63_114_076_800), .date(0.25)], "jBinary": [.binary(Data())],
      ] as [String: [AttributeValue]] {
        for edge in edges { #expect(values[name]?.contains(edge) == true, "\(name) lacks \(edge.text)") }
      }
      let lengths = (values["hString"] ?? []).map { $0.text.utf16.count }
      #expect(lengths.max() == 70_000)
      // Large values of the attribute that allows it lie in files of their own.
      #expect(report.externalFiles == 2)
      let cells = try Data.fetchAll(db, sql: "SELECT ZNEXTERNAL FROM ZEVERYTHING WHERE ZNEXTERNAL NOTNULL")
      #expect(Set(cells.compactMap(\.first)) == [1, 2])
      #expect(cells.filter { $0.first == 2 }.allSatisfy { $0.count == 38 })
    }
  }

  @Test func `Numbers fit the type that Swift has for them, unique ones too`() throws {
    let types: [String: (type: AttributeType, range: ClosedRange<Int64>)] = [
      "Int8": (.integer16, -128...127), "UInt8": (.integer16, 0...255), "UInt16": (.integer32, 0...65_535),
      "UInt32": (.integer64, 0...4_294_967_295), "UInt": (.integer64, 0 ... .max),
    ]
    var entity = EntityDescription(name: "Pixel", uniquenessConstraints: [["uint8"]])
    entity.attributes = types.map { name, known in
      var attribute = AttributeDescription(name: name.lowercased(), type: known.type)
      attribute.swiftTypeName = name
      return attribute
    }
    let model = ManagedObjectModel(entities: [entity])
    try withFixture(of: model, .rows(200)) { db, _, file throws in
      let objects = try allObjects(in: db, model: model, at: file)
      for (name, known) in types {
        let numbers = objects.compactMap { object -> Int64? in
          if case .integer(let number)? = object.values[name.lowercased()] { number } else { nil }
        }
        #expect(numbers.count == 200 && numbers.allSatisfy(known.range.contains), "\(name)")
      }
    }
  }

  @Test func `The same seed gives the same bytes, another seed other objects`() throws {
    func bytes(_ seed: UInt64) throws -> Data {
      try withTemporaryFolder { folder in
        let file = folder.appending(path: "a.sqlite")
        let version = ModelVersion(name: "V1", model: SampleModels.hiking)
        _ = try makeFixture(at: file.path, of: version, .rows(50), seed: seed)
        return try Data(contentsOf: file)
      }
    }
    #expect(try bytes(3) == bytes(3))
    #expect(try bytes(3) != bytes(4))
  }

  @Test func `Keys, numbers, maxima and orders are those of a genuine store`() throws {
    try withFixture(of: SampleModels.hiking, .rows(400)) { db, report, _ throws in
      #expect(report.count == 400)
      for row in try Row.fetchAll(db, sql: "SELECT Z_NAME, Z_MAX, Z_SUPER FROM Z_PRIMARYKEY") {
        let (name, maximum, parent): (String, Int, Int) = (row[0], row[1], row[2])
        if parent == 0 {
          #expect(try Int.fetchOne(db, sql: "SELECT MAX(Z_PK) FROM Z\(name.uppercased())") == maximum)
        } else {
          #expect(maximum == 0)
        }
      }
      #expect(try Int.fetchAll(db, sql: "SELECT DISTINCT Z_OPT FROM ZTRAIL") == [1])
      #expect(
        try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM ZVISIT WHERE (ZHUT IS NULL) != (Z_FOK_HUT IS NULL)")
          == 0)
      let keys = "SELECT COUNT(*) FROM (SELECT ZHUT FROM ZVISIT WHERE ZHUT NOTNULL GROUP BY ZHUT, Z_FOK_HUT)"
      #expect(
        try Int.fetchOne(db, sql: keys) == Int.fetchOne(db, sql: "SELECT COUNT(ZHUT) FROM ZVISIT"))
      // A derived count is what the rows say.
      #expect(
        try Int.fetchOne(
          db,
          sql: """
            SELECT COUNT(*) FROM ZPLACE WHERE Z_ENT = 4 AND ZVISITCOUNT !=
            (SELECT COUNT(*) FROM ZVISIT v WHERE v.ZHUT = ZPLACE.Z_PK)
            """) == 0)
    }
  }

  @Test func `Relationships are empty, large and deep`() throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Folder",
        relationships: [
          RelationshipDescription(name: "parent", destinationEntityName: "Folder", inverseName: "children"),
          SampleModels.toMany("children", "Folder", "parent"),
        ])
    ])
    try withFixture(of: model, .rows(800)) { db, _, _ throws in
      let parents = try Dictionary(
        uniqueKeysWithValues: Row.fetchAll(db, sql: "SELECT Z_PK, ZPARENT FROM ZFOLDER").map {
          ($0[0] as Int, $0[1] as Int?)
        })
      func depth(of key: Int) -> Int {
        sequence(first: key) { parents[$0] ?? nil }.prefix(2000).reduce(0) { n, _ in n + 1 }
      }
      let depths = parents.keys.map(depth)
      #expect(depths.max() ?? 0 >= 200)
      #expect(depths.allSatisfy { $0 < 2000 })
      let children = Dictionary(grouping: parents.values.compactMap(\.self), by: \.self).mapValues(\.count)
      #expect(children.values.max() ?? 0 >= 40)
      #expect(children.count < 700)
    }
  }

  @Test(arguments: [(754, 0), (847, 3), (1344, 3)])
  func `History is imitated where the Core Data knew it`(framework: Int, tables: Int) throws {
    let imitation = StoreImitation(frameworkVersion: framework, tracksHistory: true)
    try withFixture(of: SampleModels.hiking, .rows(9), imitating: imitation) { db, _, _ throws in
      #expect(try db.readPhysicalSchema().tables.filter { $0.name.isHistoryTable }.count == tables)
      #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM Z_PRIMARYKEY WHERE Z_ENT > 16000") == tables)
      let columns = try db.tableExists("ATRANSACTION") ? db.columns(in: "ATRANSACTION").map(\.name) : []
      #expect(columns.contains("ZAUTHORTS") == (framework == 1344))
    }
  }

  @Test func `A path that is taken is refused, and a refusal leaves nothing behind`() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending(path: "s.sqlite").path
      let version = ModelVersion(name: "V1", model: SampleModels.hiking)
      _ = try makeFixture(at: path, of: version, .rows(5))
      let taken = #expect(throws: DiagnosticsError.self) { try makeFixture(at: path, of: version, .rows(5)) }
      #expect(taken?.diagnostics.map(\.code) == [.storeWriteFailed])
      let wrong = ManagedObject("Mark", 1, values: ["colour": .integer(1)])
      #expect(throws: DiagnosticsError.self) {
        try makeFixture(at: path + "2", of: version, .objects([wrong]))
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["s.sqlite"])
    }
  }
}

@Suite struct `Rules that fixtures keep` {
  private static func model(_ text: String) -> ManagedObjectModel {
    readModel(yaml: Data(text.utf8), file: "V1.yaml").model ?? ManagedObjectModel()
  }

  /// What the rows must keep, and how many objects come of 40.
  @Test(arguments: [
    (
      "entities: {A: {attributes: {n: {type: integer16, min: 5, max: 7}, s: {type: string, minLength: 3, maxLength: 4}}}}",
      40
    ),
    (
      "entities: {A: {attributes: {s: {type: string, matching: \"[A-Z]{2}-\\\\d{3,5}(x|yz)?\"}}, uniquenessConstraints: [[s]]}}",
      40
    ),
    (
      "entities: {A: {attributes: {d: {type: date, min: 2020-01-01T00:00:00Z, max: 2020-01-02T00:00:00Z}}}}",
      40
    ),
    ("entities: {A: {attributes: {p: {type: decimal, min: 0.5, max: 2}, f: {type: float, max: -1}}}}", 40),
    // Bounds, and a default, that no float is.
    (
      "entities: {A: {attributes: {f: {type: float, min: 0.1, max: 0.3}, g: {type: float, min: 0.1, max: 0.1, default: 0.1}}}}",
      40
    ),
    (
      "entities: {A: {attributes: {n: string?, c: {type: string?, derivation: \"canonical:(n)\"}}}}", 40
    ),
    // Of two Booleans there are four pairs; of one optional one there is nil besides.
    ("entities: {A: {attributes: {a: boolean, b: boolean}, uniquenessConstraints: [[a, b]]}}", 4),
    ("entities: {A: {attributes: {a: boolean?}, uniquenessConstraints: [[a]]}}", 40),
    // Of an enum there are its cases.
    (
      "entities: {A: {attributes: {a: {type: integer64?, rules: [{predicate: 'SELF IN {1, 5}'}]}}, uniquenessConstraints: [[a]]}}",
      40
    ),
    (
      "entities: {A: {attributes: {a: {type: string, rules: [{predicate: 'SELF IN {\"x\", \"y\"}'}]}}, uniquenessConstraints: [[a]]}}",
      2
    ),
    (
      "entities: {A: {attributes: {n: {type: integer16, min: 1, max: 9}}, uniquenessConstraints: [[n]]}, B: {}}",
      40
    ),
    (
      "entities: {P: {attributes: {code: string}, uniquenessConstraints: [[code]]}, Q: {parent: P}, R: {parent: P}}",
      40
    ),
    // One to one, required at both ends: pairs.
    (
      "entities: {A: {relationships: {b: {to: B, inverse: a, optional: false}}}, B: {relationships: {a: {to: A, inverse: b, optional: false}}}}",
      40
    ),
    (
      "entities: {A: {relationships: {b: {to: B, inverse: a, optional: false}}}, B: {relationships: {a: {to: A, inverse: b}}}, C: {}}",
      40
    ),
    // Every owner has three members at least, five at most.
    (
      "entities: {A: {relationships: {bs: {toMany: B, inverse: a, optional: false, min: 3, max: 5, ordered: true}}}, B: {relationships: {a: {to: A, inverse: bs, optional: false}}}}",
      40
    ),
    (
      "entities: {A: {relationships: {bs: {toMany: B, inverse: a, min: 2}}}, B: {relationships: {a: {to: A, inverse: bs}}}}",
      40
    ),
    (
      "entities: {A: {relationships: {bs: {toMany: B, inverse: as, min: 2, max: 4, optional: false}}}, B: {relationships: {as: {toMany: A, inverse: bs, optional: false}}}}",
      40
    ),
    ("entities: {A: {relationships: {friends: {toMany: A, inverse: friends, optional: false}}}}", 40),
    ("entities: {A: {relationships: {partner: {to: A, inverse: partner, optional: false}}}}", 40),
    (
      "entities: {A: {relationships: {boss: {to: A, inverse: team, optional: false}, team: {toMany: A, inverse: boss}}}}",
      40
    ),
    (
      "entities: {A: {relationships: {bs: {toMany: B, ordered: true}, one: {to: B, optional: false}}}, B: {}}",
      40
    ),
    (
      "entities: {A: {attributes: {n: string}, relationships: {b: {to: B}}, uniquenessConstraints: [[b]]}, B: {}}",
      40
    ),
    ("entities: {A: {abstract: true}, B: {relationships: {a: {to: A}}}}", 40),
  ])
  func `Fixtures satisfy every rule`(text: String, count: Int) throws {
    let model = Self.model(text)
    try withFixture(of: model, .rows(40)) { db, report, file throws in
      #expect(report.count == count)
      #expect((report.diagnostics.map(\.code) == [.fixtureShort]) == (count < 40))
      let objects = try allObjects(in: db, model: model, at: file)
      #expect(objects.count == count)
      #expect(ruleFindings(objects, model: model) == [])
    }
  }

  @Test(arguments: [
    "entities: {A: {abstract: true}}",
    "entities: {A: {abstract: true}, B: {relationships: {a: {to: A, optional: false}}}}",
    "entities: {A: {attributes: {s: {type: string, matching: \"(?!x)x\"}}}}",
    "entities: {A: {attributes: {n: {type: integer16, min: 3, max: 2}}}}",
  ])
  func `What cannot be is refused`(text: String) throws {
    let error = #expect(throws: DiagnosticsError.self) {
      try withFixture(of: Self.model(text), .rows(3)) { _, _, _ in }
    }
    #expect(error?.diagnostics.map(\.code) == [.unsatisfiableModel])
  }

  @Test func `A rule that nobody judges is named`() throws {
    var model = Self.model("entities: {A: {attributes: {s: string}}}")
    model.entities[0].attributes[0].validation.predicates = [
      ValidationPredicate(predicate: "SELF ENDSWITH[c] \"x\"", warning: "w")
    ]
    try withFixture(of: model, .rows(3)) { _, report, _ in
      #expect(
        report.diagnostics.map(\.message) == [
          "'A.s' was not checked against the rule 'SELF ENDSWITH[c] \"x\"'"
        ])
    }
  }
}

@Suite(.needsFixtures) struct `Fixtures of genuine models` {
  /// Models that were built in code, with predicates as rules.
  @Test(arguments: GenuineStore.withModelCache)
  func `The model of every store gives a sound store`(store: GenuineStore) throws {
    let model = try store.model()
    try withFixture(of: model, .rows(60)) { db, report, file throws in
      #expect(report.count == 60)
      #expect(ruleFindings(try allObjects(in: db, model: model, at: file), model: model) == [])
    }
  }

  /// A third of the models; with `MODELC_SEEDS` every one.
  @Test func `The last version of every model gives a sound store`() throws {
    let packages = Fixtures.all(withExtension: "xcdatamodeld").enumerated()
      .filter { Fixtures.areWhole || $0.offset % 3 == 0 }.map(\.element)
    try withTemporaryFolder { folder in
      var files: [URL] = []
      var objectCount = 0
      for package in packages {
        for version in readXcodeModelPackage(at: package).model?.versions.suffix(1) ?? []
        where version.model.entities.contains(where: { !$0.isAbstract }) {
          let file = folder.appending(path: "\(files.count).sqlite")
          let report = try makeFixture(at: file.path, of: version, .rows(30), seed: 5)
          objectCount += report.count
          let connection = try StoreConnection(path: file.path)
          let findings = try connection.read { db throws in
            ruleFindings(try allObjects(in: db, model: version.model, at: file), model: version.model)
          }
          #expect(findings == [], "\(package.lastPathComponent) \(version.name)")
          try connection.close()
          // The oracle does not know composites: no genuine store shows them.
          if version.model.composites.isEmpty {
            files.append(file)
          } else {
            try FileManager.default.removeItem(at: file)
          }
        }
      }
      #expect(files.count > (Fixtures.areWhole ? 50 : 15))
      #expect(objectCount > files.count * 25)
      if Oracle.isPresent { try Oracle.expectSound(files, isStrict: true) }
    }
  }
}
