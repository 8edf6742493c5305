import ArgumentParser
import Foundation
import ManagedModel
import ModelFormats
import ReleaseChecks
import SwiftDataModels

/// Which project, and which of its models, a command is about.
///
/// It holds no other option group: in debug builds each level makes ArgumentParser's checks four times as expensive.
struct ProjectOptions: ParsableArguments {
  @Option(name: [.customShort("C")], help: ProjectFolderOptions.folderHelp)
  var folder: String = "."

  @Option(help: ProjectFolderOptions.modelsHelp)
  var models: String?

  @Option(
    help: ArgumentHelp("The model, where there are several: its name, or the path of one.", valueName: "name")
  )
  var model: String?

  @Option(help: ProjectFolderOptions.platformHelp)
  var platform: SwiftPlatform?

  @Option(help: ProjectFolderOptions.planHelp)
  var plan: String?

  var project: Project { Project(folder: folder, modelsFolder: models, modelName: model) }

  /// As they would be written again, with a space before each.
  var arguments: String {
    (folder == "." ? "" : " -C \(folder.shellWord)") + (models.map { " --models \($0.shellWord)" } ?? "")
      + (model.map { " --model \($0.shellWord)" } ?? "")
      + (platform.map { " --platform \($0.rawValue)" } ?? "")
      + (plan.map { " --plan \($0.shellWord)" } ?? "")
  }
}

/// A folder with models: what `-C`, `--models` and `--model` say, resolved.
struct Project {
  /// As the user wrote it; messages name files below it so.
  let folder: String
  let modelsFolder: String
  let modelName: String?
  /// Whether the user said where the models are.
  let isModelsFolderGiven: Bool

  init(folder: String, modelsFolder: String? = nil, modelName: String? = nil) {
    self.folder = folder
    self.modelsFolder = modelsFolder ?? join(folder, "Models")
    self.modelName = modelName
    isModelsFolderGiven = modelsFolder != nil
  }

  /// The same project, for one of its models.
  func of(modelNamed name: String) -> Project {
    Project(folder: folder, modelsFolder: isModelsFolderGiven ? modelsFolder : nil, modelName: name)
  }

  /// Where `compile` writes unless another one is named.
  var buildFolder: String { join(folder, "Build") }
  var migrationsFolder: String { join(folder, "Migrations") }
  /// Where its migration tests lie, a folder for each model.
  func migrationTestFolder() -> String { join(folder, "Tests/Migrations") }

  /// Every model that can be read, with what was found on the way.
  func readModels() throws(DiagnosticsError) -> (models: [VersionedModel], diagnostics: [Diagnostic]) {
    var models: [VersionedModel] = []
    var diagnostics: [Diagnostic] = []
    for path in try modelPaths() {
      let reading = readModel(path)
      diagnostics += reading.diagnostics
      if let model = reading.model { models.append(model) }
    }
    return (models, diagnostics.ordered)
  }

  /// With what its lock says that users have.
  fileprivate func readModel(_ path: String) -> (model: VersionedModel?, diagnostics: [Diagnostic]) {
    var reading = readModelSource(path)
    reading.model?.releases = readReleases(ofModelAt: path)
    return reading
  }
}

/// The models of a project that can be read.
struct ReadModels {
  var models: [VersionedModel] = []
  /// Errors of a model as a whole.
  var errors: [Diagnostic] = []
  /// Versions of Xcode's packages that cannot be read: the others do without them.
  var setAside: [Diagnostic] = []
}

extension Project {
  /// The same for commands on stores: a model that cannot be read in full would lead them astray, so it is refused.
  ///
  /// A package in which versions that nobody needs are broken, as after a merge or without git-lfs, is taken without them;
  /// they are told.
  ///
  /// - Parameter tell: takes what is set aside.
  func readSoundModels(
    _ tell: ([Diagnostic]) -> Void = { _ in }
  ) throws(DiagnosticsError) -> [VersionedModel] {
    let reading = try readModelsForStores()
    if !reading.errors.isEmpty { throw DiagnosticsError(reading.errors) }
    tell(reading.setAside)
    return reading.models
  }

  func readModelsForStores() throws(DiagnosticsError) -> ReadModels {
    var found = ReadModels()
    // A store says itself which of several packages it belongs to.
    for path in try modelPaths(takesSeveral: true) {
      let (model, diagnostics) = readModel(path)
      let errors = diagnostics.filter { $0.severity == .error }
      if let model { found.models.append(model) }
      found.setAside += diagnostics.filter { $0.code == .unproven }
      // A current version that cannot be read is where stores are to go.
      let isPackage = ModelSourceKind(path) == .xcodePackage
      let areVersions = errors.allSatisfy {
        $0.code != .unknownXcodeCurrentVersion && $0.place?.file.hasSuffix(packageSettingsFileName) != true
      }
      if isPackage, model != nil, areVersions {
        found.setAside += errors.map(\.asWarning)
      } else {
        found.errors += errors
      }
    }
    (found.errors, found.setAside) = (found.errors.ordered, found.setAside.ordered)
    return found
  }
}

extension Diagnostic {
  var asWarning: Diagnostic { with { $0.severity = .warning } }
}

extension String {
  /// Refuses a path of the command line that does not exist.
  func requireFile() throws(DiagnosticsError) {
    // Git says itself what its revisions do not have.
    if GitLocation(self) != nil || AppBuild.isInArchive(self) { return }
    if !FileManager.default.fileExists(atPath: self) { throw DiagnosticsError(.noFile(self)) }
  }
}

extension Diagnostic {
  fileprivate static func noFile(_ path: String) -> Self {
    Self(.fileUnreadable, .error, "there is no file or folder '\(path)'")
  }
}
