import Foundation
package import ManagedModel
import ModelFormats

extension Project {
  /// Why no model was found, judged by the files that are there, and what to do about it.
  ///
  /// - Parameter onlyFolders: whether Xcode's own models are no help.
  package func noModel(onlyFolders: Bool = false) -> Diagnostic {
    for folder in [folder, modelsFolder]
    where folder.isExistingFolder && !FileManager.default.isReadableFile(atPath: folder) {
      let help = ["run as a user who can read it"]
      return Diagnostic(.fileUnreadable, .error, "the folder '\(folder)' may not be read", help: help)
    }
    guard folder.isExistingFolder else {
      let name = URL(filePath: folder).lastPathComponent
      return Diagnostic(
        .fileUnreadable, .error, "there is no folder '\(folder)'",
        help: .didYouMean(
          name, among: folder.above(1).subfolders.map { URL(filePath: $0).lastPathComponent },
          else: ["`modelc init \(folder.shellWord)` makes a project there"]))
    }
    // Within a model's own folder, or within Models.
    if folder.isModelFolder {
      return Diagnostic(
        .fileUnreadable, .error, "'\(folder)' is a model, not a project",
        notes: ["a project has its models in Models, each a folder with a versions.yaml"],
        help: ["name the project: `-C \(folder.above(2).shellWord)`"])
    }
    // What was named is read by commands that write no model.
    if ModelSourceKind(modelsFolder) == .xcodePackage { return .package(modelsFolder, in: self) }
    let (elsewhere, packages) = (projects(near: folder), XcodeFiles(below: folder).packages)
    let nothing =
      onlyFolders && elsewhere.isEmpty && !packages.isEmpty
      ? Diagnostic.package(packages[0], in: self)
      : .noModelsFolder(self, elsewhere: elsewhere, xcode: packages)
    guard modelsFolder.isExistingFolder else { return nothing }
    if modelsFolder.isSwiftSource {
      return Diagnostic(
        .fileUnreadable, .error,
        "'\(modelsFolder)' is Swift source, and this command writes models in YAML",
        notes: ["versions of SwiftData are enums in the source: each a VersionedSchema that the plan lists"],
        help: [
          "`modelc check` says what stores of users need",
          "`modelc release --from-tags --freeze FILE` writes schemas of what was shipped",
        ])
    }
    if let unlisted = unlistedModels().first { return unlisted }
    return nothing
  }
}

/// Projects one level below the folder, or above it.
private func projects(near folder: String) -> [String] {
  (folder.subfolders.prefix(100) + (1...3).map(folder.above)).filter { folder in
    join(folder, "Models").subfolders.contains(where: \.isModelFolder)
  }
}

extension Diagnostic {
  /// - Parameter isVersion: whether it can be nothing else than a version.
  package static func noSuchVersion(
    _ argument: String, known models: [VersionedModel], isVersion: Bool = false
  ) -> Self {
    let names = models.flatMap { $0.versions.map(\.name) }
    let wanted = argument.split(whereSeparator: { $0 == "#" || $0 == "/" }).last.map(String.init) ?? argument
    let listed = models.map { "\($0.name): \($0.versions.map(\.name).joined(separator: ", "))" }
    return Self(
      isVersion ? .noCurrentVersion : .fileUnreadable, .error,
      "'\(argument)' is not a known version\(isVersion ? "" : ", and not a model or store")",
      notes: listed.map { Note($0) }, help: .didYouMean(wanted, among: names))
  }

  fileprivate static func package(_ path: String, in project: Project) -> Self {
    // Without the `--models` of this command: what is adopted does not lie in a package.
    let place = project.isModelsFolderGiven ? " -C \(project.folder.shellWord)" : ""
    return Self(
      .fileUnreadable, .error, "'\(path)' is Xcode's model, and this command is for models in YAML",
      help: [
        "add versions to it in Xcode: Editor > Add Model Version",
        "`modelc adopt \(path.shellWord)\(place)` brings it in, as YAML",
      ])
  }

  private static let begin = [
    "`modelc init` makes a first model, `modelc init --sample` one to look at",
    "`modelc adopt App.xcdatamodeld` brings Xcode's model in, `modelc adopt STORE` the one that a store contains",
  ]

  fileprivate static func noModelsFolder(_ project: Project, elsewhere: [String], xcode: [String]) -> Self {
    var help = elsewhere.prefix(3).map { "there are models in '\($0)': name it with `-C \($0.shellWord)`" }
    if project.folder.isSwiftSource {
      help.append("name the Swift source of SwiftData's models: `--models \(project.folder.shellWord)`")
    }
    help += xcode.prefix(3).map { "name Xcode's model as it is: `--models \($0.shellWord)`" }
    if xcode.isEmpty { help += begin } else { help.append(begin[0]) }
    if elsewhere.isEmpty { help.append("name another project with `-C`, or its models with `--models`") }
    return Self(
      .fileUnreadable, .error, "no model found in '\(project.modelsFolder)'",
      notes: [
        project.modelsFolder.isExistingFolder
          ? "a model is a folder there with a versions.yaml, and a YAML file for each version"
          : "there is no such folder; a project has its models in it, each a folder with a versions.yaml"
      ], help: help)
  }

  /// A path that was named as a model and is one version's file.
  package static func noModelButVersion(_ path: String) -> Self {
    let folder = URL(filePath: path).deletingLastPathComponent().relativePath
    return Self(
      .fileUnreadable, .error, "'\(path)' is the file of one version; only whole models are compiled",
      help: [
        folder.isModelFolder
          ? "name its folder: `modelc compile \(folder.shellWord)`"
          : "put it into Models/App, with a versions.yaml next to it, and name the model: `modelc compile App`"
      ])
  }
}
