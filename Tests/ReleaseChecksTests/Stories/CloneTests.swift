import Foundation
import ManagedModel
import ModelCommands
import ModelFormats
import TestSupport
import Testing

/// Whatever a clone lacks: a check that compared nothing is not a success.
@Suite("Clones that lack something") struct CloneTests {
  /// How a clone is made, what is done to it, and the exit code of a check: 1 where the edit is found.
  private struct Clone: Sendable {
    var name: String
    var options: [String] = []
    var code: Int32
    var spoil: @Sendable (Repository, _ blob: String) throws -> Void = { _, _ in }
  }

  private static let file = "Models/Huts/V1.yaml"

  private static let clones = [
    Clone(name: "whole", code: 1), Clone(name: "shallow", options: ["--depth", "1"], code: 2),
    Clone(name: "blobless", options: ["--filter=blob:none"], code: 2),
    Clone(name: "treeless", options: ["--filter=tree:0"], code: 2),
    Clone(name: "with alternates", options: ["--shared"], code: 1),
    Clone(name: "alternates that are gone", options: ["--shared"], code: 2) { clone, _ in
      try clone.write("/nowhere\n", to: ".git/objects/info/alternates")
    },
    // HEAD would have no parent.
    Clone(name: "grafts", code: 1) { clone, _ in
      try clone.write(try clone.git("rev-parse", "HEAD"), to: ".git/info/grafts")
    },
    Clone(name: "replaced", code: 1) { clone, blob in
      try clone.git("replace", "origin/main", "HEAD")
      try clone.git("replace", blob, "HEAD:\(file)")
    },
    Clone(name: "damaged", code: 2) { clone, blob in try clone.write("?", to: try clone.looseFile(of: blob))
    },
    Clone(name: "an object gone", code: 2) { clone, _ in
      let tree = try clone.git("rev-parse", "origin/main:Models/Huts").trimmed
      try FileManager.default.removeItem(at: clone.folder.appending(path: try clone.looseFile(of: tree)))
    },
    Clone(name: String(repeating: "é ", count: 80), code: 1),
  ]

  /// A released version that a branch edited, together with the lock and the kept stores.
  private func withOrigin(_ body: (ReleasedProject, _ blob: String) throws -> Void) throws {
    try ReleasedProject.with { project in
      let repository = project.repository
      for key in ["uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"] {
        try repository.git("config", key, "true")
      }
      let blob = try repository.git("rev-parse", "HEAD:\(Self.file)").trimmed
      try repository.git("checkout", "--quiet", "-b", "feature")
      try project.edit(Self.file, "beds: integer16 = 0", "beds: integer32 = 0")
      for name in ["released.lock", "Released"] {
        try FileManager.default.removeItem(atPath: project.file("Models/Huts/\(name)"))
      }
      #expect(ModelcCommand.run(["release", "-q", "-C", project.path, "V1", "V2"]) == 0)
      try project.commit("everything edited")
      try body(project, blob)
    }
  }

  private func clone(_ origin: Repository, _ clone: Clone, to folder: URL) throws -> ReleasedProject {
    let place = folder.appending(path: clone.name)
    let parent = Repository(folder: folder)
    try parent.run(
      ["-c", "protocol.file.allow=always", "clone", "--quiet", "--branch", "feature"] + clone.options
        + [clone.options == ["--shared"] ? origin.folder.path : origin.folder.absoluteString, place.path])
    return ReleasedProject(repository: Repository(folder: place))
  }

  @Test func `a shipped version that was edited is found, or the clone is refused`() throws {
    try withOrigin { origin, blob in
      try withTemporaryFolder { folder in
        for kind in Self.clones {
          let project = try clone(origin.repository, kind, to: folder)
          try kind.spoil(project.repository, blob)
          let run = try project.check("--level", "path", "--against", "origin/main")
          #expect(run.code == kind.code, "\(kind.name): \(run)")
          #expect(run.code == 2 || run.found.contains { $0.code == "MC7011" && $0.severity == "error" })
        }
      }
    }
  }

