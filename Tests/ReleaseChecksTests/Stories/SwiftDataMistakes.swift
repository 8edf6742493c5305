import Testing

/// A small app with one mistake, and the same fixed.
///
/// The app has a folder `App`: `Models.swift` holds the classes and the schemas, `App.swift` what opens the store. What
/// stands in front of `→` was there at the tag v1.0, what stands behind it is there today.
struct SwiftDataMistake: Sendable, CustomTestStringConvertible {
  enum Kind: Sendable {
    /// No versions: all is inferred from what the tag shipped.
    case inferred
    /// Two schemas and a plan, without tags.
    case plan
    /// A plan, and the tag shipped its newest schema.
    case tagged
  }

  var name: String
  var kind: Kind
  var code: String
  /// A text of the line at which the finding stands; nil for none.
  var line: String?
  /// What the class of the newest schema holds, at the tag.
  var then = "var name: String = \"\""
  var mistake: String
  var mend: String
  /// Parts of the plan's source, as they are with the mistake; fixed, they are as they should be.
  var changes: [(right: String, wrong: String)] = []
  var testDescription: String { name }

  private static func places(_ text: String) -> String {
    "\(text); struct Place: Codable { var name: String }"
  }

  private static let plan = """
    enum V1: VersionedSchema {
      static let versionIdentifier = Schema.Version(1, 0, 0)
      static var models: [any PersistentModel.Type] { [V1.Trip.self] }
      @Model final class Trip { var name: String = ""; init() {} }
    }
    enum V2: VersionedSchema {
      static let versionIdentifier = Schema.Version(2, 0, 0)
      static var models: [any PersistentModel.Type] { [V2.Trip.self] }
      @Model final class Trip {
        BODY
        init() {}
      }
    }
    enum Plan: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
      static var stages: [MigrationStage] {
        [.lightweight(fromVersion: V1.self, toVersion: V2.self)]
      }
    }

    """

  private func source(_ body: String) -> String {
    let text = kind == .inferred ? "@Model final class Trip {\n  BODY\n  init() {}\n}\n" : Self.plan
    return "import Foundation\nimport SwiftData\n"
      + text.replacing("BODY", with: body.replacing("; ", with: "\n"))
  }

  var former: String { source(then) }
  var fixed: String { source(mend) }
  var wrong: String { changes.reduce(source(mistake)) { $0.replacing($1.right, with: $1.wrong) } }

  private static let base = "var name: String = \"\"; var note: String?"

  private static func mood(_ cases: String) -> String {
    base + "; var mood: Mood = Mood.happy; var then: Mood?; enum Mood: String, Codable { case \(cases) }"
  }

  private static func pace(_ cases: String) -> String {
    base + "; var pace: Pace = Pace.slow; enum Pace: Double, Codable { case \(cases) }"
  }

  private static func place(_ property: String) -> String {
    base + "; \(property): Place = Place(); struct Place: Codable { var name = \"\"; var height = 0.0 }"
  }

  /// A struct in an array within another one, which is JSON.
  private static func build(_ step: String, _ cases: String = "low, high") -> String {
    base
      + "; var build: Build; struct Build: Codable { var steps: [Step] }; struct Step: Codable { \(step) }; "
      + "enum Level: String, Codable { case \(cases) }"
  }

  /// A struct in an array or a dictionary of the class, which is one value.
  private static func steps(_ step: String, _ type: String = "[Step]") -> String {
    base + "; var steps: \(type); struct Step: Codable { \(step) }"
  }

  /// A class of values, which are JSON.
  private static func box(_ members: String, _ type: String = "Codable") -> String {
    base + "; var box: Box?; protocol Kept: Codable {}; final class Box: \(type) { \(members); init() {} }"
  }

  private static let part = "; struct Part: Codable { var size: Int }"

  /// Another class, whose steps are others.
  private static let namesake =
    "; init() {} }; @Model final class Path { struct Step: Codable { var size: Int }; var steps: [Step] = []"

  /// The same, whose text is stored under a key of its own.
  private static func keyed(_ member: String, _ key: String, _ type: String = "String") -> String {
    steps("var \(member): \(type); enum CodingKeys: String, CodingKey { case \(member) = \"\(key)\" }")
  }

  /// Enums in an array of the class.
  private static func shapes(_ cases: String) -> String {
    base + "; var shapes: [Shape] = []; enum Shape: Codable { case none; case \(cases) }"
  }

  private static func shape(_ values: String) -> String {
    base + "; var shape: Shape; enum Shape: Codable { case none; case round(\(values)) }"
  }

  /// Two classes beside the trip.
  private static func car(_ parent: String, _ more: String = "") -> String {
    "; init() {} }; @Model class Vehicle { var wheels: Int = 4; init() {} }; "
      + "@Model final class Car\(parent) { \(more)var doors: Int = 5"
  }

  /// Generic structs in an array.
  private static func boxes(_ member: String, _ type: String = "Box<Int>") -> String {
    base + "; var boxes: [\(type)] = []; struct Box<T: Codable>: Codable { var value: T; \(member) }"
  }

  private static func tags(_ protocols: String, _ type: String = "[Tag]") -> String {
    base + "; var tags: \(type); struct Tag: \(protocols) { var rawValue: String }"
  }

