public import ManagedModel

/// What is known about a store without changing it: its version, its entities and rows, its file.
public struct StoreInspection: Sendable {
  /// How many objects there are, as far as it was cheap to find out.
  public enum RowCount: Hashable, Sendable {
    /// So many.
    case exact(Int)
    /// The highest key ever given out in the entity's table, which other entities may share.
    case atMost(Int64)
  }

  /// An entity of the store.
  public struct Entity: Hashable, Sendable {
    /// As `Z_PRIMARYKEY` has it.
    public var name: String
    /// Nil if the metadata has no hash of the name.
    public var hash: VersionHash?
    /// The number by which rows name it (`Z_ENT`).
    public var number: Int
    /// Nil if the store has no table for it.
    public var tableName: String?
    /// Objects of this very entity, sub-entities not counted.
    public var count: RowCount

    /// Nil if rows were not counted.
    public var rows: Int? { if case .exact(let rows) = count { rows } else { nil } }
  }

  /// An index of the store's file.
  public struct Index: Hashable, Sendable {
    /// Unique in the store.
    public var name: String
    /// The table that it is on.
    public var tableName: String
    /// Empty if an element is an expression.
    public var columnNames: [String]
    /// Whether it keeps a uniqueness constraint.
    public var isUnique: Bool
  }

  /// Persistent history.
  public struct History: Hashable, Sendable {
    /// Saves in the history.
    public var transactions: RowCount
    /// Objects that they inserted, updated or deleted.
    public var changes: RowCount
  }

  /// The files beside the store that hold large binary values.
  public struct ExternalFiles: Hashable, Sendable {
    /// Regular files in the folder.
    public var count: Int
    /// Bytes of them all.
    public var byteCount: Int64
  }

  /// The store's metadata.
  public var metadata: StoreMetadata
  /// Which version it is, and how that was found.
  public var recognition: Recognition
  /// The store's own model from `Z_MODELCACHE`; nil if absent, or none that its hashes confirm.
  package var storeModel: ManagedObjectModel?
  /// The recognised version's model, else the store's own; nil if neither is there.
  public var model: ManagedObjectModel?
  /// The store's tables with their meaning in ``model``; without one, what `Z_PRIMARYKEY` alone tells.
  package var schema: StoreSchema
  /// In numbering order.
  public var entities: [Entity]
  /// By table: its pages and those of its indexes; empty if they were not counted.
  public var tableByteCounts: [String: Int64]
  /// In the order of creation.
  public var indexes: [Index]
  /// Bytes.
  public var pageSize: Int
  /// Pages of ``pageSize`` bytes.
  public var pageCount: Int
  /// `wal`, `delete`, ….
  public var journalMode: String
  /// Nil if the store keeps none.
  public var history: History?
  /// The tables by which Core Data mirrors to CloudKit.
  public var cloudKitTableNames: [String]
  /// Nil if there is no folder of them, or the store's place is not known.
  public var externalFiles: ExternalFiles?
  /// Where the file differs from the recognised version, or from the store's own model.
  public var diagnostics: [Diagnostic]

  /// Whether the store keeps a history of its changes.
  public var hasPersistentHistory: Bool { history != nil }
  /// Whether the store mirrors to CloudKit.
  public var hasCloudKitTables: Bool { !cloudKitTableNames.isEmpty }
  /// Whether every count is exact.
  public var isCounted: Bool { entities.allSatisfy { $0.rows != nil } }
  /// Bytes, frames of the write-ahead log that are not in the main file yet included.
  public var byteCount: Int { pageSize * pageCount }
}

/// How much work inspection may put into counting.
public enum CountMode: Hashable, Sendable {
  /// Counts rows and bytes where the whole store is small enough to be read in passing.
  case automatic
  /// Counts whatever it costs: every page of the store is read.
  case exact
}
