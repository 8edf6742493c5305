import Foundation
import ManagedModel

let versionInfoName = "VersionInfo.plist"

/// Keys of our own in `VersionInfo.plist`, which Core Data does not ask for.
enum ModelcBundleKey {
  static let format = "ModelcFormat"
  /// Each version's name and, where the order does not say it, its predecessor's; oldest first.
  static let versions = "ModelcVersions"
  /// The stages of a staged migration, where the model has any.
  static let stages = "ModelcStages"
  /// ``stepwise`` where stores go through every version.
  static let chain = "ModelcChain"
  static let stepwise = "stepwise"
}

extension VersionedModel {
  /// What a compiled bundle of the model holds: one `.mom` per version and `VersionInfo.plist`.
  ///
  /// - Throws: `DiagnosticsError` with MC2107 where version names cannot be file names.
  func bundleFiles() throws -> [(name: String, content: Data)] {
    try requireFileNames()
    let compiled = concurrentMap(versions) { ($0.model.keyedArchive(), VersionFacts($0)) }
    let models = zip(versions, compiled).map { (name: $0.name + ".mom", content: $1.0) }
    return models + [(name: versionInfoName, content: versionInfo(self, compiled.map(\.1)))]
  }
}

/// What `VersionInfo.plist` says of a version.
private struct VersionFacts {
  let hashes: PropertyListValue.Entry
  let checksum: PropertyListValue.Entry

  init(_ version: ModelVersion) {
    let byName = version.entityVersionHashesByName.inNameOrder
    hashes = .init(version.name, .entries(byName.map { .init($0.name, .data($0.hash.data)) }))
    checksum = .init(version.name, .string(versionChecksum(inNameOrder: byName)))
  }
}

private func versionInfo(_ model: VersionedModel, _ facts: [VersionFacts]) -> Data {
  var versions: [PropertyListValue] = []
  for (position, version) in model.versions.enumerated() {
    var entries = [PropertyListValue.Entry("name", .string(version.name))]
    // The order of the list says it, unless the version leaves elsewhere.
    let listedBefore = position > 0 ? model.versions[position - 1].name : nil
    let predecessors = version.predecessorNames
    if predecessors.count > 1 {
      entries.append(.init("predecessors", .array(predecessors.map(PropertyListValue.string))))
    } else if let predecessor = predecessors.first, predecessor != listedBefore {
      entries.append(.init("predecessor", .string(predecessor)))
    }
    versions.append(.entries(entries))
  }
  let contents: [PropertyListValue.Entry] =
    [
      .init("NSManagedObjectModel_CurrentVersionName", .string(model.currentVersionName)),
      .init("NSManagedObjectModel_VersionHashes", .entries(facts.map(\.hashes))),
      .init("NSManagedObjectModel_VersionChecksums", .entries(facts.map(\.checksum))),
      .init(ModelcBundleKey.format, .integer(1)),
      .init(ModelcBundleKey.versions, .array(versions)),
    ]
    + (model.stages.isEmpty
      ? [] : [.init(ModelcBundleKey.stages, .array(model.stages.map(\.propertyList)))])
    + (model.isStepwise ? [.init(ModelcBundleKey.chain, .string(ModelcBundleKey.stepwise))] : [])
  return PropertyListValue.entries(contents).encoded()
}

/// A stage in the words of `versions.yaml`, for our own key in `VersionInfo.plist`.
extension MigrationStage {
  var propertyList: PropertyListValue {
    let keys = StageKeys(self)
    let lists = [("lightweight", keys.lightweight), ("custom", keys.custom)]
    let texts = [("willMigrate", keys.willMigrate), ("didMigrate", keys.didMigrate), ("label", keys.label)]
    return .entries(
      lists.compactMap { key, names in names.map { .init(key, .array($0.map { .string($0) })) } }
        + texts.compactMap { key, text in text.map { .init(key, .string($0)) } })
  }

  /// Nil for what is no stage of ours.
  init?(_ list: [String: Any]) {
    var keys = StageKeys()
    keys.lightweight = list["lightweight"] as? [String]
    keys.custom = list["custom"] as? [String]
    keys.willMigrate = list["willMigrate"] as? String
    keys.didMigrate = list["didMigrate"] as? String
    keys.label = list["label"] as? String
    guard let stage = keys.stage else { return nil }
    self = stage
  }
}
