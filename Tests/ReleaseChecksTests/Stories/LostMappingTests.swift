import Foundation
import ManagedModel
import ModelCommands
import ModelFormats
import ReleaseChecks
import TestSupport
import Testing

/// Mapping files and mapping models that users' stores came through are gone, or lie where none is read.
@Suite("Mapping models that are gone") struct LostMappingTests {
  private static let mapping = "Migrations/Huts/V1-V2.yaml"
  private static let text = ReleasedProject.upperCasing(from: "V1", to: "V2")

  /// A released step with a mapping file.
  private func withMapping(_ body: (ReleasedProject) throws -> Void) throws {
    try ReleasedProject.with { project in
      try project.write(Self.text, to: Self.mapping)
      try project.commit("a mapping")
      try body(project)
    }
  }

  @Test func `a mapping file of a released step is deleted, edited, or called otherwise`() throws {
    try withMapping { project in
      #expect(try project.new("--against", "HEAD") == [])
      try project.repository.git("mv", Self.mapping, "Migrations/Huts/upper.yaml")
      #expect(try project.new("--against", "HEAD") == [])
      try project.edit("Migrations/Huts/upper.yaml", "uppercase:", "lowercase:")
      let edited = try project.new("--against", "HEAD")
      #expect(edited.map { "\($0.code) \($0.severity)" } == ["MC7053 warning"], "\(edited)")
      try project.repository.git("rm", "-rqf", "Migrations")
      let gone = try project.new("--against", "HEAD")
      #expect(gone.map { "\($0.code) \($0.severity)" } == ["MC7053 error"], "\(gone)")
      #expect(gone.first?.notes.last?.message == "1 entity has a different result: 'Hut'")
      var options = CheckOptions()
      options.base = "HEAD"
      #expect(try Project(folder: project.path).check(options).count(of: .mapping) == 0)
      try FileManager.default.createDirectory(
        atPath: project.file("Migrations"), withIntermediateDirectories: true)
      try #require(gone.first).pasteHelp()
      #expect(try project.new("--against", "HEAD") == [])
    }
  }

  @Test func `without a base, a mapping file that the lock's tag has is deleted`() throws {
    try withMapping { project in
      try project.repository.git("tag", "v1.0")
      try project.edit(Self.mapping, "uppercase:", "lowercase:")
      #expect(try project.new().map(\.code) == ["MC3402"])
      try project.repository.git("rm", "-rqf", "Migrations")
      let gone = try project.new()
      #expect(gone.map { "\($0.code) \($0.severity)" } == ["MC7053 error"], "\(gone)")
      #expect(gone.first?.message.hasSuffix("v1.0 has it") == true)
      try FileManager.default.createDirectory(
        atPath: project.file("Migrations"), withIntermediateDirectories: true)
      try #require(gone.first).pasteHelp()
      #expect(try project.new().map(\.code) == ["MC3402"])
    }
  }

  @Test func `without a base, the newest release of a version says which mapping files it has`() throws {
    try withMapping { project in
      // The lock has the first tag of each version.
      try project.repository.git("tag", "v1.0", "HEAD~1")
      try project.repository.git("tag", "v1.1")
      #expect(try !project.new().contains { $0.code == "MC7053" })
      try project.repository.git("rm", "-rqf", "Migrations")
      #expect(try project.new().contains { $0.code == "MC7053" })
      try project.commit("taken out")
      let gone = try project.new().filter { $0.code == "MC7053" }
      #expect(gone.count == 1 && gone[0].severity == "error" && gone[0].message.hasSuffix("v1.1 has it"))
      try project.repository.git("tag", "nightly-7")
      try project.write("", to: "Readme.txt")
      try project.commit("later")
      #expect(try project.new().contains { $0.code == "MC7053" })
      try project.repository.git("tag", "v1.2", "HEAD~1")
      #expect(try !project.new().contains { $0.code == "MC7053" })
    }
  }

