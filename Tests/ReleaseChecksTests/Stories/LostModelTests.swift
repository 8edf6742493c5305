import Foundation
import ManagedModel
import ModelCommands
import ModelFormats
import ReleaseChecks
import TestSupport
import Testing

/// What users' stores came through, or what they are stores of, is gone from the project.
@Suite("Mapping models and models that are gone") struct LostModelTests {
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

  private func new(
    _ project: ReleasedProject, _ arguments: String..., models: String? = nil
  ) throws -> [ReleasedProject.Found] {
    try project.check(arguments: arguments, models: models).found.filter {
      $0.state == "new" && $0.severity != "information"
    }
  }

  @Test func `a mapping file of a released step is deleted, edited, or called otherwise`() throws {
    try withMapping { project in
      #expect(try new(project, "--against", "HEAD") == [])
      try project.repository.git("mv", Self.mapping, "Migrations/Huts/upper.yaml")
      #expect(try new(project, "--against", "HEAD") == [])
      try project.edit("Migrations/Huts/upper.yaml", "uppercase:", "lowercase:")
      let edited = try new(project, "--against", "HEAD")
      #expect(edited.map { "\($0.code) \($0.severity)" } == ["MC7053 warning"], "\(edited)")
      try project.repository.git("rm", "-rqf", "Migrations")
      let gone = try new(project, "--against", "HEAD")
      #expect(gone.map { "\($0.code) \($0.severity)" } == ["MC7053 error"], "\(gone)")
      #expect(gone.first?.notes.last?.message == "1 entity has a different result: 'Hut'")
      var options = CheckOptions()
      options.base = "HEAD"
      #expect(try Project(folder: project.path).check(options).count(of: .mapping) == 0)
      try FileManager.default.createDirectory(
        atPath: project.file("Migrations"), withIntermediateDirectories: true)
      try #require(gone.first).pasteHelp()
      #expect(try new(project, "--against", "HEAD") == [])
    }
  }

  @Test func `without a base, a mapping file that the lock's tag has is deleted`() throws {
    try withMapping { project in
      try project.repository.git("tag", "v1.0")
      try project.edit(Self.mapping, "uppercase:", "lowercase:")
      #expect(try new(project).map(\.code) == ["MC3402"])
      try project.repository.git("rm", "-rqf", "Migrations")
      let gone = try new(project)
      #expect(gone.map { "\($0.code) \($0.severity)" } == ["MC7053 error"], "\(gone)")
      #expect(gone.first?.message.hasSuffix("v1.0 has it") == true)
      try FileManager.default.createDirectory(
        atPath: project.file("Migrations"), withIntermediateDirectories: true)
      try #require(gone.first).pasteHelp()
      #expect(try new(project).map(\.code) == ["MC3402"])
    }
  }

  @Test func `without a base, the newest release of a version says which mapping files it has`() throws {
    try withMapping { project in
      // The lock has the first tag of each version.
      try project.repository.git("tag", "v1.0", "HEAD~1")
      try project.repository.git("tag", "v1.1")
      try project.repository.git("rm", "-rqf", "Migrations")
      try project.commit("taken out")
      let gone = try new(project).filter { $0.code == "MC7053" }
      #expect(gone.count == 1 && gone[0].severity == "error" && gone[0].message.hasSuffix("v1.1 has it"))
      try project.repository.git("tag", "nightly-7")
      try project.write("", to: "Readme.txt")
      try project.commit("later")
      #expect(try new(project).contains { $0.code == "MC7053" })
      try project.repository.git("tag", "v1.2", "HEAD~1")
      #expect(try !new(project).contains { $0.code == "MC7053" })
    }
  }

