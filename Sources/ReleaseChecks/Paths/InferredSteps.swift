import ManagedModel

/// Inferred mappings between versions of one model. Each is inferred once, because the paths of released versions share
/// most of their steps.
final class InferredSteps: Sendable {
  private struct Step: Hashable {
    var from: String
    var to: String
  }

  typealias Inferred = (mappingModel: MappingModel, diagnostics: [Diagnostic])

  private let known = Locked<[Step: Inferred]>([:])
  private let compositions = Locked<[[String]: MappingModel]>([:])
  private let growing = Locked<[Step: Bool]>([:])

  func step(from source: ModelVersion, to destination: ModelVersion) -> Inferred {
    let key = Step(from: source.name, to: destination.name)
    if let found = known.withLock({ $0[key] }) { return found }
    let inferred = inferMappingModel(from: source, to: destination)
    let found = Inferred(inferred.mappingModel, inferred.diagnostics)
    known.withLock { $0[key] = found }
    return found
  }

  /// All steps along versions in one: what two ways have in common at their ends is composed once.
  func composed(along path: ArraySlice<ModelVersion>) -> MappingModel? {
    guard let from = path.first, let to = path.dropFirst().first else { return nil }
    let names = path.map(\.name)
    if let found = compositions.withLock({ $0[names] }) { return found }
    let first = step(from: from, to: to).mappingModel
    let whole = composed(along: path.dropFirst()).map { first.composed(with: $0) } ?? first
    compositions.withLock { $0[names] = whole }
    return whole
  }

  /// Whether every step along versions only adds; see `onlyAdds`.
  func onlyAdds(along path: [ModelVersion]) -> Bool {
    zip(path, path.dropFirst()).allSatisfy { from, to in
      let key = Step(from: from.name, to: to.name)
      if let found = growing.withLock({ $0[key] }) { return found }
      let found = [from, to].onlyAdds
      growing.withLock { $0[key] = found }
      return found
    }
  }
}