  @Test func `a mapping file of a step that is not released, or whose version becomes another one`() throws {
    try withMapping { project in
      let next = "Migrations/Huts/V2-V3.yaml"
      try project.write(Self.text.replacing("V2", with: "V3").replacing("V1", with: "V2"), to: next)
      try project.commit("the next one")
      try FileManager.default.removeItem(atPath: project.file(next))
      let gone = try project.new("--against", "HEAD").filter { $0.code == "MC7053" }
      #expect(gone.map(\.severity) == ["warning"], "\(gone)")
      try project.edit("Models/Huts/V3.yaml", "opened: date?", "opened: date?\n      closed: date?")
      #expect(try !project.new("--against", "HEAD").contains { $0.code == "MC7053" })
    }
  }

  @Test func `a project is moved, and its mapping files are not`() throws {
    try withMapping { project in
      try FileManager.default.createDirectory(
        atPath: project.file("App"), withIntermediateDirectories: true)
      try project.repository.git("mv", "Models", "App/Models")
      let moved = ["--against", "HEAD", "-C", project.file("App")]
      let gone = try project.check(arguments: moved).found.filter { $0.code == "MC7053" }
      #expect(gone.map { "\($0.severity) \($0.state)" } == ["error new"], "\(gone)")
      try #require(gone.first).pasteHelp()
      #expect(try !project.check(arguments: moved).found.contains { $0.code == "MC7053" })
      // Moved with the model it is what it was.
      try FileManager.default.removeItem(atPath: project.file("App/Migrations"))
      try project.repository.git("mv", "Migrations", "App/Migrations")
      #expect(try !project.check(arguments: moved).found.contains { $0.code == "MC7053" })
    }
  }

  @Test func `a model gets another name, and the folder of its mapping files does not`() throws {
    try withMapping { project in
      try project.repository.git("mv", "Models/Huts", "Models/Cabins")
      let gone = try project.new("--against", "HEAD")
      #expect(gone.map { "\($0.code) \($0.severity)" } == ["MC4105 warning", "MC7053 error"], "\(gone)")
      #expect(try project.new().map(\.code) == ["MC4105"])
      let move = "mv \(project.file("Migrations/Huts")) \(project.file("Migrations/Cabins"))"
      #expect(gone.allSatisfy { $0.help.contains { $0.contains("`\(move)`") } }, "\(gone)")
      try project.repository.shell(move)
      #expect(try project.new("--against", "HEAD") == [])
    }
  }

