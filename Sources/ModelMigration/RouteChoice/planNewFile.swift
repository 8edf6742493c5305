import ManagedModel
import PersistentStore
import StoreFiles

/// Plans the statements that lay out another version's store in an empty file, from the tables of the store, which
/// is attached as `source` and only read.
///
/// Unchanged tables are moved page by page; one `INSERT … SELECT` fills every other table. Indexes come after the rows.
/// The result equals that of ``planStatements(_:)`` but for the order of columns.
///
/// - Parameters:
///   - planner: for tables that are written anew; it has planned nothing yet.
///   - isOmitted: whether one of Core Data's own tables stays behind.
func planNewFile(
  by planner: StatementPlanner, physical: PhysicalSchema, isOmitted: (_ table: String) -> Bool
) -> StatementPlan {
  var planner = planner
  planner.createSourceViews()
  planner.takeTables(physical)
  planner.createTables()
  planner.copyRows()
  planner.fillJoinTables()
  planner.nullifyOutsideReferences()
  planner.lookUpDiscriminators()
  planner.numberOrders()
  planner.createMissingIndexes()
  planner.deriveValues()
  planner.copyOtherTables(physical, isOmitted: isOmitted)
  planner.renumberHistory()
  planner.createTriggers()
  return planner.plan
}

extension StatementPlanner {
  /// Finds the tables whose rows go on as they lie. Their columns keep the places that they have in the source,
  /// because rows are moved by place.
  fileprivate mutating func takeTables(_ physical: PhysicalSchema) {
    let nullifying = Set(nullifiedReferences().map(\.table))
    for origin in origins where origin.kind == .rebuilt {
      guard var table = tablePlans[origin.table.name], !nullifying.contains(table.source.name),
        keepsCells(of: table)
      else { continue }
      let places = Dictionary(firstOf: table.source.columns.enumerated().map { ($1.name, $0) })
      table.destination.columns.sort { left, right in
        let (one, other) = (table.carriers[left.name] ?? "", table.carriers[right.name] ?? "")
        return (places[one] ?? 0) < (places[other] ?? 0)
      }
      tablePlans[origin.table.name] = table
      transferred.insert(origin.table.name)
    }
    for index in joinPlans.indices {
      let join = joinPlans[index]
      guard let source = join.source else { continue }
      let columns = physical.table(named: source.name)?.columns.map { join.columnRenames[$0.name] }
      let isWhole = columns == join.destination.columnNames
      if isWhole, join.others.isEmpty, deletedJoinRows(of: join, table: { $0 }).isEmpty {
        transferred.insert(join.destination.name)
      }
    }
    for position in plan.schema.tables.indices {
      if let table = tablePlans[plan.schema.tables[position].name] {
        plan.schema.tables[position] = table.destination
      }
    }
  }

  /// Every table, and at once the rows of those that are moved by pages: with the indexes that they have in both
  /// files, whose pages are moved as well.
  fileprivate mutating func createTables() {
    for table in plan.schema.tables {
      add(.createTable(name: table.name, sql: table.createStatement))
      if let tablePlan = tablePlans[table.name], transferred.contains(table.name) {
        transfer(tablePlan.source.name, to: table.name, indexes: indexChanges(of: tablePlan), table.indexes)
      }
      for join in joinPlans
      where transition.layout.entity(named: join.destination.source.entity)?.rootEntityName
        == table.rootEntityName
      {
        add(.createTable(name: join.destination.name, sql: join.destination.createStatement))
        guard let source = join.source else { continue }
        if transferred.contains(join.destination.name) {
          transfer(
            source.name, to: join.destination.name, indexes: indexChanges(of: join), join.destination.indexes)
        } else {
          copyRows(of: join, from: source)
        }
      }
    }
  }

  private mutating func transfer(
    _ source: String, to name: String, indexes changes: IndexChanges, _ indexes: [IndexLayout]
  ) {
    for index in indexes.filter({ changes.present.contains($0.name) }) + changes.foreign {
      add(.createIndex(index))
    }
    add(.transferTable(into: name, from: source))
  }

  private mutating func copyRows(of join: JoinTablePlan, from source: JoinTableLayout) {
    let renames = join.columnRenames.sorted { $0.key < $1.key }
    add(
      .insert(
        into: join.destination.name, assignments: renames.map { .init($1, .column($0)) },
        from: names.table(source.name), where: nil))
  }

  fileprivate mutating func createMissingIndexes() {
    for table in plan.schema.tables {
      let changes = tablePlans[table.name].map { indexChanges(of: $0) }
      let isMoved = transferred.contains(table.name)
      for index in table.indexes where !isMoved || changes?.present.contains(index.name) != true {
        add(.createIndex(index))
      }
      if !isMoved, let changes,
        origins.contains(where: { $0.table.name == table.name && $0.kind == .rebuilt })
      {
        for index in changes.foreign { add(.createIndex(index)) }
      }
    }
    for join in joinPlans {
      let present = transferred.contains(join.destination.name) ? indexChanges(of: join).present : []
      for index in join.destination.indexes where !present.contains(index.name) { add(.createIndex(index)) }
    }
  }

  /// What the model knows nothing of, and Core Data's own tables, as they are.
  fileprivate mutating func copyOtherTables(_ physical: PhysicalSchema, isOmitted: (_ table: String) -> Bool)
  {
    let known = Set(transition.schema.tables.map(\.name) + transition.schema.joinTables.map(\.name))
    for table in physical.tables where !known.contains(table.name) && !isOmitted(table.name) {
      add(.createTable(name: table.name, sql: table.sql))
      for index in physical.indexes where index.tableName.uppercased() == table.name.uppercased() {
        add(.createIndex(IndexLayout(name: index.name, sql: index.sql, columnNames: index.columnNames)))
      }
      add(.transferTable(into: table.name, from: table.name))
    }
    for trigger in physical.triggers
    where !known.contains(where: { $0.uppercased() == trigger.tableName.uppercased() })
      && !isOmitted(trigger.tableName)
    {
      add(.createTrigger(name: trigger.name, sql: trigger.sql))
    }
  }
}
