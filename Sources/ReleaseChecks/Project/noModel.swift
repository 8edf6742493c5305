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
          name, among: subfolders(of: up(folder, 1)),
          else: ["`modelc init \(folder.shellWord)` makes a project there"]))
    }
    // Within a model's own folder, or within Models.
    if folder.isModelFolder {
      return Diagnostic(
        .fileUnreadable, .error, "'\(folder)' is a model, not a project",
        notes: ["a project has its models in Models, each a folder with a versions.yaml"],
        help: ["name the project: `-C \(up(folder, 2).shellWord)`"])
    }
    // What was named is read by commands that write no model.
    if ModelSourceKind(modelsFolder) == .xcodePackage {
      return .package(modelsFolder, in: self)
    }
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

  /// Versions below `Models` that are of no model: in folders without a `versions.yaml`, or in no folder; and models further
  /// down.
  func unlistedModels(_ isIncluded: (String) -> Bool = { _ in true }) -> [Diagnostic] {
    let folders = pathsBelow(modelsFolder).filter { !$0.isModelFolder && isIncluded($0) }
    let unlisted = folders.compactMap { folder -> Diagnostic? in
      let versions = versionFiles(in: folder)
      return versions.isEmpty ? nil : .noVersionList(in: folder, versions)
    }
    let below = folders.flatMap(pathsBelow).filter { $0.isModelFolder && !versionFiles(in: $0).isEmpty }
    let loose = versionFiles(in: modelsFolder)
    return unlisted + below.map { Diagnostic.modelBelow($0, modelsFolder) }
      + (loose.isEmpty ? [] : [Diagnostic.looseVersions(loose, in: modelsFolder)])
  }

  /// Migration tests that are not run, because they lie in no model's folder or are called `.yml`.
  ///
  /// - Parameter goesDeep: whether those below a model's folder count too, as warnings: they may be put aside on purpose.
  package func misplacedTests(_ names: [String], goesDeep: Bool = false) -> [Diagnostic] {
    guard modelName == nil, !isModelsFolderGiven else { return [] }
    let top = migrationTestFolder()
    let below = goesDeep ? pathsBelow(top).flatMap(pathsBelow) : []
    return ([top] + pathsBelow(top) + below).flatMap { folder in
      directoryEntries(of: folder).map(\.name).filter { name in
        name.hasSuffix(".yml") || name.hasSuffix(".yaml") && !names.contains { folder == join(top, $0) }
      }.map { join(folder, $0) }
    }.filter { (try? readMigrationTest(at: $0)) != nil }.map { file in
      let finding = Diagnostic.misplaced(
        file, names.count == 1 ? join(join(top, names[0]), "\(stem(file)).yaml") : nil, "migration test",
        .badMigrationTest, "it is not run")
      return below.contains(file.parentPath) ? finding.asWarning : finding
    }
  }
}

private func subfolders(of folder: String) -> [String] {
  directoryEntries(of: folder).prefix(500).map(\.name).filter { join(folder, $0).isExistingFolder }
}

private func pathsBelow(_ folder: String) -> [String] { subfolders(of: folder).map { join(folder, $0) } }

/// The names of the versions whose files stand in a folder; other tools have YAML files too.
private func versionFiles(in folder: String) -> [String] {
  directoryEntries(of: folder).prefix(500).map(\.name).filter { name in
    let file = join(folder, name)
    guard name.hasSuffix(".yaml"), name != versionListFileName,
      let data = try? readFile(URL(filePath: file), shownAs: file)
    else { return false }
    return String(decoding: data, as: UTF8.self).contains(#/(?m)^(entities|extends)\s*:/#)
  }.map { String($0.dropLast(".yaml".count)) }
}

/// The path of the folder some levels above.
private func up(_ folder: String, _ levels: Int) -> String {
  let dots = Array(repeating: "..", count: levels).joined(separator: "/")
  guard folder != "." else { return dots }
  let parts = folder.split(separator: "/")
  guard !folder.hasPrefix("/"), !parts.contains(".."), parts.count >= levels else {
    return URL(filePath: join(folder, dots)).standardizedFileURL.path
  }
  return parts.count == levels ? "." : parts.dropLast(levels).joined(separator: "/")
}

/// Projects one level below the folder, or above it.
private func projects(near folder: String) -> [String] {
  (pathsBelow(folder).prefix(100) + (1...3).map { up(folder, $0) }).filter { folder in
    pathsBelow(join(folder, "Models")).contains(where: \.isModelFolder)
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
      notes: listed.map { Note($0) },
      help: .didYouMean(wanted, among: names))
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

  /// - Parameter versions: whose files are there.
  fileprivate static func noVersionList(in folder: String, _ versions: [String]) -> Self {
    let list = join(folder, versionListFileName)
    let names = versions.map(\.yamlScalar).joined(separator: ", ")
    return Self(
      .fileUnreadable, .error, "'\(folder)' has no versions.yaml",
      notes: [
        "there is \(versions.prefix(8).map { "'\($0).yaml'" }.joined(separator: ", "))\(versions.count > 8 ? ", …" : "")",
        "versions.yaml says which versions there are, in which order, and which is current",
      ],
      help: ["write '\(list)':", "  current: \((versions.last ?? "").yamlScalar)", "  versions: [\(names)]"])
  }

  fileprivate static func modelBelow(_ folder: String, _ models: String) -> Self {
    let place = join(models, URL(filePath: folder).lastPathComponent)
    let other = "delete it, or move it out of '\(models)': '\(place)' is another model"
    return Self(
      .fileUnreadable, .error, "'\(folder)' is a model that nothing reads: it is not in '\(models)' itself",
      notes: ["its versions are not checked, and no store is migrated by them"],
      help: [place.isExistingFolder ? other : "move it: `mv \(folder.shellWord) \(place.shellWord)`"])
  }

  fileprivate static func looseVersions(_ versions: [String], in folder: String) -> Self {
    let file = "\(versions[0]).yaml"
    return Self(
      .fileUnreadable, .error, "'\(join(folder, file))' is in no model's folder",
      notes: ["a model is a folder below '\(folder)', with a versions.yaml and a YAML file for each version"],
      help: ["move it to '\(join(folder, "App/\(file)"))', with a versions.yaml next to it"])
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
