package import ArgumentParser
import Foundation

/// `modelc help --all`. What is left to ArgumentParser is its own `help COMMAND`, which it tells of everywhere: a second
/// command of the name would stand in every completion twice.
package struct HelpAll: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, markdown }

  package static let configuration = CommandConfiguration(
    commandName: "help", _superCommandName: "modelc",
    abstract: "Print the help of a command, or with --all every command, exit codes, files and pages.",
    discussion:
      "With --format markdown it is one page for people and agents, with --format json for programs.")

  @Flag(help: "Every command with its arguments.")
  var all = false

  @Option(help: "How all of it is written: text, json or markdown.")
  var format: Format = .text

  @Argument(help: "Without --all: the command, such as version list.")
  var command: [String] = []

  package init() {}

  package func validate() throws {
    try refuse(!command.isEmpty, "--all and --format are about every command; name none")
  }

  /// Answers `help` where it is about all commands.
  ///
  /// - Returns: whether it was.
  static func answers(_ arguments: [String], of root: any ParsableCommand.Type) throws -> Bool {
    let options = arguments.dropFirst().map { $0.prefix { $0 != "=" } }
    guard arguments.first == "help", options.contains("--all") || options.contains("--format") else {
      return false
    }
    try parse(Array(arguments.dropFirst())).print(root)
    return true
  }

  /// Everything that there is to tell.
  package static func reference(of root: any ParsableCommand.Type) throws -> CommandReference {
    try CommandReference(of: root, and: [HelpAll.self])
  }

  package static func page(of root: any ParsableCommand.Type) throws -> String {
    try reference(of: root).markdown(results: CommandResult.names)
  }

  private func print(_ root: any ParsableCommand.Type) throws {
    let output = OutputOptions()
    switch format {
    case .json:
      output.print(CommandReference.result.json(of: (try Self.reference(of: root), CommandResult.names)))
    case .markdown: output.print(data: try Self.page(of: root))
    case .text:
      let texts = [root.helpMessage()] + leaves(of: root).map { root.helpMessage(for: $0) }
      output.print(data: texts.joined(separator: "\n").fittingUsage(on: STDOUT_FILENO))
    }
  }
}

/// The commands that do something.
private func leaves(of command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
  command.configuration.subcommands.flatMap { below in
    below.configuration.subcommands.isEmpty ? [below] : leaves(of: below)
  }
}