  @Test func `a mapping file of a step that is not released, or whose version becomes another one`() throws {
    try withMapping { project in
      let next = "Migrations/Huts/V2-V3.yaml"
      try project.write(Self.text.replacing("V2", with: "V3").replacing("V1", with: "V2"), to: next)
      try project.commit("the next one")
      try FileManager.default.removeItem(atPath: project.file(next))
      let gone = try new(project, "--against", "HEAD").filter { $0.code == "MC7053" }
      #expect(gone.map(\.severity) == ["warning"], "\(gone)")
      try project.edit("Models/Huts/V3.yaml", "opened: date?", "opened: date?\n      closed: date?")
      #expect(try !new(project, "--against", "HEAD").contains { $0.code == "MC7053" })
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
      let gone = try new(project, "--against", "HEAD")
      #expect(gone.map { "\($0.code) \($0.severity)" } == ["MC4105 warning", "MC7053 error"], "\(gone)")
      #expect(try new(project).map(\.code) == ["MC4105"])
      let move = "mv \(project.file("Migrations/Huts")) \(project.file("Migrations/Cabins"))"
      #expect(gone.allSatisfy { $0.help.contains { $0.contains("`\(move)`") } }, "\(gone)")
      try project.repository.shell(move)
      #expect(try new(project, "--against", "HEAD") == [])
    }
  }

