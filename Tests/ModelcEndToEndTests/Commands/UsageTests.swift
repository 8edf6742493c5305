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
    ["compile", "--bogus"], ["migrate"], ["plan"], ["inspect"], ["adopt"], ["demo", "a", "b"],
    ["inspect", "--format", "yaml", "x"], ["verify"], ["migrate", "-o", "x", "a", "b"],
    ["migrate", "-o", "x", "--dry-run", "a"], ["plan", "a", "--color", "pink"],
    ["migrate", "a", "--allow-loss", "all"], ["inspect", "a", "--history", "--sizes"],
    ["query", "a", "Hut", "--explain", "--format", "csv"],
  ])
  func `what cannot be understood is 2, on standard error, with the usage`(_ arguments: [String]) throws {
    let run = try withTemporaryFolder { try Modelc.run(arguments, in: $0) }
    #expect(run.code == 2, "\(run)")
    #expect(run.stdout.isEmpty)
    #expect(run.stderr.hasPrefix("Error: ") && run.stderr.contains("Usage: modelc"), "\(run)")
  }

  @Test func `what a command does not find is said without its usage`() throws {
    let run = try withTemporaryFolder { try Modelc.run(["explain", "foo"], in: $0) }
    #expect(run.code == 2 && run.stdout.isEmpty, "\(run)")
    #expect(run.stderr == "Error: there is no code foo; --list shows all codes\n")
  }

  @Test(arguments: [["bogus"], ["help", "bogus"]])
  func `a command that is not there is said, with where they are listed`(_ arguments: [String]) throws {
    let run = try withTemporaryFolder { try Modelc.run(arguments, in: $0) }
    #expect(run.code == 2 && run.stdout.isEmpty, "\(run)")
    #expect(run.stderr.contains("there is no command 'bogus'") && run.stderr.contains("modelc --help"))
  }

  @Test(arguments: [
    ("up", "modelc migrate STORE"), ("rollback", "--to VERSION"), ("generate", "modelc export"),
    ("validate", "modelc check"), ("status", "modelc inspect STORE"), ("lint", "modelc check"),
    ("new", "modelc version new"),
  ])
  func `what other tools call a command names the one that does it`(word: String, command: String) throws {
    let run = try withTemporaryFolder { try Modelc.run([word], in: $0) }
    #expect(run.code == 2 && run.stderr.contains(command), "\(run)")
    #expect(run.stderr.contains("`\(Modelc.executable.path) "), "\(run)")
  }

  @Test(arguments: [["show", "--help"], ["help", "version", "new"], ["show", "--bogus"], ["report"]])
  func `the usage fits a narrow terminal, and no option of it is cut`(_ arguments: [String]) throws {
    let run = try withTemporaryFolder { try Modelc.run(arguments, in: $0, environment: ["COLUMNS": "60"]) }
    let lines = (run.stdout + run.stderr).split(separator: "\n")
    let start = try #require(lines.firstIndex { $0.lowercased().hasPrefix("usage: ") })
    let usage = lines[start...].prefix { $0.lowercased().hasPrefix("usage: ") || $0.hasPrefix("       ") }
    #expect(usage.count > 2 && usage.allSatisfy { $0.count <= 60 }, "\(run)")
    for line in usage { #expect(line.count { $0 == "[" } == line.count { $0 == "]" }, "\(line)") }
    #expect(usage.contains { $0.contains("[--platform <platform>]") })
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
      #expect(try place.modelc("diff", "V2", "V3", "-C", "T", "-q").stderr.isEmpty)
      let compile = try place.modelc("compile", "-C", "T", "-q")
      #expect(compile.stderr.isEmpty && compile.stdout.hasPrefix("T/Build/Trails.momd\n"))
      #expect(try place.modelc("compile", "-C", "none", "-q").errors == ["MC0009"])
    }
  }
}

/// What someone sees who does not know yet where things stand.
@Suite("The first steps of a new user")
struct FirstStepTests {
  private static let list = "current: V1\nversions: [V1]\n"
  private static let version = "entities: {Hut: {}}\n"

