import Foundation
import TestSupport
import Testing

/// A compile of what was compiled already does nothing, and whatever has changed is noticed.
@Suite("Compiling what has not changed")
struct UnchangedCompileTests {
  private let sound = "entities: {Hut: {attributes: {name: string?}}}\n"

  /// Writes a project and compiles it once.
  private func withProject(_ model: String, _ body: (URL, () throws -> Modelc.Run) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let models = folder.appending(path: "Models/App")
      try FileManager.default.createDirectory(at: models, withIntermediateDirectories: true)
      try Data("current: V1\nversions: [V1]\n".utf8).write(to: models.appending(path: "versions.yaml"))
      try Data(model.utf8).write(to: models.appending(path: "V1.yaml"))
      let cache = folder.appending(path: "cache").path
      let compile = { try Modelc.run("compile", in: folder, environment: ["XDG_CACHE_HOME": cache]) }
      expectSuccess(try compile())
      try body(folder, compile)
    }
  }

  @Test func `the same again prints the same and says that nothing has changed`() throws {
    try withProject(sound) { folder, compile in
      let first = try Modelc.run(
        "compile", in: folder, environment: ["XDG_CACHE_HOME": folder.appending(path: "other").path])
      let second = try compile()
      #expect(second.stdout == first.stdout)
      #expect(second.stderr.hasPrefix("Nothing has changed"))
      #expect(first.stderr.hasPrefix("Compiled 1 version"))
    }
  }

  @Test(arguments: ["Models/App/V1.yaml", "Models/App/versions.yaml", "Build/App.momd/V1.mom"])
  func `another byte in a source or in the bundle is noticed`(_ path: String) throws {
    try withProject(sound) { folder, compile in
      let file = folder.appending(path: path)
      let bundle = folder.appending(path: "Build/App.momd/V1.mom")
      let content = try Data(contentsOf: bundle)
      try (Data(contentsOf: file) + Data("# x\n".utf8)).write(to: file)
      #expect(try compile().stderr.hasPrefix("Compiled"))
      #expect(try Data(contentsOf: bundle) == content)
      #expect(try compile().stderr.hasPrefix("Nothing has changed"))
    }
  }

  @Test func `a missing bundle is written again`() throws {
    try withProject(sound) { folder, compile in
      try FileManager.default.removeItem(at: folder.appending(path: "Build"))
      #expect(try compile().stderr.hasPrefix("Compiled"))
      #expect(FileManager.default.fileExists(atPath: folder.appending(path: "Build/App.momd/V1.mom").path))
    }
  }

  @Test func `warnings come again until they are mended`() throws {
    try withProject("entities: {Hut: {abstract: true}}\n") { _, compile in
      let again = try compile()
      #expect(again.stderr.contains("MC1107"))
      #expect(!again.stderr.contains("Nothing has changed"))
    }
  }

  @Test func `without a place for a cache everything is compiled`() throws {
    try withProject(sound) { folder, _ in
      let run = try Modelc.run("compile", in: folder, environment: ["XDG_CACHE_HOME": "", "HOME": ""])
      expectSuccess(run)
      #expect(run.stderr.hasPrefix("Compiled"))
    }
  }
}
