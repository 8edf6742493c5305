package import ManagedModel
package import ModelMapping

/// A mapping model of Xcode's, and the model whose versions it is between.
package struct ImportedMapping: Hashable, Sendable {
  package var modelName: String
  package var mappingModel: CustomMappingModel
  /// What was left out, and why.
  package var diagnostics: [Diagnostic]

  package init(modelName: String, mappingModel: CustomMappingModel, diagnostics: [Diagnostic] = []) {
    self.modelName = modelName
    self.mappingModel = mappingModel
    self.diagnostics = diagnostics
  }
}
