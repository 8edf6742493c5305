public import ManagedModel
public import ModelMapping

/// A mapping model of Xcode's, and the model whose versions it is between.
public struct ImportedMapping: Hashable, Sendable {
  public var modelName: String
  public var mappingModel: CustomMappingModel
  /// What was left out, and why.
  public var diagnostics: [Diagnostic]

  public init(modelName: String, mappingModel: CustomMappingModel, diagnostics: [Diagnostic] = []) {
    self.modelName = modelName
    self.mappingModel = mappingModel
    self.diagnostics = diagnostics
  }
}
