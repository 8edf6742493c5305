package import ManagedModel

/// A mapping model of Xcode's, and the model whose versions it is between.
package struct ImportedMapping: Hashable, Sendable {
  package var modelName: String
  package var mappingModel: CustomMappingModel
  /// What was left out, and why.
  package var diagnostics: [Diagnostic] = []
}
