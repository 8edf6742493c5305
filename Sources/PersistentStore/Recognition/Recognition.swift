package import ManagedModel

/// The versions that a store matches, and if it matches none, the nearest ones.
public struct Recognition: Hashable, Sendable {
  /// By which evidence a version was found.
  public enum Basis: String, Hashable, Sendable, Encodable, CaseIterable {
    /// The hashes computed from the version's model.
    case hashes
    /// Hashes that Core Data wrote down for the version and that its model, as read, does not yield.
    case recorded
    /// The model in the store's `Z_MODELCACHE`, which equals the version's, where hashes differ only in entities whose
    /// rules are not sure.
    case modelCache
    /// Tables and columns, where the store's hashes are of a kind that cannot be compared.
    case structure
    /// No version was found.
    case none
  }

  /// The evidence that decided.
  public var recognisedBy: Basis
  /// All that the store fits: hash-equal versions cannot be told apart. In the order of the models' versions.
  public var versions: [RecognisedVersion]
  /// The versions of several models that together match the store (`NSManagedObjectModel.mergedModel`); empty if one
  /// version alone fits.
  public var mergedFrom: [RecognisedVersion]
  /// Where no version fits any more: the version that the store was of when that was released.
  package var released: ReleasedVersion?
  /// The best first; empty if a version was found.
  public var nearest: [NearestVersion]

  package init(
    recognisedBy: Basis, versions: [RecognisedVersion] = [], mergedFrom: [RecognisedVersion] = [],
    nearest: [NearestVersion] = []
  ) {
    (self.recognisedBy, self.versions) = (recognisedBy, versions)
    (self.mergedFrom, self.nearest) = (mergedFrom, nearest)
  }

  /// Of versions with equal hashes the one that a migration begins at: the current one, else the nearest before it on the
  /// main line, then on lines that join it, of the first model that has one.
  package func match(among models: [VersionedModel]) -> RecognisedVersion? {
    for model in models {
      let own = versions.filter { $0.modelName == model.name }
      let nearest = model.currentVersion.flatMap { current in
        model.origins(of: current).first { version in own.contains { $0.versionName == version.name } }
      }
      if let match = own.first(where: { $0.versionName == nearest?.name }) ?? own.last { return match }
    }
    return versions.last
  }

  /// The version that the store is, or those that it holds, merged.
  package func version(among models: [VersionedModel]) -> (version: ModelVersion, match: RecognisedVersion)? {
    if let match = match(among: models), let version = match.version(among: models) {
      return (version, match)
    }
    let parts = mergedFrom.compactMap { part in
      part.version(among: models).map { (modelName: part.modelName, version: $0) }
    }
    guard let merged = mergeVersions(parts)?.version else { return nil }
    let name = parts.map(\.modelName).joined(separator: "+")
    return (merged, RecognisedVersion(modelName: name, versionName: merged.name))
  }
}

/// A version that a store fits.
public struct RecognisedVersion: Hashable, Sendable {
  /// The name of a known model.
  public var modelName: String
  /// The name of one of its versions.
  public var versionName: String
  /// The configuration whose entities the store has; nil if it has all.
  public var configuration: String?

  package init(modelName: String, versionName: String, configuration: String? = nil) {
    (self.modelName, self.versionName, self.configuration) = (modelName, versionName, configuration)
  }

  package func version(among models: [VersionedModel]) -> ModelVersion? {
    models.first { $0.name == modelName }?.version(named: versionName)
  }
}

/// A version that a store does not fit, and by what it misses it.
public struct NearestVersion: Hashable, Sendable {
  /// The name of a known model.
  public var modelName: String
  /// The name of one of its versions.
  public var versionName: String
  /// Entities that are equal in both.
  public var equal: Int
  /// Entities that either has.
  public var total: Int
  /// Each fact in which they differ.
  public var differing: [Difference]
  /// Where its author edits it.
  package var notation = ModelNotation.language
  /// Its package, where it is one of Xcode's.
  package var packagePath: String?

  /// Whether store and version tell of one app: an entity is equal, or has something in common, or at least half of all
  /// have the same names.
  package var isOfSameApp: Bool {
    if equal > 0 || differing.contains(where: { $0.store != nil && $0.version != nil }) { return true }
    let namesakes = Set(differing.filter { $0.property != nil }.map(\.entity)).count
    return namesakes > 0 && namesakes * 2 >= total
  }
}

/// One fact in which a store's model and a version differ, each side in words.
public struct Difference: Hashable, Sendable, Encodable {
  /// The entity that differs.
  public var entity: String
  /// Nil if the entity itself differs.
  public var property: String?
  /// What the store says; nil if it has no such entity or property.
  public var store: String?
  /// What the version says; nil if it has none.
  public var version: String?

  package init(entity: String, property: String?, store: String?, version: String?) {
    (self.entity, self.property, self.store, self.version) = (entity, property, store, version)
  }
}
