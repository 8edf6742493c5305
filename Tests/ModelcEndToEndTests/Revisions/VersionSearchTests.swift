import Foundation
import TestSupport
import Testing

/// A version that no model at hand has is looked for in git.
@Suite("A store whose version is in the history", .needsFixtures)
struct VersionSearchTests {
  private static let package = "App/Books.xcdatamodeld"
  /// From 2013, without a model of its own.
  private static let genuine = GenuineModel.books
  private static let contents = "App/Books.xcdatamodeld/Model1.xcdatamodel/contents"

  /// A repository with the genuine package, whose first version was then edited in place.
  private func repository(_ body: (Repository, _ store: String, _ commit: String) throws -> Void) throws {
    try Repository.with { repository in
      let package = repository.folder.appending(path: Self.package)
      try FolderSnapshot(Fixtures.url(Self.genuine.package)).write(to: package)
      try repository.write("*.sqlite*\n", to: ".gitignore")
      try repository.commit("released")
      let commit = try repository.git("rev-parse", "HEAD").trimmingCharacters(in: .whitespacesAndNewlines)
      try edit(repository, "first")
      try repository.commit("edited in place")
      try edit(repository, "second")
      try repository.commit("once more")
      _ = try Fixtures.copyStore(Self.genuine.stores[0].path, into: repository.folder)
      try body(repository, URL(filePath: Self.genuine.stores[0].path).lastPathComponent, commit)
    }
  }

  private func edit(_ repository: Repository, _ name: String) throws {
    let file = repository.folder.appending(path: Self.contents)
    let text = try String(contentsOf: file, encoding: .utf8)
    let attribute = "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"String\" syncable=\"YES\"/>"
    let start = try #require(text.firstRange(of: #/<entity [^>]*[^\/]>/#))
    try repository.write(
      text.replacingCharacters(in: start, with: text[start] + attribute), to: Self.contents)
  }

