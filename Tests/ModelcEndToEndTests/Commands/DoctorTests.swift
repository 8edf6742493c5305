import Foundation
import TestSupport
import Testing

@Suite("modelc doctor") struct DoctorTests {
  private struct Record: Decodable {
    var checks: [Check]
    var diagnostics: [DiagnosticRecord]

    struct Check: Decodable {
      var name: String
      var state: String
      var summary: String
      var advice: [String]
    }

    func check(_ name: String) throws -> Check { try #require(checks.first { $0.name == name }) }
  }

  private func record(
    _ arguments: String..., in folder: URL, code: Int32 = 0, environment: [String: String] = [:],
    asUser user: Int? = nil
  ) throws -> Record {
    let run = try Modelc.run(
      ["doctor", "--format", "json"] + arguments, in: folder, environment: environment, asUser: user)
    #expect(run.code == code, "\(run)")
    return try run.decoded()
  }

  @Test func `a sound project fits one screen, and nothing is left behind`() throws {
    try Workplace.withDemo { place, store in
      let before = try FolderSnapshot(place.folder)
      let run = try place.modelc("doctor", "-C", "T")
      #expect(run.code == 0, "\(run)")
      let lines = run.stdout.split(separator: "\n")
      #expect(lines.count <= 24, "\(run)")
      #expect(lines.allSatisfy { $0.count <= 80 || isOneCommand($0) }, "\(run)")
      #expect(
        lines.contains { $0.hasPrefix("ok       models") && $0.contains("Trails: 3 versions, current V3") })
      let found = try record(store, "-C", "T", in: place.folder)
      #expect(
        found.checks.map(\.name) == [
          "modelc", "machine", "sqlite", "libraries", "folder", "locks", "temporary", "cache", "models",
          "mappings",
          "settings", "released", "git", "terminal", "environment", "limits",
        ])
      #expect(try found.check("locks").summary.contains("POSIX"))
      #expect(try FolderSnapshot(place.folder) == before)
    }
  }

  /// A command is not broken: it is to be pasted.
  private func isOneCommand(_ line: Substring) -> Bool { line.wholeMatch(of: #/ *`[^`]+`\S*/#) != nil }

  @Test func `a narrow terminal has every word within its width`() throws {
    try withTemporaryFolder { folder in
      let run = try Modelc.run("doctor", in: folder, environment: ["COLUMNS": "40"])
      #expect(run.code == 0, "\(run)")
      let long = run.stdout.split(separator: "\n").filter {
        $0.count > 40 && $0.split(separator: " ").count > 1 && !isOneCommand($0)
      }
      #expect(long == [], "\(run)")
    }
  }

  @Test func `an empty folder, no home, no git: warnings that say what to do, and no failure`() throws {
    try withTemporaryFolder { folder in
      let found = try record(
        in: folder, environment: ["HOME": "", "XDG_CACHE_HOME": "", "PATH": "/nowhere"])
      for name in ["cache", "models", "git"] {
        let check = try found.check(name)
        #expect(check.state == "warning" && !check.advice.isEmpty, "\(check)")
      }
      #expect(found.diagnostics.allSatisfy { $0.code == "MC0018" && $0.severity == "warning" })
      let run = try Modelc.run("doctor", "absent", in: folder)
      #expect(run.code == 2 && run.errors == ["MC0009"], "\(run)")
    }
  }

  /// Root may write everywhere.
  @Test(.enabled(if: getuid() == 0, "needs root, to become somebody else"))
  func `a folder that cannot be written is a problem: a store there cannot be migrated`() throws {
    try withTemporaryFolder { folder in
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
      let found = try record(in: folder, code: 1, environment: ["TMPDIR": "/tmp"], asUser: 65_534)
      let check = try found.check("folder")
      #expect(check.state == "problem" && check.summary.contains("permission denied"), "\(check)")
      #expect(found.diagnostics.contains { $0.code == "MC0018" && $0.severity == "error" })
    }
  }

  @Test func `a model that does not compile is a problem, a limit on the size of files too`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      try place.write("current: V1\nversions: [V1]\n", to: "Models/App/versions.yaml")
      try place.write("entities: {E: {attributes: {a: strng}}}\n", to: "Models/App/V1.yaml")
      let found = try record(in: folder, code: 1)
      #expect(try found.check("models").state == "problem")
      let run = try CommandOutput(of: [
        "sh", "-c", "cd '\(folder.path)' && ulimit -f 100 && '\(Modelc.executable.path)' doctor",
      ])
      #expect(run.code == 1 && run.text.contains("ulimit -f unlimited"), "\(run.text)")
    }
  }

  @Test func `a repository of somebody else's and a shallow clone are told`() throws {
    try Repository.with { repository in
      try repository.write("a\n", to: "a")
      try repository.commit("One")
      try repository.write("b\n", to: "a")
      try repository.commit("Two")
      #expect(try record(in: repository.folder).check("git").state == "ok")
      try repository.git("clone", "--quiet", "--depth", "1", "file://\(repository.folder.path)", "shallow")
      let shallow = try record(in: repository.folder.appending(path: "shallow")).check("git")
      #expect(shallow.state == "warning" && shallow.summary.contains("shallow"), "\(shallow)")
      guard getuid() == 0 else { return }
      try FileManager.default.setAttributes([.ownerAccountID: 65_534], ofItemAtPath: repository.folder.path)
      let home = ["HOME": repository.folder.path]
      let refused = try record(in: repository.folder, environment: home).check("git")
      #expect(refused.advice.joined().contains("safe.directory"), "\(refused)")
      try repository.write("current: V1\nversions: [V1]\n", to: "Models/App/versions.yaml")
      try repository.write("entities: {}\n", to: "Models/App/V1.yaml")
      let check = try Modelc.run("check", "--against", "HEAD", in: repository.folder, environment: home)
      #expect(check.code == 2 && check.stderr.contains("`git config --global --add safe."), "\(check)")
    }
  }

  @Test func `a report for others holds nothing of the user's`() throws {
    let canary = "Canary"
    try withTemporaryFolder { folder in
      let home = folder.appending(path: "home-\(canary)")
      let place = Workplace(folder: home.appending(path: "project\(canary)"))
      try place.write(
        "current: V\(canary)\nversions: [V\(canary)]\n", to: "Models/Model\(canary)/versions.yaml")
      try place.write(
        "entities: {Entity\(canary): {attributes: {attribute\(canary): string?}}}\n",
        to: "Models/Model\(canary)/V\(canary).yaml")
      let environment = [
        "HOME": home.path, "USER": "user\(canary)", "LOGNAME": "user\(canary)", "GIT_AUTHOR_NAME": canary,
        "XDG_CACHE_HOME": home.appending(path: "cache\(canary)").path, "NO_COLOR": canary,
      ]
      for name in ["report.md", "report.json"] {
        let run = try Modelc.run("doctor", "--bundle", name, in: place.folder, environment: environment)
        #expect(run.code == 0, "\(run)")
        #expect(run.stderr.contains("no names of models, versions or entities"))
        let report = try String(contentsOf: place.url(name), encoding: .utf8)
        #expect(!report.lowercased().contains(canary.lowercased()), "\(report)")
        #expect(
          !report.contains(ProcessInfo.processInfo.hostName) || ProcessInfo.processInfo.hostName.count < 4)
        #expect(report.contains("NO_COLOR") && report.contains("1 model, 1 version"), "\(report)")
      }
      // What is there is not written over; names come where they are asked for.
      let taken = try Modelc.run(
        "doctor", "--bundle", "report.md", in: place.folder, environment: environment)
      #expect(taken.errors == ["MC0012"] && taken.code == 2, "\(taken)")
      let open = try Modelc.run(
        "doctor", "--bundle", "open.md", "--with-names", in: place.folder, environment: environment)
      #expect(open.code == 0, "\(open)")
      let text = try String(contentsOf: place.url("open.md"), encoding: .utf8)
      #expect(text.contains("Model\(canary)") && text.contains("Entity\(canary)"))
      #expect(
        !text.contains("attribute\(canary)") && !text.contains("home-\(canary)")
          && !text.contains("user\(canary)"))
      let nowhere = try Modelc.run("doctor", "--bundle", "absent/report.md", in: place.folder)
      #expect(nowhere.errors == ["MC0009"] && nowhere.code == 2, "\(nowhere)")
    }
  }
}
