public import Foundation
public import ManagedModel
import ModelArchives
import PersistentStore

/// The store that a context's objects are of (`NSPersistentStore`).
public struct MigratingStore {
  /// Where the store lies, for both contexts: the new file takes the old one's place at the end.
  public let url: URL?
  /// `NSStoreUUID`, the same before and after.
  public let identifier: String
  /// What the store had on record when the step began: Core Data's keys, `NSStoreUUID`, `NSStoreType` and the app's own.
  public let metadata: [String: Any]
  /// As `NSSQLiteStoreType` says.
  public let type = "SQLite"

  init(_ path: String, _ metadata: StoreMetadata) {
    url = URL(filePath: path)
    identifier = metadata.uuid
    var values = metadata.values.mapValues(\.foundationValue)
    values["NSStoreUUID"] = metadata.uuid
    values["NSStoreType"] = "SQLite"
    values["NSStoreModelVersionHashes"] = metadata.versionHashes.mapValues(\.data)
    self.metadata = values
  }
}

/// What ported code asks for a context's stores (`NSPersistentStoreCoordinator`).
public struct MigratingStoreCoordinator {
  /// One; none for contexts outside of a migration.
  public let persistentStores: [MigratingStore]

  /// The store's metadata, by Core Data's keys.
  public func metadata(for store: MigratingStore) -> [String: Any] { store.metadata }
}

extension ManagedObjectContext {
  /// The way to the store's URL and metadata.
  public var persistentStoreCoordinator: MigratingStoreCoordinator? {
    MigratingStoreCoordinator(persistentStores: store.map { [$0] } ?? [])
  }
}

extension ManagedObject.ID {
  /// `x-coredata://<store>/<entity>/p<key>`, as Core Data spells it; without the store's identifier for an identity
  /// that did not come from an object of a migration.
  public func uriRepresentation() -> URL {
    var parts = URLComponents()
    parts.scheme = "x-coredata"
    parts.host = storeIdentifier ?? ""
    parts.path = "/\(entityName)/p\(primaryKey)"
    return parts.url ?? URL(filePath: "/")
  }
}
