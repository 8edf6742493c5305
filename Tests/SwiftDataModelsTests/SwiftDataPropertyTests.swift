import Foundation
import ManagedModel
import SwiftDataModels
import TestSupport
import Testing

@Suite("Properties of a @Model class", .readsSwift)
struct SwiftDataPropertyTests {
  @Test(
    "A Swift type is the attribute type that SwiftData stores",
    arguments: [
      ("String", AttributeType.string, false), ("String?", .string, true),
      ("Optional<Int>", .integer64, true),
      ("Int16", .integer16, false), ("Double", .double, false), ("TimeInterval", .double, false),
      ("Foundation.Date", .date, false), ("Data?", .binary, true), ("Decimal", .decimal, false),
      ("Bool", .boolean, false), ("UUID", .uuid, false), ("URL?", .uri, true),
      ("[String]", .transformable, false),
      ("[String: Int]?", .transformable, true), ("String!", .string, true), ("Amount", .decimal, false),
      ("Mood", .string, false), ("Level?", .integer64, true), ("Place", .composite, false),
    ])
  func types(_ swift: String, _ type: AttributeType, _ isOptional: Bool) throws {
    let trip = try entity(
      "Trip",
      of: """
        typealias Amount = Decimal
        enum Mood: String, Codable { case good, bad }
        enum Level: Int, Codable { case low = 1, high }
        struct Place: Codable { var latitude: Double; var name: String? }
        @Model final class Trip { var value: \(swift); init() {} }
        """)
    let attribute = try #require(trip.attributes.first)
    #expect(attribute.name == "value")
    #expect(attribute.type == type)
    #expect(attribute.isOptional == isOptional)
  }

  @Test("What SwiftData does not store is not in the model")
  func passedOver() throws {
    let trip = try entity(
      "Trip",
      of: """
        @Model final class Trip {
          let name = ""
          static var shared = 2
          @Transient var cache: [Int: NSObject] = [:]
          var computed: Int { 3 }
          var both: Int { get { 1 } set {} }
          var observed: Int = 0 { didSet { print(observed) } }
          lazy var later: Int = { 5 }()
          init() {}
        }
        extension Trip { var more: String { name } }
        """)
    #expect(trip.attributes.map(\.name) == ["name", "observed", "later"])
  }

  @Test(
    "An initial value is the attribute's default",
    arguments: [
      ("var a: String = \"x\"", "x"), ("var a = 7", "7"), ("var a: Int = -7", "-7"),
      ("var a = 1_000.5", "1000.5"),
      ("var a: Decimal = 0", "0"), ("var a: Decimal = Decimal(string: \"1.10\")!", "1.10"),
      ("var a = true", "true"),
      ("var a: Mood = .bad", "b"), ("var a = Mood.good", "good"), ("var a: Level = .high", "5"),
      ("var a: Date = .distantPast", "-63114076800.0"),
      ("var a = Date(timeIntervalSinceReferenceDate: 60)", "2001-01-01T00:01:00Z"),
      ("var a: Int? = nil", nil),
      ("var a: Data = Data()", ""), ("var a: Int = makeOne()", nil), ("var a: Int = 0x10", "16"),
    ] as [(String, String?)])
  func defaults(_ declaration: String, _ text: String?) throws {
    let trip = try entity(
      "Trip",
      of: """
        enum Mood: String, Codable { case good, bad = "b" }
        enum Level: Int, Codable { case low = 4, high }
        @Model final class Trip { \(declaration); init() {} }
        """)
    #expect(trip.attributes.first?.defaultValue?.text == text)
  }

  @Test("Date() and UUID() are defaults that the app evaluates, one value for a run")
  func evaluated() throws {
    let trip = try entity(
      "Trip",
      of: "@Model final class Trip { var at = Date(); var now: Date = .now; var id = UUID(); init() {} }")
    #expect(trip.attributes.allSatisfy { $0.typedDefaultValue != nil && $0.defaultValue?.text == nil })
    #expect(trip.attributes[2].typedDefaultValue == trip.attributes[2].typedDefaultValue)
  }

