import Foundation
package import GRDB
package import ManagedModel
import ModelArchives

/// What a store's `Z_MODELCACHE` holds.
package enum CachedModel: Sendable {
  /// No such table, or nothing in it.
  case absent
  /// The reason in words.
  case unreadable(String)
  /// A model whose hashes are not those in the metadata: of these entities, by name.
  case untrusted(ManagedObjectModel, differing: [String])
  case trusted(ManagedObjectModel)
}

/// Compressed; the caches of the largest models come to a hundredth of it.
private let largestCache = 16 << 20

extension Database {
  /// Reads the store's own model and compares its recomputed hashes with those in the metadata.
  ///
  /// - Parameter metadata: nil if it cannot be read; nothing then confirms the model.
  package func examineModelCache(metadata: StoreMetadata?) throws -> CachedModel {
    guard try tableExists("Z_MODELCACHE"),
      try columns(in: "Z_MODELCACHE").contains(where: { $0.name.uppercased() == "Z_CONTENT" }),
      let row = try Row.fetchOne(self, sql: "SELECT length(Z_CONTENT) FROM Z_MODELCACHE LIMIT 1"),
      let byteCount = Int.fromDatabaseValue(row[0])
    else { return .absent }
    guard byteCount <= largestCache else { return .unreadable("it is larger than any model") }
    guard let content = try Row.fetchOne(self, sql: "SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1"),
      let data = Data.fromDatabaseValue(content[0])
    else { return .unreadable("it holds no bytes") }
    let model: ManagedObjectModel
    do {
      model = try data.decodeModelCache()
    } catch let error as DiagnosticsError {
      return .unreadable(error.diagnostics.first?.message ?? "its archive is damaged")
    }
    let computed = model.entityVersionHashesByName
    let stored = metadata?.versionHashes ?? [:]
    let names = Set(computed.keys).union(stored.keys)
    let differing = names.filter { computed[$0] != stored[$0] }
      .sorted { $0.precedesInCodePointOrder($1) }
    return differing.isEmpty ? .trusted(model) : .untrusted(model, differing: differing)
  }
}
