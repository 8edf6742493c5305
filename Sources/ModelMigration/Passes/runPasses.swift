package import ManagedModel
import PersistentStore

extension CustomStep {
  /// Carries out a custom step in a clone of the file's source, which the step's statements have altered: makes the objects
  /// that do not stay, relates and validates. The file is then complete, and its pages are proved.
  ///
  /// - Parameter largeValues: where those of the source lie, and those go that are made on the way.
  /// - Throws: ``DiagnosticsError`` for whatever a policy, an expression or the new file fails with,
  ///   ``MigrationValidationError`` where the result breaks rules of its model.
  func runPasses(
    into result: inout StagedResult, largeValues: MigratedExternalData, monitor: MigrationMonitor,
    begin: (MigrationPhase) throws -> Void
  ) throws {
    let file = result.file
    try file.readSource { sourceDB in
      let passes = try file.write { db in
        try db.interruptible(by: monitor) {
          let passes = try Passes(
            self, source: sourceDB, destination: db, largeValues: largeValues, monitor: monitor)
          passes.finishedTables = try passes.tablesNotWritten()
          if try passes.leavesMost {
            file.beginEarlyCheck(of: passes.finishedTables)
            passes.awaitEarlyCheck = { file.awaitEarlyCheck(stoppingWhen: monitor.shouldStop) }
          }
          try passes.run(into: &result, begin)
          return passes
        }
      }
      try passes.validate(&result)
    }
  }

  /// Every mapping with its policy, and which of them keep keys.
  func makeWork(source: ManagedObjectContext, destination: ManagedObjectContext, physical: PhysicalSchema)
    throws -> [MappingWork]
  {
    let work = mappingModel.entityMappings.enumerated().map { number, mapping in
      MappingWork(
        number, mapping, policy: mapping.policyName.flatMap { custom.policies.policy(named: $0) },
        source: source, destination: destination)
    }
    // One source table's rows keep their keys in a destination table; the first, or the one of the same name.
    var homes: [String: String] = [:]
    for work in work {
      guard let from = work.source?.rootEntityName, let to = work.destination?.rootEntityName else {
        continue
      }
      if homes[to] == nil || from == to { homes[to] = from }
    }
    let maxima = physical.maxima
    for work in work {
      guard let from = work.source, let to = work.destination, homes[to.rootEntityName] == from.rootEntityName
      else { continue }
      work.keepsKeys = true
      // Whether another mapping makes objects of the same rows in the same table.
      work.sharesKeys = mappingModel.entityMappings.contains { other in
        other.name != work.mapping.name && other.sourceEntityName == work.mapping.sourceEntityName
          && other.destinationEntityName.map { destination.hierarchy.rootName(of: $0) } == to.rootEntityName
      }
      let handedOut =
        source.rows.schema.entity(named: from.rootEntityName).flatMap { maxima[$0.number] } ?? .none
      let highest = max(handedOut, try source.rows.highestKey(ofEntity: from.name))
      destination.reservedKeys[to.rootEntityName] = max(
        destination.reservedKeys[to.rootEntityName] ?? .none, highest)
    }
    return work
  }
}

/// The work of `runPasses(into:largeValues:monitor:begin:)`.
///
/// It is a class, because callbacks capture it, at least once per object.
final class Passes {
  let step: CustomStep
  let monitor: MigrationMonitor
  let db: StoreDatabase
  let metadata: StoreMetadata
  let physical: PhysicalSchema
  let model: ManagedObjectModel
  let schema: StoreSchema
  let carried: RowKeepingMappings
  let manager: MigrationManager
  let work: [MappingWork]
  let groups: GroupTable
  /// By join table, the entities whose pairs were taken from the source.
  var takenPairs: [String: [(from: Set<Int>, to: Set<Int>)]] = [:]
  /// How many objects went with those that they refer to, by entity.
  var cascaded: [String: Int] = [:]
  /// The tables whose rules are asked; nil for all, once no reference stays any longer.
  var touchedTables: TouchedTables?
  /// Tables that have been written to; nil if that may be any.
  private(set) var checkedTables: Set<String>?
  /// Those that the statements have altered and that no pass writes to.
  fileprivate(set) var finishedTables: Set<String> = []
  /// To be called before tables or indexes come or go.
  fileprivate(set) var awaitEarlyCheck: () -> Void = {}
  /// Duplicates that a uniqueness constraint refuses: no index can be built over them.
  private(set) var conflicts: [Verification.Finding] = []

