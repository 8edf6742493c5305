import Foundation
import GRDB
import ManagedModel
import ModelMigration
import ReleaseChecks
import TestSupport
import Testing

@testable import ManagedModel

/// A member of a composite is treated as an attribute is: carried, converted, given its default, refused, counted.
@Suite("Members of composites") struct CompositeTests {
  private static func model(
    _ members: String, kind: String = "composite", others: String = "", name: String = "Address"
  ) -> String {
    """
    entities:
      Person:
        attributes:
          name: string?
          home: {type: \(kind), composite: \(name)}
    \(others.isEmpty ? "" : "      \(others)\n")composites:
      \(name): {\(members)}
    """
  }

  private static let old =
    model("street: string?, zip: integer32 = 0, place: Place", kind: "composite")
    .replacing("place: Place", with: "place: {type: composite, composite: Place}")
    + "\n  Place: {city: string?, land: string?}"

  private static func new(_ address: String, _ place: String = "city: string?, land: string?") -> String {
    model("\(address), place: {type: composite, composite: Place}") + "\n  Place: {\(place)}"
  }

  private let people = objects(
    "Person",
    [
      "name": .string("a"), "home.street": .string("Elm St"), "home.zip": .integer(123_456),
      "home.place.city": .string("Bern"), "home.place.land": .string("CH"),
    ],
    ["name": .string("b"), "home.zip": .integer(7), "home.place.land": .string("AT")])

  private func outcome(
    _ new: String, mapping: String? = nil, allowing losses: Set<AcceptedLoss> = [],
    _ route: RouteRequest = .auto
  ) throws -> CustomTrial.Outcome {
    var trial = try CustomTrial([Self.old, new], mappings: mapping.map { [$0] } ?? [])
    trial.options.acceptedLosses = losses
    trial.options.route = route
    return try trial.run(people)
  }

  private func refusals(_ new: String, mapping: String? = nil) throws -> [String] {
    do {
      _ = try outcome(new, mapping: mapping)
      return []
    } catch let error as MigrationRefusedError {
      return error.plan.diagnostics.filter { $0.severity == .error }.map {
        "\($0.code) \($0.subject?.entity ?? "").\($0.subject?.property ?? "")"
      }
    }
  }

