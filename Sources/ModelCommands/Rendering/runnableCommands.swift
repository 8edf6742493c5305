import Foundation
import ManagedModel
import ModelFormats
import ModelMigration

/// Completes the commands that messages suggest, so that they run when pasted.
struct CommandContext: Sendable, Hashable {
  /// How the user calls this program.
  var program: String
  /// The command that runs.
  var running: String?
  /// The project's options as they were given, with a space before each.
  var options = ""
  /// That of `--model`, which is another option of `inspect`.
  var modelOption = ""
  /// That of `-C`, for `init` alone: it begins a project there, whatever models are named.
  var folderOption = ""
  /// The model that a finding is about, where the project has several: commands that take a version alone have to name it.
  var model: String?
  /// The file that a finding is about: it may be of one model of several.
  var file: String?
  /// Where the project's mapping files lie.
  var migrationsFolder = "Migrations"
  /// The version that the user says a damaged store is, for `repair` alone.
  var repairOption = ""
  /// This command line again, where it is a check of compiled models and is to make them now.
  var compiling: String?
  /// The store that the command is about, where it is one.
  var store: String?
  /// Where the project's git repository is looked for; nil if commands of git find it by themselves.
  var gitFolder: String?

  /// - Parameter arguments: those of the command line.
  init(arguments: [String], program: String = programName) {
    (self.program, running) = (program, arguments.first)
    var rest = arguments[...]
    while let argument = rest.popFirst(), argument != "--" {
      func value(of name: String) -> String? {
        if argument == name { return rest.first }
        return argument.hasPrefix(name + "=") ? String(argument.dropFirst(name.count + 1)) : nil
      }
      for name in ["-C", "--models", "--platform", "--plan"] {
        if let value = value(of: name) { options += " \(name) \(value.shellWord)" }
      }
      if let value = value(of: "-C") {
        folderOption = " -C \(value.shellWord)"
        migrationsFolder = join(value, "Migrations")
        // It may be a folder that the command was to make.
        if arguments.first != "adopt" || FileFacts(ofFileAt: value) != nil { gitFolder = value }
      }
      if let value = value(of: "--models"), GitLocation(value) == nil { gitFolder = value.parentPath }
      if running == "repair", let value = value(of: "--as") { repairOption = " --as \(value.shellWord)" }
      if running != "inspect", let name = value(of: "--model") { modelOption = " --model \(name.shellWord)" }
    }
    if arguments.first == "compile" {
      compiling = arguments.filter { $0 != "--check" }.map(\.shellWord).joined(separator: " ")
    }
    let stores = Set(arguments.filter { !$0.hasPrefix("-") && $0.isSQLiteFile })
    store = stores.count == 1 ? stores.first : nil
  }

  /// The text with its commands, which stand as `modelc check` and `git log`, as they run here.
  func runnable(_ text: String) -> String {
    let parts = text.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
    guard parts.count > 2 else { return text }
    return parts.enumerated().map { index, part in
      guard index % 2 == 1 else { return part }
      if part.hasPrefix("modelc ") { return command(part) }
      if let option = AcceptedLoss.commandOptions[part] {
        return takes(option) ? option : "migrate \(option)"
      }
      if part.hasPrefix("git "), !part.hasPrefix("git -C "), let gitFolder, !gitFolder.isEmpty {
        return "git -C \(gitFolder.shellWord) \(part.dropFirst("git ".count))"
      }
      return part.split(separator: " ", omittingEmptySubsequences: false).map(word).joined(separator: " ")
    }.joined(separator: "`")
  }

  /// Whether the command that runs has this option of `migrate`.
  private func takes(_ option: String) -> Bool {
    let name = String(option.prefix { $0 != " " })
    if ["check", "test"].contains(running) { return name == "--models" }
    return running != "plan" || !["--force", "--force-busy", "--keep-lost", "--report", "-o"].contains(name)
  }

