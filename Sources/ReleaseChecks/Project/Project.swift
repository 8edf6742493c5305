public import Foundation
package import ManagedModel
package import ModelFormats
public import ModelMigration
import SwiftDataModels

/// A folder with models, their mapping files, and what was released of them.
public struct Project: Sendable {
  /// As the user wrote it; messages name files below it so.
  package let folder: String
  package let modelsFolder: String
  package let modelName: String?
  /// Whether the user said where the models are.
  package let isModelsFolderGiven: Bool
  package let reader: ModelReader
  /// What a program brings along: policies, transformers, what runs after a migration.
  let custom: CustomMigrations
  /// Takes lines about models and mapping models that nobody named, and that are taken.
  let notice: @Sendable (String) -> Void

  /// A folder with models.
  ///
  /// - Parameters:
  ///   - folder: models are looked for in its `Models`, then in itself, then Xcode's packages anywhere below it.
  ///   - models: where the models are instead: a folder of them, or a model in any form.
  ///   - model: the name of one of them.
  ///   - custom: policies and mapping models of the program, beside the files of the project's `Migrations`.
  public init(
    at folder: URL, models: URL? = nil, model: String? = nil, custom: CustomMigrations = CustomMigrations()
  ) {
    self.init(
      folder: folder.relativePath, modelsFolder: models?.relativePath, modelName: model, custom: custom)
  }

  /// With paths as a user wrote them, for messages.
  package init(
    folder: String, modelsFolder: String? = nil, modelName: String? = nil,
    reader: ModelReader = ModelReader(), custom: CustomMigrations = CustomMigrations(),
    notice: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.folder = folder
    self.modelsFolder = modelsFolder ?? join(folder, "Models")
    self.modelName = modelName
    (self.reader, self.custom, self.notice) = (reader, custom, notice)
    isModelsFolderGiven = modelsFolder != nil
  }

  /// The same project, for one of its models.
  package func of(modelNamed name: String) -> Project {
    of(modelNamed: name, in: isModelsFolderGiven ? modelsFolder : nil)
  }

  /// For one of the models of a folder.
  package func of(modelNamed name: String, in modelsFolder: String?) -> Project {
    Project(
      folder: folder, modelsFolder: modelsFolder, modelName: name, reader: reader, custom: custom,
      notice: notice)
  }

  /// Where `compile` writes unless another one is named.
  package var buildFolder: String { join(folder, "Build") }
  package var migrationsFolder: String { join(folder, "Migrations") }
  /// Where its migration tests lie, a folder for each model.
  package func migrationTestFolder() -> String { join(folder, "Tests/Migrations") }

  /// Every model that can be read, with what was found on the way.
  package func readModels() throws(DiagnosticsError) -> (models: [VersionedModel], diagnostics: [Diagnostic])
  {
    let readings = try modelPaths().map(readModel)
    return (readings.compactMap(\.model), readings.flatMap(\.diagnostics).ordered)
  }

  /// With what its lock says that users have.
  func readModel(_ path: String) -> (model: VersionedModel?, diagnostics: [Diagnostic]) {
    var reading = reader.read(path)
    reading.model?.releases = readReleases(ofModelAt: path)
    return reading
  }

  /// The same for commands on stores: a model that cannot be read in full would lead them astray, so it is refused.
  ///
  /// A package in which versions that nobody needs are broken, as after a merge or without git-lfs, is taken without them;
  /// they are told.
  ///
  /// - Parameter reportSetAside: takes what is set aside.
  package func readSoundModels(
    _ reportSetAside: ([Diagnostic]) -> Void = { _ in }
  ) throws(DiagnosticsError) -> [VersionedModel] {
    let reading = try readModelsForStores()
    if !reading.errors.isEmpty { throw DiagnosticsError(reading.errors) }
    reportSetAside(reading.setAside)
    return reading.models
  }

  /// The models that can be read, errors of a model as a whole, and those of versions that others do without.
  package func readModelsForStores() throws(DiagnosticsError) -> (
    models: [VersionedModel], errors: [Diagnostic], setAside: [Diagnostic]
  ) {
    var (models, errors, setAside): ([VersionedModel], [Diagnostic], [Diagnostic]) = ([], [], [])
    // A store says itself which of several packages it belongs to.
    for path in try modelPaths() {
      let (model, diagnostics) = readModel(path)
      let found = diagnostics.filter { $0.severity == .error }
      if let model { models.append(model) }
      setAside += diagnostics.filter { $0.code == .unproven }
      // A current version that cannot be read is where stores are to go.
      let isPackage = ModelSourceKind(path) == .xcodePackage
      let areVersions = found.allSatisfy {
        $0.code != .unknownXcodeCurrentVersion && $0.place?.file.hasSuffix(packageSettingsFileName) != true
      }
      if isPackage, model != nil, areVersions {
        setAside += found.map(\.asWarning)
      } else {
        errors += found
      }
    }
    return (models, errors.ordered, setAside.ordered)
  }
}

extension String {
  /// Whether a folder is there, or a link to one.
  package var isExistingFolder: Bool { FileFacts(ofFileAt: self)?.isFolder == true }

  /// Absolute, without `.` and `..`.
  package var standardPath: String { URL(filePath: self).standardizedFileURL.path }

  /// However both are written.
  func isBelow(_ folder: String) -> Bool { standardPath.hasPrefix(join(folder.standardPath, "")) }

  /// The path of the folder some levels above.
  func above(_ levels: Int) -> String {
    let dots = Array(repeating: "..", count: levels).joined(separator: "/")
    guard self != "." else { return dots }
    let parts = split(separator: "/")
    guard !hasPrefix("/"), !parts.contains(".."), parts.count >= levels
    else { return join(self, dots).standardPath }
    return parts.count == levels ? "." : parts.dropLast(levels).joined(separator: "/")
  }

  /// Refuses a path of the command line that does not exist.
  package func requireFile() throws(DiagnosticsError) {
    // Git says itself what its revisions do not have.
    if GitLocation(self) != nil || AppBuild.isInArchive(self) { return }
    if !FileManager.default.fileExists(atPath: self) {
      throw DiagnosticsError(.fileUnreadable, "there is no file or folder '\(self)'")
    }
  }
}

extension Diagnostic { package var asWarning: Diagnostic { with { $0.severity = .warning } } }
