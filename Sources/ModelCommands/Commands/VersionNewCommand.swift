import ArgumentParser
import Foundation
import ManagedModel
import ModelFormats

struct VersionNewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Begin a version: a copy of another one, as a draft.",
    discussion: """
      Copies the version's file, comments and all, and lists the new one at the end of versions.yaml, whose own \
      comments and layout stay. Stores are migrated to it once it is `current:`.
      """)

  @OptionGroup var project: ProjectOptions
  @OptionGroup var output: OutputOptions

  @Option(help: ArgumentHelp("The version to copy, instead of the current one.", valueName: "version"))
  var from: String?

  @Flag(help: "Make it the current version at once.")
  var current = false

  @Flag(help: "Begin it as a change of the other one (extends:), instead of a copy.")
  var extends = false

  @Argument(help: ArgumentHelp("The new version's name.", valueName: "name"))
  var name: String

  func run() throws {
    try output.run {
      let folder = try onlyModelFolder()
      let draft = try VersionDraft(
        name: name, from: from, isCurrent: current, isChange: extends, folder: folder)
      try draft.write()
      if output.writesJSON {
        output.print(draft.json)
      } else {
        output.print(printable("\(draft.file): a \(extends ? "change" : "copy") of \(draft.origin)"))
        output.say("next: edit it, then modelc diff \(shellWord(draft.origin)) \(shellWord(name))")
        if !current { output.say("stores are migrated to it once versions.yaml says 'current: \(name)'") }
      }
    }
  }

  private func onlyModelFolder() throws(DiagnosticsError) -> String {
    let folders = try project.project.modelPaths(ofKind: .folder)
    guard let folder = folders.first, folders.count == 1 else {
      throw DiagnosticsError(.severalModels(folders.map { URL(filePath: $0).lastPathComponent }))
    }
    return folder
  }
}

extension Diagnostic {
  fileprivate static func severalModels(_ names: [String]) -> Self {
    Self(
      .fileUnreadable, .error, "the project has several models: \(names.joined(separator: ", "))",
      help: ["name one with `--model`"])
  }
}
