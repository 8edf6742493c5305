import ManagedModel

/// A version was asked for that no model has.
public struct UnknownVersionError: Error, Hashable, Sendable {
  /// The name that was asked for.
  public let name: String
  /// All versions there are.
  public let known: [String]

  init(name: String, models: [VersionedModel]) {
    self.name = name
    self.known = models.flatMap { $0.versions.map(\.name) }
  }
}
