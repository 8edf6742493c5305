import ArgumentParser
import ManagedModel
import ModelFormats
import ReleaseChecks

struct VersionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "version", abstract: "List the versions of a model, start a new one, or remove old ones.",
    subcommands: [VersionListCommand.self, VersionNewCommand.self, VersionPruneCommand.self])
}

struct VersionListCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Show the versions, their checksums, which are released, and which have the same hashes.",
    discussion:
      "For Core Data, two versions with equal hashes are the same; other differences are reported. The release lock says what is "
      + "released, since when and by which tag; for others git says since when they exist, and the "
      + "oldest tag that has them.\n\nWith --from-tags, of SwiftData's source: the "
      + "store schemas that tags have shipped, under which version and in which tags, and the schemas that no tag "
      + "has shipped.")

  @OptionGroup var project: ProjectOptions
  @OptionGroup var output: OutputOptions

  @Option(
    defaultAsFlag: "*",
    help: .text(
      "For SwiftData source: show which store schemas git's tags, or those that match this, have shipped.",
      "pattern"))
  var fromTags: String?

  @Argument(
    help: .text(
      "Models by name, or .xcdatamodeld and .momd paths, also REV:path; by default all of the project's models.",
      "model"))
  var models: [String] = []

  func work() throws {
    if let fromTags { return try listShippedSchemas(fromTags) }
    let (models, diagnostics) = try readModels(models, of: project.project)
    let reading = diagnostics.filter { $0.severity == .error }
    let releases = project.project.releases(of: self.models)
    let histories = project.project.histories(of: self.models)
    let lists = models.map { model in
      (
        VersionTable(model, releases: releases[model.name, default: []], history: histories[model.name]),
        model.checkVersionDifferences()
      )
    }
    output.print(
      .oneOrSeveral(lists.map { VersionTable.result.json(of: ($0, reading + $1)) }),
      else: lists.map { $0.0.text }.joined(separator: "\n\n"))
    output.report((reading + lists.flatMap(\.1)).ordered)
    if models.isEmpty || reading.hasErrors { throw ExitCode(max(1, exitStatus(for: reading))) }
  }

  private func listShippedSchemas(_ pattern: String) throws {
    let paths = try models.isEmpty ? project.project.modelPaths() : models
    let tables = try paths.map { path in
      let reader = project.project.reader
      let (model, diagnostics) = reader.read(path)
      guard let model, model.isSwiftData else {
        throw diagnostics.hasErrors && model == nil
          ? DiagnosticsError(diagnostics)
          : DiagnosticsError(
            .severalModels, "'\(path.visible)' is not a SwiftData source: its lock says what was released",
            help: ["`modelc version list` shows its versions"])
      }
      let shipped = try ShippedSchemas(tags: pattern, ofModelAt: path, reader)
      return ShippedSchemaTable(model: model, shipped: shipped)
    }
    output.print(.oneOrSeveral(tables.map(\.json)), else: tables.map(\.text).joined(separator: "\n\n"))
  }
}
