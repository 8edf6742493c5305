import Foundation
import ManagedModel
import ModelFormats
import SwiftDataModels
import TestSupport
import Testing

/// A model of versions in YAML, V1, V2, …
func model(_ versions: String..., named name: String = "App") throws -> VersionedModel {
  let versions = try versions.enumerated().map { index, text in
    let reading = readModel(yaml: Data(text.utf8), file: "V\(index + 1).yaml")
    return ModelVersion(
      name: "V\(index + 1)", model: try #require(reading.model, "\(reading.diagnostics)"),
      sourceMap: reading.sourceMap)
  }
  return VersionedModel(
    name: name, versions: versions, currentVersionName: try #require(versions.last).name)
}

/// The models of the fixtures, as they lie there: packages, single versions, compiled ones.
enum GenuineModels {
  static let all: [(path: String, model: VersionedModel)] = ["xcdatamodeld", "xcdatamodel", "momd", "mom"]
    .flatMap { Fixtures.all(withExtension: $0) }
    .filter { url in
      // A version of a package or a bundle is read with it.
      !["xcdatamodeld", "momd"].contains(url.deletingLastPathComponent().pathExtension)
    }
    .compactMap { url in
      ModelReader().read(at: url).model.map { (String(url.path.dropFirst(Fixtures.root.path.count + 1)), $0) }
    }
}

/// The model that written source declares.
func readBack(_ source: SwiftDataSource) throws -> VersionedModel {
  let (file, mistakes) = source.file.parseSwiftFile(path: "Models.swift", platform: .iOS)
  #expect(mistakes.map(\.message) == [])
  let (model, findings) = [file].swiftDataModel(name: "App", source: "Models.swift")
  #expect(findings.filter { $0.severity == .error }.map(\.message) == [])
  return try #require(model)
}
