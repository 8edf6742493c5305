import ManagedModel
import ModelMapping

/// The differences of two versions: the facts, and the version hashes that Core Data compares.
struct VersionDifference {
  /// An entity whose hash is not the same in both; nil if a version has no such entity.
  struct HashDifference {
    var entity: String
    var from: VersionHash?
    var to: VersionHash?
  }

  let from: String
  let to: String
  let changes: [ModelChange]
  /// By name.
  let hashes: [HashDifference]
  /// Entities that either version has.
  let entityCount: Int

  init(from: NamedVersion, to: NamedVersion) {
    self.from = from.label
    self.to = to.label
    changes = compareModels(from: from.version, to: to.version)
    let (old, new) = (from.version.entityVersionHashesByName, to.version.entityVersionHashesByName)
    let names = Set(old.keys).union(new.keys)
    entityCount = names.count
    hashes = names.sorted { $0.precedesInCodePointOrder($1) }.filter { old[$0] != new[$0] }.map {
      HashDifference(entity: $0, from: old[$0], to: new[$0])
    }
  }

  var isEmpty: Bool { changes.isEmpty && hashes.isEmpty }

  /// Whose hashes differ, in one line.
  var hashSummary: String {
    if hashes.isEmpty { return "no version hash differs" }
    return
      "the version hashes of \(hashes.count) of \(counted(entityCount, "entity", plural: "entities")) differ"
  }
}