  /// The last two are read where file names have no case.
  @Test(arguments: [
    "Migrations/huts.yaml", "Migrations/V1-V2.yml", "Migrations/Huts/V1-V2.yml", "migrations/Huts/V1-V2.yaml",
    "Migrations/huts/V1-V2.yaml",
  ])
  func `a mapping file lies where none is read`(place: String) throws {
    try withMapping { project in
      let folder = URL(filePath: project.file(place)).deletingLastPathComponent()
      if place.hasSuffix("s/V1-V2.yaml"), FileManager.default.fileExists(atPath: project.file("models")) {
        return
      }
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try project.repository.git("mv", Self.mapping, place)
      let gone = try project.new().filter { $0.code == "MC4105" && $0.severity == "error" }
      try #require(gone.count == 1, "\(gone)")
      let store = project.file("S.sqlite")
      #expect(
        ModelcCommand.run(["fixture", "V1", "--rows", "5", "-q", "-C", project.path, "-o", store]) == 0)
      #expect(ModelcCommand.run(["migrate", store, "-q", "-C", project.path]) == 1)
      try project.repository.shell(gone[0].help[0].components(separatedBy: "`")[1])
      #expect(try project.new("--against", "HEAD") == [])
      #expect(ModelcCommand.run(["migrate", store, "-q", "-C", project.path]) == 0)
    }
  }

  @Test func `a project's models are named without the project`() throws {
    try withMapping { project in
      for run in [
        try project.check("-C", project.file("Models")), try project.check(models: "Models"),
        try project.check(models: "Models/Huts"),
      ] {
        let unread = run.found.filter { $0.code == "MC4105" }
        #expect(unread.map(\.severity) == ["error"], "\(run)")
        #expect(unread.first?.help == ["name the project: `-C \(project.path)`"], "\(run)")
      }
      let named = try project.check("-C", project.path, models: "Models")
      #expect(!named.found.contains { $0.code == "MC4105" }, "\(named)")
      let store = project.file("S.sqlite")
      let fixture = ["fixture", "V1", "--rows", "5", "-q", "-C", project.path, "-o", store]
      #expect(ModelcCommand.run(fixture) == 0)
      #expect(ModelcCommand.run(["migrate", store, "-q", "-C", project.file("Models")]) == 1)
      #expect(ModelcCommand.run(["migrate", store, "-q", "-C", project.path]) == 0)
    }
  }

  @Test func `mapping files that a run does not read are missed too when they are gone`() throws {
    try withMapping { project in
      let within = ["-C", project.file("Models"), "--against", "HEAD"]
      func codes(_ arguments: [String]) throws -> [String] {
        try project.check(arguments: arguments).found.filter { $0.state == "new" }
          .map { "\($0.code) \($0.severity)" }
      }
      try project.repository.git("rm", "-rq", "Migrations")
      // No run of such a project has read them: they are lost if another one did.
      #expect(try codes(within).filter { $0.hasPrefix("MC7053") } == ["MC7053 warning"])
      try project.repository.git("reset", "-q", "--hard")
      try project.repository.git("mv", "Migrations", "Models/Migrations")
      #expect(try !codes(within).contains { $0.hasPrefix("MC7053") || $0.hasSuffix(" error") })
      let unread = try project.check().found.filter { $0.code == "MC4105" }
      #expect(unread.map(\.severity) == ["error"], "\(unread)")
      #expect(unread.first?.help == ["name the project: `-C \(project.file("Models"))`"])
      try project.commit("a project in a folder")
      try project.repository.git("rm", "-rq", "Models/Migrations")
      #expect(try codes(["--against", "HEAD"]).filter { $0.hasPrefix("MC7053") } == ["MC7053 warning"])
    }
  }

  @Test func `a package is named without the folder that has its mapping files`() throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      let package = "App/Huts.xcdatamodeld"
      for (name, attributes) in [("V1", ["a"]), ("V2", ["a", "b"])] {
        let written = attributes.map { #"<attribute name="\#($0)" optional="YES" attributeType="String"/>"# }
        try project.write(
          #"<model><entity name="Hut">\#(written.joined())</entity></model>"#,
          to: "\(package)/\(name).xcdatamodel/contents")
      }
      try project.write(
        "<plist><dict><key>_XCCurrentVersionName</key><string>V2.xcdatamodel</string></dict></plist>",
        to: "\(package)/.xccurrentversion")
      try project.write(
        "from: V1\nto: V2\nentityMappings:\n  HutToHut: {source: Hut, destination: Hut}\n",
        to: "App/Migrations/Huts/V1-V2.yaml")
      try project.write("migratedBy: modelc\n", to: "App/modelc.yaml")
      let alone = try project.check("--level", "path").found.filter { $0.code == "MC4105" }
      #expect(alone.map(\.severity) == ["error"], "\(alone)")
      #expect(alone.first?.help == ["name the project: `-C \(project.file("App"))`"], "\(alone)")
      let named = try project.check("--level", "path", "-C", project.file("App")).found
      #expect(!named.contains { $0.code == "MC4105" }, "\(named)")
      // Another tool's.
      try FileManager.default.removeItem(atPath: project.file("App/Migrations/Huts/V1-V2.yaml"))
      try project.write("id: 1\nsql: none\n", to: "App/Migrations/Huts/0001.yaml")
      let other = try project.check("--level", "path").found
      #expect(!other.contains { $0.code == "MC4105" }, "\(other)")
      // The package's folder and `Models` are one.
      try FileManager.default.moveItem(atPath: project.file("App"), toPath: project.file("Models"))
      try project.write(
        "from: V1\nto: V2\nentityMappings:\n  HutToHut: {source: Hut, destination: Hut}\n",
        to: "Models/Migrations/Huts/V1-V2.yaml")
      let whole = Project(folder: project.path)
      let models = try whole.readModels().models
      let found = whole.readMappings(for: models, forRun: FileTrees()).diagnostics
      #expect(found.count { $0.code == .unusedMapping } == 1, "\(found)")
    }
  }

  @Test func `a mapping model of Xcode's beside a model in YAML is not adopted`() throws {
    try withMapping { project in
      let file = project.file("Step.xcmappingmodel")
      let place = ["-q", "-C", project.path]
      let export = ["map", "export", "V1", "V2", "--as", "xcmappingmodel"]
      #expect(ModelcCommand.run(export + place + ["-o", file]) == 0)
      #expect(try project.new().map(\.code) == ["MC3402"])
      try FileManager.default.removeItem(atPath: project.file("Migrations"))
      let unused = try project.new().filter { $0.code == "MC4105" }
      #expect(unused.map(\.severity) == ["warning"], "\(unused)")
      #expect(ModelcCommand.run(["adopt", file] + place) == 0)
      #expect(try !project.new().contains { $0.code == "MC4105" })
    }
  }

  @Test(.needsFixtures) func `a mapping model of a genuine package is deleted`() throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      let source = Fixtures.url("objcio+core-data/Migrations/Migrations")
      for name in try FileManager.default.contentsOfDirectory(atPath: source.path)
      where name.hasSuffix(".xcdatamodeld") || name.hasSuffix(".xcmappingmodel") {
        try FileManager.default.copyItem(
          at: source.appending(path: name), to: repository.folder.appending(path: name))
      }
      try project.commit("an app")
      try repository.git("rm", "-rq", "Moody 4-Moody 5.xcmappingmodel")
      let gone = try project.new("--against", "HEAD").filter { $0.severity == "error" }
      #expect(gone.map(\.code) == ["MC7053"], "\(gone)")
      try #require(gone.first).pasteHelp()
      #expect(try !project.new("--against", "HEAD").contains { $0.severity == "error" })
    }
  }

  @Test func `mapping files that a sparse checkout leaves out stop what would infer their steps`() throws {
    try withMapping { project in
      try project.repository.git("sparse-checkout", "set", "--cone", "Models")
      let found = try project.new("--against", "HEAD").filter { $0.severity == "error" }
      #expect(found.map(\.code) == ["MC0019"], "\(found)")
      let models = try [#require(project.model)]
      #expect(throws: DiagnosticsError.self) {
        _ = try Project(folder: project.path).customMigrations(for: models)
      }
      try #require(found.first).pasteHelp()
      #expect(try project.new("--against", "HEAD") == [])
      // What lies deeper is read by nobody.
      try project.write(Self.text, to: "Migrations/Huts/old/V1-V2.yaml")
      try project.commit("a copy")
      try project.repository.git("sparse-checkout", "set", "--no-cone", "/*", "!/Migrations/Huts/old/")
      #expect(try project.new("--against", "HEAD") == [])
    }
  }

  @Test func `a mapping file in a folder below is reported, unless its step has another`() throws {
    try ReleasedProject.with { project in
      let upper = ReleasedProject.upperCasing(from: "V2", to: "V3")
      try project.write(upper, to: "Migrations/Huts/2026/V2-V3.yaml")
      let run = try project.check("--level", "path")
      let unused = run.found.filter { $0.code == "MC4105" }
      #expect(run.code == 0 && unused.map(\.severity) == ["warning"], "\(run)")
      #expect(unused.first?.place(in: project) == "Migrations/Huts/2026/V2-V3.yaml:1")
      try project.write(upper, to: "Migrations/Huts/V2-V3.yaml")
      let moved = try project.check("--level", "path")
      #expect(!moved.found.contains { $0.code == "MC4105" }, "\(moved)")
    }
  }

  @Test func `what a sparse checkout leaves out is found behind a link into a repository`() throws {
    try Repository.with { repository in
      try repository.write(Self.text, to: "Sub/Migrations/Huts/V1-V2.yaml")
      try repository.write("", to: "Sub/README")
      try repository.commit("a mapping")
      try repository.git("sparse-checkout", "set", "--no-cone", "/*", "!/Sub/Migrations/")
      try withTemporaryFolder { folder in
        let link = folder.appending(path: "link").path
        try FileManager.default.createSymbolicLink(
          atPath: link, withDestinationPath: repository.folder.appending(path: "Sub").path)
        let path = "\(link)/Migrations/Huts"
        #expect(path.isLeftOut(asMappings: true))
      }
    }
  }
}
