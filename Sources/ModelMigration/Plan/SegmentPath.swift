import ManagedModel
import ModelMapping

/// How a way through several versions is carried out.
public enum ChainRule: String, Hashable, Sendable, CaseIterable {
  /// As Core Data goes: in one step where that can be inferred and nothing custom lies on the way; else through the
  /// versions, inferred steps as one and custom ones each by themselves.
  case auto
  /// From the store's version to the target at once: by the mapping model for exactly these two, or by inference.
  case direct
  /// Every step by itself.
  case stepwise
}

/// A stretch of the way that is carried out as one: inferred steps fused, or one custom step.
package struct SegmentPath {
  /// The versions, its own first and last.
  package var versions: [ModelVersion]
  /// The custom mapping model of the step; nil where it is inferred.
  package var custom: (mappingModel: MappingModel, written: Set<String>)?
  /// A mapping model that a person wrote and statements carry out as they do inferred ones.
  var stated: MappingModel?
  /// The same as it was written, for a store whose rows statements cannot carry over.
  private var whole: (mappingModel: MappingModel, written: Set<String>)?
  /// What stands against the custom mapping model.
  var diagnostics: [Diagnostic] = []

  /// The segment with every object carried over by itself, where statements could have done it.
  var byObjects: SegmentPath? {
    guard stated != nil, let whole else { return nil }
    return SegmentPath(versions: versions, custom: whole, diagnostics: diagnostics)
  }

  init(
    versions: [ModelVersion], custom: (mappingModel: MappingModel, written: Set<String>)? = nil,
    diagnostics: [Diagnostic] = []
  ) {
    self.versions = versions
    self.custom = custom
    self.diagnostics = diagnostics
  }

  /// A custom step that statements carry out.
  init(
    versions: [ModelVersion], stated: MappingModel, whole: (mappingModel: MappingModel, written: Set<String>),
    diagnostics: [Diagnostic]
  ) {
    self.init(versions: versions, diagnostics: diagnostics)
    self.stated = stated
    self.whole = whole
  }

  /// The mapping of an inferred segment, all its steps in one.
  package var inferred: MappingModel {
    if let stated { return stated }
    var mapping: MappingModel?
    for (from, to) in zip(versions, versions.dropFirst()) {
      let step = inferMappingModel(from: from, to: to).mappingModel
      mapping = mapping.map { composeMappingModels($0, step) } ?? step
    }
    return mapping ?? MappingModel(entityMappings: [], isInferred: true)
  }

  /// What the models alone say against an inferred segment; its rows are asked once they are there.
  var inferenceErrors: [Diagnostic] {
    stated != nil
      ? []
      : zip(versions, versions.dropFirst()).flatMap { from, to in
        inferMappingModel(from: from, to: to).diagnostics.filter { $0.severity == .error }
      }
  }
}
