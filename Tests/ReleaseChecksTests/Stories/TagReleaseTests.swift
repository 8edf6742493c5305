import Foundation
import ManagedModel
import ModelCommands
import ModelFormats
import ReleaseChecks
import TestSupport
import Testing

/// A lock that is made from what git remembers of releases.
@Suite("A lock from tags", .needsFixtures) struct TagReleaseTests {
  private static let source = Fixtures.url("gdombiak+OctoPod/OctoPod/OctoPod.xcdatamodeld")

  /// A package of four versions in three tags, one of them broken, and a tag of before there was a model.
  private func withTags(_ body: (ReleasedProject, _ package: String) throws -> Void) throws {
    try Repository.with { repository in
      try repository.write("notes\n", to: "README.md")
      try repository.commit("notes")
      try repository.git("tag", "v0.1")
      let history = try PackageHistory(repository: repository, source: Self.source)
      try history.add("OctoPod")
      try history.add("OctoPod v2")
      try repository.commit("the first release")
      try repository.git("tag", "--annotate", "v1.0", "--message", "one")
      try repository.write("<model", to: "OctoPod.xcdatamodeld/OctoPod v2.xcdatamodel/contents")
      try repository.commit("a merge that went wrong")
      try repository.git("tag", "v1.1")
      try history.restore("OctoPod v2")
      try history.add("OctoPod v3")
      try repository.commit("the second release")
      try repository.git("tag", "v1.2")
      try repository.git("tag", "beta")
      try history.move(to: "App")
      try history.add("OctoPod v4")
      try repository.commit("moved, and a version that is not out")
      try body(ReleasedProject(repository: repository), "App/OctoPod.xcdatamodeld")
    }
  }

  private func release(_ project: ReleasedProject, _ package: String, _ arguments: String...) -> Int32 {
    ModelcCommand.run(["release", "-q", "--models", project.file(package)] + arguments)
  }

  private func readToday(_ path: String) -> VersionedModel? { ModelReader().read(path).model }

  private func lines(_ project: ReleasedProject) throws -> [String] {
    let text = try String(contentsOfFile: project.file("App/OctoPod.released.lock"), encoding: .utf8)
    return text.split(separator: "\n").map(String.init).filter {
      !$0.hasPrefix("#") && !$0.hasPrefix("total")
    }
  }

  @Test func `each version with the first tag that has it, beside the package`() throws {
    try withTags { project, package in
      #expect(release(project, package, "--from-tags", "v*") == 0)
      let found = try lines(project).map {
        $0.split(separator: " ", maxSplits: 3).last.map(String.init) ?? ""
      }
      #expect(found == ["v1.0 OctoPod", "v1.0 OctoPod v2", "v1.2 OctoPod v3"])
      let check = try project.check("--level", "path", models: package)
      #expect(check.found.filter { $0.state == "new" && $0.severity == "error" } == [])
      #expect(release(project, package, "--from-tags", "v*") == 0)
      #expect(try lines(project).count == 3)
      #expect(release(project, package, "--all") == 0)
      #expect(try lines(project).count == 4)
    }
  }

  @Test func `what was passed over is counted and named, and a search that was cut goes on`() throws {
    try withTags { project, package in
      let path = project.file(package)
      let models = try #require(readToday(path))
      let whole = try models.releaseTags(at: path, matching: "v*", seconds: 60)
      #expect(whole.tagCount == 4 && whole.tagsWithoutModel == ["v0.1"] && whole.lastTag == nil)
      #expect(whole.unreadable.map(\.tag) == ["v1.1"])
      try FileManager.default.removeItem(atPath: project.file("App/OctoPod.released.lock"))
      let first = try models.releaseTags(at: path, matching: "v*", seconds: 0)
      #expect(first.tagCount == 1 && first.lastTag == "v0.1")
      let rest = try models.releaseTags(
        at: path, matching: "v*", after: first.lastTag, seconds: 60)
      #expect(rest.tagCount == 3 && rest.lastTag == nil && rest.added.count == 3)
    }
  }