  private static func kind(_ type: String, _ raw: String = "") -> String {
    base + "; var mood: \(type); enum Mood: \(raw)Codable { case happy, sad }"
  }

  private static func containers(_ list: String) -> String {
    base + "; init() {} }; @Model final class Draft { var text: String = \"\"; init() {} }; "
      + "struct Main { let c = try! ModelContainer(for: \(list))"
  }

  private static func mirrored(_ property: String) -> String {
    base + "; \(property); init() {} }; struct Main { let c = try! ModelContainer(for: Trip.self, "
      + "configurations: ModelConfiguration(cloudKitDatabase: .private(\"x\")))"
  }

  private static func kept(_ name: String) -> String {
    "Trip.self, Draft.self, configurations: ModelConfiguration(\"\(name)\")"
  }

  private static func url(_ path: String) -> String {
    "Trip.self, Draft.self, configurations: "
      + "ModelConfiguration(url: URL.documentsDirectory.appending(path: \"\(path).store\"))"
  }

  private static func parted(_ drafts: String, _ trips: String) -> String {
    "Trip.self, Draft.self, Tag.self, configurations: "
      + "ModelConfiguration(\"drafts\", schema: Schema([\(drafts)])), "
      + "ModelConfiguration(\"trips\", schema: Schema([\(trips)]))) }; "
      + "@Model final class Tag { var text: String = \"\"; init() {} }; struct Other { let a = (0"
  }

  private static func color(_ transformer: String) -> String {
    base + "; @Attribute(.transformable(by: \"\(transformer)\")) var color: NSObject?"
  }

  private static func drafts(_ rule: String) -> String {
    base + "; @Relationship(\(rule)inverse: \\Draft.trip) var drafts: [Draft] = []; init() {} }; "
      + "@Model final class Draft { var trip: Trip?"
  }

  private static func spot(_ value: String) -> String {
    base + "; var spot: Spot\(value); struct Spot: Codable { var lat: Double = 0; var name: String = \"\" }"
  }

  private static func rank(_ cases: String) -> String {
    base + "; var rank: Rank; enum Rank: Int, Codable { case \(cases) }"
  }

  private static func ofPlan(
    _ name: String, _ code: String, at line: String?, mistake: String = base, mend: String = base,
    _ changes: [(right: String, wrong: String)] = []
  ) -> Self {
    Self(name: name, kind: .plan, code: code, line: line, mistake: mistake, mend: mend, changes: changes)
  }

  private static func ofTag(
    _ name: String, _ code: String, at line: String?, then: String, mistake: String, mend: String,
    kind: Kind = .inferred
  ) -> Self {
    Self(name: name, kind: kind, code: code, line: line, then: then, mistake: mistake, mend: mend)
  }