  init(
    _ step: CustomStep, source sourceDB: StoreDatabase, destination db: StoreDatabase,
    largeValues: MigratedExternalData, monitor: MigrationMonitor
  ) throws {
    self.step = step
    self.monitor = monitor
    self.db = db
    metadata = try sourceDB.readStoreMetadata()
    physical = try sourceDB.readPhysicalSchema()
    let sourceModel = step.source.model.restricted(toConfiguration: step.configuration)
    model = step.destination.model.restricted(toConfiguration: step.configuration)
    let sourceSchema = physical.bound(to: sourceModel).schema
    guard let carried = step.carried else { throw DiagnosticsError(.nothingMapped(step)) }
    (self.carried, schema) = (carried, carried.schema)
    touchedTables = carried.touchedTables
    for db in [sourceDB, db] { db.registerExpressionFunctions() }
    let sourceRows = ObjectRows(sourceDB, schema: sourceSchema, model: sourceModel, largeValues: largeValues)
    sourceRows.counts = step.objectCounts
    let source = ManagedObjectContext(sourceRows)
    let rows = ObjectRows(db, schema: carried.schemaOfWork, model: model, largeValues: largeValues)
    rows.isWritable = true
    rows.now = sourceRows.now
    let destination = ManagedObjectContext(rows)
    for context in [source, destination] {
      context.transformers = step.custom.policies
      context.monitor = monitor
      context.store = MigratingStore(step.store, metadata)
    }
    work = try step.makeWork(source: source, destination: destination, physical: physical)
    groups = try GroupTable(db)
    for work in work { work.carried = carried.mappings[work.number] }
    if !step.custom.usesObjectCopy {
      TransferPlanner(work: work, source: source, destination: destination).plan(byObjects: carried.byObjects)
    }
    guard let first = work.first else { throw DiagnosticsError(.nothingMapped(step)) }
    var mappingModel = step.mappingModel
    mappingModel.entityMappings = work.map(\.mapping)
    manager = MigrationManager(
      mappingModel: mappingModel, sourceContext: source, destinationContext: destination,
      associations: try AssociationTable(
        db, source: sourceSchema, destination: schema, mappings: work.count),
      groups: groups, work: work, first: first)
    manager.userInfo = step.custom.policies.userInfo
    manager.evaluation.now = rows.now
    manager.evaluation.shouldStop = { monitor.isCancelled }
    manager.associations.writePending = { [weak destination] in try destination?.flush() }
    for work in work { if let pairs = work.pairs { manager.associations.key(work.number, pairs) } }
  }

