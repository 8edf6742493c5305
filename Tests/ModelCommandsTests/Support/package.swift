import Foundation
import ManagedModel
import ModelFormats
import Testing

/// The package's own files, which some tests hold against each other.
enum Package {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Every Swift file below Sources.
  static func sources() throws -> [String] { try files(below: "Sources", "swift") }

  /// The texts of the files with an extension.
  static func files(below path: String, _ fileExtension: String) throws -> [String] {
    let walker = FileManager.default.enumerator(
      at: folder.appending(path: path), includingPropertiesForKeys: nil)
    var texts: [String] = []
    for case let url as URL in try #require(walker) where url.pathExtension == fileExtension {
      texts.append(try String(contentsOf: url, encoding: .utf8))
    }
    return texts
  }

  static func trails() throws -> VersionedModel {
    let (model, diagnostics) = readVersionedModel(folder: folder.appending(path: "Models/Trails"))
    #expect(!diagnostics.hasErrors)
    return try #require(model)
  }
}
