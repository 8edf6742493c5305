import Foundation
import ManagedModel
import ModelCommands
import ModelFormats
import ReleaseChecks
import SwiftDataModels
import TestSupport
import Testing

/// What a comment allows, and what `retired:` lists.
@Suite("SwiftData findings that are allowed", .readsSwift)
struct SwiftDataAllowanceTests {
  @Test func `what one property is allowed lets no other one through`() throws {
    try withSwiftDataApp { project, write in
      func stop(_ more: String) -> String {
        "@Model final class Stop {\n  var a: Int = 0\n\(more)  init() {}\n}\n"
      }
      try write(stop(""))
      try project.commit("1.0")
      try project.repository.git("tag", "1.0")
      let allowed = "  // modelc:allow MC2631 reason=\"nobody has rows\"\n  var b: Int\n"
      try write(stop(allowed))
      #expect(try newCodes(project) == [])
      try write(stop(allowed + "  var c: Int\n"))
      let found = try project.check(models: "App").found.filter { $0.code == "MC2631" && $0.state == "new" }
      #expect(found.map { $0.message.contains("'Stop.c'") } == [true], "\(found.map(\.message))")
      try write(stop("  var b: Int\n  var c: Int\n"))
      let both = try project.check(models: "App").found.filter { $0.severity == "error" }
      #expect(both.map(\.code) == ["MC2631"])
      let also = both.flatMap(\.notes).map(\.message).filter { $0.hasPrefix("also: ") }
      #expect(also == ["also: 'Stop.c' is required and has no default"])
    }
  }

  @Test func `a removal that is allowed at its class lets no later one through`() throws {
    try withSwiftDataApp { project, write in
      func states(_ properties: String, _ words: String) throws -> [String] {
        let comment = "// modelc:allow MC7008 \(words)reason=\"never filled\"\n"
        try write("\(comment)@Model final class Stop { var name: String = \"\"; \(properties) init() {} }")
        return try project.check(models: "App").found.filter { ["MC7008", "MC7016"].contains($0.code) }
          .map { "\($0.code) \($0.state)" }.sorted()
      }
      _ = try states("var a: Int?; var b: Int?;", "")
      try project.commit("1.0")
      try project.repository.git("tag", "1.0")
      #expect(try states("var b: Int?;", "Stop.a ") == ["MC7008 suppressed"])
      #expect(try states("", "Stop.a ") == ["MC7008 new", "MC7008 suppressed"])
      #expect(try states("", "Stop.a Stop.b ") == ["MC7008 suppressed", "MC7008 suppressed"])
      #expect(try states("var b: Int?;", "") == ["MC7008 new", "MC7016 new"])
    }
  }

  @Test func `a class that no container lists any more may be retired`() throws {
    try withSwiftDataApp { project, write in
      let classes = ["Trip", "Draft"].map { "@Model final class \($0) { var n = 0; init() {} }\n" }.joined()
      try write(classes + "let c = try ModelContainer(for: Schema([Trip.self, Draft.self]))")
      try project.commit("1.0")
      try project.repository.git("tag", "1.0")
      try write(classes + "let c = try ModelContainer(for: Schema([Trip.self]))")
      #expect(try newCodes(project).contains("MC7008"))
      try project.write("retired: [Draft]\n", to: "modelc.yaml")
      #expect(try newCodes(project) == [])
    }
  }

  @Test func `a class whose objects a custom stage carries over is retired, for it has no former name`()
    throws
  {
    try withSwiftDataApp { project, write in
      func schema(_ number: Int, _ name: String) -> String {
        """
        enum V\(number): VersionedSchema {
          static let versionIdentifier = Schema.Version(\(number), 0, 0)
          static var models: [any PersistentModel.Type] { [\(name).self] }
          @Model final class \(name) { var name = ""; var x = 0; init() {} }
        }

        """
      }
      func plan(_ stage: String) -> String {
        """
        \(schema(1, "Trip") + schema(2, "Tour"))
        enum Plan: SchemaMigrationPlan {
          static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
          static var stages: [MigrationStage] { [.\(stage)] }
        }
        """
      }
      try write(plan("lightweight(fromVersion: V1.self, toVersion: V2.self)"))
      #expect(try newCodes(project) == ["MC2637"])
      let work = "willMigrate: { try keep($0) }, didMigrate: { try restore($0) }"
      try write(plan("custom(fromVersion: V1.self, toVersion: V2.self, \(work))"))
      #expect(try newCodes(project) == ["MC7008"])
      try project.write("retired: [Trip]\n", to: "modelc.yaml")
      #expect(try newCodes(project) == [])
    }
  }

  @Test func `a comment in the file of a class allows a finding there, and settings lie beside the folder`()
    throws
  {
    try withSwiftDataApp { project, write in
      func schema(_ number: Int, _ more: String) -> String {
        """
        enum V\(number): VersionedSchema {
          static let versionIdentifier = Schema.Version(\(number), 0, 0)
          static var models: [any PersistentModel.Type] { [Trip.self] }
        }
        extension V\(number) { @Model final class Trip { var name: String = ""
          \(more)
          init() {} } }

        """
      }
      try write(
        schema(1, "") + """
          enum Plan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
            static var stages: [MigrationStage] { [.lightweight(fromVersion: V1.self, toVersion: V2.self)] }
          }
          """)
      func states(_ comment: String, above: String = "") throws -> [String] {
        try project.write(
          "import SwiftData\n" + schema(2, "\(above)var stars: Int \(comment)"), to: "App/V2.swift")
        return try project.check(models: "App").found.filter { ["MC2613", "MC7016"].contains($0.code) }
          .map { "\($0.code) \($0.state)" }.sorted()
      }
      #expect(try states("") == ["MC2613 new"])
      #expect(try states("// modelc:allow MC2613 reason=\"nobody has rows\"") == ["MC2613 suppressed"])
      #expect(try states("// modelc:allow MC2613") == ["MC2613 new", "MC7016 new"])
      let above = "\n\t// modelc:allow MC2613 reason=\"nobody has rows\"\n\t@Attribute(.spotlight)\n\t"
      #expect(try states("", above: above) == ["MC2613 suppressed"])
      try project.write("retired: [Stop]\n", to: "App/modelc.yaml")
      let misplaced = try project.check(models: "App").found.first { $0.code == "MC0025" }
      #expect(misplaced?.message.contains("belongs next to it") == true)
      // Also where only a schema's file lies.
      try project.write("", to: "App/V2.swift")
      try project.write("import SwiftData\n" + schema(2, ""), to: "App/Store/Past/V2.swift")
      try project.write("retired: [Stop]\n", to: "App/Store/Past/modelc.yaml")
      let found = try project.check(models: "App").found.filter { $0.code == "MC0025" }
      #expect(found.count { $0.message.contains("App/Store/Past/modelc.yaml' is not read") } == 1)
    }
  }

  @Test func `what keeps a class from being read cannot be allowed`() throws {
    try withSwiftDataApp { project, write in
      let trip = "@Model final class Trip { var a = 0; init() {} }"
      try write("\(trip)\n@Model final class Stop { var b = 0; init() {} }")
      try project.commit("1.0")
      try project.repository.git("tag", "1.0")
      let reason = "// modelc:allow MC2603 reason=\"one kind\""
      try write("\(reason)\n@Model final class Trip<Kind> { var a = 0; init() {} }")
      let found = try project.check(models: "App").found.filter { $0.code == "MC2603" }
      #expect(found.map(\.state) == ["new"])
      #expect(found.first?.notes.last?.message.contains("cannot be allowed") == true)
    }
  }
}
