import Foundation
import ManagedModel
import ModelCommands
import ModelSources
import ReleaseChecks
import SwiftDeclarations
import TestSupport
import Testing

/// What the tags of an app say of its users' stores.
@Suite("SwiftData judged by stores", .enabled(if: parsesSwift, "built without the trait SwiftData"))
struct SwiftDataStoryTests {
  private func errors(_ history: SwiftDataHistory, _ arguments: [String] = []) throws -> [String] {
    let project = history.project
    let run =
      try arguments.isEmpty
      ? project.check(models: "App") : project.check(arguments[0], arguments[1], models: "App")
    let found = run.found.filter { $0.state == "new" && $0.severity != "information" }
    #expect((run.code == 0) == !found.contains { $0.severity == "error" })
    return found.map { "\($0.code) \($0.place(in: project)) \($0.message.prefix(while: { $0 != ":" }))" }
  }

  @Test func `two groups of builds are lost, and frozen types bring them back`() throws {
    try SwiftDataHistory.with { history in
      let project = history.project
      #expect(
        try errors(history) == [
          "MC2630 App/Trip.swift:5 stores of v1.0-b12 to v1.0-b33 (22 tags) match no version of the plan",
          "MC2630 App/Trip.swift:5 stores of v1.0-b34 to v1.0-b39 (6 tags) match no version of the plan",
        ])
      #expect(try errors(history, ["--against-tags", "v1.0-b4*"]).isEmpty == false)
      let shipped = try ShippedShapes(tags: nil, ofModelAt: project.file("App"))
      #expect(shipped.shapes.map(\.version.name) == ["1.0.0", "2.0.0", "2.0.0", "3.0.0"])
      #expect(shipped.shapes.map(\.tags.count) == [11, 22, 6, 4] && shipped.tagCount == 43)
      #expect(shipped.unreadable.isEmpty && !shipped.isCut)

      let frozen = "App/ShippedSchemas.swift"
      let release = ["release", "-q", "--models", project.file("App")]
      #expect(ModelcCommand.run(release + ["--from-tags", "--freeze", project.file(frozen)]) == 0)
      #expect(ModelcCommand.run(release + ["--freeze", project.file(frozen), "--check"]) == 0)
      for number in 1...3 {
        let store = project.file("App.released/\(["1.0.0", "2.0.0", "2.0.1"][number - 1]).sqlite")
        #expect(FileManager.default.fileExists(atPath: store))
      }
      for name in ["TripPlan", "SchemaV1", "SchemaV2"] {
        try FileManager.default.removeItem(atPath: project.file("App/\(name).swift"))
      }
      #expect(try errors(history) == [])
      let hashes = try #require(readModelSource(project.file("App")).model).versions.map(\.versionChecksum)
      #expect(hashes == shipped.shapes.map(\.version.versionChecksum))

      // An edit of a frozen type is seen by the proof and by the gate.
      try project.edit(frozen, "var color: String = \"\"", "var colour: String = \"\"")
      #expect(ModelcCommand.run(release + ["--freeze", project.file(frozen), "--check"]) == 1)
      #expect(try errors(history).first?.hasPrefix("MC2630 \(frozen)") == true)
    }
  }

  private static func schema(_ number: Int, moods: String, kinds: String) -> String {
    """
    enum V\(number): VersionedSchema {
      static let versionIdentifier = Schema.Version(\(number), 0, 0)
      static var models: [any PersistentModel.Type] { [Trip.self] }
      enum Mood: String, Codable { case \(moods) }
      enum Kind: Codable { case \(kinds) }
      @Model final class Trip {
        var title: String = ""
        \(number > 1 ? "var note: String?" : "")
        var mood: Mood = Mood.happy
        var kind: Kind = Kind.walk
        init() {}
      }
    }

    """
  }

  /// Of a raw value no hash tells; a case of its own has a column. What a store has of both is counted.
  @Test func `rows with a case that goes are counted, and keeping it is the mend`() throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      let first = Self.schema(1, moods: "happy, sad, tired", kinds: "walk, ride, swim")
      func write(_ text: String, schemas: String, stages: String) throws {
        try project.write(
          """
          import SwiftData
          \(text)
          enum Plan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [\(schemas)] }
            static var stages: [MigrationStage] { [\(stages)] }
          }
          """, to: "App/Models.swift")
      }
      try write(first, schemas: "V1.self", stages: "")
      let release = ["release", "-q", "--models", project.file("App"), "1.0.0", "--fixture", "30"]
      #expect(ModelcCommand.run(release) == 0)
      try project.commit("released")
      func check(moods: String, kinds: String) throws -> [ReleasedProject.Found] {
        try write(
          first + Self.schema(2, moods: moods, kinds: kinds), schemas: "V1.self, V2.self",
          stages: ".lightweight(fromVersion: V1.self, toVersion: V2.self)")
        return try project.check(models: "App").found.filter { $0.state == "new" }
      }
      let found = try check(moods: "happy, tired", kinds: "walk, swim")
      #expect(found.map(\.code) == ["MC2634", "MC2634"] && found.allSatisfy { $0.severity == "error" })
      let version = try #require(readModelSource(project.file("App")).model?.versions.first)
      let objects = try readAllObjects(ofStoreAt: project.file("App.released/1.0.0.sqlite"), as: version)
      let counts = [
        objects.count { $0.values["mood"] == .string("sad") },
        objects.count { $0.values["kind.ride"] == .string("ride") },
      ]
      #expect(counts.allSatisfy { $0 > 0 })
      #expect(
        zip(found, counts).allSatisfy { finding, count in
          finding.notes.contains { $0.message.hasPrefix("\(count) ") }
        }, "\(counts) \(found.map(\.notes))")
      #expect(try check(moods: "happy, ill, sad, tired", kinds: "walk, ride, swim, ski") == [])
      // A store of the old cases becomes one of the new ones.
      let (store, result) = (project.file("App.released/1.0.0.sqlite"), project.file("new.sqlite"))
      let models = ["-q", "--models", project.file("App")]
      #expect(ModelcCommand.run(["migrate", store, "-o", result] + models) == 0)
      #expect(ModelcCommand.run(["verify", result] + models) == 0)
      if Oracle.isPresent { try Oracle.expectSound([URL(filePath: result)]) }
    }
  }

  @Test(arguments: [".", "App", "App/M.swift"])
  func `source at a repository's top is held against its tags and revisions too`(_ models: String) throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      try project.write(
        "import SwiftData\n@Model final class Trip {\n  var name = \"\"\n  var link: URL?\n  init() {}\n}\n",
        to: "App/M.swift")
      try project.commit("released")
      try repository.git("tag", "v1")
      #expect(try project.check(models: models).found.map(\.code) == ["MC2606"])
      try project.edit("App/M.swift", "var link", "var stars: Int\n  var link")
      func errors(_ arguments: String...) throws -> [String] {
        try project.check(arguments: arguments, models: models).found
          .filter { $0.severity == "error" && $0.state == "new" }.map { "\($0.code) \($0.line ?? 0)" }
      }
      #expect(try errors() == ["MC2631 4"])
      try repository.git("tag", "-d", "v1")
      #expect(try errors() == [])
      #expect(try errors("--against", "HEAD") == ["MC2631 4"])
    }
  }
}
