import Foundation
import ManagedModel
import ModelCommands
import ModelFormats
import ReleaseChecks
import SwiftDataModels
import TestSupport
import Testing

/// The schemas that a migration plan lists, and its stages.
@Suite("SwiftData judged by its plan", .readsSwift)
struct SwiftDataPlanTests {
  @Test func `a schema whose list cannot be read is compared with nothing`() throws {
    try withSwiftDataApp { project, write in
      func differs(_ list: String) throws -> Int32 {
        try write(
          """
          enum V1: VersionedSchema {
            static let versionIdentifier = Schema.Version(1, 0, 0)
            static var models: [any PersistentModel.Type] { [Stop.self] }
            @Model final class Stop { var a: Int?; init() {} }
          }
          enum V2: VersionedSchema {
            static let versionIdentifier = Schema.Version(2, 0, 0)
            static var models: [any PersistentModel.Type] { \(list) }
            @Model final class Stop { var a: Int?; var b: Int?; init() {} }
          }
          """)
        return ModelcCommand.run(["diff", "--models", project.file("App"), "1.0.0", "2.0.0"])
      }
      let codes = [try differs("[Stop.self]"), try differs("V1.models.filter { _ in true }")]
      #expect(codes == [0, 1])
    }
  }

  @Test(arguments: [
    ("try context.delete(model: V1.Trip.self); try context.save()", [String]()),
    ("try! context.delete(model: V1.Trip.self); try! context.save()", []),
    (
      "for trip in try context.fetch(FetchDescriptor<V1.Trip>()) { old.append(trip.name); context.delete(trip) }; try context.save()",
      []
    ),
    (
      "let all = try context.fetch(FetchDescriptor<V1.Trip>()); all.forEach { context.delete($0) }; try context.save()",
      []
    ),
    (
      "try context.fetch(FetchDescriptor<V1.Trip>()).forEach { trip in context.delete(trip) }; try context.save()",
      []
    ),
    (
      "let all = try context.fetch(FetchDescriptor<V1.Trip>(predicate: late)); for trip in all { context.delete(trip) }; try context.save()",
      ["MC3101"]
    ),
    (
      "let all = try context.fetch(FetchDescriptor<V1.Trip>()); for trip in all where trip.isLate { context.delete(trip) }; try context.save()",
      ["MC3101"]
    ),
    (
      "for trip in try context.fetch(FetchDescriptor<V1.Trip>()) { if trip.isLate { context.delete(trip) } }; try context.save()",
      ["MC3101"]
    ),
    (
      "let all = try? context.fetch(FetchDescriptor<V1.Trip>()); all?.forEach { context.delete($0) }; try context.save()",
      ["MC3101"]
    ),
    (
      "for trip in try context.fetch(FetchDescriptor<V1.Trip>()) { archive.delete(trip) }; try context.save()",
      ["MC3101"]
    ),
    (
      "for trip in try context.fetch(FetchDescriptor<V1.Trip>()) { delete(trip) }; try context.save()",
      ["MC3101"]
    ),
    (
      "for trip in try other.fetch(FetchDescriptor<V1.Trip>()) { context.delete(trip) }; try context.save()",
      ["MC3101"]
    ),
    ("try context.delete(model: V1.Trip.self); try other.save()", ["MC3101"]),
    ("try context.delete(model: V1.Trip.self)", ["MC3101"]),
    ("try context.delete(model: V1.Trip.self, where: late); try context.save()", ["MC3101"]),
    ("if isLate { try context.delete(model: V1.Trip.self) }; try context.save()", ["MC3101"]),
    ("guard isLate else { return }; try context.delete(model: V1.Trip.self); try context.save()", ["MC3101"]),
  ])
  func `what a stage has deleted lacks no value`(_ work: String, _ expected: [String]) throws {
    try withSwiftDataApp { project, write in
      func schema(_ number: Int, _ more: String) -> String {
        """
        enum V\(number): VersionedSchema {
          static let versionIdentifier = Schema.Version(\(number), 0, 0)
          static var models: [any PersistentModel.Type] { [Trip.self] }
          @Model final class Trip { var name: String = ""; \(more) init() {} }
        }

        """
      }
      try write(
        schema(1, "") + schema(2, "var code: Int;") + """
          enum Plan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
            static var stages: [MigrationStage] {
              [.custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: { context in
                \(work)
              }, didMigrate: { try restore($0) })]
            }
          }
          """)
      #expect(try newCodes(project) == expected)
    }
  }

