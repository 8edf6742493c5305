import Foundation
package import ManagedModel
import ModelFormats

extension String {
  /// Whether an argument is the path of a model, rather than a model's name: a package, a bundle or a file by its
  /// extension, a path in a git revision, or a path to a folder with a `versions.yaml`.
  package var isModelPath: Bool {
    ModelSourceKind(self) != nil || GitLocation(self) != nil
      || (utf8.contains(UInt8(ascii: "/")) && (isModelFolder || isSwiftSource))
  }
}

extension Project {
  /// The paths of the models, by name; with `--model` only that one.
  ///
  /// They are what lies in the models' folder: folders with a `versions.yaml`, and packages and bundles that have no
  /// such folder beside them. A project without models there may have its packages in its own folder, or Xcode's anywhere
  /// below, where a check looks in any case, unless there are others. What `--models` or `--model` names may also be a
  /// model itself.
  ///
  /// - Parameters:
  ///   - onlyFolders: whether only models in YAML are meant.
  ///   - takesCopies: whether it is for a check: of a build every model of a name is taken, not the one that comes first.
  package func modelPaths(
    onlyFolders: Bool = false, takesCopies: Bool = false
  ) throws(DiagnosticsError) -> [String] {
    let path = modelName.flatMap { $0.isModelPath ? $0 : nil } ?? modelsFolder
    // Within a package its versions are not models of their own.
    if !onlyFolders, let package = packageAround { return [package] }
    let isBuild =
      ModelSourceKind(path) == .build
      || isModelsFolderGiven && models(in: path, onlyFolders).isEmpty && AppBuild.holdsBuilds(path)
    if !onlyFolders, isBuild, !path.isModelFolder {
      try path.requireFile()
      let build = try AppBuild(path)
      let found = takesCopies ? build.models : build.distinctModels
      let named = found.filter { stem($0) == modelName }
      if !named.isEmpty { return named }
      if let modelName, !found.isEmpty, modelName != path {
        throw DiagnosticsError(.noSuchModel(modelName, in: path, known: found.map(stem)))
      }
      // That there is none is said by what reads it.
      return found.isEmpty ? [path] : found
    }
    if path.isModelFolder || !onlyFolders && path.isModelPath {
      try path.requireFile()
      return [path]
    }
    var found = models(in: modelsFolder, onlyFolders)
    // An app's own folder of classes may be called Models.
    if found.isEmpty, !isModelsFolderGiven || !FileManager.default.fileExists(atPath: modelsFolder) {
      found = models(in: folder, onlyFolders)
    }
    if found.isEmpty, !onlyFolders, modelsFolder.isSwiftSource { return [modelsFolder] }
    // A check looks at every package, also beside one in the project's own folder or in `Models`.
    let isFound = modelName.map { name in found.contains { $0.name == name } } ?? !takesCopies
    if !onlyFolders, !isModelsFolderGiven, found.isEmpty || !isFound,
      found.allSatisfy({ ModelSourceKind($0.path) == .xcodePackage })
    {
      found = packagesBelow()
    }
    guard let modelName else {
      if found.isEmpty { throw DiagnosticsError(noModel(onlyFolders: onlyFolders)) }
      return found.map(\.path)
    }
    let named = found.filter { $0.name == modelName }.map(\.path)
    guard let one = named.first else {
      let place =
        isModelsFolderGiven || found.allSatisfy { $0.path.parentPath == modelsFolder } ? modelsFolder : folder
      throw DiagnosticsError(.noSuchModel(modelName, in: place, known: found.map(\.name)))
    }
    // A compiled model lies beside its source.
    if Set(named.map(\.parentPath)).count > 1 {
      throw DiagnosticsError(
        .severalModels, "\(named.count) models are called '\(modelName)': \(named.quoted(10))",
        help: ["name one by its path: `--model \(named[0].shellWord)`"])
    }
    return [one]
  }

  /// Xcode's packages anywhere below the project's folder.
  private func packagesBelow() -> [(name: String, path: String)] {
    let paths = XcodeFiles(below: folder).packages
    let found = paths.map { (name: stem($0), path: $0) }
    let named = modelName.map { name in found.filter { $0.name == name } } ?? found
    switch named.count {
    case 0: break
    case 1: notice("model: \(named[0].path)")
    default: notice("models: \(named.map(\.path).joined(atMost: 20))")
    }
    return found
  }

  /// The package that the project's folder is: `.` within `App.xcdatamodeld` is `../App.xcdatamodeld`.
  var packageAround: String? {
    let folder = isModelsFolderGiven ? modelsFolder : folder
    let name = URL(filePath: folder).standardizedFileURL.lastPathComponent
    guard name.hasSuffix(".xcdatamodeld") else { return nil }
    if folder.hasSuffix(name) || folder.hasSuffix(name + "/") { return folder }
    return folder == "." ? "../\(name)" : "\(folder)/../\(name)"
  }

  func models(in folder: String, _ onlyFolders: Bool = false) -> [(name: String, path: String)] {
    let entries = directoryEntries(of: folder)
    let names = entries.map(\.name).filter { name in modelExtensions.contains { name.hasSuffix($0) } }
    let folders = entries.filter { $0.kind != .file && join(folder, $0.name).isModelFolder }.map(\.name)
    let packages = names.filter { name in
      let kind = ModelSourceKind(name)
      return (kind == .xcodePackage || kind == .bundle) && !folders.contains(stem(name))
    }
    return (folders + (onlyFolders ? [] : packages)).sorted().map { (stem($0), join(folder, $0)) }
  }
}

/// The extensions of packages and bundles, with their points.
private let modelExtensions = [".xcdatamodeld", ".xcdatamodel", ".momd", ".mom"]

extension Diagnostic.Code { package static let severalModels = Self("MC7024", exit: .usage) }

extension Diagnostic {
  fileprivate static func noSuchModel(_ name: String, in folder: String, known: [String]) -> Self {
    Self(
      .fileUnreadable, .error, "no model '\(name)' in '\(folder)'",
      notes: known.isEmpty ? [] : ["models there: \(known.joined(separator: ", "))"],
      help: .didYouMean(
        name, among: known, else: known.isEmpty ? ["`modelc init --model \(name.shellWord)` makes it"] : []))
  }
}
