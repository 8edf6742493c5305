package import ArgumentParser
import Foundation

/// Every command with its arguments: what `help --all`, the page of options and the summary are made of.
package struct CommandReference: Sendable {
  package struct Command: Sendable {
    /// `modelc version list`.
    package var name: String
    package var summary: String
    package var details: String?
    package var arguments: [Argument]
  }

  package struct Argument: Hashable, Sendable {
    package enum Kind: String, Sendable, CaseIterable, Decodable { case positional, option, flag }

    package var kind: Kind
    /// As they are typed, the short one first; none of what has a place instead.
    package var names: [String]
    /// What a value is called.
    package var value: String?
    /// The words that it may be, where they are fixed.
    package var values: [String]?
    package var defaultValue: String?
    package var isRequired: Bool
    package var isRepeatable: Bool
    package var help: String

    /// `-q, --quiet`, `--to <version>`, `<store>…`.
    package var synopsis: String {
      let dots = isRepeatable ? "…" : ""
      if kind == .positional { return "<\(value ?? "")>\(dots)" }
      return names.joined(separator: ", ") + (kind == .option ? " <\(value ?? "")>\(dots)" : "")
    }
  }

  package let summary: String
  package let details: String
  /// Those that do something, in the order of `--help`.
  package let commands: [Command]

  /// - Parameters:
  ///   - root: the program.
  ///   - others: commands that are not among its subcommands.
  package init(of root: any ParsableCommand.Type, and others: [any ParsableCommand.Type]) throws {
    let program = try DumpedCommand(of: root)
    let further = try others.map(DumpedCommand.init)
    summary = program.abstract ?? ""
    details = program.discussion ?? ""
    let subcommands = (program.subcommands ?? []).filter { $0.commandName != "help" } + further
    commands = subcommands.flatMap { $0.leaves(after: program.commandName) }
  }

  /// The arguments of more than half of the commands, which are told once.
  package var commonArguments: [Argument] {
    var counts: [Argument: Int] = [:]
    for argument in commands.flatMap(\.arguments) { counts[argument, default: 0] += 1 }
    var named: Set<Argument> = []
    return commands.flatMap(\.arguments).filter {
      counts[$0, default: 0] * 2 > commands.count && named.insert($0).inserted
    }
  }
}

/// What ArgumentParser tells of a command to programs.
private struct DumpedCommand: Decodable {
  var commandName: String
  var abstract: String?
  var discussion: String?
  var arguments: [Argument]?
  var subcommands: [DumpedCommand]?

  struct Argument: Decodable {
    var kind: CommandReference.Argument.Kind
    var abstract: String?
    var names: [Name]?
    var valueName: String?
    var defaultValue: String?
    var allValues: [String]?
    var isOptional: Bool
    var isRepeating: Bool
    var shouldDisplay: Bool
  }

  struct Name: Decodable {
    var kind: String
    var name: String
  }

  private struct Dump: Decodable { var command: DumpedCommand }

  init(of command: any ParsableCommand.Type) throws {
    self = try JSONDecoder().decode(Dump.self, from: Data(command._dumpHelp().utf8)).command
  }

  /// The commands below that do something.
  func leaves(after name: String) -> [CommandReference.Command] {
    let name = "\(name) \(commandName)"
    let below = (subcommands ?? []).filter { $0.commandName != "help" }
    if !below.isEmpty { return below.flatMap { $0.leaves(after: name) } }
    let shown = (arguments ?? []).filter(\.shouldDisplay).map(\.described)
    return [.init(name: name, summary: abstract ?? "", details: discussion, arguments: shown)]
  }
}

extension DumpedCommand.Argument {
  fileprivate var described: CommandReference.Argument {
    let names = (names ?? []).map { $0.kind == "long" ? "--\($0.name)" : "-\($0.name)" }
    return .init(
      kind: kind, names: names.sorted { $0.count < $1.count }, value: kind == .flag ? nil : valueName,
      values: allValues, defaultValue: defaultValue,
      isRequired: kind != .flag && !isOptional && defaultValue == nil, isRepeatable: isRepeating,
      help: abstract ?? "")
  }
}
