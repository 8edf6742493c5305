import ManagedModel
import SwiftDataModels
import Testing

/// Reads Swift source as one file `App.swift` of a model `App`.
func readSource(
  _ text: String, platform: SwiftPlatform = .iOS
) -> (model: VersionedModel?, diagnostics: [Diagnostic]) {
  let (file, mistakes) = ("import SwiftData\n" + text).parseSwiftFile(path: "App.swift", platform: platform)
  let (model, diagnostics) = [file].swiftDataModel(name: "App", source: "App.swift")
  return (model, mistakes + diagnostics)
}

/// The codes of a source's errors, those of the gate too.
func codes(_ text: String) -> [String] {
  let (model, diagnostics) = readSource(text)
  return (diagnostics.filter { $0.severity == .error } + (model?.gateFindings ?? [])).map(\.code.description)
}

func entity(_ name: String, of text: String, sourceLocation: Testing.SourceLocation = #_sourceLocation) throws
  -> EntityDescription
{
  let model = try #require(readSource(text).model, sourceLocation: sourceLocation)
  let version = try #require(model.versions.last, sourceLocation: sourceLocation)
  return try #require(
    version.model.entities.first { $0.name == name }, sourceLocation: sourceLocation)
}
