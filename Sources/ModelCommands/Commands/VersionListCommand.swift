import ArgumentParser
import ManagedModel
import ModelMapping

struct VersionListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Show the versions, their checksums, and which of them no store can tell apart.",
    discussion:
      "Two versions with equal version hashes are one to Core Data; what differs nevertheless is named.")

  @OptionGroup var project: ProjectOptions
  @OptionGroup var output: OutputOptions

  @Argument(
    help: ArgumentHelp(
      "Models by name, or .xcdatamodeld and .momd paths, also REV:path; all of the project's without any.",
      valueName: "model"))
  var models: [String] = []

  func run() throws {
    try output.run {
      let (models, diagnostics) = try readModels(models, of: project.project)
      let reading = diagnostics.filter { $0.severity == .error }
      let lists = models.map { model in
        (VersionTable(model), checkVersionDifferences(model))
      }
      if output.writesJSON {
        let objects = lists.map { $0.json(reading + $1) }
        output.print(objects.count == 1 ? objects[0] : .array(objects))
      } else {
        output.print(lists.map { $0.0.text }.joined(separator: "\n\n"))
        output.report((reading + lists.flatMap(\.1)).ordered)
      }
      if models.isEmpty { throw ExitCode(max(1, exitStatus(for: reading))) }
    }
  }
}
