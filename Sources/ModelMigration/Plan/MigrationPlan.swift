public import ManagedModel
package import PersistentStore

/// What a migration of one store would do: readable by a person, and run by the executor.
public struct MigrationPlan: Sendable {
  /// The store, as its user named it.
  public let store: String
  /// The model that the store is of.
  public let modelName: String
  /// From version to version, in order.
  public let steps: [Step]
  /// From the store's version to the target, all steps in one.
  package let mappingModel: MappingModel
  /// What becomes of every entity's rows.
  public let entities: [EntityRows]
  /// How the target's model differs from the store's.
  public let changes: [ModelChange]
  /// Data that the migration would drop.
  public internal(set) var losses: [Loss]
  /// Rules of the target that objects will break and do not break yet.
  public internal(set) var violations: [RuleViolation]
  /// Everything that was found; an error among them blocks.
  public internal(set) var diagnostics: [Diagnostic]
  /// What a run needs and the plan could not try, each a phrase.
  public internal(set) var notCheckedByPreflight: [String] = []
  /// Bytes of the store with its write-ahead log.
  public let storeBytes: Int64
  package let statementPlan: [StoreStatement]
  package let schema: StoreSchema
  package internal(set) var target: ModelVersion
  /// The configuration whose entities the store has; nil if it has all.
  package let configuration: String?
  /// How the statements reach the store.
  public let route: MigrationRoute
  /// Why that way, in words.
  public let routeReason: String
  /// Whether the numbers of rows in ``entities`` are upper bounds: where no row is touched none is counted.
  public let rowsAreBounds: Bool
  /// Whether rows are written, moved or removed.
  package let touchesRows: Bool
  /// Bytes of the pages that the statements change, about: what a journal of them takes.
  let journalBytes: Int64
  /// What the run needs next to the store, before its rows grow.
  var room: Int64 = 0
  /// Whether the tables of mirroring to CloudKit are dropped.
  package let dropsCloudKit: Bool
  package let uriReplacements: [StoreStatement.TextReplacement]
  package let formerMaxima: [String: CheckedKey]
  /// Stretches that are carried out one after the other, each as one, the store's first; all end in one swap.
  package let segments: [Segment]
  /// The first segment, where it is custom.
  package let customStep: CustomStep?
  private(set) var versions: [ModelVersion]
  /// Steps of post-processing that are to run on the result.
  let pendingSteps: [PostProcessingStep]
  /// Custom stages on the way whose handlers are to run.
  package let stages: [CustomMigrationStage]

  /// Versions on the way, the store's own first and the target last; one alone where nothing is to be done.
  public var path: [String] { versions.map(\.name) }
  /// The store's version.
  public var from: String { path.first ?? "" }
  /// The target version.
  public var to: String { path.last ?? "" }
  /// Whether the store is of the target version already.
  package var isCurrent: Bool { path.count < 2 }
  /// Whether there is nothing to do.
  public var isDone: Bool { isCurrent && statementPlan.isEmpty && pendingSteps.isEmpty }
  /// Names of the steps of post-processing that the store has yet to go through.
  public var postProcessing: [String] { pendingSteps.map(\.name) }
  /// Whether something conflicts with carrying it out.
  public var isBlocked: Bool { diagnostics.hasErrors }
  /// The SQL that the migration runs, in order.
  public var statements: [String] { statementPlan.map(\.sql) }

  /// One version to the next.
  public struct Step: Hashable, Sendable {
    /// A version's name.
    public var from: String
    /// The name of the version after it.
    public var to: String
    /// Whether no mapping model is stated for it.
    public var isInferred: Bool
    /// How the step changes the file.
    public var route: MigrationRoute
    /// Whether it is carried out together with its neighbours.
    public var isFused: Bool
  }

  /// A stretch of the way that is carried out as one.
  package struct Segment: Sendable {
    /// The versions, its own first and last.
    package var versions: [ModelVersion]
    /// Whether statements carry it out: what is inferred, and what says no more than inference could.
    package var isInferred: Bool
    package var mappingModel: MappingModel
    /// How many objects each mapping takes.
    package var entities: [EntityRows]
    /// Whether these numbers follow from what the segments before it make: a filter or a group may leave fewer, and
    /// what a policy makes is its own.
    package var rowsAreEstimates: Bool

    /// The versions' names.
    package var path: [String] { versions.map(\.name) }
  }