  @Test("Options of @Attribute are the attribute's flags")
  func options() throws {
    let trip = try entity(
      "Trip",
      of: """
        @Model final class Trip {
          @Attribute(.unique, originalName: "title", hashModifier: "2") var name: String
          @Attribute(.externalStorage, .spotlight) var photo: Data?
          @Attribute([.ephemeral]) var draft: String?
          @Attribute(.transformable(by: ColorTransformer.self)) var color: UIColor?
          #Unique<Trip>([\\.name, \\.draft], [])
          #Index<Trip>([\\.name], [\\.name, \\.draft])
          init() {}
        }
        """)
    #expect(trip.uniquenessConstraints == [["name"], ["name", "draft"]])
    #expect(trip.attributes[0].renamingIdentifier == "title")
    #expect(trip.attributes[0].versionHashModifier == "2")
    #expect(trip.attributes[1].allowsExternalBinaryDataStorage && trip.attributes[1].isIndexedBySpotlight)
    #expect(trip.attributes[2].isTransient)
    #expect(trip.attributes[3].type == .transformable)
    #expect(trip.attributes[3].valueTransformerName == "ColorTransformer")
    #expect(trip.fetchIndexes.map { $0.elements.map(\.property) } == [["name"], ["name", "draft"]])
    let place = "struct Place: Codable { var lat: Double }\n"
    let keys = "#Index<Hut>([\\.place?.lat])\n  #Unique<Hut>([\\.name, \\.place?.lat])"
    let hut = try entity(
      "Hut", of: place + "@Model final class Hut { \(keys); var name = \"\"; var place: Place?; init() {} }")
    #expect(hut.fetchIndexes.map { $0.elements.map(\.property) } == [["place.lat"]])
    #expect(hut.uniquenessConstraints == [["name", "place.lat"]])
  }

  @Test(
    "A transformer's name is followed to what it is",
    arguments: [
      ("\"Tints\"", "Tints"), ("Tints.name.rawValue", "Tints"), ("Tints.text", "Tints"),
      ("String(describing: Tints.self)", "Tints"),
      ("NSValueTransformerName.tints.rawValue", "Tints"),
      ("NSValueTransformerName(\"Tints\").rawValue", "Tints"),
      (
        "NSValueTransformerName.secureUnarchiveFromDataTransformerName.rawValue",
        "NSSecureUnarchiveFromData"
      ), ("Tints.made.rawValue", "Tints.made.rawValue"),
    ])
  func transformers(_ value: String, _ name: String) throws {
    let trip = try entity(
      "Trip",
      of: """
        @Model final class Trip { @Attribute(.transformable(by: \(value))) var tint: UIColor?; init() {} }
        final class Tints: ValueTransformer {
          static let name = NSValueTransformerName(rawValue: String(describing: Tints.self))
          static let text = "Tints"
          static let made = { NSValueTransformerName("a") }()
        }
        extension NSValueTransformerName { static let tints = Tints.name }
        """)
    #expect(trip.attributes.first?.valueTransformerName == name)
  }

  @Test("A property whose type is a @Model class is a relationship; its inverse is stated or implied")
  func relationships() throws {
    let source = """
      @Model final class Trip {
        @Relationship(deleteRule: .cascade, inverse: \\Stop.trip) var stops: [Stop]? = []
        var guide: Person?
        init() {}
      }
      @Model final class Stop { var trip: Trip?; init() {} }
      @Model final class Person { var trips: [Trip]; var friends: [Person]; init() {} }
      """
    let (trip, stop, person) = (
      try entity("Trip", of: source), try entity("Stop", of: source), try entity("Person", of: source)
    )
    #expect(trip.relationships[0].isToMany && trip.relationships[0].isOptional)
    #expect(trip.relationships[0].deleteRule == .cascade)
    #expect(trip.relationships[0].inverseName == "trip")
    #expect(stop.relationships[0].inverseName == "stops")
    #expect(trip.relationships[1].inverseName == "trips")
    #expect(!person.relationships[0].isOptional && person.relationships[0].inverseName == "guide")
    #expect(person.relationships[1].inverseName == nil)
  }

