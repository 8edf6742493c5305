import ArgumentParser

struct VersionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "version", abstract: "List the versions of a model, start a new one, or remove old ones.",
    subcommands: [VersionListCommand.self, VersionNewCommand.self, VersionPruneCommand.self])
}