  func run(into result: inout StagedResult, _ begin: (MigrationPhase) throws -> Void) throws {
    defer {
      manager.destinationContext.willFollow = {}
      manager.associations.meetHidden = {}
      manager.destinationContext.close()
      manager.sourceContext.close()
    }
    try begin(.copy)
    manager.destinationContext.willFollow = { try self.takeBackReferences() }
    manager.associations.meetHidden = { try self.recreateObjects() }
    try hideCarried()
    try copy()
    try begin(.relate)
    try relate()
    try begin(.validate)
    for work in work {
      enter(work)
      try call(.performCustomValidation) {
        try work.policy.performCustomValidation(forMapping: work.mapping, manager: manager)
      }
      try call(.end) { try work.policy.end(work.mapping, manager: manager) }
    }
    try manager.destinationContext.flush()
    try separateLargeValues()
    try manager.destinationContext.rows.dropWorkIndexes()
    try numberOrders()
    for context in [manager.sourceContext, manager.destinationContext] { context.rows.releaseStatements() }
    result.mappings += try account()
    result.diagnostics += try warnings()
    try manager.associations.drop()
    try groups.drop()
    // What a policy wrote to is looked at as well.
    for table in manager.destinationContext.rows.writtenTables { touchedTables?[table] = [] }
    conflicts = try db.findBrokenConstraints(
      in: VerifiedStore(schema: schema, model: model, only: touchedTables))
    // It goes no further than being validated.
    if !conflicts.isEmpty { return }
    awaitEarlyCheck()
    try complete()
    // What was written to after all is among the touched ones by now.
    finishedTables.subtract(touchedTables?.keys.map(\.self) ?? [])
    checkedTables = try changedTables()?.subtracting(finishedTables)
    result.objects = try schema.tables.map { try db.countAllRows(table: $0.name) }.reduce(0, +)
  }

  /// Whether more than half of the objects lie in tables that no pass writes to, as far as the plan says.
  var leavesMost: Bool {
    get throws {
      guard let changed = try changedTables() else { return false }
      let written = changed.subtracting(finishedTables)
      let resting = try countSources { $0.destination.map { !written.contains($0.tableName) } ?? false }
      return try resting * 2 > countSources()
    }
  }

  /// How many objects the source has that mappings take.
  func countSources(of isIncluded: (MappingWork) -> Bool = { _ in true }) throws -> Int {
    try Set(work.filter(isIncluded).compactMap { $0.source?.name })
      .reduce(0) { try $0 + manager.sourceContext.rows.count(ofEntity: $1) }
  }

  /// What the statements have altered and no pass is to write to; a policy, and work on objects, may write to any table.
  fileprivate func tablesNotWritten() throws -> Set<String> {
    guard work.allSatisfy({ $0.policyName == nil && ($0.carried != nil || $0.transfer != nil) }),
      copiesOfLargeValues.isEmpty, let altered = try changedTables(),
      let written = try changedTables(by: carried.ending)
    else { return [] }
    return altered.subtracting(written)
  }

  /// All tables but those of objects and links that no mapping and none of these statements has written to; nil if that is
  /// not known.
  private func changedTables(by statements: [StoreStatement]? = nil) throws -> Set<String>? {
    guard let touchedTables, schema.derivedValueStatements(for: model).isEmpty else { return nil }
    let statements = statements ?? carried.statements + carried.ending
    var changed = Set(touchedTables.keys).union(statements.compactMap(\.tableName))
    for work in work {
      // Its objects lie in the clone as they will stay.
      if let carried = work.carried, carried.formerNumber == nil, carried.computed.isEmpty,
        work.fills.allSatisfy(\.stands)
      {
        continue
      }
      work.destination.map { _ = changed.insert($0.tableName) }
    }
    let indexed = Set(statements.compactMap(\.createdIndexName))
    let tables = schema.tables.map { ($0.name, $0.indexes) } + schema.joinTables.map { ($0.name, $0.indexes) }
    let resting = tables.filter { name, indexes in
      !changed.contains(name) && indexes.allSatisfy { !indexed.contains($0.name) }
    }.map(\.0)
    return Set(try db.readPhysicalSchema().tables.map(\.name)).subtracting(resting)
  }

  /// Calls the policy of the current mapping and throws what it fails with, or what it left behind, with the place.
  ///
  /// - Parameters:
  ///   - key: of the object that it is called for, where it is called for one.
  ///   - shape: that object's.
  func call(
    _ callback: PolicyCallback, _ key: Int64 = 0, _ shape: EntityShape? = nil, _ body: () throws -> Void
  ) throws {
    manager.callback = callback
    if manager.calledShape !== shape { manager.calledShape = shape }
    manager.calledKey = key
    do { try body() } catch is PolicyStopped {
      try manager.throwFailures()
    } catch {
      try manager.throwFailures()
      throw manager.error(of: ManagedObjectContext.Failure(error: error))
    }
    try manager.throwFailures()
  }