  @Test func `a clone that lacks the base is taken where that is asked for, and fetching it again mends it`()
    throws
  {
    try withOrigin { origin, _ in
      try withTemporaryFolder { folder in
        let project = try clone(
          origin.repository, Clone(name: "a", options: ["--filter=blob:none"], code: 2), to: folder)
        let run = try project.check("--level", "path", "--against", "origin/main", "--allow-unread-base")
        let found = run.found.filter { $0.code == "MC7031" }
        #expect(run.code == 0 && found.map(\.severity) == ["warning"], "\(run)")
        let fetch = ["-c", "protocol.file.allow=always", "fetch", "--quiet", "--refetch", "--no-filter"]
        try project.repository.run(fetch)
        #expect(try project.check("--level", "path", "--against", "origin/main").code == 1)
      }
    }
  }

  @Test func `a branch that only the remote has is offered`() throws {
    try withOrigin { origin, _ in
      try withTemporaryFolder { folder in
        let project = try clone(
          origin.repository, Clone(name: "a", options: ["--depth", "1", "--no-single-branch"], code: 2),
          to: folder)
        let error = #expect(throws: DiagnosticsError.self) {
          _ = try withRevision("main", of: project.file(Self.file)) { _ in true }
        }
        #expect(error?.diagnostics.map(\.help) == [["did you mean 'origin/main'?"]])
      }
    }
  }

  @Test func `a shallow clone that does not go back to where its branch began`() throws {
    try ReleasedProject.with { origin in
      try origin.repository.git("checkout", "-qb", "feature")
      try origin.write("x", to: "notes")
      try origin.commit("nothing about models")
      try origin.repository.git("checkout", "-q", "main")
      try origin.write(ReleasedProject.third, to: "Models/Huts/V4.yaml")
      try origin.edit("Models/Huts/versions.yaml", "[V1, V2, V3]", "[V1, V2, V3, V4]")
      try origin.commit("the next version")
      try withTemporaryFolder { folder in
        let project = try clone(
          origin.repository, Clone(name: "a", options: ["--depth", "1"], code: 2), to: folder)
        let fetch = ["-c", "protocol.file.allow=always", "fetch", "--quiet"]
        try project.repository.run(fetch + ["--depth", "1", "origin", "main:refs/remotes/origin/main"])
        #expect(try project.check("--level", "path", "--against", "origin/main").code == 2)
        // As the message says.
        try project.repository.run(
          fetch + ["--unshallow", "--tags", "origin", "+refs/heads/*:refs/remotes/origin/*"])
        #expect(try project.check("--level", "path", "--against", "origin/main").code == 0)
      }
    }
  }

  @Test func `tags that a clone lacks are no shorter lock`() throws {
    try withOrigin { origin, _ in
      try origin.repository.git("tag", "v1", "main")
      try withTemporaryFolder { folder in
        for (options, code) in [(["--filter=blob:none"], 2), ([], 0)] as [([String], Int32)] {
          let name = "n\(code)"
          let project = try clone(
            origin.repository, Clone(name: name, options: options, code: code), to: folder)
          try FileManager.default.removeItem(atPath: project.file("Models/Huts/released.lock"))
          #expect(ModelcCommand.run(["release", "-q", "-C", project.path, "--from-tags", "*"]) == code)
        }
      }
    }
  }

  @Test func `a shallow clone without tags does not say that nothing is released`() throws {
    try Repository.with { origin in
      try origin.write("current: V1\nversions: [V1]\n", to: "Models/Huts/versions.yaml")
      try origin.write("entities:\n  Hut:\n    attributes:\n      name: string?\n", to: "Models/Huts/V1.yaml")
      try origin.commit("first")
      try origin.git("tag", "v1")
      try withTemporaryFolder { folder in
        for options in [["--depth", "1", "--no-tags"], []] {
          let place = folder.appending(path: "n\(options.count)")
          try Repository(folder: folder).run(
            ["-c", "protocol.file.allow=always", "clone", "--quiet"] + options
              + [origin.folder.absoluteString, place.path])
          let run = try ReleasedProject(repository: Repository(folder: place)).check("--level", "path")
          let found = run.found.filter { $0.code == "MC7011" }
          #expect(found.map(\.severity) == ["warning"] && run.code == 0, "\(run)")
          let isMentioned = found.contains { $0.help.contains { $0.contains("fetch --unshallow --tags") } }
          #expect(isMentioned != options.isEmpty, "\(run)")
        }
      }
    }
  }

  @Test func `mapping files that a partial clone lacks are said not to be compared`() throws {
    try ReleasedProject.with { origin in
      let file = "Migrations/Huts/V1-V2.yaml"
      try origin.write(ReleasedProject.upperCasing(from: "V1", to: "V2"), to: file)
      try origin.commit("a mapping")
      try origin.repository.git("rm", "-rq", "Migrations")
      try origin.commit("it is gone")
      try origin.repository.git("config", "uploadpack.allowFilter", "true")
      func found(_ project: ReleasedProject, _ arguments: String...) throws -> [String] {
        try project.check("--level", "path", "--against", "HEAD~1", arguments: arguments).found
          .filter { $0.code == "MC7031" }.map(\.severity)
      }
      #expect(try found(origin) == [])
      try withTemporaryFolder { folder in
        let clone = folder.appending(path: "clone")
        let url = "file://\(origin.path)"
        try origin.repository.git("clone", "--quiet", "--filter=blob:none", url, clone.path)
        let project = ReleasedProject(repository: Repository(folder: clone))
        #expect(try found(project) == ["error"])
        #expect(try found(project, "--allow-unread-base") == ["warning"])
      }
      // Of files in git-lfs revisions have pointers.
      try origin.write("version https://git-lfs.github.com/spec/v1\noid sha256:4d\nsize 1\n", to: file)
      try origin.commit("git-lfs")
      try origin.repository.git("rm", "-rq", "Migrations")
      try origin.commit("it is gone again")
      #expect(try found(origin) == ["warning"])
    }
  }

  @Test func `a package that is gone is missed in a clone that lacks it`() throws {
    try withNotePackage { package in
      let repository = package.project.repository
      try package.write("App", "body")
      try package.write("Other", "body", "more", in: "Other.xcdatamodeld")
      try package.commit()
      try repository.git("rm", "-rq", "Other.xcdatamodeld")
      try package.commit()
      try repository.git("config", "uploadpack.allowFilter", "true")
      try withTemporaryFolder { folder in
        let clone = folder.appending(path: "clone")
        let url = "file://\(package.project.path)"
        try repository.git("clone", "--quiet", "--filter=blob:none", url, clone.path)
        let project = ReleasedProject(repository: Repository(folder: clone))
        let found = try project.check("--level", "path", "--against", "HEAD~1").found
        #expect(found.filter { $0.severity == "error" && $0.state == "new" }.map(\.code) == ["MC7054"])
      }
    }
  }

  @Test func `an adopted model is not compared with a package that the clone lacks`() throws {
    try withNotePackage { package in
      let (project, repository) = (package.project, package.project.repository)
      try package.write("App", "body")
      try package.commit()
      #expect(ModelcCommand.run(["adopt", project.file(package.name), "-q", "-C", project.path]) == 0)
      try repository.git("rm", "-rq", package.name)
      try package.commit()
      try repository.git("config", "uploadpack.allowFilter", "true")
      try withTemporaryFolder { folder in
        let clone = folder.appending(path: "clone")
        try repository.git(
          "clone", "--quiet", "--filter=blob:none", "file://\(project.path)", clone.path)
        let partial = ReleasedProject(repository: Repository(folder: clone))
        func found(_ arguments: String...) throws -> [String] {
          try partial.check("--level", "path", "--against", "HEAD~1", arguments: arguments).found
            .filter { $0.code == "MC7031" }.map(\.severity)
        }
        #expect(try found() == ["error"])
        #expect(try found("--allow-unread-base") == ["warning"])
      }
    }
  }

  @Test func `a clone without trees says that it lacks the order of versions`() throws {
    try withNotePackage { package in
      let repository = package.project.repository
      for (index, name) in ["Zeta", "Mid", "Alpha"].enumerated() {
        try package.write(name, "body", "more\(index)")
        try package.commit()
      }
      try repository.git("config", "uploadpack.allowFilter", "true")
      try withTemporaryFolder { folder in
        let clone = folder.appending(path: "clone")
        let url = "file://\(package.project.path)"
        try repository.git("clone", "--quiet", "--filter=tree:0", url, clone.path)
        let project = ReleasedProject(repository: Repository(folder: clone))
        // git before 2.44 fetches what is asked for, where it can.
        try project.repository.git("config", "remote.origin.url", "file:///nowhere")
        let found = try project.check(models: package.name).found.filter { $0.code == "MC0019" }
        #expect(found.contains { $0.message.contains("partial clone lacks") }, "\(found)")
      }
    }
  }

  @Test func `a base whose files do not read is an error, unless it is allowed`() throws {
    try ReleasedProject.with { project in
      let list = "Models/Huts/versions.yaml"
      let text = try String(contentsOfFile: project.file(list), encoding: .utf8)
      try project.write("versions: {", to: list)
      try project.commit("a merge that went wrong")
      try project.write(text, to: list)
      try project.commit("mended")
      for (arguments, code, severity) in [([], 1, "error"), (["--allow-unread-base"], 0, "warning")]
        as [([String], Int32, String)]
      {
        let run = try project.check("--level", "path", "--against", arguments: ["HEAD~1"] + arguments)
        #expect(run.code == code, "\(run)")
        #expect(run.found.filter { $0.code == "MC7031" }.map(\.severity) == [severity])
      }
    }
  }

  @Test func `working trees, submodules, and folders within the repository`() throws {
    try withOrigin { origin, _ in
      try withTemporaryFolder { folder in
        let tree = folder.appending(path: "a tree").path
        try origin.repository.git("checkout", "--quiet", "main")
        try origin.repository.git("worktree", "add", "--quiet", tree, "feature")
        let outer = Repository(folder: folder.appending(path: "outer"))
        try FileManager.default.createDirectory(at: outer.folder, withIntermediateDirectories: true)
        try outer.git("init", "--quiet", "--initial-branch", "main")
        try outer.run([
          "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "-b", "feature",
          origin.repository.folder.absoluteString, "sub module",
        ])
        try outer.commit("a submodule")
        for (place, base) in [
          (tree, "main"), (outer.folder.appending(path: "sub module").path, "origin/main"),
        ] {
          let project = ReleasedProject(repository: Repository(folder: URL(filePath: place)))
          #expect(try project.check("--level", "path", "--against", base).code == 1, "\(place)")
          let below = try project.check("--level", "path", "--against", base, models: "Models/Huts")
          #expect(below.code == 1, "\(place)")
        }
      }
    }
  }

  /// A revision is one of the repository that the command runs in: it says which commit the submodule had then.
  @Test func `a submodule is compared with what the repository above had of it`() throws {
    try withOrigin { origin, _ in
      try withTemporaryFolder { folder in
        let outer = Repository(folder: folder.appending(path: "outer"))
        try FileManager.default.createDirectory(at: outer.folder, withIntermediateDirectories: true)
        try outer.git("init", "--quiet", "--initial-branch", "main")
        try outer.run([
          "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "-b", "main",
          origin.repository.folder.absoluteString, "sub",
        ])
        try outer.commit("main of it")
        let inner = Repository(folder: outer.folder.appending(path: "sub"))
        try inner.git("checkout", "--quiet", "origin/feature")
        try inner.write("x", to: "other")
        try inner.commit("something else")
        try outer.commit("what the branch has")
        let project = ReleasedProject(repository: outer)
        func check(_ base: String) throws -> Int32 {
          try project.check(
            "--level", "path", "--against", base, "-C", project.path, models: "sub/Models"
          ).code
        }
        #expect(try check("HEAD~1") == 1 && check("HEAD") == 0 && check("HEAD~2") == 2)
      }
    }
  }
}

extension Repository {
  fileprivate func looseFile(of object: String) throws -> String {
    // Out of their pack, which git does where there are few.
    let pack = try FileManager.default.contentsOfDirectory(
      at: folder.appending(path: ".git/objects/pack"), includingPropertiesForKeys: nil)
    for file in pack where file.pathExtension == "pack" {
      let away = folder.appending(path: file.lastPathComponent)
      try FileManager.default.moveItem(at: file, to: away)
      try shell("git unpack-objects -q < \(away.lastPathComponent)")
      try FileManager.default.removeItem(at: away)
    }
    for file in pack where file.pathExtension != "pack" { try? FileManager.default.removeItem(at: file) }
    let place = ".git/objects/\(object.prefix(2))/\(object.dropFirst(2))"
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: folder.appending(path: place).path)
    return place
  }
}

extension String {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
