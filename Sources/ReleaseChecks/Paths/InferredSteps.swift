import ManagedModel

/// Inferred mappings between versions of one model. Each is inferred once, because the paths of released versions share
/// most of their steps.
final class InferredSteps: Sendable {
  typealias Inferred = (mappingModel: MappingModel, diagnostics: [Diagnostic])

  /// By the names of the versions along which they lead.
  private typealias Known<Value> = Locked<[[String]: Value]>

  private let known = Known<Inferred>([:])
  private let compositions = Known<MappingModel>([:])
  private let growing = Known<Bool>([:])

  private func once<Value>(_ known: Known<Value>, _ path: [ModelVersion], _ make: () -> Value) -> Value {
    let names = path.map(\.name)
    if let found = known.withLock({ $0[names] }) { return found }
    let made = make()
    known.withLock { $0[names] = made }
    return made
  }

  func step(from source: ModelVersion, to destination: ModelVersion) -> Inferred {
    once(known, [source, destination]) { inferMappingModel(from: source, to: destination) }
  }

  /// All steps along versions in one: what two ways have in common at their ends is composed once.
  func composed(along path: ArraySlice<ModelVersion>) -> MappingModel? {
    guard let from = path.first, let to = path.dropFirst().first else { return nil }
    return once(compositions, Array(path)) {
      let first = step(from: from, to: to).mappingModel
      return composed(along: path.dropFirst()).map { first.composed(with: $0) } ?? first
    }
  }

  /// Whether every step along versions only adds; see `onlyAdds`.
  func onlyAdds(along path: [ModelVersion]) -> Bool {
    zip(path, path.dropFirst()).allSatisfy { from, to in once(growing, [from, to]) { [from, to].onlyAdds } }
  }
}
