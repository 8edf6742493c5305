import Foundation
import ManagedModel
import ModelFormats
import ModelMigration
import TestSupport
import Testing

/// Two versions and the rows of a store, and what the plan says of them: every change whose fate depends on rows.
@Suite("Changes that are judged by a store's rows") struct RowPairTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var old: String
    var new: String
    var objects: [ManagedObject]
    /// Codes of errors; none where the way is open.
    var codes: [String]
    /// Words of the first error with its notes: the count and the keys.
    var words: [String] = []
    /// Words of the notes beside the errors.
    var notes: [String] = []
  }

  static func hut(_ attributes: String) -> String { "entities: {Hut: {attributes: {\(attributes)}}}" }
  static func unique(_ attributes: String, _ names: String) -> String {
    "entities: {Hut: {attributes: {\(attributes)}, uniquenessConstraints: [[\(names)]]}}"
  }
  static func huts(_ values: [String: AttributeValue]...) -> [ManagedObject] {
    values.enumerated().map { ManagedObject("Hut", Int64($0.offset + 1), values: $0.element) }
  }
  static let place: String = "entities: {Place: {attributes: {name: string?}}, Hut: {parent: Place}}"
  static let visits: String = """
    entities:
      Hut: {relationships: {visits: {toMany: Visit, inverse: hut}}}
      Visit: {relationships: {hut: {to: Hut, inverse: visits}}}
    """
  /// The same visits, of objects in another table.
  static let summits: String = """
    entities:
      Hut: {}
      Summit: {relationships: {visits: {toMany: Visit, inverse: hut}}}
      Visit: {relationships: {hut: {to: Summit, inverse: visits}}}
    """
  static let owners: String = """
    entities:
      Hut: {relationships: {owners: {toMany: Person, inverse: huts}}}
      Person: {relationships: {huts: {toMany: Hut, inverse: owners}}}
    """
  static let region: String = """
    entities:
      Region: {attributes: {code: integer16?, dummy: string?}}
      Country: {parent: Region}
      Continent: {parent: Region}
    """
  static func id(_ entity: String, _ key: Int64) -> ManagedObject.ID {
    .init(entityName: entity, primaryKey: key)
  }

  static let cases: [Case] = attributes + constraints + relationships + entities

  static let attributes: [Case] = [
    Case(
      testDescription: "A3 required without default, rows", old: hut("a: string?"),
      new: hut("a: string?, b: string"),
      objects: huts([:], [:]), codes: ["MC3101"], words: ["2 objects", "primary keys 1, 2"]),
    Case(
      testDescription: "A3 required without default, no rows", old: hut("a: string?"),
      new: hut("a: string?, b: string"), objects: [], codes: []),
    Case(
      testDescription: "A2 required with default", old: hut("a: string?"),
      new: hut("a: string?, b: string = x"),
      objects: huts([:]), codes: []),
    Case(
      testDescription: "A6 nulls take the default", old: hut("a: string?"), new: hut("a: string = x"),
      objects: huts([:]), codes: []),
    Case(
      testDescription: "A7 nulls", old: hut("a: string?"), new: hut("a: string"),
      objects: huts(["a": .string("x")], [:]), codes: ["MC3101"], words: ["1 object", "primary key 2"]),
    Case(
      testDescription: "A7 no nulls", old: hut("a: string?"), new: hut("a: string"),
      objects: huts(["a": .string("x")]), codes: []),
    Case(
      testDescription: "A4 removed with values", old: hut("a: string?, b: string?"), new: hut("a: string?"),
      objects: huts(["b": .string("x")], [:]), codes: ["MC3111"], words: ["1 value", "primary key 1"]),
    Case(
      testDescription: "A9 narrower, it does not fit", old: hut("a: integer32 = 0"),
      new: hut("a: integer16 = 0"),
      objects: huts(["a": .integer(1)], ["a": .integer(70_000)]), codes: ["MC3109"],
      words: ["1 value", "primary key 2"]),
    Case(
      testDescription: "A9 narrower, it fits", old: hut("a: double = 0"), new: hut("a: integer16 = 0"),
      objects: huts(["a": .double(7)]), codes: []),
    Case(
      testDescription: "A9 a number that four bytes do not hold", old: hut("a: double?"),
      new: hut("a: float?"),
      objects: huts(
        ["a": .double(0.5)], ["a": .double(0.1)], ["a": .double(16_777_217)], ["a": .double(1e-46)],
        ["a": .double(-.infinity)], ["a": .double(0x1p-149)], [:]), codes: ["MC3109"],
      words: ["3 values", "primary keys 2, 3, 4"]),
    Case(
      testDescription: "A9 a decimal that four bytes do not hold", old: hut("a: decimal?"),
      new: hut("a: float?"), objects: huts(["a": .decimal(2)], ["a": .decimal(Decimal(1) / 10)]),
      codes: ["MC3109"], words: ["1 value", "primary key 2"]),
    Case(
      testDescription: "A9 integers that no float or double is", old: hut("a: integer64?, b: integer64?"),
      new: hut("a: float?, b: double?"),
      objects: huts(
        ["a": .integer(16_777_217), "b": .integer(9_007_199_254_740_993)],
        ["a": .integer(.min), "b": .integer(.max)], ["a": .integer(16_777_216), "b": .integer(-7)]),
      codes: ["MC3109"], words: ["1 value of 'Hut.a'", "primary key 1"]),
    Case(
      testDescription: "a Boolean becomes an integer", old: hut("a: boolean?"), new: hut("a: integer16?"),
      objects: huts(["a": .boolean(true)], ["a": .boolean(false)], [:]), codes: []),
    Case(
      testDescription: "an integer becomes a Boolean, 0 and 1", old: hut("a: integer64?"),
      new: hut("a: boolean?"), objects: huts(["a": .integer(1)], ["a": .integer(0)], [:]), codes: []),
    Case(
      testDescription: "an integer becomes a Boolean, others", old: hut("a: integer64?"),
      new: hut("a: boolean?"), objects: huts(["a": .integer(1)], ["a": .integer(5)]), codes: ["MC3109"],
      words: ["1 value", "primary key 2"]),
    Case(
      testDescription: "A10 text to number", old: hut("a: string?"), new: hut("a: integer16?"), objects: [],
      codes: ["MC3103"], words: ["string", "integer16"]),
    Case(
      testDescription: "A13 external storage, with bytes", old: hut("a: binary?"),
      new: hut("a: {type: binary?, externalStorage: true}"), objects: huts(["a": .binary(Data([1]))], [:]),
      codes: []),
    Case(
      testDescription: "A13 external storage no more, with bytes inline",
      old: hut("a: {type: binary?, externalStorage: true}"), new: hut("a: binary?"),
      objects: huts(["a": .binary(Data([2, 0]))], ["a": .binary(Data())], [:]), codes: []),
  ]

  static let constraints: [Case] = [
    Case(
      testDescription: "U1 duplicates", old: hut("a: string?"), new: unique("a: string?", "a"),
      objects: huts(["a": .string("x")], ["a": .string("x")], [:], [:]), codes: ["MC3105"],
      words: ["1 group"]),
    Case(
      testDescription: "U1 distinct", old: hut("a: string?"), new: unique("a: string?", "a"),
      objects: huts(["a": .string("x")], ["a": .string("y")]), codes: []),
    Case(
      testDescription: "U1 one default for all", old: hut("a: string?"),
      new: unique("a: string?, b: string = x", "b"),
      objects: huts([:], [:]), codes: ["MC3105"]),
    Case(
      testDescription: "U1 one number for all", old: hut("a: string?"),
      new: unique("a: string?, b: integer16 = 7", "b"),
      objects: huts([:], [:]), codes: ["MC3105"], words: ["1 group"]),
    Case(
      testDescription: "A11 one group across sub-entities", old: region,
      new: region.replacing("string?}}", with: "string?}, uniquenessConstraints: [[code]]}"),
      objects: [
        ManagedObject("Country", 1, values: ["code": .integer(710)]),
        ManagedObject("Continent", 2, values: ["code": .integer(710)]),
      ], codes: ["MC3105"], words: ["1 group"]),
    Case(
      testDescription: "A11 told apart by a second key", old: region,
      new: region.replacing("string?}}", with: "string?}, uniquenessConstraints: [[code, dummy]]}"),
      objects: [
        ManagedObject("Country", 1, values: ["code": .integer(710), "dummy": .string("a")]),
        ManagedObject("Continent", 2, values: ["code": .integer(710), "dummy": .string("b")]),
      ], codes: []),
  ]

  static let relationships: [Case] = [
    Case(
      testDescription: "R2r a new required to-one", old: "entities: {Hut: {}, Visit: {}}",
      new: visits.replacing("inverse: visits}", with: "inverse: visits, optional: false}"),
      objects: [ManagedObject("Visit", 1)], codes: [],
      notes: ["1 object has no value", "primary key 1"]),
    Case(
      testDescription: "a new required to-many", old: "entities: {Hut: {}, Visit: {}}",
      new: visits.replacing("inverse: hut}", with: "inverse: hut, optional: false, min: 1}"),
      objects: [ManagedObject("Hut", 1), ManagedObject("Hut", 2)], codes: [],
      notes: ["2 objects have no value", "primary keys 1, 2"]),
    Case(
      testDescription: "a to-one that becomes required, unset", old: visits,
      new: visits.replacing("inverse: visits}", with: "inverse: visits, optional: false}"),
      objects: [
        ManagedObject("Hut", 1), ManagedObject("Visit", 1, toOne: ["hut": id("Hut", 1)]),
        ManagedObject("Visit", 2),
      ],
      codes: [], notes: ["1 object has no value", "primary key 2"]),
    Case(
      testDescription: "R3r a removed relationship", old: visits, new: "entities: {Hut: {}, Visit: {}}",
      objects: [ManagedObject("Hut", 1), ManagedObject("Visit", 1, toOne: ["hut": id("Hut", 1)])],
      codes: ["MC3111"], words: ["1 value"]),
    Case(
      testDescription: "R5r to-many to to-one", old: owners,
      new: owners.replacing("owners: {toMany: Person", with: "owners: {to: Person"), objects: [],
      codes: ["MC3108"]),
    Case(
      testDescription: "R6r unordered to ordered", old: visits,
      new: visits.replacing(
        "toMany: Visit, inverse: hut", with: "toMany: Visit, inverse: hut, ordered: true"),
      objects: [ManagedObject("Hut", 1), ManagedObject("Visit", 1, toOne: ["hut": id("Hut", 1)])], codes: []),
    Case(
      testDescription: "R7r another destination, no references", old: visits, new: summits,
      objects: [ManagedObject("Hut", 1), ManagedObject("Visit", 1)], codes: []),
    Case(
      testDescription: "R7r another destination, references", old: visits, new: summits,
      objects: [ManagedObject("Hut", 1), ManagedObject("Visit", 1, toOne: ["hut": id("Hut", 1)])],
      codes: ["MC3111"], words: ["1 value of 'Visit.hut'", "primary key 1"]),
  ]

  static let entities: [Case] = [
    Case(
      testDescription: "E1 a removed entity", old: "entities: {Hut: {}, Gone: {}}",
      new: "entities: {Hut: {}}",
      objects: [ManagedObject("Gone", 1)], codes: ["MC3111"], words: ["1 object", "primary key 1"]),
    Case(
      testDescription: "E3 two roots into one", old: "entities: {Hut: {}, Summit: {}}",
      new: "entities: {Place: {abstract: true}, Hut: {parent: Place}, Summit: {parent: Place}}",
      objects: [], codes: ["MC3107"], words: ["'Hut' and 'Summit'"]),
    Case(
      testDescription: "A15 one root gains a parent", old: hut("name: string?"),
      new: "entities: {Place: {abstract: true, attributes: {name: string?}}, Hut: {parent: Place}}",
      objects: huts(["name": .string("x")]), codes: []),
    Case(
      testDescription: "E4 a hierarchy is split", old: place,
      new: "entities: {Place: {attributes: {name: string?}}, Hut: {attributes: {name: string?}}}",
      objects: [
        ManagedObject("Place", 1, values: ["name": .string("p")]),
        ManagedObject("Hut", 2, values: ["name": .string("h")]),
      ], codes: []),
    Case(
      testDescription: "E5 abstract with rows", old: place,
      new: place.replacing("Place: {", with: "Place: {abstract: true, "),
      objects: [ManagedObject("Place", 1)],
      codes: ["MC3110"], words: ["1 object", "primary key 1"]),
    Case(
      testDescription: "E5 abstract without rows of its own", old: place,
      new: place.replacing("Place: {", with: "Place: {abstract: true, "), objects: [ManagedObject("Hut", 1)],
      codes: []),
  ]

  @Test(arguments: cases)
  func `the plan counts, names keys, and the migration does as it says`(_ pair: Case) throws {
    try withTemporaryFolder { folder in
      try writeVersions([pair.old, pair.new], into: folder)
      let (read, problems) = readVersionedModel(folder: folder)
      #expect(!problems.hasErrors, "\(problems)")
      let model = try #require(read)
      let store = try TestStore(in: folder, of: model.versions[0], objects: pair.objects)
      let plan = try store.plan(model)
      let errors = plan.diagnostics.filter { $0.severity == .error }
      #expect(Set(errors.map(\.code.description)).sorted() == pair.codes, "\(errors.map(\.message))")
      let text = errors.first.map { ([$0.message] + $0.notes.map(\.message)).joined(separator: "\n") } ?? ""
      let remarks = plan.diagnostics.filter { $0.severity != .error }
        .map { ([$0.message] + $0.notes.map(\.message)).joined(separator: "\n") }.joined(separator: "\n")
      for word in pair.notes { #expect(remarks.contains(word), "\(word) in \(remarks)") }
      for word in pair.words { #expect(text.contains(word), "\(word) in \(text)") }
      let isLoss = errors.allSatisfy { [.droppedData, .numericNarrowing].contains($0.code) }
      if isLoss {
        let report = try store.migrate(model)
        let kept = pair.objects.filter { object in
          report.plan.mappingModel.entityMappings.contains {
            $0.sourceEntityName == object.id.entityName && $0.destinationEntityName != nil
          }
        }
        #expect(try store.objects(model.versions[1].model).count == kept.count)
      } else {
        let before = try Data(contentsOf: store.url)
        #expect(throws: MigrationRefusedError.self) { try store.migrate(model) }
        #expect(try Data(contentsOf: store.url) == before)
        let helps = errors.contains { $0.proposal != nil }
        #expect(helps, "\(errors.map(\.message))")
      }
    }
  }

  /// A10: two relationships between one pair of entities swap their names.
  @Test func `references follow a swap of names, and nothing crosses`() throws {
    let old = """
      entities:
        Country:
          relationships:
            residents: {toMany: Person, inverse: residentOf}
            citizens: {toMany: Person, inverse: citizenOf}
        Person:
          relationships:
            residentOf: {to: Country, inverse: residents}
            citizenOf: {to: Country, inverse: citizens}
      """
    let new = """
      entities:
        Country:
          relationships:
            residents: {toMany: Person, inverse: residentOf, renamingIdentifier: citizens}
            citizens: {toMany: Person, inverse: citizenOf, renamingIdentifier: residents}
        Person:
          attributes: {name: string?}
          relationships:
            residentOf: {to: Country, inverse: residents, renamingIdentifier: citizenOf}
            citizenOf: {to: Country, inverse: citizens, renamingIdentifier: residentOf}
      """
    try withTemporaryFolder { folder in
      try writeVersions([old, new], into: folder)
      let model = try #require(readVersionedModel(folder: folder).model)
      let objects = [
        ManagedObject("Country", 1), ManagedObject("Country", 2),
        ManagedObject(
          "Person", 1, toOne: ["residentOf": Self.id("Country", 1), "citizenOf": Self.id("Country", 2)]),
      ]
      let store = try TestStore(in: folder, of: model.versions[0], objects: objects)
      try store.migrate(model)
      let person = try #require(
        try store.objects(model.versions[1].model).first { $0.id.entityName == "Person" })
      #expect(person.toOne == ["residentOf": Self.id("Country", 2), "citizenOf": Self.id("Country", 1)])
    }
  }

  @Test func `infer: false wants a mapping that is stated`() throws {
    try withTemporaryFolder { folder in
      let list = "current: V2\nversions: [V1, {name: V2, infer: false}]\n"
      try writeVersions(
        [Self.hut("a: string?"), Self.hut("a: string?, b: string?")], list: list, into: folder)
      let model = try #require(readVersionedModel(folder: folder).model)
      let store = try TestStore(in: folder, of: model.versions[0], objects: Self.huts([:]))
      let error = try #require(try store.plan(model).diagnostics.first { $0.severity == .error })
      #expect(error.code == .mappingWanted)
      let text = try #require(error.proposal?.text)
      #expect(text == "from: V1\nto: V2\n")
      #expect(readMappingFile(yaml: Data(text.utf8), file: "m.yaml").diagnostics == [])
    }
  }
}