  /// A word of a command, or the store in the place of its placeholder.
  private func word(_ word: Substring) -> String {
    word == "STORE" ? store.map(\.shellWord) ?? "STORE" : String(word)
  }

  private func command(_ text: String) -> String {
    var words = text.dropFirst("modelc ".count).split(separator: " ", omittingEmptySubsequences: false)[...]
    guard var command = words.popFirst().map(String.init) else { return text }
    if command == "compile", words.isEmpty, let compiling { return "\(program) \(compiling)" }
    if Self.groups.contains(command), let second = words.popFirst() { command += " \(second)" }
    let namesProject = words.contains { $0 == "-C" || $0 == "--models" || $0 == "--model" }
    let takesOptions = !command.hasPrefix("-") && !Self.withoutProject.contains(command) && !namesProject
    let given = takesOptions ? options + (command == "inspect" ? "" : modelOption) : ""
    let isOwn = takesOptions && modelOption.isEmpty && Self.ofOneModel.contains(command)
    let named = (isOwn ? model ?? file?.modelAmongOthers : nil).map { " --model \($0.shellWord)" } ?? ""
    let repairing = command == "repair" && !words.contains("--as") ? repairOption : ""
    let there = command == "init" && words.first?.hasPrefix("-") != false ? folderOption : ""
    return ([program, command + given + named + repairing + there] + words.map(word)).joined(separator: " ")
  }

  /// Commands of two words.
  private static let groups: Set = ["version", "map", "fleet"]
  /// Those that take a version's name alone.
  private static let ofOneModel: Set = ["release", "fixture", "version new", "version prune", "map new"]
  private static let withoutProject: Set = ["explain", "demo", "help", "init", "fleet report"]
}

extension String {
  /// With commands that run when pasted.
  var runnable: String { RunContext.current.commands.runnable(self) }

  /// The model in YAML that a file is of, if there are others beside it.
  fileprivate var modelAmongOthers: String? {
    let (folder, models) = (parentPath, join(parentPath, ".."))
    guard !folder.isEmpty, folder.isModelFolder else { return nil }
    let all = directoryEntries(of: models).filter { join(models, $0.name).isModelFolder }
    return all.count > 1 ? URL(filePath: folder).lastPathComponent : nil
  }

  /// Whether the file starts as one of SQLite's does.
  var isSQLiteFile: Bool { firstBytes.starts(with: Data("SQLite format 3".utf8)) }

  /// With what a regular file starts; empty for anything else: a pipe would keep us waiting.
  var firstBytes: Data {
    let isRegular = FileFacts(ofFileAt: self)?.isRegular == true
    guard isRegular, let handle = FileHandle(forReadingAtPath: self) else { return Data() }
    defer { try? handle.close() }
    return (try? handle.read(upToCount: 4096)) ?? Data()
  }
}

extension Diagnostic {
  /// With commands that run when pasted.
  var runnable: Diagnostic { runnable(RunContext.current.commands) }

  func runnable(_ context: CommandContext) -> Diagnostic {
    var context = context
    context.file = place?.file
    return with {
      $0.help = help.map(context.runnable)
      $0.proposal?.message.replace("'Migrations/", with: "'\(context.migrationsFolder)/")
      for index in notes.indices { $0.notes[index].message = context.runnable(notes[index].message) }
    }
  }
}

/// What a run of the program knows beside a command's arguments.
struct RunContext: Sendable {
  @TaskLocal static var current = RunContext()

  /// How suggested commands are completed.
  var commands = CommandContext(arguments: [])
  /// The policies, transformers and handlers of stages of the running program.
  var migrations = CustomMigrations()
  /// Takes lines that say which model and mapping models a command has found; set while one runs that prints them.
  var notices: (@Sendable (String) -> Void)?

  /// Runs the body with another context.
  static func with<Result>(
    _ change: (inout RunContext) -> Void, run body: () throws -> Result
  ) rethrows -> Result {
    var context = current
    change(&context)
    return try $current.withValue(context) { try body() }
  }
}
