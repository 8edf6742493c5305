package import ManagedModel

/// What can be told of a store without changing it: its version, its entities and rows, its file.
package struct StoreInspection: Sendable {
  /// How many objects there are, as far as it was cheap to find out.
  package enum RowCount: Hashable, Sendable {
    case exact(Int)
    /// The highest key ever given out in the entity's table, which other entities may share.
    case atMost(Int64)
  }

  package struct Entity: Hashable, Sendable {
    package var name: String
    /// Nil where the metadata has no hash of the name.
    package var hash: VersionHash?
    package var number: Int
    /// Nil where the store has no table for it.
    package var tableName: String?
    /// Objects of this very entity, sub-entities not counted.
    package var count: RowCount

    /// Nil where rows were not counted.
    package var rows: Int? { if case .exact(let rows) = count { rows } else { nil } }
  }

  package struct Index: Hashable, Sendable {
    package var name: String
    package var tableName: String
    /// Empty where an element is an expression.
    package var columnNames: [String]
    package var isUnique: Bool
  }

  /// Persistent history.
  package struct History: Hashable, Sendable {
    package var transactions: RowCount
    package var changes: RowCount
  }

  /// The files beside the store that hold large binary values.
  package struct ExternalFiles: Hashable, Sendable {
    package var count: Int
    package var byteCount: Int64
  }

  package var metadata: StoreMetadata
  package var recognition: Recognition
  /// The store's own model from `Z_MODELCACHE`; nil where there is none, or none that its hashes confirm.
  package var storeModel: ManagedObjectModel?
  /// The recognised version's model, else the store's own; nil where neither is there.
  package var model: ManagedObjectModel?
  /// The store's tables with their meaning in ``model``; without one, what `Z_PRIMARYKEY` alone tells.
  package var schema: StoreSchema
  /// In numbering order.
  package var entities: [Entity]
  /// By table: its pages and those of its indexes; empty where they were not counted.
  package var tableByteCounts: [String: Int64]
  /// In the order of creation.
  package var indexes: [Index]
  /// Bytes.
  package var pageSize: Int
  package var pageCount: Int
  /// `wal`, `delete`, ….
  package var journalMode: String
  /// Nil where the store keeps none.
  package var history: History?
  package var cloudKitTableNames: [String]
  /// Nil where there is no folder of them, or the store's place is not known.
  package var externalFiles: ExternalFiles?
  /// Where the file differs from the recognised version, or from the store's own model.
  package var diagnostics: [Diagnostic]

  package var hasPersistentHistory: Bool { history != nil }
  package var hasCloudKitTables: Bool { !cloudKitTableNames.isEmpty }
  /// Whether every count is exact.
  package var isCounted: Bool { entities.allSatisfy { $0.rows != nil } }
  /// Bytes, frames of the write-ahead log that are not in the main file yet included.
  package var byteCount: Int { pageSize * pageCount }
}

/// How much work inspection may put into counting.
package enum CountMode: Hashable, Sendable {
  /// Counts rows and bytes where the whole store is small enough to be read in passing.
  case automatic
  /// Counts whatever it costs: every page of the store is read.
  case exact
}
