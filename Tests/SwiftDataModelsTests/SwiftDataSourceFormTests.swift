import Foundation
import ManagedModel
import SwiftDataModels
import TestSupport
import Testing

private let own = "types that encode themselves, or have raw values of their own"

/// Source that compiles is read, in whichever form its author wrote it.
@Suite("Forms of Swift source", .readsSwift)
struct SwiftDataSourceFormTests {
  @Test(
    "An attribute is the one that SwiftData stores, whatever it begins with or is called",
    arguments: [
      ("var a = UUID().uuidString", AttributeType.string, nil),
      ("var a: String = Constants.placeholder", .string, nil),
      ("var a = Constants.placeholder", .string, nil), ("var a = Constants.retries", .integer64, nil),
      ("var a = Settings()", .composite, nil), ("var a = Settings.standard", .composite, nil),
      ("var a = Date.now.addingTimeInterval(60)", .date, nil),
      ("var a = Date().timeIntervalSince1970", .double, nil),
      ("var a = greeting()", .string, nil), ("var a = Mood.random()", .string, nil),
      ("var a = \"a\" + Constants.placeholder", .string, nil),
      ("var a = Calendar.current.startOfDay(for: .now)", .date, nil),
      ("var a = Int.random(in: 1...6)", .integer64, nil), ("var a = [String]()", .transformable, nil),
      ("var a = [[Int]]()", .transformable, "arrays of values other than String and Data"),
      ("var a: CLLocationDegrees", .double, nil), ("var a: TimeInterval?", .double, nil),
      ("var a: OSStatus", .integer32, "integers other than Int"),
      ("var a: App.Mood", .string, nil), ("var a: SchemaV5.Kind", .string, nil),
      ("var a: Color.Resolved?", .composite, nil),
      ("var a: Answer", .composite, nil),
      ("var a: Weather", .composite, nil), ("var a: Shape", .composite, "enums whose cases hold values"),
      ("@Attribute(.codable) var a: Settings", .binary, ".codable"),
      ("var a: Money", .binary, "types of other modules"),
      ("var a: Locale?", .binary, "types of other modules"),
      ("var a: [Settings] = []", .transformable, "arrays of values other than String and Data"),
      ("let a: Int", .integer64, nil), ("var a: Described", .composite, nil),
      ("var a: Joined", .composite, nil), ("var a: Kept", .composite, nil),
      ("var a: Days", .composite, own), ("var a: Ident", .composite, own), ("var a: Freq", .composite, own),
      ("var a: Single", .composite, own), ("var a: Price", .composite, "types of other modules"),
      ("@Storage var a: Int", .integer64, nil), ("@_spi(App) @DataActor var a: Int", .integer64, nil),
      ("@RemoteKey(\"type\") var a: Int", .integer64, "macros of other packages"),
      ("@Attribute (originalName: \"b\") var a: Int", .integer64, nil),
      ("@ Attribute(originalName: \"b\") var a: Int", .integer64, nil),
      ("var a = Constants.retries > 2 ? \"a\" : \"b\"", .string, nil),
      ("var a = 60 * 60 * 24", .integer64, nil),
      ("var a = 60 * 60 * 0.5", .double, nil), ("var a = 1 << 4", .integer64, nil),
      ("var a = \"\\(Constants.retries) times\"", .string, nil), ("var a = !true", .boolean, nil),
      ("var a = Constants.retries > 3 && true", .boolean, nil), ("var a = 0 as Double", .double, nil),
      ("var a = -Constants.retries", .integer64, nil), ("var a = Optional<String>.none", .string, nil),
      ("var a = try! JSONEncoder().encode(1)", .binary, nil),
      ("var a = Mood(rawValue: \"good\") ?? .bad", .string, nil),
      ("var a = Set<String>()", .transformable, "dictionaries and sets"),
      ("var a = [\"a\": 1]", .transformable, "dictionaries and sets"),
      ("var a = [String: Int]()", .transformable, "dictionaries and sets"),
      ("var a = Level.high.rawValue", .integer64, nil),
      ("var a = Date.timeIntervalSinceReferenceDate", .double, nil),
      ("var a = UUID(), b: String", .uuid, nil), ("var a: Color.Parts", .composite, nil),
      ("var a = Date.now.ISO8601Format()", .string, nil), ("var a = Date.epoch", .string, nil),
      ("var a = Date.now.timeIntervalSince(.distantPast)", .double, nil),
      ("var a = 4.isMultiple(of: 2)", .boolean, nil), ("var a = \"a\".data(using: .utf8)!", .binary, nil),
      ("var a = Data([1]).base64EncodedString()", .string, nil), ("var a = \"b\".made(3)", .integer64, nil),
      ("var a = Settings.standard.copy()", .composite, nil), ("var a = Settings().title()", .string, nil),
      ("var a = Bool.random() ? 1 : 2 * 0.5", .double, nil), ("var a = max(1, 2)", .integer64, nil),
      ("var a = min(3, 2.5)", .double, nil), ("var a = abs(-Constants.retries)", .integer64, nil),
      ("var a = NSLocalizedString(\"a\", comment: \"\")", .string, nil),
      ("var a = max(1, 2, greeting().count)", .integer64, nil),
      ("var a = Mood.allCases.first!", .string, nil), ("var a = Mood.one()", .string, nil),
      ("var a = Date.today", .date, nil),
      ("var a = Date.begun()", .date, nil), ("var a = Date.now.later()", .date, nil),
      (
        "var a = Array(repeating: 0, count: 7)", .transformable,
        "arrays of values other than String and Data"
      ),
    ] as [(String, AttributeType, String?)])
  func attributes(_ declaration: String, _ type: AttributeType, _ unproven: String?) throws {
    let (model, diagnostics) = readSource(
      """
      import Foundation
      import SwiftUI
      import MoneyKit
      enum Constants { static let placeholder = "none"; static var retries: Int { 3 } }
      struct Settings: Codable { var theme = "dark"; static let standard = Settings() }
      extension Settings { func copy() -> Settings { self }; func title() -> String { theme } }
      typealias Stored = Codable & Sendable
      struct Joined: Codable & Hashable { var x: Int }
      struct Kept: Stored { var x: Int }
      struct Days: OptionSet, Codable { let rawValue: Int }
      struct Ident: RawRepresentable, Codable { var rawValue: String }
      enum Freq: Codable, RawRepresentable {
        case daily
        init?(rawValue: String) { self = .daily }
        var rawValue: String { "d" }
      }
      struct Single: Codable { var value: String; func encode(to encoder: any Encoder) throws {} }
      struct Price: Codable { var amount: Money }
      @Generable struct Answer: Codable { @Guide(description: "in short") var text: String }
      @globalActor actor Storage { static let shared = Storage() }
      extension Date { static let epoch = "1970"; static var today: Self { .now } }
      extension Date { static func begun() -> Self { .now }; func later() -> Self { self + 60 } }
      extension String { func made(_ count: Int) -> Int { count } }
      enum Mood: String, Codable { case good, bad; static func random() -> Mood { .good } }
      extension Mood { static func one() -> Self { .good } }
      enum Level: Int, Codable { case low, high }
      extension Color { struct Parts: Codable { var red: Double } }
      enum Weather: Codable { case sun, rain }
      enum Shape: Codable { case none, circle(Double) }
      protocol Named: Codable { var name: String { get } }
      struct Described: Named { var name: String }
      enum SchemaV5 { enum Kind: String, Codable { case a } }
      func greeting() -> String { "hello" }
      @Model final class Trip { \(declaration); init() {} }
      """)
    let version = try #require(model?.versions.first)
    let attribute = try #require(version.model.entities.first?.attributes.first)
    #expect(!diagnostics.hasErrors, "\(diagnostics)")
    #expect(attribute.type == type)
    #expect(version.unprovenHashes == (unproven.map { ["Trip": [$0]] } ?? [:]))
    let remarks = diagnostics.filter { $0.code == .unproven }
    #expect(remarks.count == (unproven == nil ? 0 : 1))
    #expect(remarks.allSatisfy { $0.help.count == (unproven == "types of other modules" ? 2 : 1) })
  }