  @Test("A subclass is a sub-entity; a struct is a composite of its members")
  func shapes() throws {
    let source = """
      struct Place: Codable { var latitude: Double; var note: Note? }
      struct Note: Codable { var text: String }
      @Model class Trip { var place: Place; init() {} }
      @Model final class BusinessTrip: Trip { var customer: String }
      """
    let model = try #require(readSource(source).model?.versions.first?.model)
    #expect(model.entities.map(\.superentityName) == [nil, "Trip"])
    #expect(model.composites.map(\.name).sorted() == ["Note", "Place"])
    #expect(model.composites.first { $0.name == "Place" }?.elements.map(\.type) == [.double, .binary])
  }

  @Test(arguments: ["Color", "[Color]", "Place?", "SortOrder", "Calendar.RecurrenceRule?", "SIMD3<Float>"])
  func `a type of Apple's is Codable by itself, or by an extension`(_ type: String) {
    let text = """
      extension Color: @retroactive Codable {}
      struct Place: Codable { var color: Color; var order: SortOrder? }
      @Model final class Trip { var a: \(type); init() { fatalError() } }
      """
    #expect(codes(text) == [])
    #expect(codes(text.replacingBytes(of: "extension Color", with: "extension SwiftUI.Color")) == [])
    let isOwn = type.contains("Color") || type.contains("Place")
    let without = codes(text.replacingBytes(of: "@retroactive Codable", with: "Hashable"))
    #expect(without == (isOwn ? ["MC2603"] : []))
  }

