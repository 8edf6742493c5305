import EmbeddedFiles
import Foundation
import ManagedModel
import ModelFormats
import ReleaseChecks

/// The files of a new model: one version to begin with, or the sample with all of its versions.
func starterFiles(in folder: String, mappings: String, isSample: Bool) -> [ProjectFile] {
  if isSample {
    let files =
      SampleModel.files.map { (join(folder, $0.name), $0.content) }
      + SampleModel.mappings.map { (join(mappings, $0.name), $0.content) }
    return files.map { ProjectFile(path: $0, text: String(decoding: $1, as: UTF8.self)) }
  }
  return [
    ProjectFile(path: join(folder, versionListFileName), text: starter("versions.yaml", .versionList)),
    ProjectFile(path: join(folder, "V1.yaml"), text: starter("V1.yaml", .version)),
  ]
}

private func starter(_ file: String, _ kind: LanguageFileKind) -> String {
  file.filledFile(["schema": schemaComment(path: "../Schemas/\(kind.rawValue)")])
}

/// A `.gitignore` that leaves out what `compile` writes: a new one, or the present one with a line more.
///
/// - Returns: nil if the present one leaves it out already.
func ignoreFile(in folder: String) -> ProjectFile? {
  let path = join(folder, ".gitignore")
  guard let present = try? String(contentsOf: URL(filePath: path), encoding: .utf8) else {
    return FileManager.default.fileExists(atPath: path) ? nil : ProjectFile(path: path, text: "Build/\n")
  }
  let lines = present.split(whereSeparator: \.isNewline)
  guard !lines.contains(where: { ["Build", "Build/", "/Build", "/Build/"].contains($0) }) else { return nil }
  return ProjectFile(
    path: path, text: present + (present.isEmpty || present.hasSuffix("\n") ? "" : "\n") + "Build/\n")
}

/// The models that a folder holds already, before `init` writes anything.
enum ExistingModels: Hashable {
  case none
  /// In the models' folder, where every command finds them.
  case listed
  /// Xcode's packages, by their paths from the project's folder.
  case packages([String])

  var packages: [String] { if case .packages(let paths) = self { paths } else { [] } }
}

extension Project {
  /// What is in the models' folder, else Xcode's packages anywhere below the project's.
  func presentModels() -> ExistingModels {
    let any = Project(folder: folder, modelsFolder: modelsFolder)
    let known = (try? any.modelPaths()) ?? []
    let isNamed = known == [modelsFolder]
    if !known.isEmpty, isNamed || known.allSatisfy({ $0.hasPrefix(modelsFolder + "/") }) { return .listed }
    let found = XcodeFiles(below: folder).packages
    return found.isEmpty ? .none : .packages(found.map { relative($0) })
  }

  /// Folders below the project's that have models of their own: its checks do not look at them. By their paths from the
  /// repository's top, where jobs run.
  func projectsBelow() -> [String] {
    var found: [String] = []
    DirectoryEntry.walk(below: folder, limit: XcodeFiles.folderLimit) { path, entry in
      if entry.kind != .folder || XcodeFiles.isOpaque(entry.name) || path == modelsFolder { return false }
      let list = path.parentPath
      if path.isModelFolder, list.pathParts.last == "Models" { found.append(list.parentPath) }
      return true
    }
    let below = (try? GitRepository.holding(join(folder, "Package.swift")))?.path.parentPath ?? ""
    return found.unique.map { join(below, relative($0)) }
  }

  /// A path below the project's folder, from there.
  private func relative(_ path: String) -> String {
    let start = join(folder, "")
    return path.hasPrefix(start) ? String(path.dropFirst(start.count)) : path
  }
}

extension String {
  /// The file of this name in `Sources/EmbeddedFiles/Init`, with values in place of its `@names@`.
  ///
  /// A name that has a line of its own stands for all lines of its value, at its indentation; without a value the line goes.
  func filledFile(_ values: [String: String] = [:]) -> String {
    let file = unsafe embedded(initFiles).first { $0.name == self }?.content ?? Data()
    let lines = String(decoding: file, as: UTF8.self).lines.flatMap { line -> [String] in
      let start = line.prefix { $0 == " " }
      if let only = line.dropFirst(start.count).wholeMatch(of: #/@([a-z]+)@/#),
        let value = values[String(only.1)]
      {
        let lines = (value.hasSuffix("\n") ? String(value.dropLast()) : value).lines
        return value.isEmpty ? [] : lines.map { $0.isEmpty ? "" : start + $0 }
      }
      return [line.replacing(#/@([a-z]+)@/#) { values[String($0.1)] ?? String($0.0) }]
    }
    return lines.joined(separator: "\n")
  }
}
