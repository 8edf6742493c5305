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

struct VersionNewCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Start a new version: a copy of another one, as a draft.",
    discussion: """
      Copies the version's file with its comments, and lists the new one at the end of versions.yaml, whose own \
      comments and layout stay. Stores are migrated to it once it is `current:`.
      """)

  @OptionGroup var project: ProjectOptions
  @OptionGroup var output: OutputOptions

  @Option(help: .text("The version to copy, instead of the current one.", "version"))
  var from: String?

  @Flag(help: "Make it the current version immediately.")
  var current = false

  @Flag(help: "Start it as a change of the other one (extends:), instead of a copy.")
  var extends = false

  @Argument(help: "The new version's name; by default the copied one's with the next number.")
  var name: String?

  func work() throws {
    let folder = try project.project.onlyModelPath(isFolder: true)
    let draft = try VersionDraft(
      name: name, from: from, isCurrent: current, isChange: extends, folder: folder)
    try draft.write()
    output.print(
      draft.json,
      else: "\(draft.file): a \(extends ? "change" : "copy") of \(draft.origin)".printable)
    let versions = "\(draft.origin.shellWord) \(draft.name.shellWord)"
    output.say("next: edit it, then \(programName) diff\(project.arguments) \(versions)")
    if !current { output.say("stores are migrated to it once versions.yaml says 'current: \(draft.name)'") }
  }
}

extension Project {
  /// The path of its only model.
  func onlyModelPath(isFolder: Bool = false) throws(DiagnosticsError) -> String {
    let paths = try modelPaths(onlyFolders: isFolder)
    guard let path = paths.first, paths.count == 1 else { throw DiagnosticsError(.whichModel(paths)) }
    return path
  }
}
