import Foundation
import ManagedModel
import TestSupport
import Testing

/// What a change to the classes of `Models/Examples/SwiftDataApp` does to users' stores, told from source alone.
@Suite("The gate for SwiftData", .needsSwiftData)
struct SwiftDataGateTests {
  private static let app = "Examples/SwiftDataApp"
  private static let book = "\(app)/Sources/Schemas/SchemaV3/Book.swift"

  /// A repository with the sample, committed.
  private func withApp(_ body: (Repository) throws -> Void) throws {
    try Repository.with { repository in
      let sample = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Models/\(Self.app)")
      let folder = repository.folder.appending(path: Self.app)
      try FileManager.default.createDirectory(
        at: folder.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: sample, to: folder)
      try repository.commit("an app")
      try body(repository)
    }
  }

  private func edit(_ path: String, in repository: Repository, _ change: (String) -> String) throws {
    let text = try String(contentsOf: repository.folder.appending(path: path), encoding: .utf8)
    let changed = change(text)
    #expect(changed != text)
    try repository.write(changed, to: path)
  }

  /// What a check printed at a place.
  private func findings(_ run: Modelc.Run) -> [(line: String, code: String)] {
    (run.stdout + run.stderr).lines.compactMap { line in
      line.firstMatch(of: #/: (?:error|warning|info)\[(MC\d{4})\]/#).map { (line, String($0.output.1)) }
    }
  }

  @Test func `the sample lacks nothing but its lock`() throws {
    try withApp { repository in
      let run = try repository.modelc("check", "--models", "\(Self.app)/Sources")
      #expect(run.code == 0 && findings(run).map(\.code) == ["MC7011"], "\(run)")
      let against = try repository.modelc("check", "--models", "\(Self.app)/Sources", "--against", "main")
      #expect(against.code == 0 && findings(against).isEmpty, "\(against)")
    }
  }

  @Test func `a removed property is named, at the line of its class`() throws {
    try withApp { repository in
      try edit(Self.book, in: repository) { $0.replacing("    var rating: Int = 0\n", with: "") }
      try repository.commit("books are not rated")
      let run = try repository.modelc(
        "check", "--models", "\(Self.app)/Sources", "--against", "HEAD~1")
      let found = findings(run)
      #expect(run.code == 1 && found.map(\.code) == ["MC2630"], "\(run)")
      let text = try String(contentsOf: repository.folder.appending(path: Self.book), encoding: .utf8)
      let line = try #require(text.lines.firstIndex { $0.contains("class Book") }) + 1
      #expect(found.first?.line.hasPrefix("\(Self.book):\(line):") == true, "\(run)")
      #expect(found.first?.line.contains("Book.rating removed") == true, "\(run)")
    }
  }

  @Test func `the same change as a new schema passes, once its loss is stated`() throws {
    try withApp { repository in
      func check() throws -> Modelc.Run {
        try repository.modelc("check", "--models", "\(Self.app)/Sources", "--against", "HEAD")
      }
      let new = try String(contentsOf: repository.folder.appending(path: Self.book), encoding: .utf8)
        .replacing("    var rating: Int = 0\n", with: "").replacing("SchemaV3", with: "SchemaV4")
      try repository.write(new, to: Self.book.replacing("SchemaV3", with: "SchemaV4"))
      for name in ["Shelf", "Writer", "SchemaV3"] {
        let path = "\(Self.app)/Sources/Schemas/SchemaV3/\(name).swift"
        let text = try String(contentsOf: repository.folder.appending(path: path), encoding: .utf8)
        try repository.write(
          text.replacing("SchemaV3", with: "SchemaV4").replacing("(3, 0, 0)", with: "(4, 0, 0)"),
          to: path.replacing("SchemaV3", with: "SchemaV4"))
      }
      try edit("\(Self.app)/Sources/Schemas/BookshelfMigrationPlan.swift", in: repository) {
        $0.replacing("SchemaV3.self] }", with: "SchemaV3.self, SchemaV4.self] }")
          .replacing("writers] }", with: "writers, unrated] }")
          .replacing(
            "  /// Each",
            with: """
                static let unrated = MigrationStage.lightweight(
                  fromVersion: SchemaV3.self, toVersion: SchemaV4.self)

                /// Each
              """)
      }
      // The container has to follow.
      #expect(try findings(check()).map(\.code).sorted() == ["MC2618", "MC7008"])
      try edit("\(Self.app)/Sources/BookshelfApp.swift", in: repository) {
        $0.replacing("SchemaV3.self", with: "SchemaV4.self")
      }
      let run = try check()
      // Ratings that users gave are lost, which has to be said.
      #expect(run.code == 1 && findings(run).map(\.code) == ["MC7008"], "\(run)")
      try repository.write("retired: [Book.rating]\n", to: "\(Self.app)/modelc.yaml")
      let said = try check()
      #expect(said.code == 0 && findings(said).isEmpty, "\(said)")
    }
  }

  /// Of an app of one class whose schema never had a version, by its tags.
  @Test func `tags that cannot be read, and schemas that are frozen`() throws {
    try Repository.with { repository in
      let (trip, frozen) = ("App/Trip.swift", "App/Shipped.swift")
      let text = "import SwiftData\n@Model final class Trip {\n  var name: String = \"\"\n  init() {}\n}\n"
      func tag(_ text: String, _ name: String) throws {
        try repository.write(text, to: trip)
        try repository.commit(name)
        try repository.git("tag", name)
      }
      func freeze(_ arguments: String...) throws -> Modelc.Run {
        try Modelc.run(
          ["release", "--models", "App", "--freeze", frozen] + arguments, in: repository.folder)
      }
      try tag(text, "v1")
      expectRefusal(try freeze("--from-tags"), "MC2641", exit: 1)
      // What moves a hash is named, and nothing else that source leaves open.
      let more = "  var description: String?\n  var stars: Int = two()\n  init"
      try tag(text.replacing("  init", with: more), "v0")
      try repository.write(text, to: trip)
      let refused = try freeze("--from-tags", "v0")
      #expect(refused.stderr.contains("cannot express 'Trip.description' under its name"), "\(refused)")
      #expect(!refused.stderr.contains("Trip.stars"), "\(refused)")
      try repository.git("tag", "-d", "v0")
      try tag(text + "}", "v2")
      try tag(text.replacing("  init", with: "  var stars: Int = 0\n  init"), "v3")
      let run = try repository.modelc("check", "--models", "App", "--level", "path")
      #expect(run.code == 0 && findings(run).isEmpty && run.stdout.contains("warning[MC2632]"), "\(run)")
      expectSuccess(try freeze("--from-tags", "v[13]"))
      expectSuccess(try freeze("--check"))
      try edit(frozen, in: repository) { $0.replacing("var name: String", with: "var title: String") }
      let changed = try freeze("--check")
      #expect(changed.code == 1 && changed.errors == ["MC2640"], "\(changed)")
      let again = try freeze("--from-tags", "v[13]")
      #expect(again.errors == ["MC0012"] && again.stderr.contains("remove it, run this again"), "\(again)")
    }
  }

  @Test func `the next step after freezing names the plan that goes, also where no schema goes with it`()
    throws
  {
    try Repository.with { repository in
      func write(_ more: String) throws {
        let source = """
          import SwiftData
          enum V1: VersionedSchema {
            static let versionIdentifier = Schema.Version(1, 0, 0)
            static var models: [any PersistentModel.Type] { [Trip.self] }
            @Model final class Trip { var name: String = ""\(more); init() {} }
          }
          enum Plan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [V1.self] }
            static var stages: [MigrationStage] { [] }
          }
          """
        try repository.write(source, to: "App/V1.swift")
      }
      try write("")
      try repository.commit("v1")
      try repository.git("tag", "v1")
      try write("; var stars: Int = 0")
      let run = try repository.modelc(
        "release", "--models", "App", "--from-tags", "--freeze", "App/ShippedSchemas.swift")
      expectSuccess(run)
      #expect(run.stderr.contains("to the ModelContainer, and delete Plan; `"), "\(run)")
    }
  }

  @Test func `each schema that the frozen plan replaces is named`() throws {
    try Repository.with { repository in
      func write(_ count: Int, _ more: String = "") throws {
        let schemas = (1...count).map { number in
          """
          enum V\(number): VersionedSchema {
            static let versionIdentifier = Schema.Version(\(number), 0, 0)
            static var models: [any PersistentModel.Type] { [Trip.self, V1.Stop.self] }
            @Model final class Trip { var a\(number): Int?\(number == count ? more : ""); init() {} }
            \(number == 1 ? "@Model final class Stop { var a: Int?; init() {} }" : "")
          }

          """
        }
        let list = (1...count).map { "V\($0).self" }.joined(separator: ", ")
        let plan = """
          enum Plan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [\(list)] }
            static var stages: [MigrationStage] { [] }
          }
          """
        try repository.write("import SwiftData\n\(schemas.joined())\(plan)\n", to: "App/Models.swift")
      }
      for count in [1, 11] {
        try write(count)
        try repository.commit("v\(count)")
        try repository.git("tag", "v\(count)")
      }
      try write(11, "; var b: Int?")
      let run = try repository.modelc(
        "release", "--models", "App", "--from-tags", "--freeze", "App/ShippedSchemas.swift")
      expectSuccess(run)
      let names = (["V1 (first move Stop into V11)"] + (2...10).map { "V\($0)" }).joined(separator: ", ")
      #expect(run.stderr.contains("and delete Plan, \(names); `"), "\(run)")
    }
  }

  @Test func `init writes no model that would be checked in place of the classes`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      try place.write(
        "import SwiftData\n@Model final class Hut { var name = \"\"; init() {} }\n", to: "my app/Hut.swift")
      let run = try place.modelc("init", "my app")
      expectRefusal(run, "MC0012", exit: 2)
      #expect(run.plainMessages.contains("`modelc check --models 'my app'`"), "\(run)")
      expectSuccess(try place.modelc("check", "--models", "my app"))
      let job = try place.modelc("init", "my app", "--ci", "github")
      expectRefusal(job, "MC0012", exit: 2)
      #expect(job.plainMessages.contains("`modelc init 'my app' --ci github --models 'my app'`"), "\(job)")
      expectSuccess(try place.modelc("init", "my app", "--ci", "github", "--models", "my app"))
      #expect(!FileManager.default.fileExists(atPath: place.url("my app/Models").path))
      expectSuccess(try place.modelc("init", "my app", "--model", "Huts"))
      // A word in a comment is no model.
      try place.write("import CoreData\n// not SwiftData yet: @Model\nclass Hut {}\n", to: "old/Hut.swift")
      expectSuccess(try place.modelc("init", "old"))
      #expect(FileManager.default.fileExists(atPath: place.url("old/Models/old/V1.yaml").path))
    }
  }

  @Test func `the sample's job is the one that init writes`() throws {
    try withApp { repository in
      let sample = repository.folder.appending(path: "\(Self.app)/.github/workflows/modelc.yml")
      // The app at the top of a repository of its own.
      try repository.git("init", "--quiet", "--initial-branch", "main", Self.app)
      expectSuccess(
        try repository.modelc("init", "--ci", "github", "--models", "Sources", in: Self.app))
      let written = repository.folder.appending(path: "\(Self.app)/.github/workflows/stores.yml")
      // Where modelc comes from depends on the program that writes the file.
      let jobs = try [sample, written].map {
        try String(contentsOf: $0, encoding: .utf8).lines.filter { !$0.contains("  MODELC_") }
      }
      #expect(jobs[0] == jobs[1])
      let hook = try String(
        contentsOf: repository.folder.appending(path: "\(Self.app)/.githooks/pre-commit"), encoding: .utf8)
      #expect(hook.contains(#"[^/]*\.swift"#), "\(hook)")
    }
  }
}
