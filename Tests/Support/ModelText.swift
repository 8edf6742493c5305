package import Foundation

/// Writes versions given as YAML into a folder like one under `Models/`, named V1, V2, ….
///
/// - Parameter list: the text of `versions.yaml`; without it the last version is current.
package func writeVersions(_ versions: [String], list: String? = nil, into folder: URL) throws {
  let names = versions.indices.map { "V\($0 + 1)" }
  let list = list ?? "current: \(names.last ?? "")\nversions: [\(names.joined(separator: ", "))]\n"
  try Data(list.utf8).write(to: folder.appending(path: "versions.yaml"))
  for (name, text) in zip(names, versions) {
    try Data(text.utf8).write(to: folder.appending(path: "\(name).yaml"))
  }
}
