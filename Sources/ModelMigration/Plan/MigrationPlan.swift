public import ManagedModel
public import ModelMapping
package import PersistentStore

/// What a migration of one store would do: a person reads it, the executor carries it out.
public struct MigrationPlan: Sendable {
  /// The store, as its user named it.
  public let store: String
  public let modelName: String
  /// Versions on the way, the store's own first and the target last; one alone where nothing is to be done.
  public let path: [String]
  public let steps: [Step]
  /// From the store's version to the target, all steps in one.
  public let mappingModel: MappingModel
  public let entities: [EntityRows]
  /// What the target's model says otherwise than the store's.
  public let changes: [ModelChange]
  public let losses: [Loss]
  /// Everything that was found; an error among them blocks.
  public let diagnostics: [Diagnostic]
  /// Bytes of the store with its write-ahead log.
  public let storeBytes: Int64
  package let statementPlan: [StoreStatement]
  package let schema: StoreSchema
  package let target: ModelVersion
  /// The configuration whose entities the store holds; nil where it holds all.
  package let configuration: String?
  /// How the statements reach the store.
  public let route: MigrationRoute
  /// Why that way, in words.
  public let routeReason: String
  /// Whether the numbers of rows in ``entities`` are upper bounds: where no row is touched none is counted.
  public let rowsAreBounds: Bool
  /// Whether rows are written, moved or removed.
  package let touchesRows: Bool
  package let leftOut: LeftOutTables
  package let uriReplacements: [StoreStatement.TextReplacement]
  package let formerMaxima: [String: Int64]

  public var from: String { path.first ?? "" }
  public var to: String { path.last ?? "" }
  /// Whether the store is of the target version already.
  public var isCurrent: Bool { path.count < 2 }
  /// Whether there is nothing to do.
  public var isDone: Bool { isCurrent && statementPlan.isEmpty }
  /// Whether something stands against carrying it out.
  public var isBlocked: Bool { diagnostics.hasErrors }
  /// The SQL that the migration runs, in order.
  public var statements: [String] { statementPlan.map(\.sql) }

  /// One version to the next.
  public struct Step: Hashable, Sendable {
    public var from: String
    public var to: String
    public var isInferred: Bool
    public var route: MigrationRoute
    /// Whether it is carried out together with its neighbours.
    public var isFused: Bool
  }

  /// An entity mapping with the number of objects that it takes.
  public struct EntityRows: Hashable, Sendable {
    public var mapping: String
    public var type: MappingType
    public var source: String?
    public var destination: String?
    public var rows: Int
  }

  /// Data that the target has no place for.
  public struct Loss: Hashable, Sendable {
    public var code: Diagnostic.Code
    public var entity: String
    /// Nil where whole objects go.
    public var property: String?
    /// Objects, or values that are not null.
    public var count: Int
    /// Whether it is listed in `retired:`, or was allowed for this run.
    public var isAcknowledged: Bool
  }
}

/// How the statements reach the store.
public enum MigrationRoute: String, Hashable, Sendable {
  /// One transaction on the store itself.
  case inPlace
  /// A file that is laid out anew, filled from the store, proved and swapped in.
  case newFile
  /// A private clone beside the store is altered, proved and swapped in.
  case stagedCopy
}