  @Test func `a new struct that the app makes is one finding, about its property`() throws {
    func version(_ spot: [AttributeDescription]) -> ManagedObjectModel {
      var model = ManagedObjectModel(entities: [
        EntityDescription(
          name: "Item",
          attributes: [AttributeDescription(name: "name", type: .string, isOptional: true)] + spot)
      ])
      model.composites = [
        CompositeDescription(
          name: "Point",
          elements: ["x", "y"].map { AttributeDescription(name: $0, type: .double, isOptional: $0 == "y") })
      ]
      model.editorSettings.usedWithSwiftData = true
      return model
    }
    let spot = AttributeDescription(
      name: "spot", type: .composite, defaultValue: .evaluated(.unknown), compositeName: "Point")
    let model = versionedModel([version([]), version([spot])])
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[0], objects: [ManagedObject("Item", 1)])
      let error = #expect(throws: MigrationRefusedError.self) {
        try migrateStore(at: store.url.path, models: [model], options: MigrationOptions())
      }
      let refused = error?.plan.diagnostics.filter { $0.severity == .error } ?? []
      #expect(refused.map { "\($0.code) \($0.subject?.property ?? "")" } == ["MC3101 spot"])
      // The app has the value, and Core Data migrates.
      #expect(refused.map(\.cocoaCode) == [nil])
    }
  }

  @Test(arguments: [RouteRequest.inPlace, .clone])
  func `what stays is carried, what is renamed too, what is new has its default`(_ route: RouteRequest) throws
  {
    let outcome = try outcome(
      Self.new(
        "road: {type: string?, renamingIdentifier: street}, zip: integer64 = 0, floor: integer16 = 3",
        "town: {type: string?, renamingIdentifier: city}, land: string = XX"), route)
    #expect(outcome.report.plan.losses == [])
    #expect(outcome.texts("Person", "home.road") == ["Elm St", "-"])
    #expect(outcome.texts("Person", "home.zip") == ["123456", "7"])
    #expect(outcome.texts("Person", "home.floor") == ["3", "3"])
    #expect(outcome.texts("Person", "home.place.town") == ["Bern", "-"])
    #expect(outcome.texts("Person", "home.place.land") == ["CH", "AT"])
  }

  @Test func `a member that becomes required takes its default for nil`() throws {
    let outcome = try outcome(Self.new("street: string = none, zip: integer32 = 0"))
    #expect(outcome.texts("Person", "home.street") == ["Elm St", "none"])
  }

  @Test func `a member that goes is a loss by name and number`() throws {
    let next = Self.new("zip: integer32 = 0", "land: string?")
    #expect(try refusals(next).sorted() == ["MC3111 Person.home.place.city", "MC3111 Person.home.street"])
    let retired = next + "\nretired: [Person.home]"
    let outcome = try outcome(retired)
    #expect(outcome.report.plan.losses.map(\.count) == [1, 1])
    #expect(outcome.texts("Person", "home.zip") == ["123456", "7"])
  }

  @Test func `narrowing, another type and a new requirement are told as for attributes`() throws {
    #expect(try refusals(Self.new("street: string?, zip: integer16 = 0")) == ["MC3109 Person.home.zip"])
    #expect(try refusals(Self.new("street: string?, zip: string?")) == ["MC3103 Person.home.zip"])
    #expect(
      try refusals(Self.new("street: string?, zip: integer32 = 0, floor: integer16"))
        == ["MC3101 Person.home.floor"])
    #expect(try refusals(Self.new("street: string, zip: integer32 = 0")) == ["MC3101 Person.home.street"])
  }

  @Test func `a composite that becomes a plain value is refused, and so is the reverse`() throws {
    let plain = "entities:\n  Person:\n    attributes: {name: string?, home: string?}"
    #expect(try refusals(plain).contains("MC3103 Person.home"))
  }

  @Test func `without its composite every value of it is lost`() throws {
    let gone = "entities:\n  Person:\n    attributes: {name: string?}"
    #expect(
      try refusals(gone).sorted() == [
        "MC3111 Person.home.place.city", "MC3111 Person.home.place.land", "MC3111 Person.home.street",
        "MC3111 Person.home.zip",
      ])
  }

  @Test func `a mapping names members, and reads them`() throws {
    let outcome = try outcome(
      Self.new("label: string?, zip: integer32 = 0", "city: string?, land: string = XX"),
      mapping: """
        entityMappings:
          PersonToPerson:
            source: Person
            destination: Person
            attributes:
              home.label: coalesce($source.home.street, 'none')
              home.place.land: $source.home.place.land
        """)
    #expect(outcome.report.plan.losses == [])
    #expect(outcome.texts("Person", "home.label") == ["Elm St", "none"])
    #expect(outcome.texts("Person", "home.place.land") == ["CH", "AT"])
    #expect(outcome.texts("Person", "home.place.city") == ["Bern", "-"])
  }

  @Test func `a mapping takes a composite as a whole, under another name too`() throws {
    let moved = Self.model("street: string?, zip: integer64 = 0, note: string = none", name: "Place")
      .replacing("home:", with: "office:")
    let mapping = """
      drops: [Person.home.place]
      entityMappings:
        PersonToPerson:
          source: Person
          destination: Person
          attributes: {office: $source.home}
      """
    let outcome = try outcome(moved, mapping: mapping)
    #expect(outcome.texts("Person", "office.street") == ["Elm St", "-"])
    #expect(outcome.texts("Person", "office.zip") == ["123456", "7"])
    #expect(outcome.texts("Person", "office.note") == ["none", "none"])
    #expect(outcome.report.plan.losses.map(\.property) == ["home.place.city", "home.place.land"])
    let undropped = mapping.split(separator: "\n").dropFirst().joined(separator: "\n")
    #expect(try refusals(moved, mapping: undropped).allSatisfy { $0.hasPrefix("MC3111 Person.home.place") })
  }

  @Test func `a mapping that computes a composite is told to write its members`() throws {
    let mapping = """
      entityMappings:
        PersonToPerson: {source: Person, destination: Person, attributes: {home: $source.name}}
      """
    #expect(try refusals(Self.old, mapping: mapping).allSatisfy { $0.hasPrefix("MC4") })
  }

  @Test func `the account of a migrated store sees members`() throws {
    let trial = try CustomTrial([Self.old, Self.new("street: string?, zip: integer32 = 0")])
    try withTemporaryFolder { folder in
      let store = try trial.store(people, in: folder)
      let before = try store.copy(named: "before.sqlite")
      try trial.migrate(store)
      func findings() throws -> [String] {
        try before.read { old in
          try store.read { new in
            try compareStores(
              before: old, at: before.url.path, after: new, at: store.url.path, models: [trial.model]
            ).diagnostics.filter { $0.severity == .error }.map { $0.message }
          }
        }
      }
      #expect(try findings() == [])
      try store.write { try $0.execute(sql: "UPDATE ZPERSON SET ZSTREET = 'x' WHERE Z_PK = 1") }
      #expect(try findings().contains { $0.contains("home.street") })
    }
  }
}
