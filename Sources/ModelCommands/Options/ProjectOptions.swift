import ArgumentParser
import Foundation
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
    ) { RunContext.current.notices?.print($0) }
  }
}
