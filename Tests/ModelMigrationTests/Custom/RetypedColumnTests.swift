import Foundation
import GRDB
import ManagedModel
import ModelMigration
import TestSupport
import Testing

/// Columns that get another type where they stand, and written mappings that say no more than statements can do.
@Suite("Columns of another type")
struct RetypedColumnTests {
  private static let first = """
    entities:
      Hut:
        attributes: {name: string?, beds: integer32 = 0, area: integer16?}
    """

  private let huts: [ManagedObject] = [
    ManagedObject("Hut", 1, values: ["name": .string("A"), "beds": .integer(12), "area": .integer(-3)]),
    ManagedObject("Hut", 2, values: ["beds": .integer(70_000)]),
  ]

  private func migrate(
    _ store: TestStore, _ model: VersionedModel, _ route: RouteRequest, beds expression: String? = nil
  ) throws -> MigrationReport {
    var options = MigrationOptions(acceptedLosses: [.droppedData], keepsBackup: false)
    options.route = route
    let mapping = CustomMappingModel(
      sourceVersionName: "V1", destinationVersionName: "V2",
      entityMappings: [
        CustomEntityMapping(
          name: "HutToHut", sourceEntityName: "Hut", destinationEntityName: "Hut",
          attributeMappings: [CustomPropertyMapping(name: "beds", expression: expression)])
      ])
    return try migrateStore(
      at: store.url.path, models: [model], options: options,
      custom: CustomMigrations(mappingModels: expression == nil ? [:] : [model.name: [mapping]]))
  }

  private func expectSound(_ store: TestStore, beds: [String]) throws {
    try store.read { db in
      #expect(try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"])
      let column = try db.columns(in: "ZHUT").first { $0.name == "ZBEDS" }?.type
      let values = try String.fetchAll(db, sql: "SELECT quote(ZBEDS) FROM ZHUT ORDER BY Z_PK")
      #expect([column ?? "none"] + values == beds)
    }
  }

  @Test(arguments: [RouteRequest.auto, .inPlace, .clone], [true, false])
  func `a number becomes a text by a written mapping, in one pass`(
    route: RouteRequest, isIndexed: Bool
  ) throws {
    let index = isIndexed ? "\n    fetchIndexes: {byBeds: [beds]}" : ""
    let model = try writtenModel(
      Self.first + index, Self.first.replacing("beds: integer32 = 0", with: "beds: string?") + index)
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[0], objects: huts)
      let report = try migrate(store, model, route, beds: "CAST($source.beds, \"NSString\")")
      #expect(report.plan.steps.map(\.isInferred) == [false])
      // An index has keys of the old type, so its column is recreated.
      let drops = report.plan.statements.filter { $0.contains("DROP COLUMN") }.count
      #expect(drops == (isIndexed ? 1 : 0))
      if route == .auto { #expect(report.plan.route != .inPlace) }
      try expectSound(store, beds: ["VARCHAR", "'12'", "'70000'"])
      let found = try store.objects(model.last)
      #expect(found.map { $0.values["area"] } == [.integer(-3), nil])
      #expect(found.map { $0.values["name"] } == [.string("A"), nil])
    }
  }

  @Test(arguments: [RouteRequest.inPlace, .clone])
  func `a number of another type stays in its column`(route: RouteRequest) throws {
    let model = try writtenModel(
      Self.first,
      Self.first.replacing("beds: integer32 = 0", with: "places: {type: double?, renamingIdentifier: beds}"))
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[0], objects: huts)
      let report = try migrate(store, model, route)
      #expect(!report.plan.statements.contains { $0.contains("DROP COLUMN") })
      #expect(
        try store.objects(model.last).map { $0.values["places"] } == [.double(12), .double(70_000)])
      #expect(try store.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") } == ["ok"])
    }
  }

  @Test(arguments: ["$source.name", "CAST($source.beds + 1, \"NSString\")"])
  func `what statements cannot do takes the passes`(expression: String) throws {
    let model = try writtenModel(
      Self.first, Self.first.replacing("beds: integer32 = 0", with: "beds: string?"))
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[0], objects: huts)
      let report = try migrate(store, model, .auto, beds: expression)
      #expect(report.plan.route == .clone && !report.mappings.isEmpty)
    }
  }
}
