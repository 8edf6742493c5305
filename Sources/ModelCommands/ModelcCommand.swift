public import ArgumentParser
import Foundation
import ManagedModel
public import ModelMigration

/// The command line: `modelc` and its subcommands.
public struct ModelcCommand: ParsableCommand {
  /// The name, the version and the subcommands.
  public static let configuration = CommandConfiguration(
    commandName: "modelc",
    abstract: "Schema migration and model versioning for Core Data stores, on Linux and macOS.",
    discussion: """
      Exit codes: \(exitCodes.map { "\($0.code) \($0.meaning)" }.joined(separator: ", ")).

      `modelc help --all` prints all of it, with `--format markdown` or `json` for programs; `modelc doctor` \
      checks its environment.
      """,
    version: programVersion,
    subcommands: [
      Compile.self, Migrate.self, Plan.self, Show.self, Diff.self, Inspect.self, Verify.self, Report.self,
      Explain.self,
      VersionCommand.self, MapCommand.self, Adopt.self, Export.self, Fixture.self, Check.self, Release.self,
      Format.self, TestCommand.self, Init.self, Demo.self, Recover.self, RepairCommand.self, Query.self,
      Triage.self, Doctor.self, ServeContext.self, FleetCommand.self,
    ])

  /// For ArgumentParser; programs call ``run(_:policies:transformers:postProcessing:stageHandlers:)``.
  public init() {}

  /// Runs the command that the arguments name, as a program does.
  ///
  /// While it runs, what writes to a pipe without a reader gets an error instead of a signal, signals that end a program
  /// end the command, and SQLite's memory is bounded; afterwards all of that is what it was. The page of this library
  /// has a table.
  ///
  /// - Parameters:
  ///   - arguments: without the program's name.
  ///   - policies: the policies that mapping models may name, by their class names, with or without a module.
  ///   - transformers: what decodes transformable attributes for policies, each by its own name.
  ///   - postProcessing: work on the objects of a version, by the model's name.
  ///   - stageHandlers: what the stages of `versions.yaml` name as `willMigrate` and `didMigrate`.
  /// - Returns: the exit code.
  public static func run(
    _ arguments: [String], policies: [EntityMigrationPolicy.Type] = [],
    transformers: [AttributeTransformer.Type] = [],
    postProcessing: [String: [PostProcessingStep]] = [:],
    stageHandlers: [String: StageHandlers.Handler] = [:]
  ) -> Int32 {
    let migrations = CustomMigrations(
      policies: PolicyRegistry(policies, transformers: transformers), postProcessing: postProcessing,
      stageHandlers: StageHandlers(stageHandlers))
    return RunContext.with({ $0.migrations = migrations }) { run(arguments) }
  }

  /// The same for the program `modelc` itself, which knows no app's policies, and ends with the command.
  ///
  /// It ends while signals are still watched: another Ctrl-C in the last milliseconds does not change its exit code.
  package static func runAndExit(
    _ arguments: [String], samplePolicies: [EntityMigrationPolicy.Type]
  ) -> Never {
    var policies = PolicyRegistry(samplePolicies)
    policies.areOfSample = true
    RunContext.with({ $0.migrations = CustomMigrations(policies: policies) }) { () -> Never in
      StandardStreams.settle()
      SignalWatch.during { () -> Never in Foundation.exit(StandardStreams.exitCode(code(of: arguments))) }
    }
  }

  private static func run(_ arguments: [String]) -> Int32 {
    StandardStreams.settle()
    return SignalWatch.during { StandardStreams.exitCode(code(of: arguments)) }
  }

