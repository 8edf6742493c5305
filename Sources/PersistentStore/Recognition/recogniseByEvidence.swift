import ManagedModel
import ModelArchives

extension PhysicalSchema {
  /// What to fall back on where no hash answers: the cached model, then tables and columns.
  func recognise(
    _ cached: ManagedObjectModel?, metadata: StoreMetadata, among models: [VersionedModel]
  ) -> Recognition? {
    if let cached, explains(metadata.versionHashes, cached) {
      let hashes = cached.entityVersionHashesByName
      let versions = versions(of: models) { $0.model.entityVersionHashesByName == hashes }
      if !versions.isEmpty { return Recognition(recognisedBy: .modelCache, versions: versions) }
    }
    // Hashes that can be compared and are unlike any version's have said no: equal tables prove nothing then.
    let hashesVersion = metadata["NSStoreModelVersionHashesVersion"]?.integer ?? comparableHashesVersion
    guard metadata.versionHashes.isEmpty || hashesVersion != comparableHashesVersion else { return nil }
    let fitting = versions(of: models) { version in
      !version.model.entities.isEmpty && bound(to: version.model).diagnostics.isEmpty
    }
    return fitting.isEmpty ? nil : Recognition(recognisedBy: .structure, versions: fitting)
  }
}

/// The version whose hash rules Core Data has used since 10.5.
private let comparableHashesVersion: Int64 = 3

/// Whether the model can be the one that the hashes were made of: they agree but for entities with rules that no
/// genuine hash has confirmed.
private func explains(_ hashes: [String: VersionHash], _ model: ManagedObjectModel) -> Bool {
  let own = model.entityVersionHashesByName
  guard Set(own.keys) == Set(hashes.keys) else { return false }
  let differing = own.keys.filter { own[$0] != hashes[$0] }
  let unsure = model.unverifiedHashRules
  return differing.allSatisfy { unsure[$0] != nil }
}

private func versions(
  of models: [VersionedModel], where matches: (ModelVersion) -> Bool
) -> [RecognisedVersion] {
  models.flatMap { model in
    model.versions.filter(matches).map { RecognisedVersion(modelName: model.name, versionName: $0.name) }
  }
}