  static let all: [Self] = [
    ofPlan(
      "two schemas are one", "MC2610", at: "enum V2", mistake: "var name: String = \"\""),
    ofPlan(
      "the old schema lists the live class", "MC2611", at: "[V2.Trip.self]",
      [("{ [V1.Trip.self] }", "{ [V2.Trip.self] }")]),
    ofPlan(
      "a required property has no value", "MC2613", at: "var stars", mistake: base + "; var stars: Int",
      mend: base + "; var stars: Int = 0"),
    ofPlan(
      "no stage", "MC2614", at: "static var stages",
      [
        (
          "[.lightweight(fromVersion: V1.self, toVersion: V2.self)]",
          "[.lightweight(fromVersion: V2.self, toVersion: V2.self)]"
        )
      ]),
    ofPlan(
      "originalName names nothing", "MC2615", at: "var title",
      mistake: "@Attribute(originalName: \"nmae\") var title: String = \"\"",
      mend: "@Attribute(originalName: \"name\") var title: String = \"\""),
    ofPlan(
      "a schema twice", "MC2618", at: "[V1.self, V2.self, V1.self]",
      [("[V1.self, V2.self]", "[V1.self, V2.self, V1.self]")]),
    ofPlan(
      "a schema is left out", "MC2618", at: "enum V1",
      [("[V1.self, V2.self]", "[V2.self]"), (".lightweight(fromVersion: V1.self, toVersion: V2.self)", "")]),
    ofPlan(
      "two schemas of one number", "MC2618", at: "enum V2", [("Version(2, 0, 0)", "Version(1, 0, 0)")]),
    ofPlan(
      "a schema that is nowhere", "MC2618", at: "V3.self",
      [("[V1.self, V2.self]", "[V1.self, V2.self, V3.self]")]),
    ofPlan(
      "a list that is computed", "MC2604", at: "all()", [("[V1.self, V2.self]", "all()")]),
    ofPlan("no Swift", "MC2601", at: "init( {}", [("init() {}\n  }", "init( {}\n  }")]),
    ofPlan(
      "a class twice", "MC2605", at: "class Trip { var name",
      [("init() {} }", "init() {} }; @Model final class Trip {}")]),
    ofPlan(
      "a type that is nowhere", "MC2603", at: "var place", mistake: base + "; var place: Place", mend: base),
    ofPlan(
      "a class that is nowhere", "MC2603", at: "Stop.self", [("[V2.Trip.self]", "[V2.Trip.self, Stop.self]")]),
    ofPlan(
      "a relationship to a class of the newer schema", "MC2638", at: "var stop: V2.Stop?",
      mistake: base + "; }; @Model final class Stop { var title: String = \"\"",
      mend: base,
      [
        (
          "class Trip { var name: String = \"\"; init",
          "class Trip { var name: String = \"\"; var stop: V2.Stop?; init"
        ),
        ("[V2.Trip.self]", "[V2.Trip.self, V2.Stop.self]"),
      ]),
    ofPlan(
      "a name that two classes of a schema have", "MC2639", at: "class Trip",
      mistake: base + "; var old: V1.Trip?",
      mend: base),
    ofPlan(
      "a class of no schema with the name of one", "MC2639", at: "Old { @Model",
      [("enum Plan:", "enum Old { @Model final class Trip { var name = \"\"; init() {} } }\nenum Plan:")]),
    ofPlan(
      "unique over rows that are there", "MC2635", at: "var name",
      mistake: "@Attribute(.unique) var name: String = \"\"; var note: String?", mend: base),
    ofPlan(
      "one UUID for every row", "MC2636", at: "var code", mistake: base + "; var code: UUID = UUID()",
      mend: base + "; var code: UUID?"),
    ofPlan(
      "one UUID for every row, as text", "MC2636", at: "var code",
      mistake: base + "; var code: String = UUID().uuidString",
      mend: base + "; var code: UUID = Trip.one; static let one = UUID(uuid: UUID_NULL)"),
    ofPlan(
      "one UUID for every row, by a function", "MC2636", at: "var code",
      mistake: base + "; var code: UUID = made()", mend: base + "; var code: UUID?",
      [("enum Plan:", "func made() -> UUID { UUID() }\nenum Plan:")]),
    ofPlan(
      "one UUID for every row, in a struct", "MC2636", at: "var mark",
      mistake: base + "; var mark: Mark = Mark(); struct Mark: Codable { var id: UUID = UUID() }",
      mend: base + "; var mark: Mark?; struct Mark: Codable { var id: UUID = UUID() }"),
    ofPlan(
      "one UUID for every row, and work that runs before the property is there", "MC2636", at: "var code",
      mistake: base + "; var code: UUID = UUID()", mend: base + "; var code: UUID?",
      [
        (
          ".lightweight(fromVersion: V1.self, toVersion: V2.self)",
          ".custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: { _ in }, didMigrate: nil)"
        )
      ]),
    ofPlan(
      "one date for every row", "MC2636", at: "var seen", mistake: base + "; var seen: Date = Date()",
      mend: base + "; var seen: Date?"),
    ofPlan(
      "one time for every row", "MC2636", at: "var seen",
      mistake: base + "; var seen: Double = Date().timeIntervalSince1970", mend: base + "; var seen: Double?"),
    ofPlan(
      "one date for every row, counted from now", "MC2636", at: "var seen",
      mistake: base + "; var seen = Date(timeIntervalSinceNow: 60)", mend: base + "; var seen: Date?"),
    ofPlan(
      "a property that goes without a word", "MC7008", at: "class Trip", mistake: "var stars: Int?",
      mend: base),
    ofPlan(
      "a property that may be another under a new name", "MC3204", at: "var note",
      mistake: "var note: String?",
      mend: "@Attribute(originalName: \"name\") var note: String = \"\""),
    ofPlan(
      "a type that does not convert", "MC3103", at: "var name",
      mistake: "var name: Int = 0; var note: String?", mend: base),
    // What a tag shipped under the number of today's schema.
    ofTag(
      "a property in a schema that shipped", "MC2630", at: "var color", then: base,
      mistake: base + "; var color: String?",
      mend: base, kind: .tagged),
    ofTag(
      "a property less in a schema that shipped", "MC2630", at: "class Trip",
      then: base + "; var color: String?",
      mistake: base, mend: base + "; var color: String?", kind: .tagged),
    ofTag(
      "a property required in a schema that shipped", "MC2630", at: "var note", then: base,
      mistake: "var name: String = \"\"; var note: String = \"\"", mend: base, kind: .tagged),
    ofTag(
      "another type in a schema that shipped", "MC2630", at: "var stars", then: base + "; var stars: Int = 0",
      mistake: base + "; var stars: Double = 0", mend: base + "; var stars: Int = 0", kind: .tagged),
    ofTag(
      "a required property has no value, inferred", "MC2631", at: "var stars", then: base,
      mistake: base + "; var stars: Int",
      mend: base + "; var stars: Int = 0"),
    ofTag(
      "two required properties have none, inferred", "MC2631", at: "var stars", then: base,
      mistake: base + "; var stars: Int; var rank: Int", mend: base + "; var stars: Int?; var rank: Int?"),
    ofTag(
      "a type that does not convert, inferred", "MC2631", at: "var stars",
      then: base + "; var stars: Int = 0",
      mistake: base + "; var stars: String = \"\"", mend: base + "; var stars: Double = 0"),
    ofTag(
      "an optional property is required, inferred", "MC2631", at: "var note", then: base,
      mistake: "var name: String = \"\"; var note: String; var more: Int?", mend: base + "; var more: Int?"),
    ofTag(
      "a renamed property starts empty", "MC3204", at: "var title", then: base,
      mistake: "var title: String = \"\"; var note: String?",
      mend: "@Attribute(originalName: \"name\") var title: String = \"\"; var note: String?"),
    ofTag(
      "a renamed property has no value", "MC2631", at: "var title", then: "var name: String",
      mistake: "var title: String",
      mend: "@Attribute(originalName: \"name\") var title: String"),
    ofTag(
      "a property that goes without a word, inferred", "MC7008", at: "class Trip", then: base,
      mistake: "var name: String = \"\"",
      mend: base),
    ofTag(
      "unique over rows that are there, inferred", "MC2635", at: "var name", then: base,
      mistake: "@Attribute(.unique) var name: String = \"\"; var note: String?; var more: Int?",
      mend: base + "; var more: Int?"),
    ofTag(
      "one UUID for every row, inferred", "MC2636", at: "var code", then: base,
      mistake: base + "; var code: UUID = UUID()",
      mend: base + "; var code: UUID?"),
    ofTag(
      "one UUID for rows without a value", "MC2636", at: "var code", then: base + "; var code: UUID?",
      mistake: base + "; var code: UUID = UUID()",
      mend: base + "; var code: UUID?; var more: Int?"),
    ofTag(
      "one UUID for rows without a value, and unique", "MC2635", at: "var code",
      then: base + "; @Attribute(.unique) var code: UUID?",
      mistake: base + "; @Attribute(.unique) var code: UUID = UUID()",
      mend: base + "; var code: UUID?"),
    ofTag(
      "two names crossed, and no hash changes", "MC2642", at: "var name",
      then: "var name: String = \"\"; var body: String = \"\"",
      mistake:
        "@Attribute(originalName: \"body\") var name: String = \"\"; @Attribute(originalName: \"name\") var body: String = \"\"",
      mend: "var name: String = \"\"; var body: String = \"\"; var more: Int?"),
    ofTag(
      "one of two structs gets another name, and with it the columns of the other", "MC2642",
      at: "var delivery", then: places("var home: Place?; var shipping: Place?"),
      mistake: places("var home: Place?; @Attribute(originalName: \"shipping\") var delivery: Place?"),
      mend: places("var home: Place?; @Attribute(originalName: \"shipping\") var visit: Place?")),
    ofTag(
      "a new struct gets the columns of one that went", "MC2642", at: "var summit",
      then: places("var start: Place?"), mistake: places("var summit: Place?"),
      mend: places("@Attribute(originalName: \"start\") var summit: Place?")),
    ofTag(
      "a case that rows may have", "MC2634", at: "var mood", then: mood("happy, sad"), mistake: mood("happy"),
      mend: mood("happy, ill, sad")),
    ofTag(
      "a member that an optional struct must have", "MC2617", at: "var place",
      then: base + "; var place: Place?; struct Place: Codable { var name: String }",
      mistake: base + "; var place: Place?; struct Place: Codable { var name: String; var town: String }",
      mend: base + "; var place: Place?; struct Place: Codable { var name: String; var town: String? }"),
    ofTag(
      "a member that a struct in an array must have", "MC2617", at: "var build",
      then: build("var text: String"),
      mistake: build("var text: String; var minutes: Int"), mend: build("var text: String; var minutes: Int?")
    ),
    ofTag(
      "a member in JSON that must have a value now", "MC2617", at: "var build",
      then: build("var text: String?"), mistake: build("var text: String"),
      mend: build(
        "var text: String; init(from decoder: any Decoder) throws { text = \"\" }")),
    ofTag(
      "a member in JSON of another type", "MC2617", at: "var build", then: build("var text: String?"),
      mistake: build("var text: Int?"), mend: build("var text: String?; var number: Int?")),
    ofTag(
      "a fraction in JSON that is a whole number now", "MC2617", at: "var build",
      then: build("var size: Float"), mistake: build("var size: Int"), mend: build("var size: Double")),
    ofTag(
      "an enum in JSON that is another value than its raw one now", "MC2617", at: "var build",
      then: build("var level: Level"), mistake: build("var level: Int"), mend: build("var level: String")),
    ofTag(
      "a struct in JSON that is a text now", "MC2617", at: "var build",
      then: build("var part: Part") + part, mistake: build("var part: String") + part,
      mend: build("var part: Part; var more: String?") + part),
    ofTag(
      "a UUID in JSON that is a number now", "MC2617", at: "var build", then: build("var code: UUID"),
      mistake: build("var code: Int"), mend: build("var code: String")),
    ofTag(
      "a member that the structs of an array must have", "MC2617", at: "var steps",
      then: steps("var text: String"), mistake: steps("var text: String; var minutes: Int"),
      mend: steps("var text: String; var minutes: Int?")),
    ofTag(
      "a member that a class of values must have", "MC2617", at: "var box", then: box("var size: Int = 0"),
      mistake: box("var size: Int = 0; var text: String = \"\""),
      mend: box("var size: Int = 0; var text: String?")),
    ofTag(
      "a measurement of another quantity", "MC2617", at: "var size",
      then: base + "; var size: Measurement<UnitLength>?",
      mistake: base + "; var size: Measurement<UnitMass>?",
      mend: base + "; var size: Measurement<UnitLength>?; var mass: Measurement<UnitMass>?"),
    ofTag(
      "a member that a class must have, whose protocol is Codable", "MC2617", at: "var box",
      then: box("var size: Int = 0", "Kept"), mistake: box("var size: Int = 0; var text: String", "Kept"),
      mend: box("var size: Int = 0; var text: String?", "Kept")),
    ofTag(
      "a member that a struct must have, and not one that is lazy", "MC2617", at: "var steps",
      then: steps("var size: Int"), mistake: steps("var size: Int; var text: String"),
      mend: steps("var size: Int; lazy var text: String = \"\"")),
    ofTag(
      "a member that a class of values has no more", "MC2634", at: "var box",
      then: box("var size: Int = 0; var text: String?"), mistake: box("var size: Int = 0"),
      mend: box("var text: String?; var size: Int = 0")),
    ofTag(
      "a member that one of two structs of a name must have", "MC2617", at: "var steps",
      then: steps("var text: String") + namesake,
      mistake: steps("var text: String; var more: Int") + namesake,
      mend: steps("var text: String") + namesake + "; init() {} }; struct Step: Codable { var zone: Int }; "
        + "@Model final class Fork { var steps: [Step] = []"),
    ofTag(
      "a member of structs in an array that has a key", "MC2617", at: "var steps",
      then: steps("var text: String"),
      mistake: steps(
        "var text: String; var open: Bool = false; enum CodingKeys: CodingKey { case text, open }"),
      mend: steps("var text: String; var open: Bool = false; enum CodingKeys: CodingKey { case text }")),
    ofTag(
      "members of structs in an array that have exchanged their keys", "MC2617", at: "var steps",
      then: steps("var a: Int; var b: Int"),
      mistake: steps(
        "var a: Int; var b: Int; enum CodingKeys: String, CodingKey { case a = \"b\", b = \"a\" }"),
      mend: steps("var b: Int; var c: Int; enum CodingKeys: String, CodingKey { case b = \"a\", c = \"b\" }")),
    ofTag(
      "a member of structs in an array that no wrapper reads", "MC2617", at: "var steps",
      then: steps("var text: String"), mistake: steps("var text: String; var open: Bool = false"),
      mend: steps("var text: String; @Lenient var open: Bool")
        + "; @propertyWrapper struct Lenient: Codable { var wrappedValue: Bool = false }"),
    ofTag(
      "a member that the structs of a dictionary must have", "MC2617", at: "var steps",
      then: steps("var text: String", "[String: Step]"),
      mistake: steps("var text: String; var minutes: Int", "[String: Step]"),
      mend: steps("var text: String; var minutes: Int?", "[String: Step]")),
    ofTag(
      "a dictionary with other keys", "MC2617", at: "var steps",
      then: steps("var text: String", "[String: Step]"), mistake: steps("var text: String", "[Int: Step]"),
      mend: steps("var text: String", "[String: Step]")),
    ofTag(
      "an array of structs with another name and a member more", "MC2617", at: "var steps",
      then: steps("var text: String"),
      mistake: steps("var text: String; var minutes: Int", "[Part]").replacing(
        "struct Step", with: "struct Part"),
      mend: steps("var text: String; var minutes: Int?", "[Part]").replacing(
        "struct Step", with: "struct Part")),
    ofTag(
      "a member that must have a value in an array, beside a property with columns", "MC2617",
      at: "var steps",
      then: steps("var text: String?") + "; var first: Step?",
      mistake: steps("var text: String") + "; var first: Step?",
      mend: steps("var text: String?; var more: Int?") + "; var first: Step?"),
    ofTag(
      "a case in an array that rows may have", "MC2634", at: "var steps",
      then: steps("var level: Level") + "; enum Level: String, Codable { case low, mid }",
      mistake: steps("var level: Level") + "; enum Level: String, Codable { case low }",
      mend: steps("var level: Level") + "; enum Level: String, Codable { case low, mid, high }"),
    ofTag(
      "a value that a case must hold", "MC2617", at: "var shape", then: shape("radius: Double"),
      mistake: shape("radius: Double, unit: String"), mend: shape("radius: Double, unit: String?")),
    ofTag(
      "a member of a struct that a case holds", "MC2617", at: "var shape",
      then: shape("Size); struct Size: Codable { var width: Int }; case other(Int"),
      mistake: shape("Size); struct Size: Codable { var width: Int; var height: Int }; case other(Int"),
      mend: shape("Size); struct Size: Codable { var width: Int; var height: Int? }; case other(Int")),
    ofTag(
      "a case that holds a value of another type", "MC2617", at: "var shape", then: shape("Int, _ size: Int"),
      mistake: shape("Int, _ size: String"), mend: shape("Int, _ size: Double")),
    ofTag(
      "a member of a struct that is stored by its Codable", "MC2617", at: "var steps",
      then: steps("var text: String").replacing("var steps", with: "@Attribute(.codable) var steps"),
      mistake: steps("var text: String; var minutes: Int").replacing(
        "var steps", with: "@Attribute(.codable) var steps"),
      mend: steps("var text: String; var minutes: Int?").replacing(
        "var steps", with: "@Attribute(.codable) var steps")),
    ofTag(
      "a class that inherits no more", "MC7008", at: "class Car", then: base + car(": Vehicle"),
      mistake: base + car(""), mend: base + car("", "var wheels: Int = 4; ")),
    ofTag(
      "a member of a struct that must have a value now", "MC2617", at: "var spot",
      then: base + "; var spot: Spot?; struct Spot: Codable { var lat: Double; var name: String? }",
      mistake: base + "; var spot: Spot?; struct Spot: Codable { var lat: Double; var name: String }",
      mend: base + "; var spot: Spot?; struct Spot: Codable { var lat: Double; var name: String? }"),
    ofTag(
      "an array of other values", "MC2617", at: "var tags", then: base + "; var tags: [String] = []",
      mistake: base + "; var tags: [Data] = []",
      mend: base + "; var tags: [String] = []; var bytes: [Data] = []"),
    ofTag(
      "a case in JSON that rows may have", "MC2634", at: "var build",
      then: build("var level: Level", "low, mid"),
      mistake: build("var level: Level", "low"), mend: build("var level: Level", "low, mid, high")),
    ofTag(
      "a key in JSON that is another one now", "MC2617", at: "var steps", then: keyed("text", "x"),
      mistake: keyed("text", "y"), mend: keyed("words", "x")),
    ofTag(
      "a key of an optional member that is another one now", "MC2617", at: "var steps",
      then: keyed("text", "x", "String?"), mistake: keyed("text", "y", "String?"),
      mend: keyed("words", "x", "String?")),
    ofTag(
      "a member that has a key no more", "MC2617", at: "var steps", then: keyed("text", "x"),
      mistake: steps("var text: String"), mend: keyed("text", "x")),
    ofTag(
      "a case with values in an array under another name", "MC2634", at: "var shapes",
      then: shapes("round(radius: Double)"), mistake: shapes("circle(radius: Double)"),
      mend: shapes(
        "circle(radius: Double); enum CodingKeys: String, CodingKey { case circle = \"round\", none }")),
    ofTag(
      "a case with values in an array that is gone", "MC2634", at: "var shapes",
      then: shapes("round(Int); case flat"), mistake: shapes("flat"), mend: shapes("flat; case round")),
    ofTag(
      "a case in an array that no code of its own reads", "MC2634", at: "var shapes", then: shapes("flat"),
      mistake: shapes("thin"),
      mend: shapes("thin; init(from decoder: any Decoder) throws { self = .thin }")),
    ofTag(
      "a case in an array that holds a value now", "MC2617", at: "var shapes", then: shapes("flat"),
      mistake: shapes("flat(Int)"), mend: shapes("flat(width: Int?)")),
    ofTag(
      "what a case under a key of its own holds", "MC2617", at: "var shapes",
      then: shapes("round(radius: Double); enum CodingKeys: String, CodingKey { case none, round = \"r\" }"),
      mistake: shapes(
        "circle(size: Double); enum CodingKeys: String, CodingKey { case none, circle = \"r\" }"),
      mend: shapes(
        "circle(size: Double); enum CodingKeys: String, CodingKey { case none, circle = \"r\" }; "
          + "enum CircleCodingKeys: String, CodingKey { case size = \"radius\" }")),
    ofTag(
      "numbers in JSON that may be below zero", "MC2617", at: "var steps", then: steps("var size: Int"),
      mistake: steps("var size: UInt"), mend: steps("var size: Int64")),
    ofTag(
      "a small number in JSON that has a sign no more", "MC2617", at: "var steps",
      then: steps("var size: Int8"), mistake: steps("var size: UInt8"), mend: steps("var size: Int16")),
    ofTag(
      "a number in JSON that gains a sign", "MC2617", at: "var steps", then: steps("var size: UInt16"),
      mistake: steps("var size: Int16"), mend: steps("var size: Int32")),
    ofTag(
      "numbers in JSON that are rounded", "MC2617", at: "var steps",
      then: steps("var size: Double; var all: [Int]"), mistake: steps("var size: Float; var all: [Int]"),
      mend: steps("var size: Decimal; var all: [Double]")),
    ofTag(
      "numbers of an array in JSON that may be below zero", "MC2617", at: "var steps",
      then: steps("var all: [Int]"), mistake: steps("var all: [UInt]"), mend: steps("var all: Set<Int>")),
    ofTag(
      "numbers that may be below zero", "MC2617", at: "var size", then: base + "; var size: Int = 0",
      mistake: base + "; var size: UInt = 0", mend: base + "; var size: Int64 = 0"),
    ofTag(
      "a small number that gains a sign", "MC2617", at: "var size", then: base + "; var size: UInt8 = 0",
      mistake: base + "; var size: Int8 = 0", mend: base + "; var size: Int16 = 0"),
    ofTag(
      "a number of a struct with columns that has a sign no more", "MC2617", at: "var spot",
      then: base + "; var spot: Spot?; struct Spot: Codable { var size: Int16 }",
      mistake: base + "; var spot: Spot?; struct Spot: Codable { var size: UInt8 }",
      mend: base + "; var spot: Spot?; struct Spot: Codable { var size: Int16; var more: Int? }"),
    ofTag(
      "a large number that has a sign now, and one that has none", "MC2617", at: "var size",
      then: base + "; var all: UInt64 = 0; var size: Int64 = 0",
      mistake: base + "; var all: Int64 = 0; var size: UInt64 = 0",
      mend: base + "; var all: Int = 0; var size: Int = 0"),
    ofTag(
      "bytes that are a struct now", "MC2617", at: "var blob", then: base + "; var blob: Data?",
      mistake: base + "; @Attribute(.codable) var blob: Spot?; struct Spot: Codable { var lat: Double }",
      mend: base + "; @Attribute(.codable) var spot: Spot?; struct Spot: Codable { var lat: Double }"
        + "; var blob: Data?"),
    ofTag(
      "a value of another type of Foundation's", "MC2617", at: "var place",
      then: base + "; var place: CGPoint?", mistake: base + "; var place: Locale?",
      mend: base + "; var place: CGPoint?; var locale: Locale?"),
    ofTag(
      "a struct stored by its Codable under another name", "MC2617", at: "var spot",
      then: base + "; @Attribute(.codable) var spot: Spot?; struct Spot: Codable { var lat: Double }",
      mistake: base + "; @Attribute(.codable) var spot: Mood?; enum Mood: String, Codable { case sad }",
      mend: base + "; @Attribute(.codable) var spot: Place?; struct Place: Codable { var lat: Double }"),
    ofTag(
      "a member in JSON that is read, where a constant is not", "MC2617", at: "var steps",
      then: steps("var text: String"), mistake: steps("var text: String; var b: Int = 3"),
      mend: steps("var text: String; let b = 3")),
    ofTag(
      "a text in JSON that is an enum now", "MC2617", at: "var build", then: build("var level: String"),
      mistake: build("var level: Level"), mend: build("var level: String; var rank: Level?")),
    ofTag(
      "a case whose number is another one's", "MC2634", at: "var rank", then: rank("low, high"),
      mistake: rank("low, mid, high"), mend: rank("low, mid = 2, high = 1")),
    ofTag(
      "cases that were swapped", "MC2634", at: "var rank", then: rank("low, high"),
      mistake: rank("high, low"),
      mend: rank("low, top")),
    ofTag(
      "a struct whose property has another name", "MC3204", at: "var area", then: place("var place"),
      mistake: place("var area"), mend: place("@Attribute(originalName: \"place\") var area")),
    ofTag(
      "an array of the class whose rows may have nil", "MC2617", at: "var all",
      then: base + "; var all: [Int?] = []", mistake: base + "; var all: [Int] = []",
      mend: base + "; var all: [Int?] = []; var some: [Int]?"),
    ofTag(
      "an array in JSON whose rows may have nil", "MC2617", at: "var steps",
      then: steps("var all: [String: [Int?]]"), mistake: steps("var all: [String: [Int]]"),
      mend: steps("var all: [String: [Int?]?]")),
    ofTag(
      "a member of a generic struct in an array", "MC2617", at: "var boxes", then: boxes("var name: String?"),
      mistake: boxes("var name: String"), mend: boxes("var name: String?; var more: [T]?")),
    ofTag(
      "what a generic struct under another name holds", "MC2617", at: "var boxes",
      then: boxes("var name: String?", "IntBox") + "; typealias IntBox = Box<Int>",
      mistake: boxes("var name: String?", "IntBox") + "; typealias IntBox = Box<String>",
      mend: boxes("var name: String?", "Box<Int>")),
    ofTag(
      "a dictionary in JSON whose keys are texts now", "MC2617", at: "var build",
      then: build("var level: [Level: Int]"), mistake: build("var level: [String: Int]"),
      mend: build("var level: [Level: Double]")),
    ofTag(
      "a case of a dictionary's keys", "MC2634", at: "var build",
      then: build("var level: [Level: Int]"), mistake: build("var level: [Level: Int]", "low"),
      mend: build("var level: [Level: Int]", "low, high, top")),
    ofTag(
      "a struct in an array that is its raw value now", "MC2617", at: "var tags", then: tags("Codable"),
      mistake: tags("Codable, RawRepresentable"), mend: tags("Codable, Hashable")),
    ofTag(
      "a struct with columns that is its raw value now", "MC2617", at: "var tags",
      then: tags("Codable", "Tag"), mistake: tags("RawRepresentable, Codable", "Tag"),
      mend: tags("Codable, Hashable", "Tag")),
    ofTag(
      "a raw value by code of its own of another type", "MC2617", at: "var tags",
      then: tags("Codable, RawRepresentable"),
      mistake: tags("Codable, RawRepresentable").replacing("rawValue: String", with: "rawValue: Int"),
      mend: tags("Codable, RawRepresentable") + "; extension Tag { var other: Int { 1 } }"),
    ofTag(
      "an enum that must have a case now", "MC2617", at: "var mood", then: kind("Mood?"),
      mistake: kind("Mood"), mend: kind("Mood?") + "; var more: Mood?"),
    ofTag(
      "an enum with raw values that must have one now", "MC2617", at: "var mood",
      then: kind("Mood?", "Int, "),
      mistake: kind("Mood", "Int, "), mend: kind("Mood?", "Int, ") + "; var more: Mood?"),
    ofTag(
      "an optional member in JSON under another name", "MC2634", at: "var steps",
      then: steps("var text: String; var note: String?"),
      mistake: steps("var text: String; var remark: String?"),
      mend: steps(
        "var text: String; var remark: String?; "
          + "enum CodingKeys: String, CodingKey { case text, remark = \"note\" }"
      )),
    ofTag(
      "a required member in JSON under another name", "MC2617", at: "var steps",
      then: steps("var text: String"), mistake: steps("var words: String"),
      mend: steps("var words: String; enum CodingKeys: String, CodingKey { case words = \"text\" }")),
    ofTag(
      "a member in JSON that is gone", "MC2634", at: "var steps",
      then: steps("var text: String; var size: Int?"), mistake: steps("var text: String"),
      mend: steps("var text: String; var size: Int?; var more: Int?")),
    ofTag(
      "a member with a column that is gone", "MC2634", at: "var place", then: place("var place"),
      mistake: place("var place").replacing("; var height = 0.0", with: ""),
      mend: place("var place").replacing("; var height = 0.0", with: "; var height = 0.0; var town: String?")),
    ofTag(
      "a class that no container lists any more", "MC7008", at: "class Draft",
      then: containers("Trip.self, Draft.self"),
      mistake: containers("Trip.self"), mend: containers("Schema([Draft.self, Trip.self])")),
    ofTag(
      "classes in a file of another name", "MC7008", at: "class Trip", then: containers(kept("trips")),
      mistake: containers(kept("main")),
      mend: containers(
        kept("trips").replacing(
          "\"trips\"", with: "url: URL.applicationSupportDirectory.appending(path: \"trips.store\")"))),
    ofTag(
      "classes in a file of another folder", "MC7008", at: "class Trip", then: containers(url("a/trips")),
      mistake: containers(url("b/trips")), mend: containers(url("a/trips") + ", ModelConfiguration(\"b\")")),
    ofTag(
      "a class in the file of another configuration", "MC7008", at: "class Draft",
      then: containers(parted("Draft.self", "Trip.self")),
      mistake: containers(parted("Tag.self", "Trip.self, Draft.self")),
      mend: containers(parted("Draft.self, Tag.self", "Trip.self"))),
    ofTag(
      "a case with a number that is written otherwise", "MC2634", at: "var pace",
      then: pace("slow = 0.5, fast = 1"), mistake: pace("slow = 0.50"), mend: pace("slow = 0.50, fast = 1.0")),
    ofTag(
      "an enum under another name", "MC2615", at: "var kind", then: mood("happy, sad"),
      mistake: mood("happy, sad").replacing(
        "var mood:", with: "@Attribute(originalName: \"mood\") var kind:"),
      mend: mood("happy, sad") + "; var kind: Mood { mood }"),
    ofTag(
      "another transformer", "MC7007", at: "var color", then: color("First"), mistake: color("Second"),
      mend: color("First") + "; var more: Int?"),
    ofTag(
      "bytes that a transformer is to read", "MC3114", at: "var color", then: base + "; var color: Data?",
      mistake: color("First"), mend: base + "; var color: Data?; var more: Int?"),
    ofTag(
      "a deletion that reaches further", "MC7018", at: "var drafts", then: drafts(""),
      mistake: drafts("deleteRule: .cascade, "), mend: drafts("deleteRule: .nullify, ")),
    ofTag(
      "another name in a store that CloudKit mirrors", "MC7012", at: "var total",
      then: mirrored("var count: Int = 0"),
      mistake: mirrored("@Attribute(originalName: \"count\") var total: Int = 0"),
      mend: mirrored("var count: Int = 0; var total: Int?")),
    ofTag(
      "a field that CloudKit has is encrypted now", "MC7012", at: "var count",
      then: mirrored("var count: Int?"),
      mistake: mirrored("@Attribute(.allowsCloudEncryption) var count: Int?"),
      mend: mirrored("var count: Int?; @Attribute(.allowsCloudEncryption) var total: Int?")),
    ofTag(
      "fewer objects than rows may have", "MC7019", at: "var drafts", then: drafts(""),
      mistake: drafts("maximumModelCount: 3, "), mend: drafts("minimumModelCount: 0, ")),
    ofTag(
      "one object at least where rows may have none", "MC3102", at: "var drafts", then: drafts(""),
      mistake: drafts("minimumModelCount: 1, "), mend: drafts("minimumModelCount: 0, ")),
    ofTag(
      "unique, and an expression gives every row one value", "MC3104", at: "var code", then: base,
      mistake: base + "; @Attribute(.unique) var code: String = UUID().uuidString",
      mend: base + "; var code: String?"),
    ofTag(
      "unique by two defaults", "MC3104", at: "var a", then: base,
      mistake: base + "; #Unique<Trip>([\\.a, \\.b]); var a: Int = 0; var b: String = \"\"",
      mend: base + "; var a: Int = 0; var b: String = \"\""),
    ofTag(
      "unique by a property and a default", "MC2635", at: "class Trip", then: base,
      mistake: base + "; #Unique<Trip>([\\.name, \\.b]); var b: String = \"\"",
      mend: base + "; var b: String = \"\""),
    ofTag(
      "unique, and rows without a value get the default", "MC2635", at: "var code",
      then: base + "; @Attribute(.unique) var code: String?",
      mistake: base + "; @Attribute(.unique) var code: String = \"\"",
      mend: base + "; var code: String?"),
    ofTag(
      "an optional struct that is required now", "MC2631", at: "var spot", then: spot("?"),
      mistake: spot(" = Spot()"), mend: spot("?") + "; var more: Int?"),
    Self(
      name: "a class under another name", kind: .inferred, code: "MC2637", line: "class Journey", then: base,
      mistake: base,
      mend: base, changes: [("class Trip", "class Journey")]),
  ]
}
