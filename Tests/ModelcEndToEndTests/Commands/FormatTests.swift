import Foundation
import TestSupport
import Testing

@Suite("modelc format") struct FormatTests {
  private struct Formatted: Decodable {
    struct File: Decodable, Equatable {
      var file: String
      var state: String
    }

    var files: [File]
    var diff: String?
    var diagnostics: [DiagnosticRecord]
  }

  private static let untidy =
    "# Ours.\nentities:   # all\n    Hut: {}\n    # a peak\n    Peak : {}\nidentifiers: ['a']\n"
  private static let tidy = "# Ours.\nidentifiers: [a]\nentities:  # all\n  Hut: {}\n  # a peak\n  Peak: {}\n"
  private static let list = "current: V1\nversions: [V1]\n"

  /// Runs in a project with one version.
  private func with<Result>(_ text: String = untidy, _ body: (Workplace) throws -> Result) throws -> Result {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      try place.write(Self.list, to: "Models/M/versions.yaml")
      try place.write(text, to: "Models/M/V1.yaml")
      return try body(place)
    }
  }

  private func text(_ place: Workplace, _ file: String = "Models/M/V1.yaml") throws -> String {
    String(decoding: try Data(contentsOf: place.url(file)), as: UTF8.self)
  }

  @Test func `the project's files are formatted, changed ones are named, and then none`() throws {
    try with { place in
      try place.write("to: V2\nfrom: V1\n", to: "Migrations/M/V1-V2.yaml")
      try place.write("versions: [ b ]\n", to: "modelc.yaml")
      try place.write("entities:   {}\n", to: "Models/notes.yaml")
      let run = try place.modelc("format")
      expectSuccess(run)
      #expect(run.stdout == "Models/M/V1.yaml\nMigrations/M/V1-V2.yaml\nmodelc.yaml\n")
      #expect(run.stderr == "3 files formatted, 1 file unchanged\n")
      #expect(try text(place) == Self.tidy)
      #expect(try text(place, "Migrations/M/V1-V2.yaml") == "from: V1\nto: V2\n")
      #expect(try text(place, "Models/notes.yaml") == "entities:   {}\n")
      let again = try place.modelc("format")
      #expect(again.code == 0 && again.stdout.isEmpty && again.stderr == "4 files unchanged\n")
      expectSuccess(try place.modelc("format", "--check", "-q"))
    }
  }

  @Test func `check and diff write nothing and exit with 1, and patch takes the diff`() throws {
    try with { place in
      let before = try FolderSnapshot(place.folder)
      let check = try place.modelc("format", "--check", "Models/M/V1.yaml", "Models/M/versions.yaml")
      #expect(check.code == 1 && check.stdout == "Models/M/V1.yaml\n")
      #expect(check.stderr == "1 file would change, 1 file unchanged\n")
      let diff = try place.modelc("format", "--diff")
      #expect(
        diff.code == 1
          && diff.stdout.hasPrefix("--- Models/M/V1.yaml\n+++ Models/M/V1.yaml\n@@ -1,6 +1,6 @@\n"))
      let json = try place.modelc("format", "--diff", "--format", "json").decoded(as: Formatted.self)
      #expect(json.diff == diff.stdout && json.diagnostics.isEmpty)
      #expect(json.files.contains(.init(file: "Models/M/V1.yaml", state: "differs")))
      #expect(try FolderSnapshot(place.folder) == before)
      try place.write(diff.stdout, to: "d.patch")
      try Repository(folder: place.folder).git("apply", "-p0", "d.patch")
      #expect(try text(place) == Self.tidy)
      let both = try place.modelc("format", "--diff", "--check")
      #expect(both.code == 2)
    }
  }

  @Test func `files with errors and files of others stay, the rest is formatted`() throws {
    try with { place in
      try place.write("entities: {\n", to: "Models/M/V2.yaml")
      try place.write("entities: &a {}\n", to: "Models/M/V3.yaml")
      try place.write("kind: Deployment\n", to: "k8s.yaml")
      let run = try place.modelc("format", "Models", "k8s.yaml", "--format", "json")
      #expect(run.code == 1)
      let result = try run.decoded(as: Formatted.self)
      #expect(
        result.files.map { "\($0.file) \($0.state)" } == [
          "Models/M/V1.yaml written", "Models/M/V2.yaml failed", "Models/M/V3.yaml failed",
          "Models/M/versions.yaml unchanged", "k8s.yaml failed",
        ])
      #expect(result.diagnostics.map(\.code) == ["MC0001", "MC0017", "MC0016"])
      #expect(try text(place) == Self.tidy)
      #expect(try text(place, "k8s.yaml") == "kind: Deployment\n")
      #expect(try text(place, "Models/M/V3.yaml") == "entities: &a {}\n")
      try place.write("struct Trip {\n  var name: String\n}\n", to: "Trip.swift")
      #expect(try place.modelc("format", "Trip.swift").errors == ["MC0016"])
      let missing = try place.modelc("format", "nowhere.yaml", "Models/M/V1.yaml")
      #expect(missing.code == 2 && missing.errors == ["MC0009"])
      #expect(try place.modelc("format", "Models/M/V2.yaml").code == 1)
    }
  }

  @Test func `standard input becomes standard output, to the byte`() throws {
    try with { place in
      let crlf = Self.untidy.split(separator: "\n", omittingEmptySubsequences: false).joined(
        separator: "\r\n")
      try place.write(crlf, to: "in")
      func run(_ arguments: String...) throws -> Modelc.Run {
        try Modelc.run(["format", "-"] + arguments, in: place.folder, input: place.url("in"))
      }
      let expected = Self.tidy.split(separator: "\n", omittingEmptySubsequences: false).joined(
        separator: "\r\n")
      let formatted = try run()
      #expect(
        formatted.code == 0 && formatted.stdout.utf8.elementsEqual(expected.utf8) && formatted.stderr.isEmpty)
      let check = try run("--check")
      #expect(check.code == 1 && check.stdout.isEmpty)
      #expect(try run("--diff").stdout.hasPrefix("--- <stdin>\n"))
      #expect(try run("--format", "json").code == 2)
      try place.write("versions: [a]\ncurrent: a", to: "in")
      #expect(try run("--stdin-filename", "versions.yaml").stdout == "current: a\nversions: [a]\n")
      try place.write("entities: {\n", to: "in")
      let refused = try run("--stdin-filename", "Models/M/V1.yaml")
      expectRefusal(refused, "MC0001", exit: 1)
      #expect(refused.stderr.hasPrefix("Models/M/V1.yaml:2:1: "))
    }
  }

  @Test func `what others own is not touched: links that lead out, read-only files, pipes, strange names`()
    throws
  {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder.appending(path: "P"))
      try place.write(Self.list, to: "Models/M/versions.yaml")
      try place.write(Self.untidy, to: "Models/M/V1.yaml")
      let canary = try Canary(beside: place.folder)
      let outside = folder.appending(path: "canary/model.yaml")
      try Data(Self.untidy.utf8).write(to: outside)
      try place.write("", to: "Models/M/x")
      func link(_ name: String, _ target: String) throws {
        try FileManager.default.createSymbolicLink(
          atPath: place.url("Models/M/\(name)").path, withDestinationPath: target)
      }
      try link("L.yaml", outside.path)
      try link("D.yaml", "nowhere")
      try FileManager.default.createSymbolicLink(
        atPath: place.url("Models/Out").path, withDestinationPath: outside.deletingLastPathComponent().path)
      try place.write(Self.untidy, to: "Models/M/-.yaml")
      try place.write(Self.untidy, to: "Models/M/a\nb.yaml")
      try place.write(Self.untidy, to: "Models/M/R.yaml")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o444], ofItemAtPath: place.url("Models/M/R.yaml").path)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o640], ofItemAtPath: place.url("Models/M/V1.yaml").path)
      let run = try place.modelc("format")
      #expect(run.code == 6, "\(run)")
      #expect(run.errors == ["MC0009", "MC0012", "MC5304"], "\(run)")
      #expect(run.stdout == "Models/M/-.yaml\nModels/M/V1.yaml\nModels/M/a\\nb.yaml\n")
      #expect(try text(place, "Models/M/R.yaml") == Self.untidy)
      #expect(String(decoding: try Data(contentsOf: outside), as: UTF8.self) == Self.untidy)
      let mode = try FileManager.default.attributesOfItem(atPath: place.url("Models/M/V1.yaml").path)[
        .posixPermissions]
      #expect(mode as? Int == 0o640)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: place.url("Models/M").path).sorted()
          == ["-.yaml", "D.yaml", "L.yaml", "R.yaml", "V1.yaml", "a\nb.yaml", "versions.yaml", "x"])
      try FileManager.default.removeItem(at: outside)
      #expect(canary.isUntouched)
    }
  }

  #if os(Linux)
    @Test(.needsPython) func `extended attributes stay`() throws {
      try with { place in
        func python(_ script: String) throws -> CommandOutput {
          try Python.run(["-c", "import os, sys; " + script, place.url("Models/M/V1.yaml").path])
        }
        guard try python("os.setxattr(sys.argv[1], 'user.tag', b'red')").code == 0 else {
          try Test.cancel("this file system keeps no extended attributes")
        }
        expectSuccess(try place.modelc("format"))
        #expect(try python("print(os.getxattr(sys.argv[1], 'user.tag').decode())").text == "red\n")
        #expect(try text(place) == Self.tidy)
      }
    }
  #endif

  @Test func `what init, version new and map new write is formatted, and an empty folder is told`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      #expect(try place.modelc("format").errors == ["MC0009"])
      expectSuccess(try place.modelc("init", "P"))
      expectSuccess(try place.modelc("init", "--sample", "S"))
      expectSuccess(try place.modelc("version", "new", "-C", "P"))
      expectSuccess(try place.modelc("version", "new", "--extends", "-C", "P", "--from", "V2"))
      expectSuccess(try place.modelc("map", "new", "V1", "V2", "-C", "P"))
      expectSuccess(try place.modelc("map", "new", "V1", "V2", "-C", "S"))
      expectSuccess(try place.modelc("format", "--check", "P", "S"))
    }
  }

  @Test(.needsFixtures) func `what adopt writes is formatted`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      let packages = Fixtures.all(withExtension: "xcdatamodeld").enumerated().filter { $0.offset % 12 == 0 }
      for (index, package) in packages {
        let run = try place.modelc("adopt", package.path, "-C", "P\(index)", "-q")
        guard run.code == 0 else { continue }
        expectSuccess(try place.modelc("format", "--check", "-C", "P\(index)"))
      }
    }
  }
}
