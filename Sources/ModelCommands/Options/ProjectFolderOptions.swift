import ArgumentParser
import ManagedModel
import ModelFormats
import ReleaseChecks
import SwiftDataModels

/// Which project a command is about. For commands whose `--model` means something else; they take all models.
struct ProjectFolderOptions: ParsableArguments, ProjectArguments {
  @Option(name: [.customShort("C")], help: folderHelp)
  var folder: String = "."

  @Option(help: modelsHelp)
  var models: String?

  @Option(help: platformHelp)
  var platform: SwiftPlatform?

  @Option(help: planHelp)
  var plan: String?

  var model: String? { nil }

  /// Whether the user named a place, or it is where the command runs.
  var isGiven: Bool { folder != "." || models != nil }

  /// The models for a look at what needs none; one that was named or is there, and cannot be read, is a finding.
  func modelsAtHand() -> (models: [VersionedModel], findings: [Diagnostic]) {
    do {
      let reading = try project.readModelsForStores()
      return (reading.models, reading.errors + reading.setAside)
    } catch {
      return ([], isGiven ? error.diagnostics : [])
    }
  }

  static let folderHelp = ArgumentHelp(
    "The project's folder, with its Models and Migrations; other paths are relative to the current folder.",
    valueName: "dir")
  static let modelsHelp = ArgumentHelp(
    "The folder that holds the models, instead of the project's Models; or an .xcdatamodeld, a .momd or Swift source itself.",
    valueName: "dir")
  static let platformHelp = ArgumentHelp(
    "The platform whose #if branches are used in Swift source; by default ios.", valueName: "platform")
  static let planHelp = ArgumentHelp(
    "The migration plan, if Swift source has several: its type's name.", valueName: "name")
}

extension SwiftPlatform: ExpressibleByArgument {}