  @Test func `macros of other packages change nothing that @Model stores`() throws {
    let text = """
      @Syncable @Model final class Account {
        @PrimaryKey(remote: "external_id") @Attribute(.unique) var xid: String
        @NotExport var local: Int?
        init() { fatalError() }
      }
      """
    let version = try #require(readSource(text).model?.versions.first)
    #expect(codes(text) == [])
    #expect(version.model.entities[0].attributes.map(\.name).sorted() == ["local", "xid"])
    #expect(version.unprovenHashes == ["Account": ["macros of other packages"]])
  }

  @Test func `a macro that makes a struct Codable is none of SwiftData's`() throws {
    let text = """
      @Codable struct Place { var street: String = ""; var number: Int? }
      @Model final class Trip { var place: Place?; init() {} }
      @Model final class Visit { var places: [Place] = []; init() {} }
      """
    let version = try #require(readSource(text).model?.versions.first)
    #expect(codes(text) == [])
    let attribute = try #require(version.model.entities[0].attributes.first { $0.name == "place" })
    #expect(attribute.type == .composite)
    for entity in ["Trip", "Visit"] {
      #expect(version.unprovenHashes[entity]?.contains("macros of other packages") == true)
    }
    let codings = version.model.codings.values
    #expect(!codings.isEmpty && codings.allSatisfy { $0.readsItself && $0.writesItself })
  }

