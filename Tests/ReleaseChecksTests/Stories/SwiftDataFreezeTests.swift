import Foundation
import ManagedModel
import ModelCommands
import ModelFormats
import ReleaseChecks
import SwiftDataModels
import TestSupport
import Testing

/// Schemas of releases that were edited since, frozen from the tags.
@Suite("SwiftData frozen from tags", .readsSwift)
struct SwiftDataFreezeTests {
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
      #expect(try newCodes(project) == [])
    }
  }

  @Test func `frozen enums have their raw types, and frozen generics write nil`() throws {
    try withSwiftDataApp { project, write in
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

  @Test func `the newest schema can be recorded while older ones list its classes`() throws {
    try withSwiftDataApp { project, write in
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

  @Test func `frozen types are those of the source, and what one file cannot tell is refused`() throws {
    try withSwiftDataApp { project, write in
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
}
