extension SwiftDataMistake {
  private static func places(_ text: String) -> String {
    "\(text); struct Place: Codable { var name: String }"
  }

  private static func mood(_ cases: String) -> String {
    base + "; var mood: Mood = Mood.happy; var then: Mood?; enum Mood: String, Codable { case \(cases) }"
  }

  private static func pace(_ cases: String) -> String {
    base + "; var pace: Pace = Pace.slow; enum Pace: Double, Codable { case \(cases) }"
  }

  private static func place(_ property: String) -> String {
    base + "; \(property): Place = Place(); struct Place: Codable { var name = \"\"; var height = 0.0 }"
  }

  /// Two classes beside the trip.
  private static func car(_ parent: String, _ more: String = "") -> String {
    "; init() {} }; @Model class Vehicle { var wheels: Int = 4; init() {} }; "
      + "@Model final class Car\(parent) { \(more)var doors: Int = 5"
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

  /// In properties and their columns, in classes, and in what containers keep.
  static let inProperties: [Self] = [
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
      "a measurement of another quantity", "MC2617", at: "var size",
      then: base + "; var size: Measurement<UnitLength>?",
      mistake: base + "; var size: Measurement<UnitMass>?",
      mend: base + "; var size: Measurement<UnitLength>?; var mass: Measurement<UnitMass>?"),
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
      "a value of another type of Foundation's", "MC2617", at: "var place",
      then: base + "; var place: CGPoint?", mistake: base + "; var place: Locale?",
      mend: base + "; var place: CGPoint?; var locale: Locale?"),
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
      "an enum that must have a case now", "MC2617", at: "var mood", then: kind("Mood?"),
      mistake: kind("Mood"), mend: kind("Mood?") + "; var more: Mood?"),
    ofTag(
      "an enum with raw values that must have one now", "MC2617", at: "var mood",
      then: kind("Mood?", "Int, "),
      mistake: kind("Mood", "Int, "), mend: kind("Mood?", "Int, ") + "; var more: Mood?"),
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