  @Test func `of a reference without an inverse, the list that may be its other side is named`() throws {
    let text = """
      @Model final class A { var bs: [B] = []; init() {} }
      @Model final class B { var a: A?; var other: A?; init() {} }
      """
    let version = try #require(readSource(text).model?.currentVersion)
    let help = checkModels(of: [version]).filter { $0.subject?.property == "a" }.flatMap(\.help).joined()
    #expect(
      help.hasPrefix("give 'A.bs' `inverse: \\B.a` in a `@Relationship` before it, if it has the same links"))
    let several = text.replacingBytes(of: "var bs: [B] = []", with: "var bs: [B] = []; var more: [B]?")
    let current = try #require(readSource(several).model?.currentVersion)
    let choice = checkModels(of: [current]).flatMap(\.help).joined()
    #expect(choice.contains("give 'A.bs' or 'A.more' `inverse: \\B.a` in a `@Relationship` before it"))
    let one = try #require(
      readSource(
        "@Model final class A { var b: B?; init() {} }\n@Model final class B { var n: Int = 0; init() {} }"
      ).model?.currentVersion)
    let advice = checkModels(of: [one]).flatMap(\.help).joined()
    #expect(advice.contains("`@Relationship(inverse: \\A.b) var as_: [A] = []`"))
  }

  @Test func `a maximum of -1, as a model made by code has it, is read`() throws {
    let text = """
      @Model final class Trip { @Relationship(maximumModelCount: -1) var stops: [Stop] = []; init() {} }
      @Model final class Stop { init() {} }
      """
    #expect(!readSource(text).diagnostics.hasErrors)
    #expect(try entity("Trip", of: text).relationships.map(\.maxCount) == [-1])
  }

  @Test("Raw types, generic structs with their arguments, and functions of numbers are read")
  func exactTypes() throws {
    let source = """
      enum Kind: String, Codable { case walk }
      struct Flags: OptionSet, Codable { let rawValue: Int }
      struct Pair<A: Codable, B: Codable>: Codable { var a: A; var b: B?; var rest: [A] = [] }
      @Model final class Trip {
        var kind: Kind.RawValue = "walk"; var flags: Flags.RawValue?; var object: PersistentIdentifier?
        var pair: Pair<Int, Date>; var other: Pair<Kind, String>?
        var root = sqrt(2); var power = pow(2.5, 3); var zone = TimeZone.current.secondsFromGMT(); init() {}
        var stop: Stop.ID?; var stay: Stay.ID?; var own: Trip.ID?
      }
      @Model final class Stop { var id = UUID(); init() {} }
      @Model final class Stay { @Attribute(.unique) var id: Int; init() {} }
      """
    let (model, found) = readSource(source)
    #expect(!found.contains { $0.severity == .error }, "\(found.map(\.message))")
    let trip = try #require(model?.versions.first?.model)
    #expect(
      trip.entities[0].attributes.map(\.type) == [
        .string, .integer64, .binary, .composite, .composite, .double, .double, .integer64, .uuid,
        .integer64, .binary,
      ])
    let pairs = trip.composites.map { "\($0.name) \($0.elements.map(\.type))" }
    #expect(pairs.contains("Pair_Int_Date \([AttributeType.integer64, .date, .binary])"), "\(pairs)")
    #expect(
      pairs.contains { $0.hasPrefix("OptionalPair_Kind_String \([AttributeType.binary, .string, .binary])") })
    let box = "struct Box<T: Codable>: Codable { var all: [T]; var one: T? }; typealias IntBox = Box<Int>\n"
    for value in ["Box(all: [1])", "Box(all: [], one: 1)", "Box<Int>(all: [])", "IntBox(all: [1], one: nil)"]
    {
      let trip = try entity("Trip", of: "\(box)@Model final class Trip { var a = \(value); init() {} }")
      #expect(trip.attributes.map(\.compositeName) == ["Box_Int"], "\(value)")
    }
    #expect(codes("@Model final class Trip { var power = pow(2, 3); init() {} }") == ["MC2603"])
    #expect(
      codes("struct Box<T: Codable>: Codable { var t: T }; @Model final class Trip { var a: Box; init() {} }")
        == ["MC2603"])
  }

  @Test(arguments: [
    "typealias Stored = Encodable & Decodable", "protocol Stored where Self: Codable {}",
    "protocol Stored where Self: Swift.Encodable & Decodable {}",
  ])
  func `what makes a struct Codable may be an alias or a requirement`(_ stored: String) throws {
    let text =
      "\(stored)\nstruct Place: Stored { var x = 1 }\n@Model final class Trip { var a: Place; init() {} }"
    #expect(!readSource(text).diagnostics.hasErrors)
    #expect(try entity("Trip", of: text).attributes.map(\.type) == [.composite])
  }

  @Test(
    "What the source does not say is an error at its place",
    arguments: [
      ("@Model final class Trip { var a: Unknown; init() {} }", "MC2603"),
      ("class Stop: PersistentModel {}\n@Model final class Trip { var a: [Stop]?; init() {} }", "MC2603"),
      ("class Stop: PersistentModel {}\n@Model final class Trip { var a: Stop?; init() {} }", "MC2603"),
      (
        "final class Stop: PersistentModel {}\n@Model final class Trip { var a = 1; init() {} }\n"
          + "let container = try ModelContainer(for: Trip.self, Stop.self)", "MC2603"
      ),
      ("@Model final class Trip<T> { var a: Int; init() {} }", "MC2603"),
      ("@Model final class Trip { var a = make(); init() {} }", "MC2603"),
      ("@Model final class Trip { @Attribute(options) var a: Int; init() {} }", "MC2603"),
      ("@Model final class Trip { var a: (Int, Int); init() {} }", "MC2603"),
      ("struct Empty: Codable {}\n@Model final class Trip { var a: Empty; init() {} }", "MC2603"),
      ("struct Plain {}\n@Model final class Trip { var a: Plain; init() {} }", "MC2603"),
      ("typealias A = B\ntypealias B = A\n@Model final class Trip { var a: A; init() {} }", "MC2605"),
      (
        "typealias A = Set<B>\ntypealias B = [String: A]\n@Model final class Trip { var a: A?; init() {} }",
        "MC2605"
      ),
      ("typealias A<T> = [A<T>]\n@Model final class Trip { var a: A<Int>?; init() {} }", "MC2605"),
      (
        "struct K: RawRepresentable { var rawValue: K.RawValue }\n@Model final class Trip { var a: K.RawValue; init() {} }",
        "MC2605"
      ),
      ("@Model final class Trip { init() {} }\n@Model final class Trip { init() {} }", "MC2605"),
      (
        "@Model final class Trip { @Relationship(inverse: \\Stop.none) var s: Stop?; init() {} }\n"
          + "@Model final class Stop { init() {} }", "MC2603"
      ),
      ("@Model final class Trip { var a: Int = ; init() {} }", "MC2601"),
      ("final class Trip {}", "MC2602"),
    ])
  func refusals(_ source: String, _ code: String) throws {
    let errors = readSource(source).diagnostics.filter { $0.severity == .error }
    #expect(errors.map(\.code.description).contains(code))
    #expect(errors.allSatisfy { $0.place?.file == "App.swift" && !$0.help.isEmpty })
  }

  @Test("Conditional compilation takes the branch of the platform, and says so")
  func conditions() throws {
    let source = """
      @Model final class Trip {
        #if os(iOS) && canImport(UIKit)
        var phone: String?
        #elseif os(macOS)
        var desk: String?
        #endif
        #if DEBUG
        var debug: Int?
        #endif
        init() {}
      }
      """
    for (platform, name) in [(SwiftPlatform.iOS, "phone"), (.macOS, "desk")] {
      let (model, diagnostics) = readSource(source, platform: platform)
      #expect(model?.versions[0].model.entities[0].attributes.map(\.name) == [name])
      #expect(diagnostics.map(\.code.description).contains("MC2607"))
    }
  }

  @Test("A condition that leaves the model as it is needs no remark")
  func harmlessConditions() {
    let (_, diagnostics) = readSource(
      """
      #if canImport(UIKit)
      import UIKit
      #endif
      @Model final class Trip {
        var name = ""
        #if os(iOS)
        var image: UIImage? { nil }
        func share() {}
        #endif
        init() {}
      }
      #if os(iOS)
      extension Trip { static let sample = Trip() }
      #endif
      """)
    #expect(!diagnostics.map(\.code.description).contains("MC2607"))
  }

  @Test(
    "Lists take the branch of the platform, too",
    arguments: [
      "\n#if os(iOS)\n[Trip.self, Walk.self]\n#else\n[Trip.self]\n#endif\n",
      "\n#if os(iOS)\nreturn [Trip.self, Walk.self]\n#elseif os(macOS)\nreturn [Trip.self]\n#endif\n",
      "var all: [any PersistentModel.Type] = [Trip.self]\n#if os(iOS)\nall.append(Walk.self)\n#endif\nreturn all",
      "var all: [any PersistentModel.Type] = [Trip.self]\n#if os(iOS)\nall += [Walk.self]\n#endif\nreturn all",
    ])
  func conditionalLists(_ body: String) {
    for (platform, names) in [(SwiftPlatform.iOS, ["Trip", "Walk"]), (.macOS, ["Trip"])] {
      let (model, diagnostics) = readSource(schema(of: body), platform: platform)
      #expect(model?.versions[0].model.entities.map(\.name) == names)
      let found = diagnostics.filter { $0.code.description != "MC2606" }
      #expect(found.map { "\($0.severity) \($0.code)" } == ["information MC2607"])
    }
  }

  /// A schema with two classes, of which a getter's body lists some.
  private func schema(of body: String) -> String {
    """
    enum V1: VersionedSchema {
      static let versionIdentifier = Schema.Version(1, 0, 0)
      static var models: [any PersistentModel.Type] { \(body) }
      @Model class Trip { var name = ""; init() {} }
      @Model class Walk { var name = ""; init() {} }
    }
    """
  }

  @Test(
    "Lists are read as the newest systems have them, and that says so",
    arguments: [
      "if #available(iOS 26, *) { return [Trip.self, Walk.self] } else { return [Trip.self] }",
      "if #available(iOS 26, *) { [Trip.self, Walk.self] } else { [Trip.self] }",
      "guard #available(iOS 26, *) else { return [Trip.self] }\n return [Trip.self, Walk.self]",
      "var all: [any PersistentModel.Type] = [Trip.self]\n if #available(iOS 26, *) { all.append(Walk.self) }\n return all",
      "var all: [any PersistentModel.Type] = []\n all.append(contentsOf: [Trip.self, Walk.self])\n guard #available(iOS 26, *) else { return [] }\n return all",
    ])
  func availability(_ body: String) {
    let (model, diagnostics) = readSource(schema(of: body))
    #expect(model?.versions[0].model.entities.map(\.name) == ["Trip", "Walk"])
    let found = diagnostics.filter { $0.code.description != "MC2606" }
    #expect(found.map { "\($0.severity) \($0.code)" } == ["warning MC2607"])
    #expect(found.first?.notes.first?.message.hasPrefix("'#available(iOS 26, *)' was assumed") == true)
  }
}
