package import ManagedModel
import PersistentStore

/// Compares a migrated file with its plan: its schema, the account of every table whose rows were changed and the numbers
/// of the others, and its references where statements came near them. No object may be missing, and no more references
/// may dangle than before.
///
/// In place only what the statements touched is read, because a change of the schema alone reads no row.
///
/// - Parameters:
///   - db: the migrated file, in place before the change is committed.
///   - formerlyDangling: how many references led nowhere in the store as it was; Core Data leaves some.
/// - Returns: the number of objects, and of references to missing objects, as before; nil if none was looked at.
/// - Throws: ``DiagnosticsError`` with every finding (MC6006, MC6301, MC6302).
func prove(
  _ plan: MigrationPlan, on db: StoreDatabase, _ monitor: MigrationMonitor, formerlyDangling: () throws -> Int
) throws -> (objects: Int, dangling: Int?) {
  try db.interruptible(by: monitor) {
    var (schema, findings) = try proveSchema(of: plan.target, plan.configuration, on: db)
    var (objects, dangling) = (0, Int?.none)
    let changed = StatementFootprint(plan.statementPlan, shares: [:]).changedRowSets
    for (index, table) in plan.schema.tables.enumerated() {
      monitor.report(
        .prove, entity: table.rootEntityName, completed: Int64(index), total: Int64(plan.schema.tables.count))
      let isChanged = changed.contains(table.name)
      if plan.route == .inPlace, !isChanged { continue }
      let (rows, differences) = try proveRows(of: table, isChanged: isChanged, plan, on: db)
      objects += rows
      findings += differences
    }
    if plan.touchesReferences {
      let model = plan.target.model.restricted(toConfiguration: plan.configuration)
      let count = try countDanglingReferences(db, schema: schema, model: model)
      dangling = count
      // Where a pair parts, a reference that led nowhere is told twice from then on, in any of the steps.
      if try count > 0 && count > formerlyDangling() * max(2, plan.path.count) {
        findings.append(
          .bug(
            .danglingAfterMigration, "\(count) references of the migrated copy point to missing objects"))
      }
    }
    try findings.refuse()
    return (plan.route == .inPlace ? plan.objectBound : objects, dangling)
  }
}

extension MigrationPlan {
  /// Whether a statement gives references other values, or removes what they lead to.
  var touchesReferences: Bool {
    let footprint = StatementFootprint(statementPlan, shares: [:])
    return !footprint.changedRowSets.isEmpty
      || schema.tables.contains { table in
        let changed = footprint.changedColumns[table.name] ?? []
        return table.columns.contains { $0.role.holdsKeys && changed.contains($0.name) }
      }
  }

  /// How many references point nowhere in a file of the version at which it begins, which may be the store's own.
  func danglingReferences(in db: StoreDatabase) throws -> Int {
    guard let source = versions.first?.model else { return 0 }
    let schema = try db.readPhysicalSchema().bound(to: source).schema
    return try countDanglingReferences(db, schema: schema, model: source)
  }
}

/// The same for a custom step, whose passes have asked every rule: its schema, and as many objects as they say they made.
func prove(_ step: CustomStep, _ made: Int, on db: StoreDatabase) throws {
  var (schema, findings) = try proveSchema(of: step.destination, step.configuration, on: db)
  let objects = try schema.tables.map { try db.countAllRows(table: $0.name) }.reduce(0, +)
  if objects != made {
    findings.append(.unproved(step.destination, "it has \(objects) objects, not \(made)"))
  }
  try findings.refuse()
}

/// Whether the metadata and the tables are those of the destination's version.
private func proveSchema(
  of version: ModelVersion, _ configuration: String?, on db: StoreDatabase
) throws -> (schema: StoreSchema, findings: [Diagnostic]) {
  var findings: [Diagnostic] = []
  if try db.readStoreMetadata().versionHashes != version.versionHashes(ofConfiguration: configuration) {
    findings.append(.unproved(version, "it does not have the version hashes of '\(version.name)'"))
  }
  let model = version.model.restricted(toConfiguration: configuration)
  let (schema, differences) = try db.readPhysicalSchema().bound(to: model)
  findings += differences.filter { $0.severity == .error }
    .map { .unproved(version, $0.message, subject: $0.subject) }
  return (schema, findings)
}

/// Whether every entity of a table has as many rows as were planned; where it gains and loses none, all of them together.
private func proveRows(
  of table: TableLayout, isChanged: Bool, _ plan: MigrationPlan, on db: StoreDatabase
) throws -> (objects: Int, findings: [Diagnostic]) {
  let entities = plan.schema.entities(in: table)
  func planned(_ names: [String]) -> Int {
    plan.entities.filter { names.contains($0.destination ?? "") && $0.source != nil }.map(\.rows).reduce(0, +)
  }
  if !isChanged {
    let rows = try db.countAllRows(table: table.name)
    // Rows of no entity are told apart by the full count.
    if rows == planned(entities.map(\.name)) || plan.isCurrent { return (rows, []) }
  }
  var findings: [Diagnostic] = []
  let counts = try countRows(db, table: table.name)
  for entity in entities {
    let (rows, planned) = (counts[entity.number]?.rows ?? 0, planned([entity.name]))
    if rows != planned, !plan.isCurrent {
      findings.append(
        .bug(
          .rowCountsDiffer,
          "the migrated copy has \(rows) objects of '\(entity.name)', but the plan says \(planned)",
          subject: ModelSubject(entity: entity.name)))
    }
  }
  return (counts.values.reduce(0) { $0 + $1.rows }, findings)
}

/// References and join rows that lead to no row.
private func countDanglingReferences(
  _ db: StoreDatabase, schema: StoreSchema, model: ManagedObjectModel
) throws -> Int {
  try schema.keyColumns(EntityHierarchy(model)).reduce(0) { count, key in
    guard let target = schema.table(ofEntity: key.entity) else { return count }
    return try count
      + countRows(db, table: key.table, where: .refersToNone(column: key.column, table: target.name))
  }
}

extension Diagnostic.Code {
  package static let danglingAfterMigration = Self("MC6301")
  package static let rowCountsDiffer = Self("MC6302")
}

extension Diagnostic {
  /// What only a mistake of ours can bring about.
  static func bug(_ code: Code, _ message: String, subject: ModelSubject? = nil) -> Self {
    Self(
      code, .error, message, subject: subject, notes: ["the store is unchanged"],
      help: ["this is a bug in modelc"])
  }

  fileprivate static func unproved(
    _ version: ModelVersion, _ reason: String, subject: ModelSubject? = nil
  ) -> Self {
    bug(.unprovedResult, "the migrated copy does not match '\(version.name)': \(reason)", subject: subject)
  }
}
