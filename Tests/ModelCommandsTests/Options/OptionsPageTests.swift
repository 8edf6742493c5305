import ArgumentParser
import Foundation
import ModelCommands
import Testing

/// `Options.md` of the documentation says what the commands themselves say. `MODELC_RECORD=1` writes it.
@Suite struct OptionsPage {
  @Test func `the page lists every option of every command`() throws {
    let page = Package.folder.appending(path: "Sources/ModelCommands/ModelCommands.docc/Options.md")
    let help = try JSONDecoder().decode(Help.self, from: Data(ModelcCommand._dumpHelp().utf8))
    let text = optionsPage(of: help.command)
    if ProcessInfo.processInfo.environment["MODELC_RECORD"] == "1" {
      try Data(text.utf8).write(to: page)
    }
    #expect(try String(contentsOf: page, encoding: .utf8) == text, "MODELC_RECORD=1 writes the page")
  }
}

/// What ArgumentParser writes for `--experimental-dump-help`.
private struct Help: Decodable {
  var command: Command

  struct Command: Decodable {
    var commandName: String
    var abstract: String?
    var discussion: String?
    var arguments: [Argument]?
    var subcommands: [Command]?
  }

  struct Argument: Decodable, Hashable {
    var kind: String
    var abstract: String?
    var names: [Name]?
    var valueName: String?
    var defaultValue: String?
    var allValues: [String]?
    var isOptional: Bool
    var isRepeating: Bool
    var shouldDisplay: Bool
  }

  struct Name: Decodable, Hashable {
    var kind: String
    var name: String
  }
}

private func optionsPage(of root: Help.Command) -> String {
  let commands = (root.subcommands ?? []).flatMap { leaves(of: $0, after: root.commandName) }
  var counts: [Help.Argument: Int] = [:]
  for argument in commands.flatMap(\.arguments) { counts[argument, default: 0] += 1 }
  // What most commands have is told once.
  let common = Set(counts.filter { $0.value * 2 > commands.count }.keys)
  var named: Set<Help.Argument> = []
  let shared = commands.flatMap(\.arguments).filter { common.contains($0) && named.insert($0).inserted }
  let sections = commands.map { name, command, arguments in
    let own = arguments.filter { !common.contains($0) }
    let others = shared.filter { arguments.contains($0) && $0.name != "--help" && $0.name != "--version" }
    return """
      ## \(name)

      \(paragraphs([command.abstract, command.discussion]))

      \(table(of: own))
      \(others.isEmpty ? "" : "Also \(others.map { "`\($0.name)`" }.joined(separator: ", ")).\n")
      """
  }
  return """
    # Commands and options

    Every command with its arguments and options. A test writes this page from the commands.

    ## Overview

    \(commands.map { "- `\($0.name)`: \(escaped($0.command.abstract ?? ""))" }.joined(separator: "\n"))

    \(paragraphs([root.discussion]))

    ## Options of most commands

    \(table(of: shared))
    \(sections.joined(separator: "\n"))
    """
}

/// The commands that do something, by their whole names; what ArgumentParser adds is left out.
private func leaves(
  of command: Help.Command, after name: String
) -> [(name: String, command: Help.Command, arguments: [Help.Argument])] {
  let name = "\(name) \(command.commandName)"
  if name == "modelc help" { return [] }
  if let subcommands = command.subcommands, !subcommands.isEmpty {
    return subcommands.flatMap { leaves(of: $0, after: name) }
  }
  return [(name, command, (command.arguments ?? []).filter(\.shouldDisplay))]
}

private func table(of arguments: [Help.Argument]) -> String {
  if arguments.isEmpty { return "" }
  let rows = arguments.map { argument in
    let value = argument.allValues.map { $0.map { "`\($0)`" }.joined(separator: ", ") } ?? ""
    let absence =
      argument.defaultValue.map { "`\($0)`" }
      ?? (argument.isOptional || argument.kind == "flag" ? "" : "required")
    return "| `\(argument.synopsis)` | \(value) | \(absence) | \(escaped(argument.abstract ?? "")) |\n"
  }
  return "| argument | values | without it | what it does |\n|---|---|---|---|\n\(rows.joined())"
}

extension Help.Argument {
  /// `--quiet`, or `version` for what has a place instead of a name.
  fileprivate var name: String {
    let all = (names ?? []).map { $0.kind == "long" ? "--\($0.name)" : "-\($0.name)" }
    return all.max { $0.count < $1.count } ?? "<\(valueName ?? "")>"
  }

  /// `-q, --quiet`, `--to <version>`, `<store>…`.
  fileprivate var synopsis: String {
    let dots = isRepeating ? "…" : ""
    if kind == "positional" { return "<\(valueName ?? "")>\(dots)" }
    let all = (names ?? []).map { $0.kind == "long" ? "--\($0.name)" : "-\($0.name)" }
    let value = kind == "option" ? " <\(valueName ?? "")>\(dots)" : ""
    return all.sorted { $0.count < $1.count }.joined(separator: ", ").replacing("|", with: "\\|")
      + value.replacing("|", with: "\\|")
  }
}

private func paragraphs(_ texts: [String?]) -> String {
  texts.compactMap { $0 }.filter { !$0.isEmpty }.map(escaped).joined(separator: "\n\n")
}

/// Text as Markdown; what stands between backticks stays code.
private func escaped(_ text: String) -> String {
  text.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { index, part in
    guard index.isMultiple(of: 2) else { return "`\(part.replacing("|", with: "\\|"))`" }
    return ["<", "*", "|"].reduce(String(part)) { $0.replacing($1, with: "\\\($1)") }
  }.joined()
}
