import ArgumentParser
import ManagedModel
import ReleaseChecks

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
    let folder = try project.project.onlyModelPath(ofKind: .folder)
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
  func onlyModelPath(ofKind kind: ModelKind = .any) throws(DiagnosticsError) -> String {
    let paths = try modelPaths(ofKind: kind)
    guard let path = paths.first, paths.count == 1 else { throw DiagnosticsError(.whichModel(paths)) }
    return path
  }
}

extension Diagnostic {
  /// - Parameter paths: of the models, as `--model` takes them.
  static func whichModel(_ paths: [String]) -> Self {
    Self(
      .severalModels, .error, "the project has \(counted(paths.count, "model")), and this command is for one",
      notes: ["models: \(paths.joined(separator: ", "))"],
      help: ["name one: `--model \((paths.first ?? "NAME").shellWord)`"])
  }
}
