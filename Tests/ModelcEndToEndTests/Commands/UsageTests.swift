import Foundation
import TestSupport
import Testing

@Suite("Usage, help and streams")
struct UsageTests {
  static let commands = ["compile", "migrate", "plan", "inspect", "verify", "adopt", "demo"]

  private func run(_ arguments: String...) throws -> Modelc.Run {
    try withTemporaryFolder { try Modelc.run(arguments, in: $0) }
  }

  @Test(arguments: commands)
  func `--help is 0, on standard output, and names every option`(_ command: String) throws {
    let help = try run(command, "--help")
    #expect(help.code == 0 && help.stderr.isEmpty)
    #expect(help.stdout.contains("USAGE: modelc \(command)"))
    #expect(help.stdout.contains("--color"))
    #expect(try run("help", command).stdout == help.stdout)
  }

  @Test func `--help lists all commands and --version is a version`() throws {
    let help = try run("--help")
    #expect(help.code == 0 && help.stderr.isEmpty)
    for command in Self.commands { #expect(help.stdout.contains("\n  \(command) ")) }
    let version = try run("--version")
    #expect(version.code == 0)
    #expect(version.stdout.wholeMatch(of: #/[0-9]+\.[0-9]+\.[0-9]+\n/#) != nil)
  }

  @Test(arguments: [
    ["bogus"], ["compile", "--bogus"], ["migrate"], ["plan"], ["inspect"], ["adopt"], ["demo", "a", "b"],
    ["inspect", "--format", "yaml", "x"], ["verify"], ["verify", "a", "b"], ["migrate", "-o", "x", "a", "b"],
    ["migrate", "-o", "x", "--dry-run", "a"], ["plan", "a", "--color", "pink"],
    ["migrate", "a", "--allow-loss", "all"],
  ])
  func `what cannot be understood is 2, on standard error, with the usage`(_ arguments: [String]) throws {
    let run = try withTemporaryFolder { try Modelc.run(arguments, in: $0) }
    #expect(run.code == 2, "\(run)")
    #expect(run.stdout.isEmpty)
    #expect(run.stderr.hasPrefix("Error: ") && run.stderr.contains("Usage: modelc"), "\(run)")
  }

  @Test(arguments: [["compile"], ["plan", "x.sqlite"], ["migrate", "x.sqlite"]])
  func `in an empty folder the new user is told where to begin`(_ arguments: [String]) throws {
    try withTemporaryFolder { folder in
      let run = try Modelc.run(arguments, in: folder)
      expectRefusal(run, "MC0009", exit: 2)
      #expect(run.stderr.contains("modelc adopt"))
      #expect(try FolderSnapshot(folder).names == [])
    }
  }

  @Test func `off a terminal there is no escape code, unless asked for, and NO_COLOR is heeded`() throws {
    try withTemporaryFolder { folder in
      #expect(!(try Modelc.run("compile", in: folder).stderr.contains("\u{1B}")))
      #expect(try Modelc.run("compile", "--color", "always", in: folder).stderr.contains("\u{1B}["))
      let quiet = try Modelc.run(
        "compile", in: folder, environment: ["NO_COLOR": "1", "TERM": "xterm-256color"])
      #expect(!quiet.stderr.contains("\u{1B}"))
    }
  }

  @Test func `-q leaves results and trouble alone`() throws {
    try Workplace.withDemo { place, store in
      let plan = try place.modelc("plan", store, "-C", "T", "-q")
      expectSuccess(plan)
      #expect(plan.stderr.isEmpty)
      let compile = try place.modelc("compile", "-C", "T", "-q")
      #expect(compile.stderr.isEmpty && compile.stdout.hasPrefix("T/Build/Trails.momd\n"))
      #expect(try place.modelc("compile", "-C", "none", "-q").errors == ["MC0009"])
    }
  }
}
