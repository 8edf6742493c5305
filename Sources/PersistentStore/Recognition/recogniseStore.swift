package import ManagedModel

/// How many versions an unknown store is compared with in full.
private let nearestLimit = 3
/// How many are compared in full to find them, where many tie.
private let comparedLimit = 30

/// Finds the versions whose entity hashes equal those in a store's metadata: the same entities, every hash equal,
/// as Core Data judges compatibility.
///
/// Rung by rung: hashes computed from the models or on record, one version or several merged, then what the store itself
/// holds.
///
/// - Parameters:
///   - storeModel: the model that the store itself carries, where it could be read; it lets differences be told property
///     by property.
///   - cachedModel: from `Z_MODELCACHE`, whether or not the hashes confirm it: a writer may leave an old one behind.
///   - physical: nil if only hashes may answer, as before a migration.
package func recogniseStore(
  metadata: StoreMetadata, among models: [VersionedModel], storeModel: ManagedObjectModel? = nil,
  cachedModel: ManagedObjectModel? = nil, physical: PhysicalSchema? = nil
) -> Recognition {
  var matches: [RecognisedVersion] = []
  var basis = Recognition.Basis.recorded
  for model in models {
    for version in model.versions {
      guard let match = match(metadata.versionHashes, version, of: model.name) else { continue }
      matches.append(match)
      if isConfirmedByModel(match, version) { basis = .hashes }
    }
  }
  if !matches.isEmpty { return Recognition(recognisedBy: basis, versions: matches) }
  let merged = mergedVersions(metadata.versionHashes, models)
  if !merged.isEmpty { return Recognition(recognisedBy: .hashes, mergedFrom: merged) }
  if let found = physical?.recognise(cachedModel, metadata: metadata, among: models) { return found }
  var unknown = Recognition(
    recognisedBy: .none,
    nearest: nearestVersions(
      to: metadata.versionHashes, among: models, storeModel: storeModel ?? cachedModel))
  let checksum = metadata.versionHashes.versionChecksum
  for model in models where unknown.released == nil {
    unknown.released = model.releases.first { $0.checksum == checksum }
    guard let released = unknown.released else { continue }
    unknown.released?.isMissing = !released.isRetired && model.version(named: released.name) == nil
  }
  return unknown
}

/// The whole version, else the first of its configurations that fits.
private func match(
  _ hashes: [String: VersionHash], _ version: ModelVersion, of modelName: String
) -> RecognisedVersion? {
  let names: [String?] = [nil] + version.model.configurations.map { $0.name }
  return names.first { version.versionHashes(ofConfiguration: $0) == hashes }.map {
    RecognisedVersion(modelName: modelName, versionName: version.name, configuration: $0)
  }
}

/// The latest version of each model that a store holds in full, where together they are all that it holds.
private func mergedVersions(
  _ hashes: [String: VersionHash], _ models: [VersionedModel]
) -> [RecognisedVersion] {
  guard models.count > 1, !hashes.isEmpty else { return [] }
  var covered: Set<String> = []
  let parts = models.compactMap { model -> RecognisedVersion? in
    let part = model.versions.last { version in
      let own = version.entityVersionHashesByName
      return !own.isEmpty && own.allSatisfy { hashes[$0.key] == $0.value }
    }
    covered.formUnion(part?.entityVersionHashesByName.keys.map(\.self) ?? [])
    return part.map { RecognisedVersion(modelName: model.name, versionName: $0.name) }
  }
  return parts.count > 1 && covered.count == hashes.count ? parts : []
}

/// Whether the model yields the hashes by which it matched, and does not merely have them on record.
private func isConfirmedByModel(_ match: RecognisedVersion, _ version: ModelVersion) -> Bool {
  guard version.recordedHashes != nil else { return true }
  let computed = version.model.entityVersionHashesByName
  return version.versionHashes(ofConfiguration: match.configuration).allSatisfy {
    computed[$0.key] == $0.value
  }
}

extension ModelVersion {
  /// The package that the version was read from: `App.xcdatamodeld/App 2.xcdatamodel/contents`.
  package var packagePath: String? {
    guard notation == .xcode, let file = sourceMap?.file else { return nil }
    let package = file.parentPath.parentPath
    return package.hasSuffix(".xcdatamodeld") ? package : nil
  }
}

private func nearestVersions(
  to hashes: [String: VersionHash], among models: [VersionedModel], storeModel: ManagedObjectModel?
) -> [NearestVersion] {
  // The position is that in the list of all versions, the latest last.
  var candidates: [(modelName: String, version: ModelVersion, equal: Int, total: Int, position: Int)] = []
  for model in models {
    for version in model.versions {
      let own = version.entityVersionHashesByName
      let equal = hashes.filter { own[$0.key] == $0.value }.count
      let total = Set(hashes.keys).union(own.keys).count
      candidates.append((model.name, version, equal, total, candidates.count))
    }
  }
  candidates.sort { ($1.equal, $0.total, $1.position) < ($0.equal, $1.total, $0.position) }
  // A version without one equal entity is worth naming only where there is no better, and candidates that tie with the
  // last one named are compared in full too: fewer differences are nearer.
  let equal = candidates.prefix { $0.equal > 0 }
  let best = equal.isEmpty ? candidates[...] : equal
  guard let limit = best.prefix(nearestLimit).last else { return [] }
  let compared = best.prefix {
    $0.equal > limit.equal || ($0.equal == limit.equal && $0.total <= limit.total)
  }
  .prefix(comparedLimit)
  let nearest = compared.map { candidate in
    NearestVersion(
      modelName: candidate.modelName, versionName: candidate.version.name, equal: candidate.equal,
      total: candidate.total,
      differing: candidate.version.entityDifferences(storeHashes: hashes, storeModel: storeModel),
      notation: candidate.version.notation, packagePath: candidate.version.packagePath)
  }
  // The sort is stable where nothing else tells two apart: the order of the candidates, the latest first, stays.
  let ordered = nearest.enumerated().sorted { left, right in
    let (l, r) = (left.element, right.element)
    return (r.equal, l.total, l.differing.count, left.offset)
      < (l.equal, r.total, r.differing.count, right.offset)
  }
  return ordered.prefix(equal.isEmpty ? 1 : nearestLimit).map(\.element)
}
