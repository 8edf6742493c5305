package import ManagedModel

/// What can be told of a store without changing it: its version, its entities and rows, its file.
package struct StoreInspection: Sendable {
  package struct Entity: Hashable, Sendable {
    package var name: String
    /// Nil where the metadata has no hash of the name.
    package var hash: VersionHash?
    package var number: Int
    /// Nil where the store has no table for it.
    package var tableName: String?
    /// Objects of this very entity, sub-entities not counted.
    package var rows: Int
  }

  package var metadata: StoreMetadata
  package var recognition: Recognition
  /// The store's own model from `Z_MODELCACHE`; nil where there is none, or none that its hashes confirm.
  package var storeModel: ManagedObjectModel?
  /// In numbering order.
  package var entities: [Entity]
  /// Bytes.
  package var pageSize: Int
  package var pageCount: Int
  /// `wal`, `delete`, ….
  package var journalMode: String
  package var hasPersistentHistory: Bool
  package var hasCloudKitTables: Bool
  /// Where the file differs from the recognised version, or from the store's own model.
  package var diagnostics: [Diagnostic]

  /// Bytes, frames of the write-ahead log that are not in the main file yet included.
  package var byteCount: Int { pageSize * pageCount }
}
