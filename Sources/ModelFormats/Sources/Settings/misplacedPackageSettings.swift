import Foundation
import ManagedModel

/// Every `modelc.yaml` near a model that nothing reads, because it does not lie beside a package or Swift source, or is
/// called `modelc.yml` (MC0025): within the model, beside its files, in the folders around it up to the repository's top,
/// and in those that lie in them.
///
/// - Parameters:
///   - path: the model's, as the user named it.
///   - sources: the files of its versions.
func misplacedPackageSettings(near path: String, _ sources: [String]) -> [Diagnostic] {
  let path = path.withoutDot
  let isYAML = FileFacts(ofFileAt: "\(path)/\(versionListFileName)") != nil
  let isPackage = ModelSourceKind(path) == .xcodePackage
  var folder = path.parentPath
  let place = join(folder, packageSettingsFileName)
  var folders = [path, folder]
  for _ in 0..<levelLimit where !isTop(folder) {
    folder =
      folder.isEmpty || folder == "." ? ".." : folder.hasSuffix("..") ? folder + "/.." : folder.parentPath
    folders.append(folder)
  }
  // Without a repository the folders around are anybody's.
  let (around, isOwn) = (folders, isTop(folder, orRoot: false))
  for (level, parent) in around.enumerated() where level < 2 || isOwn {
    folders += directoryEntries(of: parent.isEmpty ? "." : parent, limit: 1000).filter { $0.kind == .folder }
      .map { join(parent, $0.name) }.filter { !around.contains($0) }
  }
  folders += sources.map(\.withoutDot.parentPath)
  let names = [packageSettingsFileName, "modelc.yml"]
  return folders.flatMap { folder in names.map { join(folder, $0) } }.unique.filter { file in
    // What lies beside a package is its own; a model of YAML has no such file.
    FileFacts(ofFileAt: file)?.isFolder == false && (file != place || isYAML)
      && (file.hasSuffix(".yml") || isPackage && file.isWithin(path)
        || !isBesideModel(file, orSource: !file.isWithin(path)))
  }.map { .misplacedSettings($0, model: path, place: isYAML ? nil : place) }
}

/// How many folders are looked at above a model that is in no repository.
private let levelLimit = 6

private func isTop(_ folder: String, orRoot isAny: Bool = true) -> Bool {
  let path = URL(filePath: folder.isEmpty ? "." : folder).standardizedFileURL.path
  return isAny && path == "/" || FileManager.default.fileExists(atPath: path + "/.git")
}

private func isBesideModel(_ file: String, orSource isAny: Bool) -> Bool {
  let folder = file.parentPath
  return directoryEntries(of: folder.isEmpty ? "." : folder).contains {
    ModelSourceKind($0.name) == .xcodePackage || isAny && join(folder, $0.name).isSwiftSource
  }
}

extension String {
  fileprivate var withoutDot: String { hasPrefix("./") && utf8.count > 2 ? String(dropFirst(2)) : self }

  fileprivate func isWithin(_ folder: String) -> Bool {
    let start = join(folder, "")
    return hasPrefix(start) && !dropFirst(start.count).hasPrefix("..")
  }
}

extension Diagnostic.Code {
  /// A `modelc.yaml` that nothing reads.
  static let misplacedSettings = Self("MC0025", level: .store)
}

extension Diagnostic {
  /// - Parameter place: where it would be read; nil for a model of YAML.
  fileprivate static func misplacedSettings(_ file: String, model: String, place: String?) -> Self {
    let move = place.map { place in
      FileFacts(ofFileAt: place) == nil
        ? "move it next to the model: `mv \(file.shellWord) \(place.shellWord)`"
        : "move its content to '\(place)', and remove it"
    }
    let reason =
      file.hasSuffix(".yml")
      ? "its name is not '\(packageSettingsFileName)'"
      : place != nil && file.isWithin(model)
        ? model == "." ? "only the one in '.' is" : "it is in '\(model)', but belongs next to it"
        : "there is no package or Swift source next to it"
    return Self(
      .misplacedSettings, .warning, "'\(file)' is not read: \(reason)", place: SourceRange(startOf: file),
      notes: ["nothing in it applies: not its order of versions, retired names or allowed findings"],
      help: [
        move
          ?? "the model '\(model)' is YAML: write it in '\(model)/\(versionListFileName)' and the versions' own files"
      ])
  }
}
