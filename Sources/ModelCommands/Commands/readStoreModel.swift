import ManagedModel
import PersistentStore

/// The model that a store carries in `Z_MODELCACHE`, with what its metadata says.
struct StoreModel {
  var cached: CachedModel
  /// Nil if it cannot be read.
  var metadata: StoreMetadata?

  /// Why there is no model, or none to trust.
  func finding(ofStore path: String, _ severity: Diagnostic.Severity) -> Diagnostic {
    let note: Diagnostic.Note =
      switch cached {
      case .unreadable(let reason): "its model cache cannot be read: \(reason)"
      case .untrusted(_, let differing):
        "its model cache is not trusted: \(counted(differing.count, "entity", plural: "entities")) of it or of the store's metadata differ in their hashes, \(differing.quoted())"
      case .absent, .trusted: "stores written before iOS 9 have no model cache"
      }
    return Diagnostic(
      .noTrustedModel, severity,
      "'\(path)' contains no model that its version hashes confirm", notes: [note],
      help: ["adopt the app's .xcdatamodeld or .momd instead"])
  }
}

/// Opens a store without a trace and reads its own model, even if nothing confirms it.
func readStoreModel(at path: String) throws -> StoreModel {
  let connection = try StoreConnection(path: path)
  let stored = try connection.read { db in
    let metadata = try? db.readStoreMetadata()
    return StoreModel(cached: try db.examineModelCache(metadata: metadata), metadata: metadata)
  }
  try connection.close()
  return stored
}

extension Diagnostic.Code {
  /// A store without a model of its own, or with one that its hashes do not confirm.
  static let noTrustedModel = Self("MC5109")
}
