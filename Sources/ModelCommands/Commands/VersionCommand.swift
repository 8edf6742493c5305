import ArgumentParser

struct VersionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "version", abstract: "List the versions of a model, or start a new one.",
    subcommands: [VersionListCommand.self, VersionNewCommand.self])
}
