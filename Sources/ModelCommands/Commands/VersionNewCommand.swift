import ArgumentParser
import Foundation
import ManagedModel
import ModelFormats
import ReleaseChecks

struct VersionNewCommand: ParsableCommand {
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

  func run() throws {
    try output.run {
      let folder = try project.project.onlyModelPath(ofKind: .folder)
      let draft = try VersionDraft(
        name: try name ?? nextName(in: folder), from: from, isCurrent: current, isChange: extends,
        folder: folder)
      try draft.write()
      output.print(
        draft.json,
        else: "\(draft.file): a \(extends ? "change" : "copy") of \(draft.origin)".printable)
      let versions = "\(draft.origin.shellWord) \(draft.name.shellWord)"
      output.say("next: edit it, then \(programName) diff\(project.arguments) \(versions)")
      if !current { output.say("stores are migrated to it once versions.yaml says 'current: \(draft.name)'") }
    }
  }

  private func nextName(in folder: String) throws(DiagnosticsError) -> String {
    let (model, diagnostics) = readVersionedModel(folder: URL(filePath: folder))
    guard let model else { throw DiagnosticsError(diagnostics) }
    return nextVersionName(after: from ?? model.currentVersionName, among: model.versions.map(\.name))
  }
}

extension Project {
  /// The path of its only model.
  func onlyModelPath(ofKind kind: ModelKind = .any) throws(DiagnosticsError) -> String {
    let paths = try modelPaths(ofKind: kind)
    guard let path = paths.first, paths.count == 1 else {
      throw DiagnosticsError(
        .fileUnreadable,
        "the project has several models: \(paths.map { URL(filePath: $0).lastPathComponent }.joined(separator: ", "))",
        help: ["name one with `--model`"])
    }
    return path
  }
}

/// The name with the next number that is free: V4 after V3, `App 2` after `App`.
func nextVersionName(after name: String, among names: [String]) -> String {
  let digits = name.reversed().prefix { $0.isASCII && $0.isNumber }.count
  let stem = String(name.dropLast(digits)) + (digits == 0 ? " " : "")
  let taken = Set(names.map { $0.lowercased() })
  var number = (Int(name.suffix(digits)) ?? 1).addingReportingOverflow(1).partialValue
  while taken.contains("\(stem)\(number)".lowercased()), number < Int.max { number += 1 }
  return "\(stem)\(number)"
}