  @Test func `A codable property of another module's type is written with a word`() throws {
    let (model, _) = readSource(
      "import MoneyKit\n@Model final class Trip { @Attribute(.codable) var a: Money?; init() {} }")
    let file = try #require(model).swiftDataSource().file
    #expect(file.contains("// Its type is Money, of another module: write it, `.codable` and the import."))
  }

  @Test(
    "A value that may be nil makes an optional property",
    arguments: [
      ("URL(string: \"https://a.b\")", true), ("URL(string: \"https://a.b\")!", false), ("Int(\"3\")", true),
      ("Int(3.5)", false), ("Mood(rawValue: \"good\")", true), ("Mood(rawValue: \"good\") ?? .good", false),
      ("Bool.random() ? \"a\" : nil", true), ("Bool.random() ? 1 : 2", false),
      ("\"a\".data(using: .utf8)", true),
      ("Mood.allCases.randomElement()", true), ("Mood.allCases.randomElement() ?? .good", false),
      ("Calendar.current.date(byAdding: .day, value: 7, to: .now)", true),
      ("Calendar.current.date(byAdding: .day, value: 7, to: .now)!", false),
    ])
  func optionals(_ value: String, _ isOptional: Bool) throws {
    let (model, diagnostics) = readSource(
      """
      enum Mood: String, Codable, CaseIterable { case good }
      @Model final class Trip { var a = \(value); init() {} }
      """)
    #expect(!diagnostics.hasErrors, "\(diagnostics)")
    #expect(model?.versions.first?.model.entities.first?.attributes.first?.isOptional == isOptional)
  }

  @Test(
    "A default is what its names lead to, or one that only the app knows",
    arguments: [
      ("Int = Limits.most", DefaultValue.text("100")), ("Int = Limits.zero", "7"), ("Int = .zero", "0"),
      ("Mood = Mood.standard", "bad"), ("Mood = .good", "good"), ("[String] = []", .evaluated(.plain)),
      ("[String: Int] = [String: Int]()", .evaluated(.plain)), ("Int = 60 * 60", .evaluated(.unknown)),
      ("Int = Limits.round", .evaluated(.unknown)), ("Int = Limits.least", .evaluated(.unknown)),
    ])
  func defaults(_ declaration: String, _ expected: DefaultValue) throws {
    let (model, diagnostics) = readSource(
      """
      enum Mood: String, Codable { case good, bad; static let standard = Mood.bad }
      enum Limits {
        static let most = 100, zero = 7, round = other
        static let other = round
        static var least = 1
      }
      @Model final class Trip { var a: \(declaration); init() {} }
      """)
    #expect(!diagnostics.hasErrors, "\(diagnostics)")
    #expect(model?.versions.first?.model.entities.first?.attributes.first?.defaultValue == expected)
  }

  @Test("Types that the source does not distinguish, or does not have, are refused")
  func untold() {
    let twin = "enum Mood: String, Codable { case good }; enum Mood: Int, Codable { case low }"
    for (source, code) in [
      (twin + "; @Model final class Trip { var a: Mood; init() {} }", Diagnostic.Code.ambiguousName),
      ("@Model final class Trip { var a: [Stop]?; init() {} }", .unknownInSource),
      (
        "struct Flags: Codable { @DefaultFalse var isOn: Bool }; @Model final class Trip { var a: Flags; init() {} }",
        .unknownInSource
      ),
      ("@Model final class Trip { var a: Set<Stop> = []; init() {} }", .unknownInSource),
      ("@Model final class Trip { var a = device?.name; init() {} }", .unknownInSource),
      (
        "@Model final class Trip { var a = Locale.current.localizedString(forRegionCode: \"US\"); init() {} }",
        .unknownInSource
      ),
      (
        "@Model final class Trip { var a = \"a,b\".components(separatedBy: \",\"); init() {} }",
        .unknownInSource
      ),
    ] {
      let errors = readSource(source).diagnostics.filter { $0.severity == .error }
      #expect(errors.map(\.code) == [code], "\(source): \(errors)")
    }
  }

