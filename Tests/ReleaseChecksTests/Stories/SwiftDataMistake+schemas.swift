extension SwiftDataMistake {
  /// In schemas and plans, and in schemas that a tag shipped.
  static let inSchemas: [Self] = [
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
      "a fetch of the newer class before the step", "MC2644", at: "FetchDescriptor",
      [
        (
          ".lightweight(fromVersion: V1.self, toVersion: V2.self)",
          ".custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: { work(try $0.fetch(FetchDescriptor<V2.Trip>())) }, didMigrate: nil)"
        )
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
          ".custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: { try $0.save() }, didMigrate: nil)"
        )
      ]),
    ofPlan(
      "one UUID for every row, and no work after it", "MC2636", at: "var code",
      mistake: base + "; var code: UUID = UUID()", mend: base + "; var code: UUID?",
      [
        (
          ".lightweight(fromVersion: V1.self, toVersion: V2.self)",
          ".custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: nil, didMigrate: { _ in })"
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
  ]
}
