import Foundation
import GRDB
import ManagedModel
import ModelCommands
import ModelFormats
import ReleaseChecks
import SwiftDataModels
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

  private func withApp(_ body: (ReleasedProject, _ write: (String) throws -> Void) throws -> Void) throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      try body(project) { text in
        try project.write("import Foundation\nimport SwiftData\n" + text, to: "App/Models.swift")
      }
    }
  }

  private func codes(_ project: ReleasedProject, _ severity: String = "error") throws -> [String] {
    try project.check(models: "App").found.filter { $0.severity == severity && $0.state == "new" }.map(\.code)
  }

  @Test func `stores of every release are refused for a new unique property with a default`() throws {
    try withApp { project, write in
      try write("@Model final class Stop { var name: String = \"\"; init() {} }")
      try project.commit("1.0")
      try project.repository.git("tag", "1.0")
      try write(
        "@Model final class Stop { var name: String = \"\"; @Attribute(.unique) var code: String = \"\"; init() {} }"
      )
      #expect(try codes(project).contains("MC3104"))
    }
  }

  @Test func `of an optional property the default alone is to go that gives every row one value`() throws {
    try withApp { project, write in
      func found(_ more: String) throws -> [String] {
        try write("@Model final class Stop { var name: String = \"\"; \(more)init() {} }")
        return try project.check(models: "App").found.filter { $0.code == "MC2636" }
          .map { String($0.help.joined().prefix { $0 != ":" }) }
      }
      #expect(try found("") == [])
      try project.commit("1.0")
      try project.repository.git("tag", "1.0")
      #expect(try found("var seen: Date? = Date();") == ["write no default, and give each row its own"])
      #expect(
        try found("var seen: Date = Date();")
          == ["make it optional, with no default, and give each row its own"])
    }
  }

  /// A widget with fewer classes, and mirroring that the base had not.
  @Test(arguments: [("", "MC2643"), (", configurations: .init(cloudKitDatabase: .automatic)", "MC1802")])
  func `what a container brings to classes that nobody changed is new`(_ more: String, _ code: String) throws
  {
    try withApp { project, write in
      let app = """
        @Model final class Stop { var name: String; init(name: String) { self.name = name } }
        @Model final class Note { var text: String = ""; init() {} }
        let app = try ModelContainer(for: Stop.self, Note.self)

        """
      try write(app)
      try project.commit("1.0")
      try write(app + "let widget = try ModelContainer(for: Stop.self\(more))")
      let found = try project.check("--against", "HEAD", models: "App").found.filter { $0.code == code }
      #expect(found.map(\.state) == ["new"])
    }
  }

  @Test func `a schema whose list cannot be read is compared with nothing`() throws {
    try withApp { project, write in
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

  @Test func `a store of an app without schemas is one of what it made before`() throws {
    try withApp { project, write in
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
    try withApp { project, write in
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

  @Test func `source that was moved is compared with what it was`() throws {
    try withApp { project, write in
      try write("@Model final class Stop { var name: String = \"\"; init() {} }")
      try project.commit("1.0")
      try project.repository.git("mv", "App", "Lib")
      try project.commit("moved")
      try project.edit(
        "Lib/Models.swift", "init()", "@Attribute(.unique) var code: String = \"\"; init()")
      let found = try project.check("--against", "HEAD~1", models: "Lib").found.map(\.code)
      #expect(found.contains("MC3104") && !found.contains("MC7050"))
      try project.repository.git("tag", "1.0", "HEAD~1")
      #expect(ModelcCommand.run(["release", "-q", "--models", project.file("Lib"), "--from-tags"]) == 0)
      let lock = try String(contentsOfFile: project.file("Lib.released.lock"), encoding: .utf8)
      #expect(lock.contains(" 1.0 "))
    }
  }

  @Test func `an originalName that goes one release later loses what older stores have`() throws {
    try withApp { project, write in
      func release(_ tag: String, _ property: String) throws {
        try write("@Model final class Stop { \(property); init() {} }")
        try project.commit(tag)
        try project.repository.git("tag", tag)
      }
      try release("1.0", "var name: String = \"\"")
      try release("1.1", "@Attribute(originalName: \"name\") var title: String = \"\"")
      #expect(try codes(project) == [])
      try write("@Model final class Stop { var title: String = \"\"; init() {} }")
      #expect(try codes(project) != [])
    }
  }

  @Test func `rows of the release before the last one miss the case that the last one dropped`() throws {
    try withApp { project, write in
      func found(_ cases: String, _ more: String, tag: String? = nil) throws -> [String] {
        let type = "enum Mood: String, Codable { case \(cases) }\n"
        try write(type + "@Model final class Trip { var mood: Mood = Mood.happy\(more); init() {} }")
        let found = try project.check(models: "App").found.filter { $0.code == "MC2634" }.map(\.message)
        if let tag {
          try project.commit(tag)
          try project.repository.git("tag", tag)
        }
        return found
      }
      let first = try found("happy, sad, ill", "", tag: "1.0")
      #expect(first == [])
      // The same hashes: one schema, of two tags.
      #expect(try found("happy, sad", "", tag: "1.0.1").count == 1)
      #expect(try found("happy, sad", "").count == 1)
      // It is shown where it was: in the last tag that had it.
      func places() throws -> [String?] {
        let (top, app) = (URL(filePath: project.path), URL(filePath: project.file("App")))
        let report = try Project(at: top, models: app).check()
        let notes = report.findings.map(\.diagnostic).filter { $0.code == .removedCases }.flatMap(\.notes)
        return notes.compactMap(\.place?.file).map { $0.split(separator: ":").first.map(String.init) }
      }
      #expect(try places() == ["1.0"])
      // And of two cases each.
      #expect(try found("happy", "").count == 1)
      #expect(try places() == ["1.0.1", "1.0"])
      #expect(try found("happy, sad", "; var a: Int?", tag: "1.1").count == 1)
      #expect(try found("happy, sad", "; var a: Int?; var b: Int?").count == 1)
      #expect(try found("happy, sad, ill", "; var a: Int?; var b: Int?") == [])
    }
  }

  @Test func `tags that are named and cannot be read are an error`() throws {
    try withApp { project, write in
      let trip = "@Model final class Trip { var name: String = \"\"; init() {} }"
      for (tag, text) in [("1.0", trip + "}"), ("1.1", trip)] {
        try write(text)
        try project.commit(tag)
        try project.repository.git("tag", tag)
      }
      func severities(_ pattern: String) throws -> [String] {
        try project.check("--against-tags", pattern, models: "App").found.filter { $0.code == "MC2632" }
          .map(\.severity)
      }
      #expect(try severities("1.0") == ["error"])
      #expect(try severities("1.*") == ["warning"])
    }
  }

  @Test func `each tag whose stores are lost is told, and a baseline of one allows no other`() throws {
    try withApp { project, write in
      for (tag, more) in [("1.0", ""), ("1.1", "; var b: Int = 0")] {
        try write("@Model final class Stop { var a: Int = 0\(more); init() {} }")
        try project.commit(tag)
        try project.repository.git("tag", tag)
      }
      try write("@Model final class Stop { var a: Int = 0; var b: Int = 0; var c: String; init() {} }")
      let found = try project.check(models: "App").found.filter { $0.code == "MC2631" }
      #expect(found.count == 2, "\(found.map(\.message))")
    }
  }

  @Test func `a new case of an enum changes no released schema, also within a struct`() throws {
    try withApp { project, write in
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
      #expect(try codes(project, "warning") == [])
      try write(source("a"))
      #expect(try codes(project) + codes(project, "warning") != [])
    }
  }

  @Test func `what one property is allowed lets no other one through`() throws {
    try withApp { project, write in
      func stop(_ more: String) -> String {
        "@Model final class Stop {\n  var a: Int = 0\n\(more)  init() {}\n}\n"
      }
      try write(stop(""))
      try project.commit("1.0")
      try project.repository.git("tag", "1.0")
      let allowed = "  // modelc:allow MC2631 reason=\"nobody has rows\"\n  var b: Int\n"
      try write(stop(allowed))
      #expect(try codes(project) == [])
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

  @Test func `what a class of values holds is read from its own file`() throws {
    try withApp { project, write in
      func found(_ members: String) throws -> [String] {
        try project.write("struct Size: Codable { \(members) }\n", to: "App/Size.swift")
        return try project.check(models: "App").found.filter { $0.severity == "error" }.map(\.code)
      }
      try write("@Model final class Stop { var name: String = \"\"; var box: Box?; init() {} }")
      try project.write("final class Box: Codable { var size: Size? }\n", to: "App/Box.swift")
      #expect(try found("var a: Int") == [])
      try project.commit("1.0")
      try project.repository.git("tag", "1.0")
      #expect(try found("var a: Int; var b: Int") == ["MC2617"])
    }
  }

  @Test(arguments: [
    ("try context.delete(model: V1.Trip.self); try context.save()", [String]()),
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
    try withApp { project, write in
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
      #expect(try codes(project) == expected)
    }
  }

  @Test(arguments: [("Cache", [String]()), ("Hut", ["MC7008"])])
  func `a class that a stage has emptied may be removed`(_ deleted: String, _ expected: [String]) throws {
    try withApp { project, write in
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
      #expect(try codes(project) == expected)
    }
  }

  @Test func `the newest schema can be recorded while older ones list its classes`() throws {
    try withApp { project, write in
      func schema(_ number: Int, _ types: String) -> String {
        """
        enum V\(number): VersionedSchema {
          static let versionIdentifier = Schema.Version(\(number), 0, 0)
          static var models: [any PersistentModel.Type] { [\(types)] }
        }

        """
      }
      try write(
        schema(1, "Trip.self") + schema(2, "Trip.self, Stop.self") + """
          @Model final class Trip { var name: String = ""; init() {} }
          @Model final class Stop { var name: String = ""; init() {} }
          enum Plan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
            static var stages: [MigrationStage] { [.lightweight(fromVersion: V1.self, toVersion: V2.self)] }
          }
          """)
      try project.commit("1.0")
      try project.repository.git("tag", "1.0")
      let live = try project.check(models: "App").found.filter { $0.code == "MC2611" }
      // The tag has the newest schema: there is nothing to freeze from it.
      #expect(live.count == 1 && live.first?.help.joined().contains("--from-tags") == false, "\(live)")
      let release = ["release", "-q", "--models", project.file("App")]
      #expect(ModelcCommand.run(release + ["1.0.0"]) == 1)
      #expect(ModelcCommand.run(release + ["2.0.0", "--fixture", "9"]) == 0)
    }
  }

  @Test func `a removal that is allowed at its class lets no later one through`() throws {
    try withApp { project, write in
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

  @Test func `two groups of builds are lost, and frozen types bring them back`() throws {
    try SwiftDataHistory.with { history in
      let project = history.project
      #expect(
        try errors(history) == [
          "MC2630 App/Trip.swift:5 stores of v1.0-b12 to v1.0-b33 (22 tags) match no version of the plan",
          "MC2630 App/Trip.swift:5 stores of v1.0-b34 to v1.0-b39 (6 tags) match no version of the plan",
        ])
      #expect(try errors(history, ["--against-tags", "v1.0-b4*"]).isEmpty == false)
      let shipped = try ShippedSchemas(tags: nil, ofModelAt: project.file("App"), ModelReader())
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
      // A lock that somebody edited proves nothing, and nothing is written beside it.
      let lock = try String(contentsOfFile: project.file("App.released.lock"), encoding: .utf8)
      try project.edit("App.released.lock", "total ", "# total ")
      #expect(ModelcCommand.run(release + ["--freeze", project.file(frozen), "--check"]) == 1)
      for arguments in [["--from-tags"], ["3.0.0"]] {
        let other = project.file("App/Other.swift")
        #expect(ModelcCommand.run(release + arguments + ["--freeze", other]) == 1)
        #expect(!FileManager.default.fileExists(atPath: other))
      }
      try project.write(lock, to: "App.released.lock")
      for name in ["TripPlan", "SchemaV1", "SchemaV2"] {
        try FileManager.default.removeItem(atPath: project.file("App/\(name).swift"))
      }
      #expect(try errors(history) == [])
      let hashes = try #require(ModelReader().read(project.file("App")).model).versions.map(\.versionChecksum)
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
      try project.edit("App/M.swift", "init", "#if os(macOS)\n  var frame: Int?\n  #endif\n  init")
      #expect(try project.check(models: models).found.map(\.code).sorted() == ["MC2606", "MC2607"])
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

  /// The plan came after two releases, in a file of its own; an enum that no file with SwiftData declares is there too.
  @Test(arguments: [["App"], ["App/Plan.swift"], ["App", "--plan", "Plan"], ["App", "--plan", "App.Plan"]])
  func `tags from before the plan are judged, and freezing them is the mend`(_ arguments: [String]) throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      func release(_ tag: String, _ files: [String: String]) throws {
        for (name, text) in files {
          try project.write("import SwiftData\n\(text)\n", to: "App/\(name).swift")
        }
        try project.commit(tag)
        try repository.git("tag", tag)
      }
      try project.write("enum Kind: String, Codable { case walk, ride }", to: "App/Kind.swift")
      let trip = "@Model final class Trip { var kind = Kind.walk; var name = \"\"; MORE; init() {} }"
      try release("v1", ["Models": trip.replacing("; MORE", with: "")])
      try release("v2", ["Models": trip.replacing("MORE", with: "var stars: Int?")])
      func schema(_ number: Int, _ more: String, _ types: String) -> String {
        """
        enum V\(number): VersionedSchema {
          static let versionIdentifier = Schema.Version(\(number), 0, 0)
          static var models: [any PersistentModel.Type] { [\(types)] }
          \(trip.replacing("MORE", with: more))
          \(number == 2 ? "@Model final class Stop { var trip: V2.Trip?; init() {} }" : "")
        }
        """
      }
      let plan = """
        enum Plan: SchemaMigrationPlan {
          static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
          static var stages: [MigrationStage] { [.lightweight(fromVersion: V1.self, toVersion: V2.self)] }
        }
        """
      try release(
        "v3",
        [
          "Models": "", "Plan": plan, "V1": schema(1, "var stars: Int?", "Trip.self"),
          "V2": schema(2, "var stars: Int?; var stops: [Stop] = []", "Trip.self, Stop.self"),
        ])
      let models = ["--models", project.file(arguments[0])] + arguments.dropFirst()
      let found = try project.check(arguments: Array(arguments.dropFirst()), models: arguments[0]).found
      #expect(found.map(\.code) == ["MC2630"], "\(found.map(\.message))")
      #expect(found.first?.message.hasPrefix("stores of v1 match no version of the plan") == true)
      let frozen = project.file("App/ShippedSchemas.swift")
      #expect(found.first?.help.first?.contains("--freeze \(frozen)") == true, "\(found.first?.help ?? [])")
      #expect(ModelcCommand.run(["release", "-q"] + models + ["--from-tags", "*", "--freeze", frozen]) == 0)
      let text = try String(contentsOfFile: frozen, encoding: .utf8)
      // `@Model` refuses a value whose type is left out.
      #expect(text.contains("= Kind.walk") && !text.contains("= ."))
      for name in ["Plan", "V1"] {
        try FileManager.default.removeItem(atPath: project.file("App/\(name).swift"))
      }
      #expect(try project.check(models: "App").found.map(\.code) == [])
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

  @Test func `rules of CloudKit hold where the app's configuration has its stores mirrored`() throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      func found(_ database: String) throws -> [String] {
        try project.write(
          """
          import SwiftData
          @Model final class Trip {
            var name: String
            init() {}
          }
          let own = ModelConfiguration(cloudKitDatabase: \(database))
          """, to: "App/Models.swift")
        return try project.check(models: "App").found.filter { $0.code == "MC1802" }.map(\.severity)
      }
      let always = try found(".private(\"iCloud.trips\")")
      #expect(always == ["error"])
      #expect(try found(".automatic") == ["warning"])
      #expect(try found(".none") == [])
    }
  }

  /// A hotfix of the first release came after the second one.
  @Test func `frozen schemas follow versions, and are written anew while nobody edits them`() throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      func write(_ more: String) throws {
        let text = "@Model final class Trip {\n  var name = \"\"\n  \(more)\n  init() {}\n}\n"
        try project.write("import SwiftData\n\(text)", to: "App/Models.swift")
      }
      for (tag, more) in [("v1.0", ""), ("v2.0", "var stars = 0"), ("v1.0.1", "var fix = 0")] {
        try write(more)
        try project.commit(tag)
        try repository.git("tag", tag)
      }
      let file = project.file("App/ShippedSchemas.swift")
      let freeze = ["release", "-q", "--models", project.file("App"), "--from-tags", "--freeze", file]
      func versions() throws -> [String] {
        try #require(ModelReader().read(project.file("App")).model).versions.map {
          "\($0.typeName ?? "") \($0.name)"
        }
      }
      try write("var stars = 0; var more = 0")
      #expect(ModelcCommand.run(freeze) == 0)
      let first = ["Schema_v1_0 1.0.0", "Schema_v1_0_1 1.0.1", "Schema_v2_0 2.0.0"]
      #expect(try versions() == first + ["CurrentSchema 3.0.0"])
      try project.commit("v3.0")
      try repository.git("tag", "v3.0")
      try write("var stars = 0; var most: Int?")
      #expect(ModelcCommand.run(freeze) == 0)
      #expect(try versions() == first + ["Schema_v3_0 3.0.0", "CurrentSchema 4.0.0"])
      #expect(ModelcCommand.run(Array(freeze.prefix(4)) + ["--freeze", file, "--check"]) == 0)
      try project.edit("App/ShippedSchemas.swift", "var fix", "var  fix")
      #expect(ModelcCommand.run(freeze) != 0)
    }
  }

  @Test func `the file that has the frozen schemas is the one to write anew`() throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      func write(_ more: String) throws {
        let text = "@Model final class Trip {\n  var name = \"\"\n  \(more)\n  init() {}\n}\n"
        try project.write("import SwiftData\n\(text)", to: "App/Models.swift")
      }
      func release(_ tag: String) throws {
        try project.commit(tag)
        try repository.git("tag", tag)
      }
      try write("")
      try release("v1.0")
      try write("var stars: Int?")
      let freeze = ["--from-tags", "--freeze", project.file("App/Store/Frozen.swift")]
      #expect(ModelcCommand.run(["release", "-q", "--models", project.file("App")] + freeze) == 0)
      try release("v2.0")
      try write("var stops: Int?")
      let found = try project.check(models: "App").found.first { $0.code == "MC2630" }
      #expect(found?.help.first?.contains("--freeze \(freeze[2])") == true, "\(found?.help ?? [])")
    }
  }

  /// The newest schema was edited in place, so the frozen ones are numbered by their order.
  @Test func `kept stores follow their schemas where a hotfix comes between them`() throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      func write(_ more: String, tag: String? = nil) throws {
        let trip = "@Model final class Trip { var name = \"\"\(more); init() {} }"
        let schema = """
          import SwiftData
          enum V1: VersionedSchema {
            static let versionIdentifier = Schema.Version(1, 0, 0)
            static var models: [any PersistentModel.Type] { [Trip.self] }
            \(trip)
          }
          """
        try project.write(schema, to: "App/V1.swift")
        guard let tag else { return }
        try project.commit(tag)
        try repository.git("tag", tag)
      }
      func freeze() throws -> [Data] {
        let file = project.file("Frozen.swift")
        let run = ["release", "-q", "--models", project.file("App"), "--from-tags", "--freeze", file]
        #expect(ModelcCommand.run(run) == 0)
        return try (1...3).compactMap { number -> Data? in
          let store = project.file("App.released/0.0.\(number).sqlite")
          return FileManager.default.fileExists(atPath: store)
            ? try Data(contentsOf: URL(filePath: store)) : nil
        }
      }
      try write("", tag: "v1.0")
      try write("; var a: Int?", tag: "v2.0")
      try write("; var a: Int?; var b: Int?; var fix: Int?")
      let before = try freeze()
      try write("; var fix: Int?", tag: "v1.0.1")
      try write("; var a: Int?; var b: Int?; var fix: Int?")
      let after = try freeze()
      #expect(before.count == 2 && after.count == 3)
      #expect(before == [after.first, after.last].compactMap(\.self))
      let found = try project.check(models: "App").found
      #expect(!found.contains { $0.code == "MC7009" }, "\(found.map(\.message))")
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

  @Test func `a plan of frozen schemas keeps those that are older than all tags`() throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      func write(_ number: Int, _ more: String) throws {
        let text = """
          import SwiftData
          enum V\(number): VersionedSchema {
            static let versionIdentifier = Schema.Version(\(number), 0, 0)
            static var models: [any PersistentModel.Type] { [Trip.self] }
            @Model final class Trip { var name = ""; \(more)init() {} }
          }
          """
        try project.write(text, to: "App/V\(number).swift")
      }
      try write(1, "")
      try write(2, "var a = 0; ")
      try write(3, "var a = 0; var b = 0; ")
      let plan = """
        import SwiftData
        enum Plan: SchemaMigrationPlan {
          static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self, V3.self] }
          static var stages: [MigrationStage] {
            [
              .lightweight(fromVersion: V1.self, toVersion: V2.self),
              .lightweight(fromVersion: V2.self, toVersion: V3.self),
            ]
          }
        }
        """
      try project.write(plan, to: "App/Plan.swift")
      try project.commit("3.0")
      try repository.git("tag", "v3.0")
      try write(3, "var a = 0; var b = 0; var c: Int?; ")
      let file = project.file("App/Shipped.swift")
      let freeze = ["release", "-q", "--models", project.file("App"), "--from-tags", "--freeze", file]
      #expect(ModelcCommand.run(freeze) == 0)
      try FileManager.default.removeItem(atPath: project.file("App/Plan.swift"))
      let model = try #require(ModelReader().read(project.file("App")).model)
      #expect(model.versions.map(\.typeName) == ["V1", "V2", "Schema_v3_0", "V3"])
      #expect(model.versions.map(\.name) == ["1.0.0", "2.0.0", "2.0.1", "3.0.0"])
      #expect(model.stages.count == 3)
      #expect(try codes(project) == [])
    }
  }

  @Test func `a container that gains a class of no schema is new, though no schema was edited`() throws {
    try withApp { project, write in
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

  @Test func `a class that no container lists any more may be retired`() throws {
    try withApp { project, write in
      let classes = ["Trip", "Draft"].map { "@Model final class \($0) { var n = 0; init() {} }\n" }.joined()
      try write(classes + "let c = try ModelContainer(for: Schema([Trip.self, Draft.self]))")
      try project.commit("1.0")
      try project.repository.git("tag", "1.0")
      try write(classes + "let c = try ModelContainer(for: Schema([Trip.self]))")
      #expect(try codes(project).contains("MC7008"))
      try project.write("retired: [Draft]\n", to: "modelc.yaml")
      #expect(try codes(project) == [])
    }
  }

  @Test func `a class whose objects a custom stage carries over is retired, for it has no former name`()
    throws
  {
    try withApp { project, write in
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
      #expect(try codes(project) == ["MC2637"])
      let work = "willMigrate: { try keep($0) }, didMigrate: { try restore($0) }"
      try write(plan("custom(fromVersion: V1.self, toVersion: V2.self, \(work))"))
      #expect(try codes(project) == ["MC7008"])
      try project.write("retired: [Trip]\n", to: "modelc.yaml")
      #expect(try codes(project) == [])
    }
  }

  @Test func `a comment in the file of a class allows a finding there, and settings lie beside the folder`()
    throws
  {
    try withApp { project, write in
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
    }
  }

  @Test func `a relationship under another name is advised the macro of relationships`() throws {
    try withApp { project, write in
      func found(_ stops: String) throws -> [String] {
        let stop = "@Model final class Stop { var n = 0; init() {} }\n"
        try write(stop + "@Model final class Trip { var name = \"\"; \(stops) init() {} }")
        return try project.check(models: "App").found.filter { $0.severity == "error" }.map {
          "\($0.code) \($0.help.joined().contains("@Relationship(originalName: \"stops\")"))"
        }
      }
      #expect(try found("var stops: [Stop] = [];") == [])
      try project.commit("1.0")
      try project.repository.git("tag", "1.0")
      #expect(try found("var places: [Stop] = [];") == ["MC3204 true"])
      #expect(try found("@Relationship(originalName: \"stops\") var places: [Stop] = [];") == [])
      #expect(try found("") == ["MC7008 true"])
    }
  }

  @Test func `objects stay behind in the file of the last release, whatever older ones had`() throws {
    try withApp { project, write in
      func release(_ name: String) throws {
        let classes = ["Trip", "Draft"].map { "@Model final class \($0) { var n = 0; init() {} }\n" }.joined()
        try write(
          classes
            + "let c = try ModelContainer(for: Trip.self, Draft.self, configurations: ModelConfiguration(\"\(name)\"))"
        )
        try project.commit(name)
      }
      for name in ["old", "trips"] {
        try release(name)
        try project.repository.git("tag", "-f", name)
        #expect(try codes(project) == [])
      }
      try release("main")
      let found = try project.check(models: "App").found.filter { $0.severity == "error" }
      let support = "Library/Application Support/"
      #expect(
        found.map(\.message) == [
          "'Trip', 'Draft' are kept in '\(support)main.store' now, not in '\(support)trips.store' as in 'trips'"
        ])
    }
  }

  @Test func `an enum is no text under another name`() throws {
    try withApp { project, write in
      func found(_ property: String) throws -> [String] {
        try write("enum Kind: String, Codable { case a }\n@Model final class Trip { \(property); init() {} }")
        return try codes(project)
      }
      _ = try found("var kindText: String = \"a\"")
      try project.commit("1.0")
      try project.repository.git("tag", "1.0")
      #expect(try found("var kind: Kind = Kind.a") == ["MC7008"])
      #expect(try found("var kind: String = \"a\"") == ["MC3204"])
    }
  }

  @Test func `containers that are all in memory are a doubt`() throws {
    try withApp { project, write in
      func found(_ more: String, _ last: String = "") throws -> [String] {
        let container = "try ModelContainer(for: Trip.self\(more))"
        try write(
          "@Model final class Trip { var n = 0; init() {} }\nlet c = \(container)\n\(last)")
        let found = try project.check(models: "App").found.filter { $0.code == "MC7008" }
        #expect(found.allSatisfy { $0.help.first?.hasPrefix("remove `isStoredInMemoryOnly: true`") == true })
        return found.map(\.message)
      }
      let memory = ", configurations: ModelConfiguration(isStoredInMemoryOnly: true)"
      for (then, count) in [(memory, 0), ("", 1)] {
        _ = try found(then)
        try project.commit("then\(then)")
        try project.repository.git("tag", "-f", "1")
        #expect(try found("") == [])
        let messages = try found(memory)
        #expect(messages.count == count)
        #expect(messages.allSatisfy { $0.hasPrefix("'Trip' is kept in memory only now, not in ") })
        #expect(try found(memory, "let d = try ModelContainer(for: Trip.self)") == [])
        #expect(try found(memory, "let d = try ModelContainer(for: all)") == [])
      }
    }
  }

  @Test func `a group that is named now is a doubt, and another one an error`() throws {
    try withApp { project, write in
      func found(_ group: String) throws -> [String] {
        try write(
          "@Model final class Trip { var n = 0; init() {} }\n"
            + "let c = try ModelContainer(for: Trip.self, configurations: ModelConfiguration(\(group)))")
        return try project.check(models: "App").found.filter { $0.code == "MC7008" }.map(\.severity)
      }
      for (group, severity) in [("", "warning"), ("groupContainer: .identifier(\"group.a\")", "error")] {
        _ = try found(group)
        try project.commit(severity)
        try project.repository.git("tag", "-f", "1")
        #expect(try found("groupContainer: .identifier(\"group.b\")") == [severity])
      }
    }
  }

  @Test func `what a custom stage fills may be required next, in schemas that are released together`() throws
  {
    try withApp { project, write in
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
      #expect(try codes(project) == [])
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
      #expect(try codes(project) == ["MC3101"])
    }
  }

  @Test func `a store whose defaults are the app's is no store that was tried`() throws {
    try withApp { project, write in
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
    try withApp { project, write in
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
    try withApp { project, write in
      let place = "struct Place: Codable { var x: Double; var y: Double }\n"
      try write(place + "@Model final class Trip { var site: URL; var place: Place?; init() {} }")
      try project.commit("1.0")
      try project.repository.git("tag", "1.0")
      let release = ["release", "-q", "--models", project.file("App"), "1.0.0", "--fixture", "20"]
      #expect(ModelcCommand.run(release) == 0)
      try write(place + "@Model final class Trip { var site: String; var place: Place?; init() {} }")
      #expect(try codes(project) == ["MC2631"])
      try write(place + "@Model final class Trip {\n  var site: URL\n  var place: Place; init() {} }")
      let found = try project.check(models: "App").found.filter { $0.severity == "error" }
      #expect(found.map { "\($0.code) \($0.line ?? 0)" } == ["MC3101 6"])
    }
  }

  @Test func `frozen enums have their raw types, and frozen generics write nil`() throws {
    try withApp { project, write in
      let classes = """
        enum Level: UInt8, Codable { case low, high = 200 }
        struct Box<T: Codable>: Codable { var value: T; var name: String? }
        @Model class Trip {
          var level: Level = Level.low; var levels: [Level] = []; var boxes: [Box<Int?>] = []
          @Attribute(.codable) var locale: Locale?
          @Relationship(.unique) var stop: Stop?
          init() {}
        }
        @available(iOS 26, *) @Model final class Walk: Trip { var n = 0; override init() {} }
        @Model final class Stop { @Relationship(inverse: \\Trip.stop) var trips: [Trip] = []; init() {} }
        """
      try write(classes)
      try project.commit("1.0")
      try project.repository.git("tag", "1.0")
      try write(classes.replacing("var n = 0", with: "var n = 0; var m = 0"))
      let file = project.file("Frozen.swift")
      let run = ["release", "-q", "--models", project.file("App"), "--from-tags", "--freeze", file]
      #expect(ModelcCommand.run(run) == 0)
      let text = try String(contentsOfFile: file, encoding: .utf8)
      for line in [
        "    enum Level: UInt8, Codable {\n", "try container.encode(value, forKey: .value)\n",
        "try container.encodeIfPresent(name, forKey: .name)\n", "#Unique<Trip>([\\.stop])\n",
        "@Attribute(.codable)\n        var locale: Locale?\n",
        "visionOS 26, *)\nenum Schema_1_0: VersionedSchema {\n",
        "visionOS 26, *)\nenum CurrentSchema: VersionedSchema {\n",
        "visionOS 26, *)\nenum FrozenMigrationPlan: SchemaMigrationPlan {\n",
      ] {
        #expect(text.contains(line), "\(line)\(text)")
      }
    }
  }

  @Test func `frozen types are those of the source, and what one file cannot tell is refused`() throws {
    try withApp { project, write in
      func freeze(_ type: String) throws -> String? {
        let properties =
          "var m: Measurement<UnitLength>?; var u: UInt = 0; var g: CGFloat; var x: \(type)?"
        try write("import CoreLocation\n@Model final class Trip { \(properties); init() {} }")
        try project.commit(type)
        try project.repository.git("tag", "-f", "v1.0")
        try project.edit("App/Models.swift", "init()", "var more: Int = 0; init()")
        let file = project.file("Frozen.swift")
        let run = ["release", "-q", "--models", project.file("App"), "--from-tags", "--freeze", file]
        #expect(ModelcCommand.run(run) == (type == "Locale" ? 0 : 1))
        return try? String(contentsOfFile: file, encoding: .utf8)
      }
      #expect(try freeze("CLLocationCoordinate2D") == nil)
      let text = try freeze("Locale") ?? ""
      for line in ["m: Measurement<UnitLength>?", "u: UInt = 0", "g: CGFloat", "x: Locale?"] {
        #expect(text.contains("        var \(line)\n"), "\(text)")
      }
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
}