  /// Files, arguments, the first line, and what the help says.
  @Test(
    arguments: [
      ([:], ["compile"], "no model found in 'Models'", "`modelc init`"),
      ([:], ["compile"], "no model found in 'Models'", "`modelc adopt STORE`"),
      ([:], ["compile", "-C", "App"], "there is no folder 'App'", "`modelc init App`"),
      (
        ["Src/x": ""], ["compile", "-C", "Src"], "no model found in 'Src/Models'",
        "init -C Src` makes a first model"
      ),
      (["Apps/x": ""], ["compile", "-C", "App"], "there is no folder 'App'", "did you mean 'Apps'?"),
      (["P/Models/M/versions.yaml": list], ["compile"], "no model found in 'Models'", "-C P"),
      (
        ["Models/M/versions.yaml": list, "Src/x": ""], ["compile", "-C", "Src"],
        "no model found in 'Src/Models'", "-C ."
      ),
      (
        ["Models/M/versions.yaml": list], ["compile", "-C", "Models/M"],
        "'Models/M' is a model, not a project", "-C ."
      ),
      (
        ["Models/M/V1.yaml": version, "Models/M/V2.yaml": version], ["compile"],
        "'Models/M' has no versions.yaml",
        "versions: [V1, V2]"
      ),
      (
        ["Models/V1.yaml": version], ["compile"], "'Models/V1.yaml' is in no model's folder",
        "'Models/App/V1.yaml'"
      ),
      (
        ["V1.yaml": version], ["compile", "V1.yaml"],
        "'V1.yaml' is the file of one version; only whole models are compiled",
        "Models/App"
      ),
      (
        ["M/versions.yaml": list, "M/V1.yaml": version], ["compile", "M/V1.yaml"],
        "'M/V1.yaml' is the file of one version; only whole models are compiled", "modelc compile M"
      ),
      (
        ["Models/M/versions.yaml": list, "Models/M/v1.yaml": version], ["compile"],
        "'Models/M/V1.yaml' cannot be read: no such file", "there is 'v1.yaml', which is not listed"
      ),
      (["Models/M/versions.yaml": list], ["compile", "N"], "no model 'N' in 'Models'", "models there: M"),
      (
        [
          "A/Shop.xcdatamodeld/Shop.xcdatamodel/contents": "<model/>",
          "B/App.xcdatamodeld/App.xcdatamodel/contents": "<model/>",
        ],
        ["check", "--model", "Shoop"], "no model 'Shoop' in '.'", "did you mean 'Shop'?"
      ),
      (
        [:], ["diff", "V1"], "'V1' is not a known version, and not a model or store",
        "no model found in 'Models'"
      ),
      (
        ["Models/M/versions.yaml": list], ["diff", "V1", "--model", "N"],
        "'V1' is not a known version, and not a model or store", "no model 'N' in 'Models'"
      ),
      (
        ["Models/M/versions.yaml": list], ["show", "V1"], "'Models/M/V1.yaml' cannot be read: no such file",
        "listed here"
      ),
    ] as [([String: String], [String], String, String)])
  func `what is missing is named with what to do`(
    _ files: [String: String], _ arguments: [String], _ message: String, _ help: String
  ) throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      for (path, text) in files { try place.write(text, to: path) }
      let run = try Modelc.run(arguments, in: folder)
      #expect(run.code == 2, "\(run)")
      #expect(run.errors == ["MC0009"], "\(run)")
      #expect(run.stderr.contains("error[MC0009]: \(message)\n"), "\(run)")
      #expect(run.plainMessages.contains(help), "\(run)")
    }
  }

  @Test func `a filter that no test has is said to be one`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      try place.write(Self.list, to: "Models/M/versions.yaml")
      try place.write(Self.version, to: "Models/M/V1.yaml")
      let run = try place.modelc("test", "none")
      #expect(run.errors == ["MC7022"], "\(run)")
      #expect(run.plainMessages.contains("`modelc test` runs all tests"), "\(run)")
    }
  }

  @Test func `git is not sent to a folder that is yet to be made`() throws {
    try Repository.with { repository in
      try repository.write("", to: "x")
      try repository.commit("a file")
      let run = try repository.modelc("adopt", "HEAD~9:App.xcdatamodeld", "-C", "new")
      #expect(run.stderr.contains("`git log --oneline` shows the revisions"), "\(run)")
    }
  }

  @Test func `a model is also named by its folder`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      try place.write(Self.list, to: "Elsewhere/M/versions.yaml")
      try place.write("entities: {Hut: {abstrct: false}}\n", to: "Elsewhere/M/V1.yaml")
      #expect(try place.modelc("compile", "Elsewhere/M").errors == ["MC0003"])
      let run = try place.modelc("compile", "Elsewhere/M", "--fix")
      expectSuccess(run)
      #expect(run.stdout.contains("Build/M.momd\n"))
    }
  }

  @Test func `a version that nobody listed is a warning`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      try place.write(Self.list, to: "Models/M/versions.yaml")
      for name in ["V1", "V2"] { try place.write(Self.version, to: "Models/M/\(name).yaml") }
      try place.write("some: notes\n", to: "Models/M/notes.yaml")
      let run = try place.modelc("compile")
      expectSuccess(run)
      #expect(
        run.stderr.hasPrefix(
          "Models/M/V2.yaml:1:1: warning[MC2106]: version 'V2' is not listed in versions.yaml\n"))
      #expect(!run.stderr.contains("notes.yaml"))
    }
  }
}
