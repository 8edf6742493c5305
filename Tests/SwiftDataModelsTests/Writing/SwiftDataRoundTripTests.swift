import ManagedModel
import SwiftDataModels
import TestSupport
import Testing

@Suite("Models become source for SwiftData and come back", .readsSwift)
struct SwiftDataRoundTripTests {
  /// The others have a fact that SwiftData cannot express, which a finding names with what it does to the hash.
  @Test(.needsFixtures) func `every genuine version has its hashes, or a reason`() throws {
    var equal = 0
    var reasons: [String: Int] = [:]
    for (path, model) in GenuineModels.all {
      let source = model.swiftDataSource()
      let read = try readBack(source)
      #expect(read.versions.count == model.versions.count, "\(path)")
      for (version, back) in zip(model.versions, read.versions) {
        let hashes = version.model.entityVersionHashesByName
        #expect(
          back.entityVersionHashesByName == version.model.expressible.entityVersionHashesByName,
          "\(path) \(version.name)")
        let changing = source.diagnostics.filter {
          $0.subject?.version == version.name
            && $0.notes.contains { $0.message.hasPrefix("it changes the version hash") }
        }
        #expect((back.entityVersionHashesByName == hashes) == changing.isEmpty, "\(path) \(version.name)")
        if changing.isEmpty { equal += 1 }
        for kind in Set(changing.compactMap { $0.subject?.key ?? "part" }) { reasons[kind, default: 0] += 1 }
      }
    }
    let count = GenuineModels.all.reduce(0) { $0 + $1.model.versions.count }
    print("round trip: \(equal) of \(count) versions have equal hashes; the others' reasons: \(reasons)")
    #expect(equal > count / 2 && count > 200)
  }

  @Test func `every fact that SwiftData can say comes back`() throws {
    let written = try model(
      """
      composites: {Place: {lat: double, lon: double?}}
      entities:
        Trip:
          attributes:
            name: {type: string, default: "a \\"b\\""}
            code: {type: integer64, renamingIdentifier: number, versionHashModifier: two}
            small: integer16
            photo: {type: binary?, externalStorage: true}
            secret: {type: string?, cloudEncryption: true, spotlight: true, preserveAfterDeletion: true}
            draft: {type: boolean?, transient: true}
            price: {type: decimal, default: 1.10}
            since: {type: date, default: 2024-05-01T00:00:00Z}
            link: uri?
            id: uuid
            place: {type: composite, composite: Place}
            color: {type: transformable?, transformer: ColorTransformer}
          relationships:
            stops: {toMany: Stop, inverse: trip, deleteRule: cascade, min: 1, max: 9}
            first: {to: Stop, inverse: firstOf, renamingIdentifier: start, versionHashModifier: x}
            others: {toMany: Trip, inverse: otherOf}
            otherOf: {toMany: Trip, optional: false, inverse: others}
          uniquenessConstraints: [[name], [code, small]]
          fetchIndexes: {byCode: [code, name]}
        Stop:
          relationships: {trip: {to: Trip, optional: false, inverse: stops, deleteRule: deny}, firstOf: {to: Trip, inverse: first}}
        Detour: {parent: Stop, attributes: {length: float}}
      """)
    let source = written.swiftDataSource()
    #expect(source.diagnostics.map(\.message) == [])
    let back = try #require(try readBack(source).currentVersion)
    #expect(back.entityVersionHashesByName == written.currentVersion?.entityVersionHashesByName)
    let trip = try #require(back.model.entities.first { $0.name == "Trip" })
    let own = try #require(written.currentVersion?.model.entities.first { $0.name == "Trip" })
    #expect(trip.uniquenessConstraints == own.uniquenessConstraints)
    #expect(trip.fetchIndexes.map(\.elements) == own.fetchIndexes.map(\.elements))
    #expect(trip.relationships.map(\.deleteRule) == own.relationships.map(\.deleteRule))
    #expect(trip.relationships.map(\.renamingIdentifier) == own.relationships.map(\.renamingIdentifier))
    for (read, attribute) in zip(trip.attributes, own.attributes) {
      #expect(read.typedDefaultValue == attribute.typedDefaultValue, "\(attribute.name)")
      #expect(read.renamingIdentifier == attribute.renamingIdentifier, "\(attribute.name)")
      #expect(read.allowsCloudEncryption == attribute.allowsCloudEncryption, "\(attribute.name)")
      #expect(read.isIndexedBySpotlight == attribute.isIndexedBySpotlight, "\(attribute.name)")
      #expect(read.valueTransformerName == attribute.valueTransformerName, "\(attribute.name)")
      #expect(read.isTransient == attribute.isTransient, "\(attribute.name)")
    }
  }

  @Test func `types of other modules come with the imports that may have them`() throws {
    let classes = "@Model final class Trip { var place: CLLocationCoordinate2D?; init() {} }"
    let model = try #require(readSource("import CoreLocation\nimport SwiftUI\n" + classes).model)
    let imports = "import Foundation\nimport SwiftData\nimport CoreLocation\n\n"
    #expect(model.swiftDataSource().file.hasPrefix(imports))
    #expect(model.swiftDataSource().parts.first?.file.hasPrefix(imports) == true)
    let plain = readSource(classes.replacingBytes(of: "CLLocationCoordinate2D", with: "Int")).model
    #expect(plain?.swiftDataSource().file.hasPrefix("import Foundation\nimport SwiftData\n\n") == true)
  }

  @Test func `the app's own classes are listed with the types around them`() throws {
    func current(_ more: String) throws -> ModelVersion {
      let text = "@Model final class Day { var n = 0; \(more)\n init() {} }"
      return try #require(readSource(text).model?.currentVersion)
    }
    let shape = FrozenSchemas.Shape(version: try current(""), stores: "v1", tag: "v1")
    let nested = "var breaks: [Break] = []\n @Model final class Break { var n = 0; init() {} }"
    let file = try FrozenSchemas([shape], current: current(nested), takenNames: []).source.file
    #expect(file.contains("[Day.self, Day.Break.self]"))
  }

  @Test func `a name that every class has already stays where the source has it`() throws {
    let text = """
      struct Mark: Codable { var hash: String }
      @Model final class Thing { var isDeleted = false; var hasChanges = false; var mark: Mark?; init() {} }
      """
    let model = try #require(readSource(text).model)
    let back = try readBack(model.swiftDataSource())
    #expect(
      back.currentVersion?.entityVersionHashesByName == model.currentVersion?.entityVersionHashesByName)
  }

  @Test func `a frozen plan lists nested schemas with the types around them`() throws {
    func schema(_ number: Int, _ more: String) -> String {
      """
      enum V\(number): VersionedSchema {
        static let versionIdentifier = Schema.Version(\(number), 0, 0)
        static var models: [any PersistentModel.Type] { [Item.self] }
        @Model final class Item { var title: String = ""; \(more)init() {} }
      }
      """
    }
    let source = "enum Store {\n\(schema(1, ""))\n\(schema(2, "var a: Int = 0; "))\n}"
    let model = try #require(readSource(source).model)
    let shape = FrozenSchemas.Shape(version: model.versions[0], stores: "v1", tag: "v1")
    let file = FrozenSchemas([shape], current: model.versions[1], of: model, takenNames: []).source.file
    #expect(file.contains("[Schema_v1.self, Store.V2.self]"))
    #expect(file.contains("toVersion: Store.V2.self") && !file.contains("enum Store"))
  }

  /// What the app's plan does between two shapes is no lightweight stage of the frozen plan.
  @Test func `a frozen plan keeps custom stages, also over schemas that were never shipped`() throws {
    func schema(_ number: Int, _ members: String) -> String {
      """
      enum V\(number): VersionedSchema {
        static let versionIdentifier = Schema.Version(\(number), 0, 0)
        static var models: [any PersistentModel.Type] { [Item.self] }
        @Model final class Item { var title: String = ""; \(members); init() {} }
      }

      """
    }
    let source =
      schema(1, "var a: Int = 0") + schema(2, "var b: Int = 0") + schema(3, "var c: Int = 0")
      + schema(4, "var d: Int = 0") + """
        enum Plan: SchemaMigrationPlan {
          static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self, V3.self, V4.self] }
          static var stages: [MigrationStage] {
            [
              .lightweight(fromVersion: V1.self, toVersion: V2.self),
              .custom(fromVersion: V2.self, toVersion: V3.self, willMigrate: { _ in }, didMigrate: nil),
              .lightweight(fromVersion: V3.self, toVersion: V4.self),
            ]
          }
        }
        """
    let model = try #require(readSource("import SwiftData\n" + source).model)
    let current = try #require(model.currentVersion)
    let shapes = [0, 2].map {
      FrozenSchemas.Shape(version: model.versions[$0], stores: "v\($0 + 1)", tag: "v\($0 + 1)")
    }
    let frozen = FrozenSchemas(shapes, current: current, of: model, takenNames: [])
    #expect(frozen.stages == ["V2 to V3"])
    let plan = try #require(frozen.source.parts.last?.file)
    #expect(
      plan.contains(
        """
                    // move here what the app's plan does from V2 to V3
                    .custom(fromVersion: Schema_v1.self, toVersion: Schema_v3.self, willMigrate: nil, didMigrate: nil),
                    .lightweight(fromVersion: Schema_v3.self, toVersion: V4.self),
        """))
    #expect(!plan.contains("public"))
    // Containers of other modules take it where they took the app's plan, also when it is written anew.
    let shared = readSource(source.replacingBytes(of: "enum Plan", with: "public enum Plan")).model
    let file = FrozenSchemas(shapes, current: current, of: shared, takenNames: []).source.file
    #expect(file.contains("\npublic enum FrozenMigrationPlan: SchemaMigrationPlan {\n    public static var "))
    #expect(file.contains("\n    public static var stages: ") && readSource(file).model?.isPublic == true)
  }
}
