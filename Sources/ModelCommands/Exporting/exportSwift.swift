import Foundation
import ManagedModel
import ModelArchives
import ModelFormats
import ReleaseChecks

extension Project {
  /// Writes the typed accessors of versions, a Swift file each.
  ///
  /// - Parameters:
  ///   - argument: a version, or a model, whose versions are all written; without it, all versions of all models.
  ///   - place: a folder, made if absent; or, for one version, the `.swift` file itself.
  /// - Returns: the files' paths.
  func exportSwift(_ argument: String?, to place: String) throws -> [String] {
    let selection = try selectSoundModels(argument)
    let versions = selection.models.flatMap { model in model.versions.map { (model, $0) } }
    let isFile = URL(filePath: place).pathExtension == "swift"
    if isFile, versions.count > 1 {
      throw UsageError(
        .noBundlePlace, "'\(place)' can hold one version, not \(versions.count)",
        notes: ["versions: \(versions.map(\.1.name).listed)"],
        help: ["name one of them, or a folder to write all into"])
    }
    let files = versions.map { model, version in
      let folder = selection.models.count > 1 ? join(place, model.name) : place
      return ProjectFile(
        path: isFile ? place : join(folder, "\(version.swiftNamespace).swift"),
        text: version.swiftAccessors())
    }
    // A file of the app's own may have that name.
    let mark = Data("// Written by `modelc export ".utf8)
    let taken = files.filter { file in
      file.wouldOverwrite && (try? Data(contentsOf: URL(filePath: file.path)))?.starts(with: mark) != true
    }
    guard taken.isEmpty else {
      let help = "name another place, or remove what is there"
      throw UsageError(.wouldOverwrite(taken.map(\.path), each: "was not written by an export", help: help))
    }
    for file in files { try file.write() }
    return files.map(\.path)
  }
}
