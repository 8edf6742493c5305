import ManagedModel
import SwiftDataModels
import Testing

@Suite("Source for SwiftData")
struct SwiftDataSourceTests {
  private static let trips = """
    composites: {Place: {lat: double, name: {type: string, default: here}}}
    entities:
      Trip:
        attributes: {name: string, `default`: {type: integer64, default: 3}, end: date?, place: {type: composite, composite: Place}}
        relationships: {stops: {toMany: Stop, inverse: trip, deleteRule: cascade}}
        uniquenessConstraints: [[name], [name, end]]
        fetchIndexes: {byEnd: [end]}
      Stop:
        attributes: {name: {type: string?, renamingIdentifier: title}}
        relationships: {trip: {to: Trip, inverse: stops}}
      Detour: {parent: Stop, attributes: {length: float}}
    """.replacing("`", with: "")

  @Test func `a version is an enum with its classes`() throws {
    let text = try model(Self.trips).swiftDataSource(only: "V1", comments: ["V1": "Frozen."]).file
    #expect(
      text == #"""
        import Foundation
        import SwiftData

        /// Frozen.
        @available(iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26, *)
        enum AppV1: VersionedSchema {
            static let versionIdentifier = Schema.Version(1, 0, 0)

            static var models: [any PersistentModel.Type] {
                [Trip.self, Stop.self, Detour.self]
            }

            struct Place: Codable, Hashable {
                var lat: Double
                var name: String = "here"
            }

            @Model
            final class Trip {
                #Unique<Trip>([\.name, \.end])
                #Index<Trip>([\.end])

                @Attribute(.unique)
                var name: String
                var `default`: Int = 3
                var end: Date?
                var place: Place
                @Relationship(deleteRule: .cascade, inverse: \Stop.trip)
                var stops: [Stop]?

                init(name: String, place: Place) {
                    self.name = name
                    self.place = place
                }
            }

            @Model
            class Stop {
                @Attribute(originalName: "title")
                var name: String?
                var trip: Trip?

                init() {}
            }

            @Model
            final class Detour: Stop {
                var length: Float

                init(length: Float) {
                    self.length = length
                    super.init()
                }
            }
        }

        """#)
  }

  @Test func `the plan has a stage for each step`() throws {
    var versions = try model(
      "entities: {A: {}}", "entities: {A: {}, B: {}}", "entities: {A: {}, B: {}, C: {}}")
    versions.stages = [
      .custom(
        CustomMigrationStage(
          currentVersionName: "V1", nextVersionName: "V2", willMigrateHandler: "tidy", didMigrateHandler: nil)
      )
    ]
    let work = [["V2", "V3"]: ["names are\nsplit"]]
    let source = versions.swiftDataSource(work: work)
    #expect(source.parts.map(\.name) == ["AppV1", "AppV2", "AppV3", "AppMigrationPlan"])
    #expect(
      source.parts.last?.file == #"""
        import Foundation
        import SwiftData

        enum AppMigrationPlan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] {
                [AppV1.self, AppV2.self, AppV3.self]
            }

            static var stages: [MigrationStage] {
                [
                    // willMigrate: tidy
                    .custom(fromVersion: AppV1.self, toVersion: AppV2.self, willMigrate: nil, didMigrate: nil),
                    // names are\nsplit
                    .custom(fromVersion: AppV2.self, toVersion: AppV3.self, willMigrate: nil, didMigrate: nil),
                ]
            }
        }

        """#)
  }

  @Test(arguments: [
    (["V1", "V3", "V12"], ["MyAppV1", "MyAppV3", "MyAppV12"]),
    (["App", "App 2", "App 3"], ["MyAppV1", "MyAppV2", "MyAppV3"]),
    (["1.0.0", "1.2.0", "1.10"], ["MyAppV1", "MyAppV1_2", "MyAppV1_10"]),
    (["old", "new", "V1"], ["MyAppV1", "MyAppV2", "MyAppV3"]),
    (["V2", "V1"], ["MyAppV1", "MyAppV2"]),
  ]) func `schemas have the numbers of versions that ascend`(_ versions: [String], _ names: [String]) {
    let model = VersionedModel(
      name: "my-app", versions: versions.map { ModelVersion(name: $0, model: ManagedObjectModel()) },
      currentVersionName: versions[0])
    #expect(model.swiftDataSource().parts.map(\.name) == names + ["MyAppMigrationPlan"])
  }

  @Test func `identifiers count before names`() {
    let versions = [("V7", "1.0"), ("V8", "1.1.2")].map { name, identifier in
      ModelVersion(name: name, model: ManagedObjectModel(versionIdentifiers: [identifier]))
    }
    let model = VersionedModel(name: "App", versions: versions, currentVersionName: "V8")
    #expect(model.swiftDataSource().parts.map(\.name) == ["AppV1", "AppV1_1_2", "AppMigrationPlan"])
  }
}
