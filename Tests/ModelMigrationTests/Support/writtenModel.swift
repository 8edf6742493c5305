import Foundation
import ManagedModel
import ModelFormats
import TestSupport
import Testing

/// A model of versions V1, V2, … written in YAML.
func writtenModel(_ versions: String...) throws -> VersionedModel {
  try withTemporaryFolder { folder in
    let names = versions.indices.map { "V\($0 + 1)" }
    for (name, text) in zip(names, versions) {
      try Data(text.utf8).write(to: folder.appending(path: "\(name).yaml"))
    }
    let list = "current: \(names.last ?? "")\nversions: [\(names.joined(separator: ", "))]\n"
    try Data(list.utf8).write(to: folder.appending(path: "versions.yaml"))
    let reading = readVersionedModel(folder: folder)
    #expect(reading.diagnostics.filter { $0.severity == .error } == [])
    return try #require(reading.model)
  }
}

extension VersionedModel {
  var first: ManagedObjectModel { versions[0].model }
  var last: ManagedObjectModel { versions[versions.count - 1].model }
}
