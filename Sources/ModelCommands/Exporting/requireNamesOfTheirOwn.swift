import ManagedModel

extension [VersionedModel] {
  /// Of models of one name, as of an app and its watch, the last would replace the others. A compiled one next to its
  /// source is the same model, and so is one that is named twice; two compiled ones may differ.
  func requireNamesOfTheirOwn(in place: String) throws {
    let named = Dictionary(grouping: self, by: \.name).mapValues { twins in
      let sources = twins.filter { $0.bundlePath == nil }
      return sources.isEmpty ? twins : sources
    }
    let names = named.filter { _, models in
      models.contains { $0.versions.map(\.model) != models[0].versions.map(\.model) }
    }
    guard let (name, twins) = names.min(by: { $0.key < $1.key }) else { return }
    let files = twins.map { $0.bundlePath ?? $0.versions.first?.sourceMap?.file ?? $0.name }
    throw UsageError(.severalModels(files, place, called: name))
  }
}
