import Foundation
import TestSupport
import Testing

@Suite("Pull requests that try to leave the checkout", .serialized) struct HostilePullTests {
  private static let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Scripts/hostile-pulls.py").path

  /// Two dozen repositories, each between two canaries; what is legitimate among them works.
  @Test(.needsPython) func `nothing beside the project changes, and neighbours are found`() throws {
    let run = try Python.run([Self.script, Modelc.executable.path])
    #expect(run.code == 0, "\(run.text)")
    #expect(run.text.contains("neighbours       ok"))
  }

  @Test func `what leads out of a revision is refused where it is written`() throws {
    try Repository.with { repository in
      let list = "current: V1\nversions: [V1]\n"
      for path in ["../../../x", "/tmp"] {
        try repository.write(list + "include: [\(path)]\n", to: "Models/App/versions.yaml")
        try repository.write("entities: {A: {}}\n", to: "Models/App/V1.yaml")
        try repository.commit("one")
        let run = try repository.modelc("compile", "HEAD:Models/App", "-o", "Out")
        #expect(run.errors == ["MC0014"] && run.code == 2, "\(run)")
        #expect(
          run.stderr.contains(
            "HEAD:Models/App/versions.yaml:3:11: error[MC0014]: '\(path)' points outside the repository"),
          "\(run)")
      }
    }
  }

  @Test func `a link in the place of a model is told`() throws {
    try Repository.with { repository in
      try repository.write("current: V1\nversions: [V1]\n", to: "Models/Real/versions.yaml")
      try repository.write("entities: {A: {}}\n", to: "Models/Real/V1.yaml")
      try FileManager.default.createSymbolicLink(
        atPath: repository.folder.appending(path: "Models/App").path, withDestinationPath: "Real")
      try repository.commit("one")
      let run = try repository.modelc("inspect", "HEAD:Models/App")
      expectRefusal(run, "MC0014", exit: 2)
      #expect(run.stderr.contains("'HEAD:Models/App' is a symbolic link"))
    }
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func `temporary folders are private, and gone when a signal ends the program`(_ signal: Int32) throws {
    try Repository.with { repository in
      try repository.write("#!/bin/sh\nexec sleep 20\n", to: "bin/git")
      let folder = repository.folder
      let git = folder.appending(path: "bin/git").path
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: git)
      let temporary = folder.appending(path: "tmp")
      try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
      let process = Process()
      process.executableURL = Modelc.executable
      process.arguments = ["inspect", "HEAD:App"]
      process.currentDirectoryURL = folder
      process.environment = [
        "PATH": "\(folder.path)/bin:/usr/bin:/bin", "TMPDIR": temporary.path, "HOME": folder.path,
      ]
      try process.run()
      func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: temporary.path) }
      let end = Date(timeIntervalSinceNow: 20)
      while try names().isEmpty, Date() < end { usleep(20_000) }
      let name = try #require(try names().first)
      let facts = try FileManager.default.attributesOfItem(atPath: temporary.appending(path: name).path)
      #expect(facts[.posixPermissions] as? Int == 0o700)
      kill(process.processIdentifier, signal)
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == signal)
      #expect(try names() == [])
    }
  }
}