  @Test(arguments: ["Migrations/huts.yaml", "Migrations/V1-V2.yml", "Migrations/Huts/V1-V2.yml"])
  func `a mapping file lies where none is read`(place: String) throws {
    try withMapping { project in
      try project.repository.git("mv", Self.mapping, place)
      let gone = try new(project).filter { $0.code == "MC4105" }
      #expect(gone.map { "\($0.severity)" } == ["error"], "\(gone)")
      let store = project.file("S.sqlite")
      #expect(
        ModelcCommand.run(["fixture", "V1", "--rows", "5", "-q", "-C", project.path, "-o", store]) == 0)
      #expect(ModelcCommand.run(["migrate", store, "-q", "-C", project.path]) == 1)
      try project.repository.shell(gone[0].help[0].components(separatedBy: "`")[1])
      #expect(try new(project, "--against", "HEAD") == [])
      #expect(ModelcCommand.run(["migrate", store, "-q", "-C", project.path]) == 0)
    }
  }

  @Test func `a mapping model of Xcode's beside a model in YAML is not adopted`() throws {
    try withMapping { project in
      let file = project.file("Step.xcmappingmodel")
      let place = ["-q", "-C", project.path]
      let export = ["map", "export", "V1", "V2", "--as", "xcmappingmodel"]
      #expect(ModelcCommand.run(export + place + ["-o", file]) == 0)
      #expect(try new(project).map(\.code) == ["MC3402"])
      try FileManager.default.removeItem(atPath: project.file("Migrations"))
      let unused = try new(project).filter { $0.code == "MC4105" }
      #expect(unused.map(\.severity) == ["warning"], "\(unused)")
      #expect(ModelcCommand.run(["adopt", file] + place) == 0)
      #expect(try !new(project).contains { $0.code == "MC4105" })
    }
  }

  @Test func `versions and tests lie where none are read`() throws {
    try ReleasedProject.with { project in
      try project.write("entities: {Hut: {}}\n", to: "Models/Cabins/V1.yaml")
      try project.write("entities: {Hut: {}}\n", to: "Models/V9.yaml")
      try project.write("hosts: [a]\n", to: "Models/Servers/a.yaml")
      let unread = try new(project).filter { $0.code == "MC0009" }
      #expect(unread.map(\.severity) == ["warning", "warning"], "\(unread)")
      let store = "objects: {Hut: {p1: {name: a}}}"
      try project.write("from: V1\n\(store)\nexpect: {counts: {Hut: 1}}\n", to: "Tests/Migrations/V1.yaml")
      let found = try new(project).filter { $0.code == "MC7025" }
      #expect(found.map(\.severity) == ["error"], "\(found)")
      #expect(ModelcCommand.run(["test", "-q", "-C", project.path]) == 1)
      try project.repository.shell(found[0].help[0].components(separatedBy: "`")[1])
      #expect(try !new(project).contains { $0.code == "MC7025" })
      #expect(ModelcCommand.run(["test", "-q", "-C", project.path]) == 0)
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
      let gone = try new(project, "--against", "HEAD").filter { $0.severity == "error" }
      #expect(gone.map(\.code) == ["MC7053"], "\(gone)")
      try #require(gone.first).pasteHelp()
      #expect(try !new(project, "--against", "HEAD").contains { $0.severity == "error" })
    }
  }

  // MARK: Models

  /// Beside the huts a released model of one version, which is called Diary.
  private func withDiary(_ body: (ReleasedProject) throws -> Void) throws {
    try ReleasedProject.with { project in
      try project.write(
        "entities:\n  Entry:\n    attributes:\n      text: string?\n", to: "Models/Diary/V1.yaml")
      try project.write("current: V1\nversions: [V1]\n", to: "Models/Diary/versions.yaml")
      let release = ["release", "-q", "-C", project.path, "--model", "Diary", "V1", "--fixture", "5"]
      #expect(ModelcCommand.run(release) == 0)
      try project.commit("a diary")
      #expect(try new(project, "--against", "HEAD") == [])
      try body(project)
    }
  }

  @Test func `the list of a released model's versions is gone`() throws {
    try withDiary { project in
      try FileManager.default.removeItem(atPath: project.file("Models/Diary/versions.yaml"))
      for base in [[], ["--against", "HEAD"]] {
        let (code, found) = try project.check(arguments: base)
        let gone = found.filter { $0.severity == "error" }
        #expect(code == 1 && gone.map(\.code) == ["MC7054"], "\(found)")
        try #require(gone.first).pasteHelp()
        #expect(try new(project) == [])
        try FileManager.default.removeItem(atPath: project.file("Models/Diary/versions.yaml"))
      }
      try project.commit("gone")
      let gone = try new(project)
      #expect(gone.map(\.code) == ["MC7054"])
      try #require(gone.first).pasteHelp()
      #expect(try new(project) == [])
    }
  }

  @Test func `a released model is gone, is given up, or has another name or notation`() throws {
    try withDiary { project in
      let git = project.repository
      try git.git("mv", "Models/Diary", "Models/Journal")
      try project.commit("another name")
      #expect(try new(project, "--against", "HEAD~1") == [])
      try git.git("reset", "-q", "--hard", "HEAD~1")
      let export = ["export", "--as", "xcdatamodeld", "-q", "-C", project.path, "--model", "Diary"]
      #expect(ModelcCommand.run(export + ["-o", project.file("Models")]) == 0)
      try git.git("rm", "-rqf", "Models/Diary")
      #expect(try !new(project, "--against", "HEAD").contains { $0.code == "MC7054" })
      try git.git("reset", "-q", "--hard")
      try git.git("clean", "-qfd")
      try git.git("rm", "-rq", "Models/Diary")
      try project.commit("gone")
      #expect(try new(project) == [])
      let gone = try new(project, "--against", "HEAD~1")
      #expect(gone.map { "\($0.code) \($0.severity)" } == ["MC7054 error"], "\(gone)")
      try project.edit(
        "Models/Huts/versions.yaml", "current: V3\n",
        "current: V3 # modelc:allow MC7054 reason=\"the diary is given up\"\n")
      #expect(try new(project, "--against", "HEAD~1") == [])
      try git.git("checkout", "-q", "--", "Models/Huts/versions.yaml")
      try #require(gone.first).pasteHelp()
      #expect(try new(project, "--against", "HEAD~1") == [])
    }
  }

  @Test(.needsFixtures) func `one of several genuine packages is gone`() throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      let source = Fixtures.url("p0deje+Maccy/Maccy")
      for name in try FileManager.default.contentsOfDirectory(atPath: source.path)
      where name.hasSuffix(".xcdatamodeld") {
        try FileManager.default.createDirectory(
          atPath: project.file("Models"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(
          at: source.appending(path: name), to: repository.folder.appending(path: "Models/\(name)"))
      }
      try project.commit("an app")
      try repository.git("rm", "-rq", "Models/History.xcdatamodeld")
      let gone = try new(project, "--against", "HEAD").filter { $0.severity == "error" }
      #expect(gone.map(\.code) == ["MC7054"], "\(gone)")
    }
  }

  @Test func `of a package only the lock is left`() throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      for app in ["A", "B"] {
        try repository.write(
          "<model><entity name=\"\(app)\"/></model>", to: "\(app).xcdatamodeld/\(app).xcdatamodel/contents")
        let package = project.file("\(app).xcdatamodeld")
        #expect(ModelcCommand.run(["release", app, "-q", "--models", package]) == 0)
      }
      try repository.commit("two packages")
      #expect(try !new(project).contains { $0.code == "MC7054" })
      try repository.git("mv", "B.xcdatamodeld", "C.xcdatamodeld")
      #expect(try !new(project).contains { $0.code == "MC7054" })
      try repository.git("rm", "-rqf", "C.xcdatamodeld")
      // Another file of its name is not the package; one of its versions is in A too; nothing is known of a third lock.
      let locks = try ["A", "B"].map { try ReleasePlaces(modelAt: project.file("\($0).xcdatamodeld")).lock() }
      var both = locks[1]
      both.entries += locks[0].entries
      try repository.write(both.text, to: "B.released.lock")
      try repository.write(locks[1].text, to: "Old.released.lock")
      try repository.write("let b = 0\n", to: "B.swift")
      let gone = try new(project).filter { $0.code == "MC7054" }
      #expect(gone.map(\.severity) == ["error"])
      try #require(gone.first).pasteHelp()
      #expect(try !new(project).contains { $0.code == "MC7054" })
    }
  }

  @Test func `a model that a sparse checkout leaves out is not missing, but not checked`() throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      for app in ["A", "B"] {
        try repository.write(
          "<model><entity name=\"\(app)\"/></model>",
          to: "\(app)/\(app).xcdatamodeld/\(app).xcdatamodel/contents")
      }
      try repository.commit("two apps")
      try repository.git("sparse-checkout", "set", "--cone", "A")
      let found = try new(project, "--against", "HEAD").filter { ["MC7054", "MC0019"].contains($0.code) }
      #expect(found.map { "\($0.code) \($0.severity)" } == ["MC0019 warning"], "\(found)")
      try #require(found.first).pasteHelp()
      #expect(try !new(project, "--against", "HEAD").contains { ["MC7054", "MC0019"].contains($0.code) })
      try repository.git("rm", "-rqf", "--sparse", "B")
      try repository.commit("one app")
      #expect(try new(project, "--against", "HEAD~1").contains { $0.code == "MC7054" })
    }
  }

  @Test func `mapping files that a sparse checkout leaves out stop what would infer their steps`() throws {
    try withMapping { project in
      try project.repository.git("sparse-checkout", "set", "--cone", "Models")
      let found = try new(project, "--against", "HEAD").filter { $0.severity == "error" }
      #expect(found.map(\.code) == ["MC0019"], "\(found)")
      let models = try [#require(project.model)]
      #expect(throws: DiagnosticsError.self) {
        _ = try Project(folder: project.path).customMigrations(for: models)
      }
      try #require(found.first).pasteHelp()
      #expect(try new(project, "--against", "HEAD") == [])
      // What lies deeper is read by nobody.
      try project.write(Self.text, to: "Migrations/Huts/old/V1-V2.yaml")
      try project.commit("a copy")
      try project.repository.git("sparse-checkout", "set", "--no-cone", "/*", "!/Migrations/Huts/old/")
      #expect(try new(project, "--against", "HEAD") == [])
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

  @Test func `an app's package is gone, and another app has one, of its name or not`() throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      for (app, name) in [("A", "App"), ("B", "App"), ("C", "Other")] {
        try repository.write(
          "<model><entity name=\"\(app)\"><attribute name=\"n\" optional=\"YES\" attributeType=\"String\"/></entity></model>",
          to: "\(app)/\(name).xcdatamodeld/\(name).xcdatamodel/contents")
      }
      try repository.commit("three apps")
      for app in ["A", "C"] {
        #expect(try !new(project, "--against", "HEAD").contains { $0.code == "MC7054" })
        try repository.git("rm", "-rq", app)
        let gone = try new(project, "--against", "HEAD").filter { $0.code == "MC7054" }
        #expect(gone.map(\.severity) == ["error"], "\(gone)")
        try repository.git("reset", "-q", "--hard")
      }
      // Packages in the project's own folder hide none below.
      try repository.git("mv", "A/App.xcdatamodeld", ".")
      try repository.git("mv", "C/Other.xcdatamodeld", ".")
      try repository.commit("at the top")
      try repository.git("rm", "-rq", "B", "Other.xcdatamodeld")
      let gone = try new(project, "--against", "HEAD").filter { $0.code == "MC7054" }
      #expect(
        gone.count == 1 && gone[0].notes.contains { $0.message.contains("'Other' is missing") }, "\(gone)")
      try repository.git("reset", "-q", "--hard")
      try project.edit("B/App.xcdatamodeld/App.xcdatamodel/contents", "String", "Date")
      #expect(try new(project, "--against", "HEAD").contains { $0.code == "MC7026" })
      try repository.git("reset", "-q", "--hard")
      // Nor do packages in a folder Models.
      try repository.write("", to: "Models/Readme.txt")
      try repository.git("mv", "Other.xcdatamodeld", "Models")
      try repository.commit("a folder of models")
      try project.edit("B/App.xcdatamodeld/App.xcdatamodel/contents", "String", "Date")
      let beside = try new(project, "--against", "HEAD").map(\.code)
      #expect(beside.contains("MC7026") && !beside.contains("MC7054"), "\(beside)")
      try repository.git("rm", "-rqf", "B")
      #expect(try new(project, "--against", "HEAD").contains { $0.code == "MC7054" })
      try repository.git("reset", "-q", "--hard", "HEAD~1")
      // Models of other kinds in a folder of that name do.
      try project.write("current: V1\nversions: [V1]\n", to: "Models/New/versions.yaml")
      try project.write("entities: {New: {}}\n", to: "Models/New/V1.yaml")
      let unseen = try new(project, "--against", "HEAD").filter { $0.code == "MC7054" }
      let told = unseen.flatMap { [$0.message] + $0.notes.map(\.message) }.filter {
        $0.contains("is not checked now: only")
      }
      #expect(told.count == 3, "\(unseen)")
    }
  }

  @Test func `a submodule that is not checked out is named`() throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      try repository.write(
        "<model><entity name=\"A\"/></model>", to: "App/App.xcdatamodeld/App.xcdatamodel/contents")
      try repository.write(
        "[submodule \"lib\"]\n\tpath = Modules/lib\n\turl = ../lib\n", to: ".gitmodules")
      try FileManager.default.createDirectory(
        atPath: project.file("Modules/lib"), withIntermediateDirectories: true)
      try repository.commit("an app")
      let found = try project.check().found.filter { $0.code == "MC0019" }
      #expect(found.map(\.severity) == ["warning"], "\(found)")
      try repository.write("", to: "Modules/lib/README")
      #expect(try !project.check().found.contains { $0.code == "MC0019" })
    }
  }

  @Test func `an order of versions that a shallow clone does not know is named`() throws {
    try Repository.with { repository in
      for (name, entity) in [("Launch", "A"), ("Winter", "B"), ("Beta", "C")] {
        try repository.write(
          "<model><entity name=\"\(entity)\"/></model>",
          to: "App.xcdatamodeld/\(name).xcdatamodel/contents")
        try repository.commit(name)
      }
      try repository.git("clone", "--quiet", "--depth", "1", "file://\(repository.folder.path)", "down")
      let project = ReleasedProject(repository: repository)
      for (path, isNamed) in [("down/App.xcdatamodeld", true), ("App.xcdatamodeld", false)] {
        let found = try project.check(models: path).found
        #expect(found.contains { $0.code == "MC0019" && $0.severity == "warning" } == isNamed, "\(found)")
      }
    }
  }

  @Test func `a link to a package elsewhere is named, and one to a package that is checked is not`() throws {
    try Repository.with { repository in
      try repository.write(
        "<model><entity name=\"A\"/></model>", to: "ios/App/App.xcdatamodeld/App.xcdatamodel/contents")
      try repository.write(
        "<model><entity name=\"B\"/></model>", to: "Shared/B.xcdatamodeld/B.xcdatamodel/contents")
      for (name, target) in [("B", "../Shared/B"), ("C", "App/App"), ("D", "none")] {
        try FileManager.default.createSymbolicLink(
          atPath: repository.folder.appending(path: "ios/\(name).xcdatamodeld").path,
          withDestinationPath: "\(target).xcdatamodeld")
      }
      try repository.commit("two apps")
      let app = ReleasedProject(repository: Repository(folder: repository.folder.appending(path: "ios")))
      let links = try app.check().found.filter { $0.code == "MC0009" }
      #expect(links.map(\.severity) == ["warning"], "\(links)")
      #expect(links.first?.help.first?.hasSuffix("/Shared/B.xcdatamodeld`") == true, "\(links)")
      #expect(try !ReleasedProject(repository: repository).check().found.contains { $0.code == "MC0009" })
      // A link to the folder that holds the package, and to one around the project.
      try FileManager.default.removeItem(atPath: app.file("B.xcdatamodeld"))
      // More links to one folder are one finding, and a copy of what is checked is none.
      try repository.write(
        "<model><entity name=\"A\"/></model>", to: "Copy/App.xcdatamodeld/App.xcdatamodel/contents")
      for (name, target) in [("Libs", "../Shared"), ("More", "../Shared"), ("Old", "../Copy"), ("Top", "..")]
      {
        try FileManager.default.createSymbolicLink(
          atPath: app.file(name), withDestinationPath: target)
      }
      let folders = try app.check().found.filter { $0.code == "MC0009" }
      #expect(folders.count == 1 && folders.first?.message.contains("Libs' is a link") == true, "\(folders)")
      #expect(folders.first?.help.first?.hasSuffix("/Shared/B.xcdatamodeld`") == true, "\(folders)")
    }
  }

  @Test func `of a very large tree a part is searched, which is known`() throws {
    try withTemporaryFolder { folder in
      for name in ["a/b", "c"] {
        try FileManager.default.createDirectory(
          at: folder.appending(path: name), withIntermediateDirectories: true)
      }
      #expect(
        [1, 3, 4, 5].map { XcodeFiles(below: folder.path, limit: $0).isWhole } == [false, false, true, true])
    }
  }

  @Test func `classes of SwiftData beside a package are named`() throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      try repository.write(
        "<model><entity name=\"A\"/></model>", to: "App/App.xcdatamodeld/App.xcdatamodel/contents")
      try repository.commit("an app")
      #expect(try !project.check().found.contains { $0.code == "MC7054" })
      try repository.write("import SwiftData\n@Model final class B { init() {} }\n", to: "App/B.swift")
      let found = try project.check().found.filter { $0.code == "MC7054" }
      #expect(found.map(\.severity) == ["warning"], "\(found)")
      let allowed = "allow: [{code: MC7054, of: SwiftData, reason: checked by another job}]\n"
      try repository.write(allowed, to: "App/modelc.yaml")
      #expect(try !project.check().found.contains { $0.code == "MC7054" && $0.state == "new" })
    }
  }

  @Test func `a package that goes into a submodule is compared with what the repository had`() throws {
    try Repository.with { inner in
      try Repository.with { outer in
        let project = ReleasedProject(repository: outer)
        func write(_ type: String, in place: Repository, _ path: String) throws {
          try place.write(
            "<model><entity name=\"Note\"><attribute name=\"n\" optional=\"YES\" attributeType=\"\(type)\"/></entity></model>",
            to: path + "App.xcdatamodeld/App.xcdatamodel/contents")
        }
        try write("Integer 16", in: outer, "Core/")
        try outer.commit("an app")
        try write("Integer 32", in: inner, "")
        try inner.commit("edited on its way")
        try outer.git("rm", "-rq", "Core")
        try outer.run([
          "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.folder.absoluteString,
          "Core",
        ])
        try outer.commit("a submodule")
        let found = try project.check("--against", "HEAD~1").found
        #expect(found.contains { $0.code == "MC7026" && $0.severity == "error" }, "\(found)")
        #expect(!found.contains { $0.code == "MC7050" || $0.code == "MC7054" })
      }
    }
  }
}
