import ManagedModel
import ModelFormats
import ModelMigration

extension Project {
  /// The project's mapping models, with what the program brings along.
  ///
  /// - Throws: ``DiagnosticsError`` where a mapping file cannot be read: a step would be inferred that was not meant to.
  func customMigrations(for models: [VersionedModel]) throws(DiagnosticsError) -> CustomMigrations {
    let mappings = readMappings(for: models)
    if mappings.diagnostics.hasErrors {
      throw DiagnosticsError(mappings.diagnostics.filter { $0.severity == .error })
    }
    var custom = RunContext.current.migrations
    custom.mappingFile = writeMappingFile
    custom.mappingModels.merge(mappings.mappingModels) { $0 + $1 }
    return custom
  }
}