  @Test("Conditions may stand around attributes, aliases in a schema, inverses in a superclass")
  func places() throws {
    let (model, diagnostics) = readSource(
      """
      enum V1: VersionedSchema {
        static let versionIdentifier = Schema.Version(1, 0, 0)
        static var models: [any PersistentModel.Type] { [Trip.self, Stop.self, Car.self, Owner.self] }
        typealias Stops = [Stop]
        @Model final class Trip {
          #if os(iOS)
          @Attribute(.unique)
          #else
          @Transient
          #endif
          var name: String = ""
          var stops: Stops = []
          init() {}
        }
        @Model final class Stop { var trip: Trip?; init() {} }
        @Model class Vehicle { var owner: Owner?; init() {} }
        @Model final class Car: Vehicle { var doors = 4 }
        @Model final class Owner { @Relationship(inverse: \\Car.owner) var car: Car?; init() {} }
      }
      """)
    #expect(!diagnostics.hasErrors, "\(diagnostics)")
    let entities = try #require(model?.versions.first?.model.entities)
    let trip = try #require(entities.first { $0.name == "Trip" })
    #expect(trip.uniquenessConstraints == [["name"]] && trip.attributes.map(\.isTransient) == [false])
    #expect(trip.relationships.map(\.isToMany) == [true] && trip.relationships.map(\.inverseName) == ["trip"])
    #expect(entities.first { $0.name == "Owner" }?.relationships.map(\.inverseName) == ["owner"])
  }

  @Test("Types and key paths are named through their schema, or through the module")
  func qualified() throws {
    let (model, diagnostics) = readSource(
      """
      enum V5: VersionedSchema {
        static var versionIdentifier = Schema.Version(5, 0, 0)
        static var models: [any PersistentModel.Type] { [V5.Trip.self, App.V5.Stop.self, Self.Note.self, App.Tag.self] }
        @Model final class Note { var text = ""; init() {} }
        @Model final class Tag { var text = ""; init() {} }
        @Model final class Trip {
          #Unique<V5.Trip>([\\V5.Trip.name])
          #Index<Trip>([\\App.V5.Trip.name, \\.start])
          var name = "", start = 0
          @Relationship(inverse: \\V5.Stop.trip) var stops: [App.V5.Stop] = []
          init() {}
        }
        @Model final class Stop { var trip: V5.Trip?; init() {} }
      }
      typealias Tag = V5.Tag
      """)
    #expect(model?.versions.first?.model.entities.map(\.name).sorted() == ["Note", "Stop", "Tag", "Trip"])
    #expect(!diagnostics.hasErrors, "\(diagnostics)")
    let trip = try #require(model?.versions.first?.model.entities.first { $0.name == "Trip" })
    #expect(trip.relationships.map(\.inverseName) == ["trip"])
    #expect(trip.uniquenessConstraints == [["name"]])
    #expect(trip.fetchIndexes.map(\.name) == ["SwiftDataIndexOnBinarynamestart"])
  }

  @Test func `a class that another one nests is named through it in key paths`() throws {
    let (model, diagnostics) = readSource(
      """
      enum Models {
        @Model final class Task {
          @Relationship(inverse: \\Models.Task.Block.task) var blocks: [Block] = []
          init() {}
          @Model final class Block { var task: Task?; init() {} }
        }
      }
      """)
    #expect(!diagnostics.hasErrors, "\(diagnostics)")
    let task = try #require(model?.versions.first?.model.entities.first { $0.name == "Task" })
    #expect(task.relationships.map(\.inverseName) == ["task"])
  }

  @Test("Of a property that cannot be read, its inverse says nothing more")
  func consequences() {
    let errors = readSource(
      """
      @Model final class Trip { @Relationship(inverse: \\Stop.trip) var stops: [Stop] = []; init() {} }
      @Model final class Stop { var trip = unknown(); init() {} }
      """
    ).diagnostics.filter { $0.severity == .error }
    #expect(errors.map(\.code) == [.unknownInSource])
    #expect(errors.first?.subject?.property == "trip")
    // Without the property that cannot be read, the two are one.
    let schemas = (1...2).map { number in
      """
      enum V\(number): VersionedSchema {
        static let versionIdentifier = Schema.Version(\(number), 0, 0)
        static var models: [any PersistentModel.Type] { [Trip.self] }
        @Model final class Trip { var name = ""\(number == 2 ? "; var place: Place" : ""); init() {} }
      }
      """
    }
    let (model, unread) = readSource(
      schemas.joined(separator: "\n") + "\n"
        + """
        enum Plan: SchemaMigrationPlan {
          static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
          static var stages: [MigrationStage] { [.lightweight(fromVersion: V1.self, toVersion: V2.self)] }
        }
        """)
    #expect(unread.filter { $0.severity == .error }.map(\.code) == [.unknownInSource])
    #expect(model?.gateFindings == [])
  }
}
