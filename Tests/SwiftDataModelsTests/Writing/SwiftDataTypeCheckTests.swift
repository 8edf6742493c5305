import Foundation
import ManagedModel
import SwiftDataModels
import TestSupport
import Testing

@Suite("Written source for SwiftData compiles", .enabled(if: SwiftDataStub.isPossible, "swiftc is absent"))
struct SwiftDataTypeCheckTests {
  @Test(.needsFixtures) func `every genuine model does`() throws {
    let models = GenuineModels.all.map(\.model)
    let types = models.flatMap(\.versions).flatMap(\.model.entities).flatMap(\.attributes)
      .compactMap(\.attributeValueClassName)
    let classes = Set(types).filter { !$0.hasPrefix("NS") && $0.wholeMatch(of: #/\w+/#) != nil }
    try withTemporaryFolder { folder in
      let stub = try SwiftDataStub(in: folder)
      #expect(try stub.errors(in: models.map { $0.swiftDataSource().file }, classes: classes) == [])
    }
    #expect(models.count > 100)
  }

  @Test func `names of Swift's, SwiftData's and Foundation's do`() throws {
    let source = try model("entities: {A: {}}", namesOfOthers).swiftDataSource().file
    try withTemporaryFolder { folder in
      let stub = try SwiftDataStub(in: folder)
      #expect(try stub.errors(in: [source]) == [])
      // The judge judges: each of these breaks it.
      for (right, wrong) in [
        ("self.text = text", ""), ("\\.`default`", "\\.missing"),
        (".unique", ".single"), ("deleteRule: .cascade", "deleteRule: .cascades"),
        ("Swift.Int", "Swift.Inte"),
        ("toVersion:", "to:"), ("super.init(text: text)", "super.init()"),
      ] {
        let broken = source.replacing(right, with: wrong)
        #expect(broken != source, "\(right)")
        #expect(try !stub.errors(in: [broken]).isEmpty, "\(right)")
      }
    }
  }

  @Test func `frozen shapes do, with the plan and the app's own classes`() throws {
    let live = """
      @Model
      final class Trip {
          var name: String
          @Relationship(deleteRule: .cascade, inverse: \\Stop.trip)
          var stops: [Stop] = []

          init(name: String) {
              self.name = name
          }
      }

      @Model
      final class Stop {
          var trip: Trip?

          init() {}
      }

      """
    let current = try #require(readSource(live).model?.currentVersion)
    let shapes = ["var note: String?", "var note: String?; var rank: Int", "var note: String"].map { more in
      readSource(live.replacing("var name: String\n", with: "var name: String; \(more)\n")).model?
        .currentVersion
    }
    let frozen = FrozenSchemas(
      shapes.enumerated().compactMap { index, version in
        version.map { .init(version: $0, stores: "v1.\(index)", tag: "v1.\(index)-β") }
      }, current: current, takenNames: ["Schema_v1_0__"])
    #expect(frozen.versions.map(\.name) == ["1.0.0", "1.1.0", "1.2.0"])
    #expect(
      frozen.versions.map(\.typeName) == ["Schema_v1_0___2", "Schema_v1_1__", "Schema_v1_2__"])
    #expect(
      frozen.versions.map(\.versionChecksum) == shapes.map { $0?.versionChecksum })
    let text = frozen.source.file + live
    // What it says is what was shipped, also when it is read.
    #expect(
      readSource(text).model?.versions.map(\.versionChecksum)
        == shapes.map { $0?.versionChecksum } + [current.versionChecksum])
    try withTemporaryFolder { folder in
      let stub = try SwiftDataStub(in: folder)
      #expect(try stub.errors(in: [text]) == [])
    }
  }

  @Test func `frozen shapes with enums, structs and arrays do`() throws {
    func source(_ cases: String, _ member: String, _ more: String) -> String {
      """
      enum Mood: String, Codable { case \(cases) }
      enum Level: Int, Codable { case low = 1, high = 5 }
      enum Kind: Codable { case \(cases) }
      struct Place: Codable { var name: String = ""; var level: Level = Level.low\(member) }
      @Model
      final class Trip {
          var mood: Mood = Mood.happy
          var level: Level?
          var kind: Kind = Kind.happy
          var place: Place = Place()
          var former: Place?
          var tags: [String] = []
          \(more)
          init() {}
      }

      """
    }
    let shapes = [
      source("happy, sad", "", ""), source("happy, sad", "; var town: String?", ""),
      source(
        "happy, sad, ill", "; var town: String?",
        "var next: Kind = Kind.sad; var all: [Place] = []; var some: Set<Place> = []"),
      source(
        "happy, sad, ill", "", "var last: Mood = Mood.ill; var area: Place = Place(); var day: Date = Date()"),
    ].map { readSource($0).model?.currentVersion }
    let live = source("happy, ill", "; var town: String?", "")
    let current = try #require(readSource(live).model?.currentVersion)
    let frozen = FrozenSchemas(
      shapes.enumerated().compactMap { index, version in
        version.map { .init(version: $0, stores: "v\(index)", tag: "v\(index)") }
      }, current: current, takenNames: ["Trip", "Mood", "Level", "Kind", "Place"])
    let text = frozen.source.file + live
    let (read, _) = readSource(text)
    #expect(
      read?.versions.map(\.versionChecksum) == shapes.map { $0?.versionChecksum } + [current.versionChecksum])
    // What a shape requires and the one before it lacks begins with a value, so that its stage can be inferred.
    #expect(read?.gateFindings.filter { $0.severity == .error } == [])
    // A value that the source does not say is for its author to write: what compiles would go into users' rows.
    #expect(frozen.source.diagnostics.map { $0.subject?.property } == ["next", "area"])
    try withTemporaryFolder { folder in
      let stub = try SwiftDataStub(in: folder)
      #expect(try stub.errors(in: [text]) != [])
      let filled = text.replacing("Kind = <#default#>", with: "Kind = Kind.sad").replacing(
        "Place = <#default#>", with: "Place = Place(name: \"\", level: Level.value1)")
      #expect(try stub.errors(in: [filled]) == [])
    }
  }

  /// Keys, cases with values, constants and numbers without a sign: what is decoded is what was encoded.
  @Test func `frozen values are coded as they were`() throws {
    let live = """
      struct Step: Codable, Hashable {
          let kind = 3
          let id = UUID()
          var text: String
          var size: UInt64
          var isOpen: Bool = false
          var shape: Shape
          enum CodingKeys: String, CodingKey { case kind, id, text = "t", size = "default", shape }
      }
      indirect enum Shape: Codable, Hashable {
          case none
          case round(radius: Double, UInt8?)
          case both(Shape, in: [Shape])
          enum CodingKeys: String, CodingKey { case none = "n", round, both }
          enum RoundCodingKeys: String, CodingKey { case radius = "r", _1 }
      }
      enum Flat: Codable, Hashable { case one, two; enum CodingKeys: String, CodingKey { case one = "1", two } }
      struct Tag: Codable, Hashable {
          var text: String = ""
          init(from decoder: any Decoder) throws { text = "" }
      }
      struct Box<T: Codable & Hashable>: Codable, Hashable { var all: [T?]; var note: T? }
      struct Span: Codable, Hashable { var days: ClosedRange<Int> }
      struct Marks: OptionSet, Codable, Hashable { let rawValue: Int }
      @Model
      final class Trip {
          var shape: Shape
          var steps: [Step] = []
          var flats: [Flat] = []
          var tags: [Tag] = []
          var numbers: [Int?] = []
          var lists: [String: [TimeInterval?]?] = [:]
          var rounds: [[String: Int]] = []
          var span: Span?
          var marks: Marks?
          var boxes: Set<Box<Int>> = []
          init(shape: Shape) { self.shape = shape }
      }

      """
    let shape = try #require(readSource(live).model?.currentVersion)
    let current = try #require(
      readSource(live.replacing("var steps", with: "var more: Shape?; var steps")).model?.currentVersion)
    let frozen = FrozenSchemas(
      [.init(version: shape, stores: "v1", tag: "v1")], current: current, takenNames: [])
    let text = frozen.source.file
    let read = try #require(readSource(text).model?.versions.first)
    #expect(read.versionChecksum == shape.versionChecksum)
    var codings = shape.model.codings
    // Its code is copied by hand.
    codings["Tag"] = ValueCoding(.members, [.init("text", key: "text", type: "String")])
    #expect(read.model.codings == codings)
    #expect(text.components(separatedBy: "// It is read or written by code that is not here").count == 2)
    #expect(text.contains("struct Marks: Codable, Hashable, RawRepresentable {"))
    for line in [
      "numbers: [Int?]", "lists: [String: [Double?]?] = [:]", "rounds: [[String: Int]] = []",
      "boxes: Set<Box_Int>", "marks: Marks?", "all: [Int?]", "days: ClosedRange<Int>",
    ] {
      #expect(text.contains("var \(line)"), "\(line)")
    }
    try withTemporaryFolder { folder in
      let stub = try SwiftDataStub(in: folder)
      #expect(try stub.errors(in: [text + live]) == [])
    }
  }

  private let namesOfOthers = """
    composites: {Codable: {`in`: string, depth: integer64?}}
    entities:
      Date:
        attributes: {text: string, `default`: integer64, when: date, at: date?}
        relationships: {data: {toMany: Data, inverse: date, deleteRule: cascade}}
        uniquenessConstraints: [[text], [text, default]]
        fetchIndexes: {byDefault: [default]}
      Data: {parent: Attribute, attributes: {bytes: binary, init: string?}, relationships: {date: {to: Date, optional: false, inverse: data}}}
      Attribute: {attributes: {text: string, Type: string?}}
      Model: {parent: Attribute}
      Schema: {attributes: {size: {type: composite, composite: Codable}, self: string?, id: uuid}}
      Int: {attributes: {count: integer64, any: {type: transformable?, transformer: Secret}}}
      Type: {relationships: {others: {toMany: Type, inverse: back}, back: {toMany: Type, inverse: others}}}
    """.replacing("`", with: "")
}
