import ManagedModel

extension [VersionedModel] {
  /// Of models of one name, as of an app and its watch, the last would replace the others. A compiled one next to its
  /// source is the same model, and so is one that is named twice.
  func requireNamesOfTheirOwn(in place: String) throws {
    let sources = filter { $0.bundlePath == nil }
    let names = Dictionary(grouping: sources, by: \.name).filter { _, models in
      models.contains { $0.versions.map(\.model) != models[0].versions.map(\.model) }
    }
    guard let (name, twins) = names.min(by: { $0.key < $1.key }) else { return }
    let files = twins.compactMap { $0.versions.first?.sourceMap?.file }
    throw UsageError(.severalModels(files, place, called: name))
  }
}