  private static func code(of given: [String]) -> Int32 {
    // Behind `--` it is a file, or `REV:path`; in the commands that are suggested a file would be an option.
    let end = given.firstIndex(of: "--") ?? given.count
    let arguments = given.enumerated().map { index, argument in
      let isFile = index > end && argument.hasPrefix("-") && argument != "-" && !argument.contains(":")
      return isFile ? "./" + argument : argument.withHome
    }
    // Scripts ask this to see whether the program is there; the parser takes a third of that time.
    if arguments == ["--version"] {
      writeTerminal(programVersion + "\n", to: FileHandle.standardOutput, isData: true)
      return 0
    }
    if let name = unreadableArgument(among: arguments) {
      return StandardStreams.report(
        Diagnostic(
          .notUTF8Name, .error, "the argument '\(name.visible)' is not UTF-8",
          notes: ["nothing was read or written"],
          help: ["rename it; with a store, also its '-wal' file and its folder '.<store name>_SUPPORT'"]))
    }
    // ArgumentParser prints the help of all for `help` of what is not there.
    if let line = unknownCommand(arguments.first == "help" ? arguments.dropFirst().first : arguments.first) {
      let shown = CommandContext(arguments: arguments).runnable(line)
      writeTerminal(shown + "\n", to: FileHandle.standardError, isData: false)
      return 2
    }
    var isUnderstood = false
    do {
      if try HelpAll.answers(arguments, of: Self.self) { return 0 }
      var command = try parseAsRoot(arguments)
      isUnderstood = true
      if FileManager.default.currentDirectoryPath.isEmpty {
        return StandardStreams.report(
          Diagnostic(
            .fileUnreadable, .error, "the folder that this runs in no longer exists",
            notes: ["nothing was read or written"], help: ["go to another one with `cd`"]))
      }
      try RunContext.with({ $0.commands = CommandContext(arguments: arguments) }) { try command.run() }
      return 0
    } catch {
      let code = exitCode(for: error)
      // What a command finds while it runs is not about how it is called.
      let isNoUsage = isUnderstood && code == .validationFailure
      let message = isNoUsage ? "Error: \(Self.message(for: error))" : fullMessage(for: error)
      if !message.isEmpty {
        let stream = code == .success ? FileHandle.standardOutput : FileHandle.standardError
        // Help and scripts of completion are ours, and stay as they are.
        let isOurs = code == .success
        let text = (isOurs ? message : shown(message, arguments)).fittingUsage(on: stream.fileDescriptor)
        writeTerminal(text + "\n", to: stream, isData: isOurs)
      }
      // Usage is 2, as cli.md and most tools have it; ArgumentParser says 64.
      return code == .validationFailure ? 2 : code.rawValue
    }
  }

  /// The message for a first word that is not a command. Nil for a command or an option.
  private static func unknownCommand(_ word: String?) -> String? {
    guard let word, !word.hasPrefix("-"), !word.isEmpty else { return nil }
    let names = configuration.subcommands.map { $0._commandName }
    guard word != "help", !names.contains(word) else { return nil }
    for line in otherWords.lines {
      let parts = line.split(separator: ": ", maxSplits: 1)
      guard parts[0].split(separator: " ").contains(word[...]) else { continue }
      return "error: there is no command '\(word)'\n  \(parts[1])"
    }
    let near = nearestName(to: word, among: names).map { "; did you mean '\($0)'?" } ?? ""
    return "error: there is no command '\(word.visible)'\(near)\n  `modelc --help` lists them"
  }

  /// What other tools call their commands, and what does it here.
  private static let otherWords = """
    up upgrade update apply: `modelc migrate STORE` migrates a store to the current version
    down downgrade rollback revert undo: `modelc migrate STORE --to VERSION` takes a store back to an earlier version
    generate gen codegen: `modelc export --as swift` writes classes, `modelc version new` starts a version
    validate lint analyze: `modelc check` checks the models, `modelc verify STORE` checks a store
    status info list history log: `modelc inspect STORE` shows a store, `modelc version list` a model's versions
    new create add make: `modelc version new` starts a version, `modelc map new V1 V2` a mapping, `modelc init` a project
    """

  /// A message that quotes arguments, each of them on one line.
  private static func shown(_ message: String, _ arguments: [String]) -> String {
    arguments.filter { $0.unicodeScalars.contains(where: \.isUnshown) }
      .reduce(message) { $0.replacingBytes(of: $1, with: $1.visible) }
  }
}

extension String {
  /// With the home folder in place of a leading '~', also behind `=`, where the shell left it. Else URLs, which expand it, and
  /// looks at the path, which do not, would mean two files. A command for the shell stays as it is.
  var withHome: String {
    guard !contains("{file}"), let start = firstIndex(of: "~"),
      self[..<start].wholeMatch(of: #/(?:(?:\w|-)+=)*/#) != nil
    else { return self }
    return String(self[..<start]) + (String(self[start...]) as NSString).expandingTildeInPath
  }
}

/// An argument of the program that is not UTF-8: Swift has replaced what it could not read, and no file has such a name.
private func unreadableArgument(among arguments: [String]) -> String? {
  let given = Set(arguments.filter { $0.unicodeScalars.contains("\u{FFFD}") })
  if given.isEmpty { return nil }
  for place in 0..<Int(CommandLine.argc) {
    guard let bytes = unsafe CommandLine.unsafeArgv[place] else { continue }
    let text = unsafe String(cString: bytes)
    if given.contains(text), unsafe String(validatingCString: bytes) == nil { return text }
  }
  return nil
}

extension Diagnostic.Code { static let notUTF8Name = Self("MC5403", exit: .usage) }
