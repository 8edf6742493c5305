import Foundation
import ManagedModel
import ModelCommands
import ModelFormats
import ReleaseChecks
import TestSupport
import Testing

/// What users' stores are stores of is gone from the project.
@Suite("Models that are gone") struct LostModelTests {
  /// Beside the huts a released model of one version, which is called Diary.
  private func withDiary(_ body: (ReleasedProject) throws -> Void) throws {
    try ReleasedProject.with { project in
      try project.write(
        "entities:\n  Entry:\n    attributes:\n      text: string?\n", to: "Models/Diary/V1.yaml")
      try project.write("current: V1\nversions: [V1]\n", to: "Models/Diary/versions.yaml")
      let release = ["release", "-q", "-C", project.path, "--model", "Diary", "V1", "--fixture", "5"]
      #expect(ModelcCommand.run(release) == 0)
      try project.commit("a diary")
      #expect(try project.new("--against", "HEAD") == [])
      try body(project)
    }
  }

  @Test func `versions and tests lie where none are read`() throws {
    try ReleasedProject.with { project in
      try project.write("entities: {Hut: {}}\n", to: "Models/Cabins/V1.yaml")
      try project.write("entities: {Hut: {}}\n", to: "Models/V9.yaml")
      try project.write("hosts: [a]\n", to: "Models/Servers/a.yaml")
      let unread = try project.new().filter { $0.code == "MC0009" }
      #expect(unread.map(\.severity) == ["warning", "warning"], "\(unread)")
      let store = "objects: {Hut: {p1: {name: a}}}"
      try project.write("from: V1\n\(store)\nexpect: {counts: {Hut: 1}}\n", to: "Tests/Migrations/V1.yaml")
      let found = try project.new().filter { $0.code == "MC7025" }
      #expect(found.map(\.severity) == ["error"], "\(found)")
      #expect(ModelcCommand.run(["test", "-q", "-C", project.path]) == 1)
      try project.repository.shell(found[0].help[0].components(separatedBy: "`")[1])
      #expect(try !project.new().contains { $0.code == "MC7025" })
      #expect(ModelcCommand.run(["test", "-q", "-C", project.path]) == 0)
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
        #expect(try project.new() == [])
        try FileManager.default.removeItem(atPath: project.file("Models/Diary/versions.yaml"))
      }
      try project.commit("gone")
      let gone = try project.new()
      #expect(gone.map(\.code) == ["MC7054"])
      try #require(gone.first).pasteHelp()
      #expect(try project.new() == [])
    }
  }

  @Test func `a released model is gone, is given up, or has another name or notation`() throws {
    try withDiary { project in
      let git = project.repository
      try git.git("mv", "Models/Diary", "Models/Journal")
      try project.commit("another name")
      #expect(try project.new("--against", "HEAD~1") == [])
      try git.git("reset", "-q", "--hard", "HEAD~1")
      let export = ["export", "--as", "xcdatamodeld", "-q", "-C", project.path, "--model", "Diary"]
      #expect(ModelcCommand.run(export + ["-o", project.file("Models")]) == 0)
      try git.git("rm", "-rqf", "Models/Diary")
      #expect(try !project.new("--against", "HEAD").contains { $0.code == "MC7054" })
      try git.git("reset", "-q", "--hard")
      try git.git("clean", "-qfd")
      try git.git("rm", "-rq", "Models/Diary")
      try project.commit("gone")
      #expect(try project.new() == [])
      let gone = try project.new("--against", "HEAD~1")
      #expect(gone.map { "\($0.code) \($0.severity)" } == ["MC7054 error"], "\(gone)")
      try project.edit(
        "Models/Huts/versions.yaml", "current: V3\n",
        "current: V3 # modelc:allow MC7054 reason=\"the diary is given up\"\n")
      #expect(try project.new("--against", "HEAD~1") == [])
      try git.git("checkout", "-q", "--", "Models/Huts/versions.yaml")
      try #require(gone.first).pasteHelp()
      #expect(try project.new("--against", "HEAD~1") == [])
    }
  }

  @Test func `a model that is adopted has the hashes that it had`() throws {
    try withNotePackage { package in
      let project = package.project
      try package.write("App", "body", "date")
      try package.write("App 2", "body", "date", "more")
      try package.commit(tag: "v1")
      #expect(ModelcCommand.run(["adopt", project.file(package.name), "-q", "-C", project.path]) == 0)
      try project.repository.git("rm", "-rq", package.name)
      func errors() throws -> [String] {
        try project.check("--level", "path", "--against", "v1").found
          .filter { $0.severity == "error" && $0.state == "new" }.map(\.code)
      }
      #expect(try errors() == [])
      for file in ["App", "App 2"] { try project.edit("Models/App/\(file).yaml", "date:", "day:") }
      #expect(try errors() == ["MC7027"])
    }
  }

  @Test func `a model that is adopted need not have what the base has added since`() throws {
    try withNotePackage { package in
      let (project, repository) = (package.project, package.project.repository)
      try package.write("App", "body")
      try package.commit()
      try repository.git("checkout", "-q", "-b", "adopting")
      #expect(ModelcCommand.run(["adopt", project.file(package.name), "-q", "-C", project.path]) == 0)
      try repository.git("rm", "-rq", package.name)
      try package.commit()
      try repository.git("checkout", "-q", "main")
      try package.write("App 2", "body", "more")
      try package.commit()
      try repository.git("checkout", "-q", "adopting")
      let found = try project.check("--level", "path", "--against", "main").found
      #expect(!found.contains { ["MC7027", "MC7050"].contains($0.code) }, "\(found)")
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
      let gone = try project.new("--against", "HEAD").filter { $0.severity == "error" }
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
      #expect(try !project.new().contains { $0.code == "MC7054" })
      try repository.git("mv", "B.xcdatamodeld", "C.xcdatamodeld")
      #expect(try !project.new().contains { $0.code == "MC7054" })
      try repository.git("rm", "-rqf", "C.xcdatamodeld")
      // Another file of its name is not the package; one of its versions is in A too; nothing is known of a third lock.
      let locks = try ["A", "B"].map { try ReleasePlaces(modelAt: project.file("\($0).xcdatamodeld")).lock() }
      var both = locks[1]
      both.entries += locks[0].entries
      try repository.write(both.text, to: "B.released.lock")
      try repository.write(locks[1].text, to: "Old.released.lock")
      try repository.write("let b = 0\n", to: "B.swift")
      let gone = try project.new().filter { $0.code == "MC7054" }
      #expect(gone.map(\.severity) == ["error"])
      try #require(gone.first).pasteHelp()
      #expect(try !project.new().contains { $0.code == "MC7054" })
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
        #expect(try !project.new("--against", "HEAD").contains { $0.code == "MC7054" })
        try repository.git("rm", "-rq", app)
        let gone = try project.new("--against", "HEAD").filter { $0.code == "MC7054" }
        #expect(gone.map(\.severity) == ["error"], "\(gone)")
        try repository.git("reset", "-q", "--hard")
      }
      // Packages in the project's own folder hide none below.
      try repository.git("mv", "A/App.xcdatamodeld", ".")
      try repository.git("mv", "C/Other.xcdatamodeld", ".")
      try repository.commit("at the top")
      try repository.git("rm", "-rq", "B", "Other.xcdatamodeld")
      let gone = try project.new("--against", "HEAD").filter { $0.code == "MC7054" }
      #expect(
        gone.count == 1 && gone[0].notes.contains { $0.message.contains("'Other' is missing") }, "\(gone)")
      try repository.git("reset", "-q", "--hard")
      try project.edit("B/App.xcdatamodeld/App.xcdatamodel/contents", "String", "Date")
      #expect(try project.new("--against", "HEAD").contains { $0.code == "MC7026" })
      try repository.git("reset", "-q", "--hard")
      // Nor do packages in a folder Models.
      try repository.write("", to: "Models/Readme.txt")
      try repository.git("mv", "Other.xcdatamodeld", "Models")
      try repository.commit("a folder of models")
      try project.edit("B/App.xcdatamodeld/App.xcdatamodel/contents", "String", "Date")
      let beside = try project.new("--against", "HEAD").map(\.code)
      #expect(beside.contains("MC7026") && !beside.contains("MC7054"), "\(beside)")
      try repository.git("rm", "-rqf", "B")
      #expect(try project.new("--against", "HEAD").contains { $0.code == "MC7054" })
      try repository.git("reset", "-q", "--hard", "HEAD~1")
      // Models of other kinds in a folder of that name do.
      try project.write("current: V1\nversions: [V1]\n", to: "Models/New/versions.yaml")
      try project.write("entities: {New: {}}\n", to: "Models/New/V1.yaml")
      let unseen = try project.new("--against", "HEAD").filter { $0.code == "MC7054" }
      let told = unseen.flatMap { [$0.message] + $0.notes.map(\.message) }.filter {
        $0.contains("is not checked now: only")
      }
      #expect(told.count == 3, "\(unseen)")
    }
  }
}
