import ManagedModel
import ModelLanguage

extension Project {
  /// The one model that has both versions.
  func step(
    from source: String, to destination: String, among models: [VersionedModel]? = nil
  ) throws -> (model: VersionedModel, from: ModelVersion, to: ModelVersion) {
    let models = try models ?? readSoundModels()
    for model in models {
      if let from = model.version(named: source), let to = model.version(named: destination) {
        return (model, from, to)
      }
    }
    let known = models.flatMap { $0.versions.map(\.name) }
    let missing = known.contains(source) ? destination : source
    throw UsageError(.noVersion(missing, known: known))
  }
}

extension Diagnostic {
  static func noVersion(_ name: String, known: [String]) -> Self {
    Self(
      .noCurrentVersion, .error, "there is no version '\(name)'",
      notes: known.isEmpty ? [] : [Note("versions: \(listedNames(known))")],
      help: nearestName(to: name, among: known).map { ["did you mean '\($0)'?"] } ?? [])
  }
}