  @Test func `a tag of a tag is one of its commit`() throws {
    try Repository.with { repository in
      try repository.write("notes\n", to: "README.md")
      try repository.commit("notes")
      try repository.git("tag", "--annotate", "v1-rc", "--message", "candidate")
      try repository.git("tag", "--annotate", "v1", "--message", "one", "v1-rc")
      let tags = try readTags(inRepositoryOf: repository.folder.appending(path: "README.md").path).tags
      let head = try repository.git("rev-parse", "HEAD").trimmingCharacters(in: .newlines)
      #expect(Set(tags.map(\.name)) == ["v1-rc", "v1"] && Set(tags.map(\.commit)) == [head])
    }
  }

  @Test func `versions of later releases that a hotfix branch locks are named`() throws {
    try withNotePackage { package in
      try package.write("App", "body")
      try package.commit(tag: "v1")
      try package.write("App 2", "body", "more")
      try package.commit(tag: "v2")
      try package.project.repository.git("checkout", "--quiet", "-b", "fix", "v1")
      let path = package.project.file(package.name)
      func elsewhere(_ pattern: String) throws -> [String] {
        let model = try #require(ModelReader().read(path).model)
        return try model.releaseTags(at: path, matching: pattern, seconds: 60).elsewhere
      }
      #expect(try elsewhere("v1") == [])
      #expect(try elsewhere("*") == ["App 2 (v2)"])
    }
  }

  @Test func `an edit of what a tag after those of the lock has is found`() throws {
    try ReleasedProject.with { project in
      try project.repository.git("tag", "v1.0")
      try project.write("", to: "Readme.txt")
      try project.commit("V3 is out")
      func found() throws -> [String] {
        try project.new().filter { $0.code == "MC7001" || $0.code == "MC7004" }.map(\.message)
      }
      try project.repository.git("tag", "v1.1-beta.1")
      try project.edit("Models/Huts/V3.yaml", "opened: date?", "opened: string?")
      #expect(try found() == [])
      try project.repository.git("tag", "v1.1")
      let edited = try found()
      #expect(edited.count == 1 && edited[0].hasPrefix("'V3' is released (v1.1, "), "\(edited)")
      try project.commit("an edit")
      #expect(try found() == edited)
      try project.edit("Models/Huts/V3.yaml", "opened: string?", "opened: date?")
      #expect(try found() == [])
    }
  }

  @Test func `what a later tag has of a version that was put back is missed`() throws {
    try ReleasedProject.with { project in
      try project.repository.git("tag", "v1.0")
      _ = try project.model?.releaseVersions(
        ["V3"], at: project.file("Models/Huts"), tag: "v1.0", date: "2026-02-28", rows: nil)
      try project.commit("V3 is out")
      func found() throws -> [String] {
        try project.new().filter { $0.code == "MC7001" || $0.code == "MC7004" }.map(\.message)
      }
      try project.edit("Models/Huts/V3.yaml", "opened: date?", "opened: string?")
      try project.commit("an edit")
      try project.repository.git("tag", "v1.1")
      try project.edit("Models/Huts/V3.yaml", "opened: string?", "opened: date?")
      try project.commit("put back")
      let missed = try found()
      #expect(missed.count == 1 && missed[0].hasPrefix("'V3' as it is in v1.1 "), "\(missed)")
      try project.repository.git("tag", "-d", "v1.1")
      #expect(try found() == [])
    }
  }

  @Test func `what a later tag has released, and the lock lists under another name, is not missing`() throws {
    try ReleasedProject.with { project in
      try project.repository.git("tag", "v1.0")
      try project.write("", to: "Readme.txt")
      try project.commit("V3 is out")
      try project.repository.git("tag", "v1.1")
      try project.repository.git("mv", "Models/Huts/V3.yaml", "Models/Huts/Third.yaml")
      try project.edit("Models/Huts/versions.yaml", "V3", "Third")
      let model = try #require(project.model)
      _ = try model.releaseVersions(
        ["Third"], at: project.file("Models/Huts"), tag: "v1.0", date: "2026-02-28", rows: 5)
      try project.edit("Models/Huts/Third.yaml", "opened: date?", "opened: string?")
      let found = try project.new().filter { ["MC7001", "MC7004"].contains($0.code) }.map(\.message)
      #expect(found.count == 1 && found[0].contains("'Third'"), "\(found)")
    }
  }

