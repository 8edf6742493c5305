import Foundation
import ManagedModel
import ModelFormats

extension Adopt {
  func isMappingModel(_ source: String) -> Bool {
    ["xcmappingmodel", "cdm"].contains(URL(filePath: source).pathExtension)
  }

  /// Writes a file for every step; several mapping models of one step become a list in it.
  func adoptMappings(_ sources: [String]) throws -> [AdoptedMapping] {
    guard !sources.isEmpty else { return [] }
    for source in sources { try requireFile(at: source) }
    let models = (try? project.project.readModels().models) ?? []
    var steps: [AdoptedMapping] = []
    for source in sources {
      let imported = try read(mapping: source, among: models)
      let mapping = imported.mappingModel
      let name = "\(mapping.sourceVersionName)-\(mapping.destinationVersionName).yaml"
      let file = join(join(project.project.migrationsFolder, project.model ?? imported.modelName), name)
      let findings = imported.diagnostics + unknownVersions(imported, source, among: models)
      if let index = steps.firstIndex(where: { $0.file == file }) {
        steps[index].mappingModels.append(mapping)
        steps[index].diagnostics += findings
      } else {
        steps.append(AdoptedMapping(file: file, mappingModels: [mapping], diagnostics: findings))
      }
    }
    for step in steps {
      let url = URL(filePath: step.file)
      // Where the models lie elsewhere, the way to the schemas is not the same in every project.
      let schema = "../../Models/Schemas/\(JSONSchemaName.mapping)"
      let head = project.models == nil ? schemaComment(path: schema) + "\n" : ""
      try write(
        [(url.lastPathComponent, head + writeMappingFile(step.mappingModels))],
        to: String(step.file.dropLast(url.lastPathComponent.count + 1)))
    }
    if project.models == nil { try writeSchemas() }
    return steps
  }

  private func read(mapping source: String, among models: [VersionedModel]) throws -> ImportedMapping {
    let url = URL(filePath: source, relativeTo: nil)
    if url.pathExtension == "cdm" { return try readCompiledMappingModel(at: url, among: models) }
    return try readXcodeMappingModel(at: url)
  }

  /// A mapping model names its versions; where the project has the model, it should have those.
  private func unknownVersions(
    _ imported: ImportedMapping, _ source: String, among models: [VersionedModel]
  ) -> [Diagnostic] {
    let modelName = project.model ?? imported.modelName
    guard let model = models.first(where: { $0.name == modelName }) else { return [] }
    let mapping = imported.mappingModel
    return [mapping.sourceVersionName, mapping.destinationVersionName]
      .filter { model.version(named: $0) == nil }
      .map { .noSuchVersion($0, source, of: model) }
  }
}

extension Diagnostic {
  fileprivate static func noSuchVersion(
    _ name: String, _ source: String, of model: VersionedModel
  ) -> Diagnostic {
    let names = model.versions.map(\.name)
    return Diagnostic(
      .mappingOfOtherVersions, .warning,
      "'\(source)' is for the version '\(name)', which '\(model.name)' does not have",
      notes: ["its versions are \(listedNames(names))"],
      help: nearestName(to: name, among: names).map { ["write '\($0)' in the file, if that is intended"] }
        ?? [])
  }
}
