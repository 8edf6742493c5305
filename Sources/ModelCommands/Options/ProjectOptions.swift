import ArgumentParser
import ManagedModel
import ModelFormats
import ReleaseChecks
import SwiftDataModels

/// Which project, and which of its models, a command is about.
///
/// It holds no other option group: in debug builds each level makes ArgumentParser's checks four times as expensive.
struct ProjectOptions: ParsableArguments, ProjectArguments {
  @Option(name: [.customShort("C")], help: ProjectFolderOptions.folderHelp)
  var folder: String = "."

  @Option(help: ProjectFolderOptions.modelsHelp)
  var models: String?

  @Option(help: .text("The model, if there are several: its name or path.", "name"))
  var model: String?

  @Option(help: ProjectFolderOptions.platformHelp)
  var platform: SwiftPlatform?

  @Option(help: ProjectFolderOptions.planHelp)
  var plan: String?

  /// The models for a command on stores. A store carries its own model most times, so a folder without models is not an
  /// obstacle; one that was named is.
  ///
  /// - Parameter reportSetAside: takes what is set aside.
  func modelsForStores(_ reportSetAside: ([Diagnostic]) -> Void = { _ in }) throws -> [VersionedModel] {
    do { return try project.readSoundModels(reportSetAside) } catch {
      guard arguments.isEmpty else { throw error }
      return []
    }
  }
}

/// What both groups of options say of a project.
protocol ProjectArguments {
  var folder: String { get }
  var models: String? { get }
  var model: String? { get }
  var platform: SwiftPlatform? { get }
  var plan: String? { get }
}

extension ProjectArguments {
  var project: Project {
    Project(
      ofRunIn: folder, modelsFolder: models, modelName: model,
      reader: ModelReader(SwiftReading(platform: platform ?? .iOS, plan: plan)))
  }

  /// As they would be written again, with a space before each.
  var arguments: String {
    (folder == "." ? "" : " -C \(folder.shellWord)") + (models.map { " --models \($0.shellWord)" } ?? "")
      + (model.map { " --model \($0.shellWord)" } ?? "")
      + (platform.map { " --platform \($0.rawValue)" } ?? "")
      + (plan.map { " --plan \($0.shellWord)" } ?? "")
  }
}

extension Project {
  /// With what the running program brings along, and its lines about what was found.
  init(
    ofRunIn folder: String, modelsFolder: String? = nil, modelName: String? = nil,
    reader: ModelReader = ModelReader()
  ) {
    self.init(
      folder: folder, modelsFolder: modelsFolder, modelName: modelName, reader: reader,
      custom: RunContext.current.migrations
    ) { RunContext.current.notices?($0) }
  }
}

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