  /// An entity mapping with the number of objects that it takes.
  public struct EntityRows: Hashable, Sendable {
    /// The entity mapping's name.
    public var mapping: String
    /// What the mapping does.
    public var type: MappingType
    /// The source entity; nil if the mapping adds objects.
    public var source: String?
    /// The destination entity; nil if the mapping removes objects.
    public var destination: String?
    /// Objects of the source entity.
    public var rows: Int
    /// How many objects become of them, where several become one.
    public var made: Int?
  }

  /// Data that the target has no place for.
  public struct Loss: Hashable, Sendable {
    /// The kind of loss.
    public var code: Diagnostic.Code
    /// The entity whose data would be lost.
    public var entity: String
    /// Nil if whole objects go.
    public var property: String?
    /// Objects, or values that are not null.
    public var count: Int
    /// Whether it is listed in `retired:`, or was allowed for this run.
    public var isAcknowledged: Bool
    /// Primary keys of the first objects, if their rows show them.
    public var examples: [Int64] = []
  }

  /// The name of a store's own model on a way.
  static let ownModelName = "the store's own model"

  /// How the name of a backup says which version it has.
  var backupLabel: String { from == Self.ownModelName ? "own-model" : from }

  /// The plan of the first segment alone, as the statements and the proof of an inferred one need it.
  var ofFirstSegment: MigrationPlan {
    guard segments.count > 1, let version = segments[0].versions.last else { return self }
    var plan = self
    plan.versions = segments[0].versions
    plan.target = version
    return plan
  }

  /// Objects that go on; where rows were not counted, a number that they do not exceed.
  var objectBound: Int {
    let going = entities.filter { $0.destination != nil }
    guard rowsAreBounds else { return going.reduce(0) { $0 + $1.rows } }
    // Every entity of a table may have as many as the table.
    return schema.tables.reduce(0) { sum, table in
      let names = schema.entities(in: table).map(\.name)
      return sum + (going.filter { names.contains($0.destination ?? "") }.map(\.rows).max() ?? 0)
    }
  }

  /// The plan itself, to be carried out.
  ///
  /// - Throws: ``MigrationRefusedError`` if it is blocked.
  func unblocked() throws -> MigrationPlan {
    if isBlocked { throw MigrationRefusedError(plan: self) }
    return self
  }

  func pendingSteps(of version: String?) -> [PostProcessingStep] {
    pendingSteps.filter { $0.versionName == version }
  }

  /// How many rows a table takes part with, and the entity that stands for it, by the names before and after.
  var rowsByTable: [String: (entity: String, count: Int)] {
    let counts = Dictionary(entities.map { ($0.destination ?? "", $0.rows) }, uniquingKeysWith: +)
    let tables = schema.tables.map { table in
      let rows = schema.entities(in: table).reduce(0) { $0 + (counts[$1.name] ?? 0) }
      return (table.name, (entity: table.rootEntityName, count: rows))
    }
    return Dictionary(firstOf: tables)
  }
}

/// How a migration changes its store.
public enum MigrationRoute: String, Hashable, Sendable, CaseIterable {
  /// One transaction on the store itself.
  case inPlace = "in-place"
  /// A private clone beside the store is altered, proved and swapped in.
  case clone

  /// What it does, for whoever reads a plan.
  package var procedure: String {
    switch self {
    case .inPlace: "one transaction on the store itself"
    case .clone: "a private clone is altered, proved and swapped in"
    }
  }
}

/// What a caller asks of the route.
public enum RouteRequest: String, Hashable, Sendable, CaseIterable {
  /// In place where no row is touched, else by a clone.
  case auto
  /// One transaction on the store itself.
  case inPlace = "in-place"
  /// A private clone that is altered and swapped in.
  case clone

  /// What `--route` says of itself.
  package static let summary =
    "How the store is changed: auto, in-place (one transaction) or clone (a copy is altered and swapped in)"
}

extension MigrationPlan.EntityRows {
  init(_ mapping: EntityMapping, rows: Int, made: Int? = nil) {
    self.init(
      mapping: mapping.name, type: mapping.mappingType, source: mapping.sourceEntityName,
      destination: mapping.destinationEntityName, rows: rows, made: made)
  }
}