  @Test(arguments: [
    ("var amount: Int = 0; var tax: Int?", "Money?", "Money.tax added (integer64, optional)"),
    ("var amount: Int = 0; var tax: Int?", "Money", "Trip.price: no longer optional, and 2 further changes"),
    ("var amount: Int = 0", "Money = Money()", "Trip.price: no longer optional, and 1 further change"),
  ])
  func `a struct that its schema's stores have otherwise is named as in the source`(
    _ members: String, _ type: String, _ change: String
  ) throws {
    try withSwiftDataApp { project, write in
      func source(_ members: String, _ type: String) -> String {
        """
        struct Money: Codable { \(members) }
        enum V1: VersionedSchema {
          static let versionIdentifier = Schema.Version(1, 0, 0)
          static var models: [any PersistentModel.Type] { [Trip.self] }
          @Model final class Trip { var name: String = ""; init() {} }
        }
        enum V2: VersionedSchema {
          static let versionIdentifier = Schema.Version(2, 0, 0)
          static var models: [any PersistentModel.Type] { [Trip.self] }
          @Model final class Trip { var price: \(type); init() {} }
        }
        enum Plan: SchemaMigrationPlan {
          static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
          static var stages: [MigrationStage] { [.lightweight(fromVersion: V1.self, toVersion: V2.self)] }
        }
        """
      }
      try write(source("var amount: Int = 0", "Money?"))
      try project.commit("1.0")
      try write(source(members, type))
      let found = try project.check("--against", "HEAD", models: "App").found.filter { $0.code == "MC2630" }
      #expect(found.count == 1 && found.allSatisfy { $0.message.hasSuffix(": " + change) }, "\(found)")
    }
  }

  @Test(arguments: [("Cache", [String]()), ("Hut", ["MC7008"])])
  func `a class that a stage has emptied may be removed`(_ deleted: String, _ expected: [String]) throws {
    try withSwiftDataApp { project, write in
      try write(
        """
        enum V1: VersionedSchema {
          static let versionIdentifier = Schema.Version(1, 0, 0)
          static var models: [any PersistentModel.Type] { [Hut.self, Cache.self] }
          @Model final class Hut { var name: String = ""; init() {} }
          @Model final class Cache { var text: String = ""; init() {} }
        }
        enum V2: VersionedSchema {
          static let versionIdentifier = Schema.Version(2, 0, 0)
          static var models: [any PersistentModel.Type] { [Hut.self] }
          @Model final class Hut { var name: String = ""; init() {} }
        }
        enum Plan: SchemaMigrationPlan {
          static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
          static var stages: [MigrationStage] {
            [.custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: { context in
              try context.delete(model: V1.\(deleted).self)
              try context.save()
            }, didMigrate: nil)]
          }
        }
        """)
      #expect(try newCodes(project) == expected)
    }
  }