  @Test func `tags of the same second come in the order of their versions, and a cut is said`() throws {
    try Repository.with { repository in
      try repository.write("notes\n", to: "README.md")
      try repository.commit("notes")
      // Lightweight tags have the second of their commit.
      for name in ["v1.10", "v1.9", "v2.0", "v2.0-rc1", "v2.0-rc2", "v1.9.1"] {
        try repository.git("tag", name)
      }
      let place = repository.folder.appending(path: "README.md").path
      let (tags, isCut) = try readTags(inRepositoryOf: place)
      #expect(tags.map(\.name) == ["v1.9", "v1.9.1", "v1.10", "v2.0-rc1", "v2.0-rc2", "v2.0"])
      #expect(!isCut)
      let few = try readTags(inRepositoryOf: place, limit: 2)
      #expect(few.tags.map(\.name) == ["v1.9", "v1.9.1"] && few.isCut)
    }
    try withTags { project, package in
      let path = project.file(package)
      let model = try #require(readToday(path))
      let cut = try model.releaseTags(at: path, matching: "v*", seconds: 60, limit: 2)
      #expect(cut.tagCount == 2 && cut.isCut)
      #expect(try !model.releaseTags(at: path, matching: "v*", seconds: 60).isCut)
    }
  }

  @Test func `a tag that edited a version is told, and the version of today is held`() throws {
    try withTags { project, package in
      let history = "\(package)/OctoPod v3.xcdatamodel/contents"
      try project.edit(history, "name=\"cameras\" optional=\"YES\"", "name=\"cameras\"")
      try project.commit("a released version edited")
      try project.repository.git("tag", "v1.3")
      let path = project.file(package)
      let found = try #require(readToday(path)).releaseTags(
        at: path, matching: "v*", seconds: 60)
      #expect(found.diagnostics.map(\.code.description) == ["MC7029"])
      #expect(try lines(project).filter { $0.hasSuffix("v1.3 OctoPod v3") }.count == 1)
      // Users have stores of the other one too.
      #expect(try lines(project).filter { $0.hasSuffix("v1.2 OctoPod v3-v1.2") }.count == 1)
      func missing() throws -> [ReleasedProject.Found] {
        try project.check("--level", "path", models: package).found.filter { $0.code == "MC7004" }
      }
      let gone = try #require(try missing().first)
      #expect(gone.severity == "error" && gone.help[0].contains("before 'OctoPod v3'"), "\(gone)")
      try gone.pasteHelp()
      #expect(try missing() == [])
      #expect(release(project, package, "--from-tags", "v*") == 0)
      #expect(try lines(project).filter { $0.hasSuffix("OctoPod v3-v1.2") }.count == 1)
    }
  }

  @Test func `no tag, a shallow clone, and ways that do not go together`() throws {
    try withTags { project, package in
      #expect(release(project, package, "--from-tags", "release-*") == 2)
      #expect(release(project, package, "--from-tags", "v*", "--after-tag", "v9") == 2)
      #expect(release(project, package, "--all", "OctoPod") == 2)
      #expect(release(project, package, "--all", "--from-tags", "v*") == 2)
      #expect(release(project, package, "--from-tags", "v*", "--tag", "v1") == 2)
      try withTemporaryFolder { folder in
        let clone = folder.appending(path: "c").path
        try project.repository.git(
          "clone", "--quiet", "--depth", "1", "file://\(project.path)", clone)
        let found = #expect(throws: (any Error).self) {
          let path = "\(clone)/\(package)"
          _ = try #require(readToday(path)).releaseTags(
            at: path, matching: "v*", seconds: 60)
        }
        let text = "\((found as? DiagnosticsError)?.diagnostics ?? [])"
        #expect(text.contains("fetch-depth: 0") && text.contains("GIT_DEPTH: 0"), "\(text)")
        #expect(text.contains("git fetch --unshallow"), "\(text)")
      }
    }
  }
}
