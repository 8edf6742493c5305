import Foundation
import TestSupport

/// An app's history after a public one: 43 builds. An old schema lists the live class, which was edited twice: stores of
/// 22 builds, and then of six, have a schema that no version of the plan has.
struct SwiftDataHistory {
  let project: ReleasedProject

  static func with(_ body: (SwiftDataHistory) throws -> Void) throws {
    try Repository.with { repository in
      let history = SwiftDataHistory(project: ReleasedProject(repository: repository))
      try history.write(trip: "", schemas: 1)
      try history.tag(1...11)
      // The second schema, and the first with classes of its own, as it should be.
      try history.write(trip: "var note: String?", schemas: 2)
      try history.tag(12...33)
      // The live class is edited, and the schema's number stays.
      try history.write(trip: "var note: String?; var color: String = \"\"", schemas: 2)
      try history.tag(34...39)
      // And again, with a third schema. The second one still lists the live class.
      try history.write(
        trip: "var note: String?; var color: String = \"\"; var budget: Double = 0", schemas: 3)
      try history.tag(40...43)
      try body(history)
    }
  }

  private func tag(_ builds: ClosedRange<Int>) throws {
    for build in builds {
      try project.write("let build = \(build)\n", to: "App/Build.swift")
      try project.commit("build \(build)")
      try project.repository.git("tag", "v1.0-b\(build)")
    }
  }

  private static func classes(_ trip: String) -> String {
    """
    @Model final class Trip {
      var name: String
      \(trip)
      @Relationship(deleteRule: .cascade, inverse: \\Stop.trip) var stops: [Stop]
      init(name: String) { self.name = name; stops = [] }
    }
    @Model final class Stop {
      var title: String
      var trip: Trip?
      init(title: String) { self.title = title }
    }
    """
  }

  /// - Parameter trip: what the live class holds beside its name and its stops.
  private func write(trip: String, schemas: Int) throws {
    let head = "import Foundation\nimport SwiftData\n"
    try project.write(head + Self.classes(trip), to: "App/Trip.swift")
    for number in 1...schemas {
      let own = number == 1 && schemas > 1 ? Self.classes("") : ""
      try project.write(
        head + """
          enum SchemaV\(number): VersionedSchema {
            static let versionIdentifier = Schema.Version(\(number), 0, 0)
            static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }
            \(own)
          }
          """, to: "App/SchemaV\(number).swift")
    }
    let names = (1...schemas).map { "SchemaV\($0).self" }
    let stages = zip(names, names.dropFirst()).map { ".lightweight(fromVersion: \($0), toVersion: \($1))" }
    try project.write(
      head + """
        enum TripPlan: SchemaMigrationPlan {
          static var schemas: [any VersionedSchema.Type] { [\(names.joined(separator: ", "))] }
          static var stages: [MigrationStage] { [\(stages.joined(separator: ", "))] }
        }
        """, to: "App/TripPlan.swift")
  }
}