  @Test func `a schema that the plan of the base lists is missed, unless the tags show no store of it`()
    throws
  {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      let three =
        twoSchemas(new: "var stars: Int?", stage: true)
        .replacing("[V1.self, V2.self]", with: "[V1.self, V2.self, V3.self]")
        .replacing(
          "toVersion: V2.self)]",
          with: "toVersion: V2.self), .lightweight(fromVersion: V2.self, toVersion: V3.self)]") + """

          enum V3: VersionedSchema {
            static let versionIdentifier = Schema.Version(3, 0, 0)
            static var models: [any PersistentModel.Type] { [Trip.self] }
            @Model final class Trip { var name = ""; var stars: Int?; var note: String?; init() {} }
          }
          """
      let two = three.replacing("[V1.self, V2.self, V3.self]", with: "[V2.self, V3.self]")
        .replacing(".lightweight(fromVersion: V1.self, toVersion: V2.self), ", with: "")
      func found(_ source: String) throws -> [String] {
        try project.write(source, to: "App/Models.swift")
        return try project.check("--against", "HEAD", models: "App").found
          .filter { $0.state == "new" && $0.severity != "information" }.map { "\($0.code) \($0.severity)" }
      }
      try project.write(
        twoSchemas(new: "", stage: false).replacing(", V2.self]", with: "]"), to: "App/Models.swift")
      try project.commit("one schema")
      try project.write(three, to: "App/Models.swift")
      try project.commit("three schemas")
      #expect(try found(three) == [])
      #expect(try found(two) == ["MC2630 error"])
      // An old schema that is edited as it is.
      #expect(
        try found(
          three.replacing(
            "var name = \"\"\n", with: "var name = \"\"\n    var rank: Int?\n", maxReplacements: 1))
          == ["MC2630 error"])
      // Without stages SwiftData infers the step from whatever schema a store has.
      let stages = try #require(two.firstMatch(of: #/\[\.lightweight.*\]/#)).output
      #expect(try found(two.replacing(stages, with: "[]")) == ["MC2618 warning"])
      // A tag shows nothing of what is older than it.
      try repository.git("tag", "v3")
      #expect(try found(two) == ["MC2630 error"])
      try repository.git("tag", "v1", "HEAD~1")
      let ends = three.replacing(", V2.self, V3.self]", with: ", V3.self]").replacing(
        "toVersion: V2.self), .lightweight(fromVersion: V2.self, ", with: "")
      #expect(try found(ends) == ["MC2630 warning"])
    }
  }

  @Test func `a container that gains a class of no schema is new, though no schema was edited`() throws {
    try withSwiftDataApp { project, write in
      let schema = twoSchemas(new: "", stage: false).replacing(", V2.self]", with: "]").replacing(
        "import SwiftData\n", with: "")
      let list =
        "\n@Model final class Draft { var n = 0; init() {} }\nlet c = try ModelContainer(for: V1.Trip.self, "
      try write(schema + list + "migrationPlan: Plan.self)")
      try project.commit("1.0")
      try write(schema + list + "Draft.self, migrationPlan: Plan.self)")
      let found = try project.check("--against", "HEAD", models: "App").found
      #expect(found.filter { $0.state == "new" && $0.message.contains("'Draft'") }.map(\.code) == ["MC2618"])
    }
  }

  @Test func `what a custom stage fills may be required next, in schemas that are released together`() throws
  {
    try withSwiftDataApp { project, write in
      func schemas(_ properties: String...) -> String {
        let names = properties.indices.map { "V\($0 + 1).self" }
        let stages = [
          ".custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: nil, didMigrate: { try fill($0) })",
          ".lightweight(fromVersion: V2.self, toVersion: V3.self)",
        ]
        let schemas = properties.enumerated().map { index, more in
          """
          enum V\(index + 1): VersionedSchema {
            static let versionIdentifier = Schema.Version(\(index + 1), 0, 0)
            static var models: [any PersistentModel.Type] { [Trip.self] }
            @Model final class Trip { var name = "" \(more)
              init() {} }
          }

          """
        }
        return schemas.joined() + """
          enum Plan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [\(names.joined(separator: ", "))] }
            static var stages: [MigrationStage] {
              [\(stages.prefix(properties.count - 1).joined(separator: ", "))]
            }
          }
          """
      }
      try write(schemas(""))
      try project.commit("1.0")
      try project.repository.git("tag", "1.0")
      try write(schemas("", "; var code: String?", "; var code: String"))
      #expect(try newCodes(project) == [])
      let store = project.file("old.store")
      let models = ["--models", project.file("App")]
      #expect(ModelcCommand.run(["fixture", "-q", "-o", store, "--rows", "5", "1.0.0"] + models) == 0)
      // Its closure is the app's.
      let report = project.file("report.md")
      let check = ["check", "-q", "--no-cache", "--store", store, "--report", "markdown=\(report)"]
      #expect(ModelcCommand.run(check + models) == 0)
      #expect(try String(contentsOfFile: report, encoding: .utf8).contains("2 store checks (2 untried"))
      try write(schemas("", "; var code: String?"))
      try project.commit("2.0")
      try project.repository.git("tag", "2.0")
      try write(schemas("", "; var code: String?", "; var code: String"))
      #expect(try newCodes(project) == ["MC3101"])
    }
  }

  /// A plan of two schemas of a class; what its newest has beside a name, and the stage between the two where one is.
  private func twoSchemas(old: String = "", new: String, stage: Bool) -> String {
    let schemas = [old, new].enumerated().map { index, more in
      """
      enum V\(index + 1): VersionedSchema {
        static let versionIdentifier = Schema.Version(\(index + 1), 0, 0)
        static var models: [any PersistentModel.Type] { [Trip.self] }
        @Model final class Trip {
          var name = ""
          \(more)
          init() {}
        }
      }
      """
    }
    return """
      import SwiftData
      \(schemas.joined(separator: "\n"))
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
        static var stages: [MigrationStage] {
          [\(stage ? ".lightweight(fromVersion: V1.self, toVersion: V2.self)" : "")]
        }
      }
      """
  }

  @Test func `without stages the step is inferred; with them an edited old schema is one finding`() throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      func check(old: String = "", new: String, stage: Bool) throws -> [String] {
        try project.write(twoSchemas(old: old, new: new, stage: stage), to: "App/Models.swift")
        return try project.check(models: "App").found.filter { $0.state == "new" }.map(\.code)
      }
      try project.write(
        twoSchemas(new: "", stage: false).replacing(", V2.self]", with: "]"), to: "App/Models.swift")
      try project.commit("1")
      try repository.git("tag", "v1")
      #expect(try check(new: "var stars: Int?", stage: false) == [])
      #expect(try check(new: "var stars: Int", stage: false) == ["MC2631"])
      #expect(try check(new: "var stars: Int?", stage: true) == [])
      #expect(try check(old: "var rank: Int?", new: "var stars: Int?", stage: true) == ["MC2630"])
      // A lock does not hide what is said of a schema that is edited as it is.
      try project.write(
        "import SwiftData\n@Model final class Trip { var name = \"\"; init() {} }", to: "App/Models.swift")
      let models = ["--models", project.file("App")]
      #expect(ModelcCommand.run(["release", "-q", "1.0.0"] + models) == 0)
      try project.edit("App/Models.swift", "var name", "#Unique<Trip>([\\.nothing])\n var name")
      #expect(
        try project.check(models: "App").found.filter { $0.state == "new" }.map(\.code).contains("MC1401"))
      // No store is made of a schema of which a part is not there.
      try project.edit("App/Models.swift", "#Unique<Trip>([\\.nothing])", "var place: Place?")
      #expect(
        ModelcCommand.run(["fixture", "-q", "1.0.0", "--rows", "3", "-o", project.file("s.sqlite")] + models)
          == 1)
      #expect(!FileManager.default.fileExists(atPath: project.file("s.sqlite")))
    }
  }

  @Test func `a stage that fetches a foreign class hides no lost one`() throws {
    try withSwiftDataApp { project, write in
      func schema(_ number: Int, _ models: String, _ classes: String = "") -> String {
        """
        enum V\(number): VersionedSchema {
          static let versionIdentifier = Schema.Version(\(number), 0, 0)
          static var models: [any PersistentModel.Type] { [\(models)] }
          @Model final class Trip { var name = "\(number)"; init() {} }\(classes)
        }

        """
      }
      let stop = "\n  @Model final class Stop { var n = 0; init() {} }"
      let old = schema(1, "V1.Trip.self, V1.Stop.self", stop)
      try write(old)
      try project.commit("1.0")
      try project.repository.git("tag", "1.0")
      let plan = """
        enum Plan: SchemaMigrationPlan {
          static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
          static var stages: [MigrationStage] { [step] }
          // modelc:allow MC2644 reason="tried"
          static let step = MigrationStage.custom(
            fromVersion: V1.self, toVersion: V2.self, willMigrate: nil,
            didMigrate: { _ = try $0.fetch(FetchDescriptor<V1.Trip>()) })
        }
        """
      try write(old + schema(2, "V2.Trip.self") + plan)
      let found = try newCodes(project)
      #expect(found.contains("MC7008"), "\(found)")
    }
  }

  @Test(arguments: [("[Stop] = []", "Stop?", ["MC3108"]), ("Stop?", "[Stop] = []", [])])
  func `a step that no stage can take is an error without a lock too`(
    _ old: String, _ new: String, _ codes: [String]
  ) throws {
    try withSwiftDataApp { project, write in
      let schemas = [old, new].enumerated().map { index, type in
        """
        enum V\(index + 1): VersionedSchema {
          static let versionIdentifier = Schema.Version(\(index + 1), 0, 0)
          static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }
          @Model class Trip { @Relationship(inverse: \\Stop.trip) var stops: \(type); init() {} }
          @Model class Stop { var trip: Trip?; init() {} }
        }

        """
      }
      try write(
        schemas.joined() + """
          enum Plan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
            static var stages: [MigrationStage] { [.lightweight(fromVersion: V1.self, toVersion: V2.self)] }
          }
          """)
      #expect(try newCodes(project) == codes)
    }
  }

  /// What is found in the newest class, or in the plan, is about a step.
  @Test(arguments: [
    ("MC2613", "var stars: Int ALLOW", "", ""),
    ("MC2615", "@Attribute(originalName: \"nmae\") var title = \"\" ALLOW", "", ""),
    ("MC2617", "var place = Place() ALLOW", "var b: Int", ""), ("MC2618", "", "", ", V9.self"),
  ])
  func `what is allowed in a version hides no lost class of it`(
    _ code: String, _ property: String, _ member: String, _ schema: String
  ) throws {
    try withSwiftDataApp { project, write in
      func version(_ number: Int, _ models: String, _ trip: String, _ members: String = "") -> String {
        """
        enum V\(number): VersionedSchema {
          static let versionIdentifier = Schema.Version(\(number), 0, 0)
          static var models: [any PersistentModel.Type] { [\(models)] }
          struct Place: Codable { var a = 0; \(members) }
          \(number == 1 ? "@Model final class Stop { var n = 0; init() {} }" : "")
          @Model final class Trip {
            var name = ""
            \(trip.contains("place") ? "" : "var place = Place()")
            \(trip)
            init() {}
          }
        }

        """
      }
      let old = version(1, "V1.Trip.self, V1.Stop.self", "")
      try write(old)
      try project.commit("1.0")
      try project.repository.git("tag", "1.0")
      let plan = """
        enum Plan: SchemaMigrationPlan {
          static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self\(schema)] } \(schema.isEmpty ? "" : "ALLOW")
          static var stages: [MigrationStage] { [.lightweight(fromVersion: V1.self, toVersion: V2.self)] }
        }
        """
      let text = old + version(2, "V2.Trip.self", property, member) + plan
      try write(text.replacing("ALLOW", with: "// modelc:allow \(code) reason=\"tried\""))
      let found = try project.check(models: "App").found.filter { $0.severity == "error" }
      #expect(found.filter { $0.state == "suppressed" }.map(\.code) == [code], "\(found.map(\.message))")
      let losses = found.filter { $0.state == "new" && $0.code == "MC7008" }
      #expect(losses.map(\.message).contains { $0.contains("'Stop'") }, "\(found.map(\.message))")
    }
  }

  @Test func `a former name that is misspelt hides no other property that is lost`() throws {
    try withSwiftDataApp { project, write in
      func version(_ number: Int, _ members: String) -> String {
        """
        enum V\(number): VersionedSchema {
          static let versionIdentifier = Schema.Version(\(number), 0, 0)
          static var models: [any PersistentModel.Type] { [V\(number).Trip.self] }
          @Model final class Trip { \(members); init() {} }
        }

        """
      }
      let old = version(1, "var name = \"\"; var stars = 0")
      try write(old)
      try project.commit("1.0")
      try project.repository.git("tag", "1.0")
      let plan = """
        enum Plan: SchemaMigrationPlan {
          static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
          static var stages: [MigrationStage] { [.lightweight(fromVersion: V1.self, toVersion: V2.self)] }
        }
        """
      try write(old + version(2, "@Attribute(originalName: \"nmae\") var title = \"\"") + plan)
      let found = try project.check(models: "App").found.filter { $0.severity == "error" }
      #expect(found.contains { $0.code == "MC2615" }, "\(found)")
      let losses = found.filter { $0.code == "MC7008" }.map(\.message)
      #expect(losses.count == 1 && losses[0].contains("stars"), "\(found)")
    }
  }
}
