import Foundation
import GRDB
import ManagedModel
import ModelCommands
import ModelFormats
import ReleaseChecks
import SwiftDataModels
import TestSupport
import Testing

/// Stores that are kept or made, and what their rows say.
@Suite("SwiftData judged by kept stores", .readsSwift)
struct SwiftDataKeptStoreTests {
  @Test func `a store of an app without schemas is one of what it made before`() throws {
    try withSwiftDataApp { project, write in
      let store = project.file("old.store")
      func check() throws -> [String] {
        try project.check("--store", store, models: "App").found.filter { $0.severity == "error" }.map(\.code)
      }
      try write("@Model final class Stop { var name: String = \"\"; var note: String?; init() {} }")
      #expect(
        ModelcCommand.run([
          "fixture", "-q", "--models", project.file("App"), "-o", store, "--rows", "5", "1.0.0",
        ]) == 0)
      try write(
        "@Model final class Stop { var name: String = \"\"; var note: String?; var n: Int = 3; init() {} }")
      #expect(try check() == [])
      try write("@Model final class Stop { var name: String = \"\"; init() {} }")
      #expect(try check() == ["MC3111"])
      try write("@Model final class Other { var name: String = \"\"; init() {} }")
      #expect(try check() == ["MC7009"])
    }
  }

  @Test func `numbers of a fixture fit the types of members`() throws {
    try withSwiftDataApp { project, write in
      try write(
        "struct Size: Codable { var a: UInt8; var b: Int8 }\n@Model final class Stop { var size: Size; init() {} }"
      )
      let store = project.file("s.sqlite")
      let arguments = [
        "fixture", "-q", "--models", project.file("App"), "-o", store, "--rows", "200", "1.0.0",
      ]
      #expect(ModelcCommand.run(arguments) == 0)
      let misfits =
        "SELECT count(*) FROM ZSTOP WHERE ZA NOT BETWEEN 0 AND 255 OR ZB NOT BETWEEN -128 AND 127"
      #expect(try DatabaseQueue(path: store).read { try Int.fetchOne($0, sql: misfits) } == 0)
    }
  }

  @Test func `a new case of an enum changes no released schema, also within a struct`() throws {
    try withSwiftDataApp { project, write in
      func source(_ cases: String) -> String {
        "enum Kind: String, Codable { case \(cases) }\nstruct Place: Codable { var kind: Kind; var x: Double }\n"
          + "@Model final class Trip { var place: Place?; var kinds: [Kind] = []; var kind: Kind = Kind.a; init() {} }"
      }
      try write(source("a, b"))
      try project.commit("1.0")
      let release = ["release", "-q", "--models", project.file("App"), "1.0.0", "--fixture", "9"]
      #expect(ModelcCommand.run(release) == 0)
      try project.commit("released")
      try write(source("a, b, c"))
      #expect(try newCodes(project, "warning") == [])
      try write(source("a"))
      #expect(try newCodes(project) + newCodes(project, "warning") != [])
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
      let version = try #require(ModelReader().read(project.file("App")).model?.versions.first)
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

  @Test func `rows of a kept store that lack a value are an error, with their number`() throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      func source(_ type: String) -> String {
        "import SwiftData\n@Model final class Trip {\n  var name: \(type)\n  init() {}\n}\n"
      }
      try project.write(source("String?"), to: "App/Models.swift")
      let release = ["release", "-q", "--models", project.file("App"), "1.0.0", "--fixture", "9"]
      #expect(ModelcCommand.run(release) == 0)
      try project.commit("released")
      try repository.git("tag", "v1")
      let store = try DatabaseQueue(path: project.file("App.released/1.0.0.sqlite"))
      try store.write { try $0.execute(sql: "UPDATE ZTRIP SET ZNAME = 'x'") }
      try project.write(source("String"), to: "App/Models.swift")
      func found() throws -> [String] {
        try project.check(models: "App").found.filter { $0.state == "new" }.map {
          "\($0.severity) \($0.code) \($0.message.prefix { $0 != "'" })"
        }
      }
      #expect(try found() == ["warning MC2631 stores of v1 may not migrate: "])
      try store.write { try $0.execute(sql: "UPDATE ZTRIP SET ZNAME = NULL WHERE Z_PK < 4") }
      #expect(try found() == ["error MC3101 3 objects have no value for "])
    }
  }

  @Test func `a store whose defaults are the app's is no store that was tried`() throws {
    try withSwiftDataApp { project, write in
      try write("@Model final class Trip { var n: Int?; var all: [String]?; init() {} }")
      let (store, report) = (project.file("old.store"), project.file("report.md"))
      let models = ["--models", project.file("App")]
      #expect(ModelcCommand.run(["fixture", "-q", "-o", store, "--rows", "30", "1.0.0"] + models) == 0)
      try write("@Model final class Trip { var n: Int?; var all: [String] = []; init() {} }")
      let junit = project.file("junit.xml")
      let reports = ["--report", "markdown=\(report)", "--report", "junit=\(junit)"]
      let check = ["check", "-q", "--no-cache", "--store", store] + reports
      #expect(ModelcCommand.run(check + models) == 0)
      #expect(try String(contentsOfFile: report, encoding: .utf8).contains("1 store check (1 untried"))
      let suites = try String(contentsOfFile: junit, encoding: .utf8)
      #expect(suites.contains(#"<testsuite name="store" tests="1" failures="0" errors="0" skipped="1""#))
      #expect(suites.contains(#"<skipped message="only the app can migrate the store"/>"#))
    }
  }

  @Test func `a store of an app without schemas is compared with one of what it made before`() throws {
    try withSwiftDataApp { project, write in
      let (old, new) = (project.file("old.store"), project.file("new.store"))
      let models = ["-q", "--models", project.file("App")]
      try write("@Model final class Trip { var n: Int?; init() {} }")
      #expect(ModelcCommand.run(["fixture", "-o", old, "--rows", "9", "1.0.0"] + models) == 0)
      try write("@Model final class Trip { var n: Int?; var more: Int = 3; init() {} }")
      #expect(ModelcCommand.run(["migrate", old, "-o", new] + models) == 0)
      #expect(ModelcCommand.run(["verify", new, "--before", old] + models) == 0)
      try DatabaseQueue(path: new).write { try $0.execute(sql: "DELETE FROM ZTRIP WHERE Z_PK = 1") }
      #expect(ModelcCommand.run(["verify", new, "--before", old] + models) == 1)
    }
  }

  @Test func `what the source shows and a kept store too is one finding`() throws {
    try withSwiftDataApp { project, write in
      let place = "struct Place: Codable { var x: Double; var y: Double }\n"
      try write(place + "@Model final class Trip { var site: URL; var place: Place?; init() {} }")
      try project.commit("1.0")
      try project.repository.git("tag", "1.0")
      let release = ["release", "-q", "--models", project.file("App"), "1.0.0", "--fixture", "20"]
      #expect(ModelcCommand.run(release) == 0)
      try write(place + "@Model final class Trip { var site: String; var place: Place?; init() {} }")
      #expect(try newCodes(project) == ["MC2631"])
      try write(place + "@Model final class Trip {\n  var site: URL\n  var place: Place; init() {} }")
      let found = try project.check(models: "App").found.filter { $0.severity == "error" }
      #expect(found.map { "\($0.code) \($0.line ?? 0)" } == ["MC3101 6"])
    }
  }
}
