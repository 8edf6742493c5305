import Foundation
import ManagedModel
import ModelLanguage

/// Every `modelc.yaml` near a model that nothing reads, because it does not lie beside a package or Swift source
/// (MC0025): within the model, and in the folders around it up to the repository's top.
///
/// - Parameter path: the model's, as the user named it.
func strayPackageSettings(near path: String) -> [Diagnostic] {
  let isYAML = FileFacts(ofFileAt: "\(path)/\(versionListFileName)") != nil
  var folder = parentPath(of: path)
  let place = folder.isEmpty ? packageSettingsFileName : "\(folder)/\(packageSettingsFileName)"
  // What lies beside a package is its own; a model of YAML has no such file.
  var candidates = isYAML ? [place] : []
  for _ in 0..<levelLimit where !isTop(folder) {
    folder =
      folder.isEmpty || folder == "."
      ? ".." : folder.hasSuffix("..") ? folder + "/.." : parentPath(of: folder)
    candidates.append(folder.isEmpty ? packageSettingsFileName : "\(folder)/\(packageSettingsFileName)")
  }
  candidates.removeAll(where: liesBesideModel)
  candidates.append("\(path)/\(packageSettingsFileName)")
  return candidates.filter(isFile).map { .straySettings($0, model: path, place: isYAML ? nil : place) }
}

/// How many folders are looked at above a model that is in no repository.
private let levelLimit = 6

private func isTop(_ folder: String) -> Bool {
  let path = URL(filePath: folder.isEmpty ? "." : folder).standardizedFileURL.path
  return path == "/" || FileManager.default.fileExists(atPath: path + "/.git")
}

private func isFile(_ path: String) -> Bool { FileFacts(ofFileAt: path)?.isFolder == false }

private func liesBesideModel(_ file: String) -> Bool {
  guard isFile(file) else { return false }
  let folder = parentPath(of: file)
  let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
  return names.contains { name in
    ModelSourceKind(name) == .xcodePackage || isSwiftSource(folder.isEmpty ? name : "\(folder)/\(name)")
  }
}

extension Diagnostic.Code {
  /// A `modelc.yaml` that nothing reads.
  static let straySettings = Self("MC0025", level: .store)
}

extension Diagnostic {
  /// - Parameter place: where it would be read; nil for a model of YAML.
  fileprivate static func straySettings(_ file: String, model: String, place: String?) -> Self {
    let move = place.map { place in
      FileFacts(ofFileAt: place) == nil
        ? "move it beside the model: `mv \(shellWord(file)) \(shellWord(place))`"
        : "add what it says to '\(place)', and remove it"
    }
    return Self(
      .straySettings, .warning, "'\(file)' is not read: it lies beside no package and no Swift source",
      place: SourceRange(startOf: file),
      notes: ["nothing that it says holds: order, what is retired, what is allowed"],
      help: [
        move
          ?? "the model '\(model)' is YAML: say it in '\(model)/\(versionListFileName)' and the versions' own files"
      ])
  }
}