  @Test func `inspect and migrate name the commit, and its model reads the store`() throws {
    try repository { repository, store, commit in
      let place = "\(commit.prefix(12)):\(Self.package)"
      for command in ["inspect", "migrate"] {
        let run = try repository.modelc(command, store, "--models", Self.package)
        #expect(
          run.stderr.contains("'\(store)' is of 'Model1' as it was in commit \(commit.prefix(12))"), "\(run)")
        #expect(run.stderr.contains("`--models \(place)`"), "\(run)")
        let quiet = try repository.modelc(command, store, "--models", Self.package, "--no-git")
        #expect(!quiet.stderr.contains("MC5111"), "\(quiet)")
      }
      let json = try repository.modelc("migrate", store, "--models", Self.package, "--format", "json")
      #expect(json.stdout.contains("MC5111") && json.stdout.contains(String(commit.prefix(12))), "\(json)")
      let inspection = try repository.modelc("inspect", store, "--models", place, "--format", "json")
      #expect(try inspection.decoded(as: InspectionRecord.self).versions == ["Model1"])
      // By the way that the model of that commit knows.
      let plan = try repository.modelc("plan", store, "--models", place, "--to", "Model1")
      expectSuccess(plan)
    }
  }

  @Test func `from another folder the repository is named, and without one nothing is said`() throws {
    try repository { repository, store, _ in
      try withTemporaryFolder { folder in
        let package = repository.folder.appending(path: Self.package).path
        let path = repository.folder.appending(path: store).path
        let run = try Modelc.run("inspect", path, "--models", package, in: folder)
        #expect(run.stderr.contains("MC5111") && run.stderr.contains("in the repository '"), "\(run)")
        try FolderSnapshot(repository.folder.appending(path: Self.package))
          .write(to: folder.appending(path: Self.package))
        let outside = try Modelc.run("inspect", path, "--models", Self.package, in: folder)
        #expect(!outside.stderr.contains("MC5111") && !outside.stderr.contains("MC0014"), "\(outside)")
      }
    }
  }

  @Test func `a folder of YAML files has a history too`() throws {
    try Workplace.with(Self.genuine.package) { workplace in
      try Repository.with { repository in
        try FolderSnapshot(workplace.url("T")).write(to: repository.folder)
        try repository.commit("released")
        let file = repository.folder.appending(path: "Models/Model/Model1.yaml")
        let text = try String(contentsOf: file, encoding: .utf8)
        try repository.write(
          text.replacing("    attributes:\n", with: "    attributes:\n      edited: string?\n"),
          to: "Models/Model/Model1.yaml")
        try repository.commit("edited in place")
        let store = try Fixtures.copyStore(Self.genuine.stores[0].path, into: repository.folder)
        let run = try repository.modelc("inspect", store.lastPathComponent)
        #expect(run.stderr.contains("is of 'Model1' as it was in commit"), "\(run)")
        #expect(run.stderr.contains(":Models/Model`"), "\(run)")
      }
    }
  }

  /// Settings and attributes of the repository name programs for nearly all that git does.
  @Test func `git runs no program of the repository`() throws {
    try repository { repository, store, _ in
      let canary = repository.folder.appending(path: "canary").path
      let program = repository.folder.appending(path: "evil").path
      try repository.write("#!/bin/sh\ntouch '\(canary)'\ncat\n", to: "evil")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
      for setting in [
        "log.showSignature=true", "gpg.program=\(program)", "diff.external=\(program)",
        "diff.x.textconv=\(program)",
        "diff.x.command=\(program)", "filter.x.smudge=\(program)", "filter.x.clean=\(program)",
        "core.pager=\(program)", "pager.log=\(program)", "core.fsmonitor=\(program)",
        "core.sshCommand=\(program)",
        "core.hooksPath=\(repository.folder.path)", "core.editor=\(program)",
        "core.alternateRefsCommand=\(program)",
        "alias.log=!\(program)", "alias.cat-file=!\(program)", "diff.renames=true", "log.diffMerges=remerge",
      ] {
        let parts = setting.split(separator: "=", maxSplits: 1).map(String.init)
        try repository.git("config", parts[0], parts[1])
      }
      try repository.write("* diff=x filter=x\n", to: ".gitattributes")
      let run = try repository.modelc("inspect", store, "--models", Self.package)
      #expect(run.stderr.contains("MC5111"), "\(run)")
      #expect(!FileManager.default.fileExists(atPath: canary))
    }
  }

  /// 20,000 commits, of which 2,500 changed the package: it is cut after the latest 2,000.
  @Test func `a long history is bounded`() throws {
    try repository { repository, store, _ in
      let text = try String(contentsOf: repository.folder.appending(path: Self.contents), encoding: .utf8)
      var stream = ""
      for number in 0..<20_000 {
        stream +=
          "commit refs/heads/main\ncommitter A <a@example.org> \(1_700_000_000 + number) +0000\ndata 1\nx\n"
        if number == 0 { stream += "from refs/heads/main^0\n" }
        let path = number % 8 == 0 ? "\"\(Self.contents)\"" : "notes.txt"
        let content = number % 8 == 0 ? text + "<!-- \(number) -->" : "\(number)"
        stream += "M 100644 inline \(path)\ndata \(content.utf8.count)\n\(content)\n"
      }
      let file = repository.folder.appending(path: "stream")
      try Data(stream.utf8).write(to: file)
      let run = try CommandOutput(
        of: ["sh", "-c", "cd '\(repository.folder.path)' && git fast-import --quiet < stream"])
      #expect(run.code == 0, "\(run.text)")
      let start = ContinuousClock.now
      let inspection = try repository.modelc("inspect", store, "--models", Self.package)
      #expect(
        inspection.stderr.contains("is not among those of the 2,000 commits that were looked at"),
        "\(inspection)")
      #expect(ContinuousClock.now - start < .seconds(40))
    }
  }

  @Test func `broken versions are named once, and the others work`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      let package = GenuineModel.moody.package
      try FolderSnapshot(Fixtures.url(package)).write(to: place.url("Moody.xcdatamodeld"))
      let pointer =
        "version https://git-lfs.github.com/spec/v1\noid sha256:\(String(repeating: "4", count: 64))\nsize 9\n"
      try place.write(pointer, to: "Moody.xcdatamodeld/Moody 3.xcdatamodel/contents")
      try place.write("<<<<<<< HEAD\n<model>\n", to: "Moody.xcdatamodeld/Moody 4.xcdatamodel/contents")
      try place.write("", to: "Moody.xcdatamodeld/Moody 5.xcdatamodel/contents")
      let store = try place.copyStore(GenuineModel.moody.stores[0].path)
      let option = "--models=Moody.xcdatamodeld"
      let inspection = try place.modelc("inspect", store, option)
      expectSuccess(inspection)
      #expect(inspection.stdout.contains("Moody"), "\(inspection)")
      for code in ["MC0202", "MC0201"] {
        #expect(inspection.stderr.contains("warning[\(code)]"), "\(inspection)")
      }
      let run = try place.modelc("migrate", store, option, "--to", "Moody 2")
      expectSuccess(run)
      for name in ["Moody 3", "Moody 4", "Moody 5"] {
        let told = run.stderr.components(separatedBy: "\(name).xcdatamodel/contents:").count - 1
        #expect(told == 1, "\(name): \(run)")
      }
      // What is asked for is the package itself: there they stay errors.
      #expect(
        try place.modelc("compile", "Moody.xcdatamodeld").errors.sorted() == ["MC0201", "MC0201", "MC0202"])
      // And where stores are to go has to be there.
      try place.write("", to: "Moody.xcdatamodeld/Moody 6.xcdatamodel/contents")
      let second = try place.copyStore(GenuineModel.moody.stores[1].path)
      let refused = try place.modelc("migrate", second, option)
      #expect(refused.errors.contains("MC0208") && refused.code == 1, "\(refused)")
    }
  }
}
