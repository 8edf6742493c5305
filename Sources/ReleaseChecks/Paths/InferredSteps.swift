import ManagedModel
import ModelMapping
import Synchronization

/// Inferred mappings between versions of one model, each inferred once: the ways of all released versions share most of
/// their steps.
final class InferredSteps: Sendable {
  private struct Step: Hashable {
    var from: String
    var to: String
  }

  typealias Inferred = (mappingModel: MappingModel, diagnostics: [Diagnostic])

  private let known = Mutex<[Step: Inferred]>([:])

  func step(from source: ModelVersion, to destination: ModelVersion) -> Inferred {
    let key = Step(from: source.name, to: destination.name)
    if let found = known.withLock({ $0[key] }) { return found }
    let inferred = inferMappingModel(from: source, to: destination)
    let found = Inferred(inferred.mappingModel, inferred.diagnostics)
    known.withLock { $0[key] = found }
    return found
  }
}
