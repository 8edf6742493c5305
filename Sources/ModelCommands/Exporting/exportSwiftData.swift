import Foundation
import ManagedModel
import ModelMigration
import ReleaseChecks
import SwiftDataModels

extension Project {
  /// Writes models as source for SwiftData: a file for each version and one for the plan, or all in one.
  ///
  /// - Parameters:
  ///   - argument: a version, which is then written without a plan, or a model; without it, all models.
  ///   - place: a folder, made if absent; or, for one model, the `.swift` file itself.
  /// - Throws: `UsageError` where that would overwrite a file with other content.
  func exportSwiftData(
    _ argument: String?, to place: String
  ) throws -> (files: [String], diagnostics: [Diagnostic]) {
    let selection = try selectSoundModels(argument)
    let isFile = URL(filePath: place).pathExtension == "swift"
    if isFile, selection.models.count > 1 {
      throw UsageError(.severalModels(selection.models.map(\.name), place))
    }
    let mappingModels =
      selection.isOneVersion ? [:] : try customMigrations(for: selection.models).mappingModels
    var files: [ProjectFile] = []
    var diagnostics = selection.diagnostics
    for model in selection.models {
      let source = model.swiftDataSource(
        only: selection.isOneVersion ? model.currentVersionName : nil,
        work: work(in: mappingModels[model.name] ?? []))
      diagnostics += source.diagnostics
      files +=
        isFile
        ? [ProjectFile(path: place, text: source.file)]
        : source.parts.map { ProjectFile(path: join(place, "\($0.name).swift"), text: $0.file) }
    }
    try files.writeUntaken()
    return (files.map(\.path), diagnostics.ordered)
  }
}

extension [ProjectFile] {
  /// Writes Swift files that belong to an app, unless one of them is there with other content.
  func writeUntaken() throws {
    let taken = filter(\.wouldOverwrite)
    // Under another name its plan and its types would be there twice.
    let help =
      taken.contains(where: \.path.isFrozenFile)
      ? "it was edited: keep what its stages do, remove it, run this again, and write that into the new plan"
      : "name another place, or remove what is there"
    try taken.refuse(each: "has other content", help: help)
    for file in self { try file.write() }
  }
}

/// What mapping models do in each step, which the app's own closures have to do then.
private func work(in mappingModels: [CustomMappingModel]) -> [SchemaStep: [String]] {
  Dictionary(
    mappingModels.map { mapping in
      let (from, to) = (mapping.sourceVersionName, mapping.destinationVersionName)
      let name = "The mapping model from \(from) to \(to)"
      let text = AdoptedMapping(file: name, mappingModels: [mapping], diagnostics: []).text
      return (SchemaStep(from: from, to: to), [text])
    }
  ) { $0 + $1 }
}
