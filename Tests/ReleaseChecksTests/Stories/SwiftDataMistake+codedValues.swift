extension SwiftDataMistake {
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

  private static func columns(_ members: String) -> String {
    base + "; var place: Place?; struct Place: Codable { var \(members) }"
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

  /// Generic structs in an array.
  private static func boxes(_ member: String, _ type: String = "Box<Int>") -> String {
    base + "; var boxes: [\(type)] = []; struct Box<T: Codable>: Codable { var value: T; \(member) }"
  }

  private static func tags(_ protocols: String, _ type: String = "[Tag]") -> String {
    base + "; var tags: \(type); struct Tag: \(protocols) { var rawValue: String }"
  }

  /// In structs, enums and classes of values that are stored by their coding.
  static let inCodedValues: [Self] = [
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
      "bytes that are a struct now", "MC2617", at: "var blob", then: base + "; var blob: Data?",
      mistake: base + "; @Attribute(.codable) var blob: Spot?; struct Spot: Codable { var lat: Double }",
      mend: base + "; @Attribute(.codable) var spot: Spot?; struct Spot: Codable { var lat: Double }"
        + "; var blob: Data?"),
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
      "a member with a column that has no key any more", "MC2617", at: "var place",
      then: columns("x: Int; var y: Int = 0; let form = 1"),
      mistake: columns("x: Int; var y: Int = 0; let form = 1; enum CodingKeys: CodingKey { case x }"),
      // Xcode advises to leave a `let` with a value out.
      mend: columns("x: Int; var y: Int = 0; let form = 1; enum CodingKeys: CodingKey { case x, y }")),
  ]
}
