import Foundation
import ManagedModel
import ModelCommands
import ReleaseChecks
import TestSupport
import Testing

/// What cannot be checked is an error that says what to do, never a success.
@Suite("A gate with nothing to stand on") struct BadInputTests {
  @Test func `no models`() throws {
    try withTemporaryFolder { folder in
      #expect(ModelcCommand.run(["check", "-q", "-C", folder.path]) == 2)
      #expect(ModelcCommand.run(["test", "-q", "-C", folder.path]) == 2)
      #expect(ModelcCommand.run(["release", "V1", "-C", folder.path]) == 2)
    }
  }

  @Test func `no lock, an empty one, one with the marks of a merge, one that lists a version twice`() throws {
    try ReleasedProject.with { project in
      let lock = "Models/Huts/released.lock"
      let text = try String(contentsOfFile: project.file(lock), encoding: .utf8)
      let lines = text.split(separator: "\n").map(String.init)
      let cases: [(text: String?, code: String)] = [
        (nil, "MC7011"), ("", "MC7011"), (lines[0] + "\n", "MC7011"), ("<<<<<<< HEAD\n" + text, "MC7011"),
        (text.replacing(" V2\n", with: " V1\n"), "MC7013"), (text + lines[1] + "\n", "MC7011"),
        (text.replacing("total 2", with: "total 3"), "MC7011"), ("x\n" + text, "MC7011"),
      ]
      for (content, code) in cases {
        if let content {
          try project.write(content, to: lock)
        } else {
          try FileManager.default.removeItem(atPath: project.file(lock))
        }
        let run = try project.check()
        #expect(run.code == 1)
        #expect(
          run.found.contains { $0.code == code && $0.file?.hasSuffix("released.lock") == true }, "\(run)")
      }
    }
  }

  @Test func `of two branches' releases one side is kept, and the other's released again`() throws {
    try ReleasedProject.with { project in
      let lock = "Models/Huts/released.lock"
      let text = try String(contentsOfFile: project.file(lock), encoding: .utf8)
      try project.write("<<<<<<< HEAD\n\(text)=======\n>>>>>>> fix\n", to: lock)
      let help = try project.check().found.first { $0.code == "MC7011" }?.help.first
      #expect(help?.contains(" release -C \(project.path) VERSION --tag TAG`") == true, "\(help ?? "")")
      try project.write(text, to: lock)
      #expect(ModelcCommand.run(["release", "V3", "--tag", "v3", "-q", "-C", project.path]) == 0)
      #expect(try project.check().code == 0)
    }
  }

  @Test func `an app's release in the place of a version is told by its option`() throws {
    try ReleasedProject.with { project in
      let model = try #require(project.model)
      func help(_ name: String) -> [String]? {
        let error = #expect(throws: DiagnosticsError.self) {
          try model.releaseVersions([name], at: project.path, tag: nil, date: "2026-01-31", rows: nil)
        }
        return error?.diagnostics.first?.help
      }
      #expect(help("1.2")?.first?.contains("`modelc release --tag 1.2` records 'V3'") == true)
      #expect(help("v3") == ["did you mean 'V3'?"])
    }
  }

  @Test func `a lock behind a link is restored where it lies`() throws {
    try ReleasedProject.with { project in
      let lock = "Models/Huts/released.lock"
      try project.repository.git("mv", lock, "released.txt")
      try FileManager.default.createSymbolicLink(
        atPath: project.file(lock), withDestinationPath: "../../released.txt")
      try project.commit("a link")
      try project.edit("released.txt", "total 2", "total 3")
      let found = try project.check().found
      try #require(found.first { $0.code == "MC7011" }).pasteHelp()
      #expect(try !project.check().found.contains { $0.code == "MC7011" })
    }
  }

  @Test func `files of 100 MB, and a lock of another kind`() throws {
    try ReleasedProject.with { project in
      let lock = "Models/Huts/released.lock"
      let mapping = "Migrations/Huts/V1-V3.yaml"
      let baseline = project.file("lines.txt")
      let cases = [
        (lock, []), ("Models/Huts/versions.yaml", []), ("Models/Huts/V2.yaml", []), (mapping, []),
        ("Tests/Migrations/Huts/a.yaml", []), ("lines.txt", ["--baseline", baseline]),
      ]
      for (file, arguments) in cases {
        let before = try? Data(contentsOf: URL(filePath: project.file(file)))
        try project.write("", to: file)
        let handle = try #require(FileHandle(forWritingAtPath: project.file(file)))
        try handle.truncate(atOffset: 100 << 20)
        try handle.close()
        let run = try project.check(arguments: arguments)
        #expect(run.code != 0, "\(file): \(run)")
        if let before {
          try before.write(to: URL(filePath: project.file(file)))
        } else {
          try FileManager.default.removeItem(atPath: project.file(file))
        }
      }
      // Another file in its place makes every line wrong; a few of them tell it.
      try project.write(String(repeating: "a\n", count: 1 << 21), to: lock)
      let run = try project.check("--level", "path")
      #expect(run.code == 1 && (1...25).contains(run.found.filter { $0.code == "MC7011" }.count))
      let line = "\(String(repeating: "A", count: 44)) \(String(repeating: "a", count: 64)) 2026-01-31 - "
      try project.write((0..<20_000).map { "\(line)V\($0)\n" }.joined(), to: lock)
      #expect(try project.check("--level", "path").code == 1)
    }
  }

  @Test func `a kept store that is none, is gone, or is of another version`() throws {
    try ReleasedProject.with { project in
      let store = "Models/Huts/Released/V1.sqlite"
      try project.write("no store", to: store)
      #expect(try project.check().found.contains { $0.code == "MC7009" && $0.severity == "error" })
      try FileManager.default.removeItem(atPath: project.file(store))
      let gone = try project.check()
      #expect(gone.code == 1 && gone.found.contains { $0.code == "MC7009" && $0.severity == "error" })
      let files = FileManager.default
      try files.copyItem(
        atPath: project.file("Models/Huts/Released/V2.sqlite"), toPath: project.file(store))
      #expect(try project.check().code == 1)
      try files.removeItem(atPath: project.file("Models/Huts/Released"))
      let without = try project.check()
      #expect(without.code == 0 && without.found.contains { $0.code == "MC7009" && $0.severity == "warning" })
      #expect(try project.check("--fail-on", "warning").code == 1)
    }
  }

  @Test func `a folder of stores, an empty one, and a store that nothing leads on from`() throws {
    try ReleasedProject.with { project in
      let folder = project.file("stores")
      let files = FileManager.default
      try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
      #expect(try project.check("--store", folder).code == 2)
      #expect(try project.check("--against", folder).code == 2)
      #expect(try project.check("--store", folder + "/none").code == 2)
      let kept = project.file("Models/Huts/Released/V2.sqlite")
      try files.copyItem(atPath: kept, toPath: folder + "/one.sqlite")
      #expect(try project.check("--store", folder).code == 0)
      try project.edit("Models/Huts/versions.yaml", "current: V3", "current: V1")
      let found = try project.check("--store", folder).found
      #expect(found.contains { $0.code == "MC7003" && $0.file?.hasSuffix("one.sqlite") == true })
      try project.write("no store", to: "stores/two.sqlite")
      let bad = try project.check("--store", folder + "/two.sqlite").found
      #expect(bad.contains { $0.code == "MC7009" && $0.severity == "error" })
    }
  }

  @Test func `a revision that is not there, and a shallow clone`() throws {
    try ReleasedProject.with { project in
      #expect(try project.check("--against", "nowhere").code == 2)
      var options = CheckOptions()
      options.base = "HEAD:Models"
      let error = #expect(throws: DiagnosticsError.self) {
        try Project(at: URL(filePath: project.path)).check(options)
      }
      #expect(error?.diagnostics.first?.code.description == "MC0014")
      #expect(error?.diagnostics.first?.help.first?.hasPrefix("name a commit") == true)
      try project.edit("Models/Huts/V3.yaml", "opened: date?", "openedOn: date?")
      try project.commit("a change")
      try withTemporaryFolder { folder in
        try project.repository.git(
          "clone", "--quiet", "--depth", "1", "file://\(project.path)", folder.appending(path: "c").path)
        let clone = folder.appending(path: "c").path
        #expect(ModelcCommand.run(["check", "-q", "-C", clone, "--against", "HEAD~1"]) == 2)
        #expect(ModelcCommand.run(["check", "-q", "-C", clone, "--against", "HEAD"]) == 0)
      }
    }
  }

  @Test func `a report that cannot be written, and one that there is not`() throws {
    try ReleasedProject.with { project in
      let run: (String) -> Int32 = { ModelcCommand.run(["check", "-q", "-C", project.path, "--report", $0]) }
      #expect(run("sarif=\(project.file("no/folder/x.sarif"))") == 2)
      #expect(run("sarif=\(project.path)") == 2)
      #expect(run("pdf=x") == 2)
      #expect(run("sarif=\(project.file("x.sarif"))") == 0)
      #expect(FileManager.default.fileExists(atPath: project.file("x.sarif")))
    }
  }

  @Test func `releases that are none`() throws {
    try ReleasedProject.with { project in
      let release: ([String]) -> Int32 = { ModelcCommand.run(["release", "-q", "-C", project.path] + $0) }
      #expect(release(["V9"]) == 2)
      #expect(release(["V1"]) == 0)
      try project.edit("Models/Huts/versions.yaml", "current: V3", "current: V2")
      #expect(release(["V3"]) == 1)
      try project.edit("Models/Huts/V1.yaml", "beds: integer16", "beds: integer32")
      #expect(release(["V1"]) == 1)
      try project.edit("Models/Huts/released.lock", "v1.0 V1", "v1.2 V1")
      #expect(release(["V2"]) == 1)
    }
  }

  @Test func `two releases on two branches conflict in git`() throws {
    try ReleasedProject.with { project in
      try project.repository.git("checkout", "--quiet", "-b", "other")
      #expect(ModelcCommand.run(["release", "-q", "V3", "--tag", "v2", "-C", project.path]) == 0)
      try project.commit("theirs")
      try project.repository.git("checkout", "--quiet", "main")
      #expect(ModelcCommand.run(["release", "-q", "V3", "--tag", "v2b", "-C", project.path]) == 0)
      try project.commit("ours")
      #expect(throws: Repository.Failure.self) { try project.repository.git("merge", "other") }
      #expect(try project.check().found.contains { $0.code == "MC7011" })
    }
  }
}