  func enter(_ work: MappingWork) {
    manager.currentWork = work
    manager.leaveSource()
  }

  private func account() throws -> [MappingCount] {
    try work.map { work in
      let counts = try manager.associations.counts(ofMapping: work.number)
      let all = try work.source.map { try manager.sourceContext.rows.count(ofEntity: $0.name) } ?? 0
      return MappingCount(
        mapping: work.mapping.name, source: work.mapping.sourceEntityName,
        destination: work.mapping.destinationEntityName, sourceObjects: all, taken: work.takenCount,
        carried: counts.sources, made: counts.destinations, isStatement: work.transfer != nil)
    }
  }

  /// What went with what was dropped, what a policy may have forgotten, and keys that are others than before.
  private func warnings() throws -> [Diagnostic] {
    var found = cascaded.sorted { $0.key < $1.key }.map { Diagnostic.cascaded($0, $1, to: step.destination) }
    var seen: Set<String> = []
    for work in work where work.policyName != nil {
      let skipped = work.takenCount - (try manager.associations.counts(ofMapping: work.number)).sources
      if skipped > 0 {
        found.append(
          .policySkipped, .warning,
          "policy '\(work.policyName ?? "")' created nothing from \(skipped) \(skipped == 1 ? "object" : "objects") of '\(work.mapping.sourceEntityName ?? "")'",
          subject: ModelSubject(entity: work.mapping.sourceEntityName ?? ""),
          notes: ["mapping '\(work.mapping.name)': references to them become empty"],
          help: ["if that is intended, use a filter in the mapping ('where:'), which the plan shows"])
      }
      guard let entity = work.destination?.name, seen.insert(entity).inserted else { continue }
      let (count, keys) = try manager.associations.unassociated(entity: entity)
      if count == 0 { continue }
      found.append(
        .unassociatedObjects, .warning,
        "\(count) \(count == 1 ? "object" : "objects") of '\(entity)' \(count == 1 ? "is" : "are") not associated with a source object",
        subject: ModelSubject(entity: entity),
        notes: [
          .examples(keys, count: count),
          "policy '\(work.policyName ?? "")' of mapping '\(work.mapping.name)' creates objects of that entity; relationships of other mappings cannot find them",
        ],
        help: ["call 'manager.associate(sourceInstance:withDestinationInstance:for:)', or 'super'"])
    }
    let moved = try manager.associations.movedCount()
    if moved == 0 { return found }
    return found
      + [Diagnostic](
        .objectURIsChange, .warning,
        "\(moved) \(moved == 1 ? "object has" : "objects have") a new primary key",
        notes: ["object URIs that the app has saved (x-coredata://…/p12) no longer point to them"],
        help: ["keys are kept if the objects of a table all go to one table, one object each"])
  }
}

extension Diagnostic.Code {
  package static let objectURIsChange = Self("MC6403")
  package static let unassociatedObjects = Self("MC4301")
  package static let policySkipped = Self("MC4306")
}

extension Diagnostic {
  fileprivate static func nothingMapped(_ step: CustomStep) -> Self {
    Self(
      .withoutMapping, .error,
      "the mapping from '\(step.source.name)' to '\(step.destination.name)' maps no entity")
  }

  static func cascaded(_ entity: String, _ count: Int, to version: ModelVersion) -> Self {
    Self(
      .objectsUnread, .warning,
      "\(count) \(count == 1 ? "object" : "objects") of '\(entity)' \(count == 1 ? "is" : "are") dropped with "
        + "the objects that \(count == 1 ? "it refers" : "they refer") to",
      subject: ModelSubject(version: version.name, entity: entity),
      notes: ["a mapping says `onDrop: cascade`; the old store still has them"])
  }
}
