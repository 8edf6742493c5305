import Foundation
import ManagedModel
import ModelFormats

/// The files of a new model: one version to begin with, or the sample with all of its versions.
func starterFiles(in folder: String, mappings: String, isSample: Bool) -> [ProjectFile] {
  if isSample {
    let files =
      SampleModel.files.map { (join(folder, $0.name), $0.content) }
      + SampleModel.mappings.map { (join(mappings, $0.name), $0.content) }
    return files.map { ProjectFile(path: $0, text: String(decoding: $1, as: UTF8.self)) }
  }
  return [
    ProjectFile(
      path: join(folder, versionListFileName), text: starter("versions.yaml", JSONSchemaName.versions)),
    ProjectFile(path: join(folder, "V1.yaml"), text: starter("V1.yaml", JSONSchemaName.model)),
  ]
}

private func starter(_ file: String, _ schema: String) -> String {
  file.filledFile(["schema": schemaComment(path: "../Schemas/\(schema)")])
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
