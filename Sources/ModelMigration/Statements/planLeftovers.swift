import ManagedModel
import PersistentStore

extension StatementPlanner {
  /// Triggers name tables, columns and entity numbers, and SQLite checks them while it renames, and writes names of the
  /// moment into them: they go first and come back last. Indexes that the destination does not have in this form go as well.
  mutating func dropTriggersAndIndexes() {
    for trigger in transition.schema.triggers where isOnModelTable(trigger) || isForeign(trigger) {
      add(.drop(.trigger, trigger.name))
    }
    for view in viewsAside { add(.drop(.view, view.name)) }
    let changes = keptTables.map { indexChanges(of: $0) } + joinPlans.map { indexChanges(of: $0) }
    for name in changes.flatMap(\.dropped) { add(.drop(.index, name)) }
  }

  func isOnModelTable(_ trigger: TriggerLayout) -> Bool {
    transition.schema.tableNames.contains { $0.uppercased() == trigger.tableName.uppercased() }
  }

  /// Whether it is none of Core Data's.
  func isForeign(_ trigger: TriggerLayout) -> Bool {
    !trigger.name.hasPrefix("Z_DA_") && !trigger.tableName.isSystemTable
  }

  /// Triggers that are none of Core Data's and whose table still has its name.
  private var foreignTriggers: [TriggerLayout] {
    let kept = Set(
      tables(.kept, .rebuilt).filter { $0.source.name == $0.destination.name }.map(\.source.name)
        + joinPlans.filter { $0.source?.name == $0.destination.name }.map(\.destination.name))
    return transition.schema.triggers.filter { trigger in
      isForeign(trigger)
        && (!isOnModelTable(trigger) || kept.contains { $0.uppercased() == trigger.tableName.uppercased() })
    }
  }

  /// Views that name only what is there under its name afterwards too; into others SQLite writes the new names.
  private var viewsAside: [TriggerLayout] {
    func columns(_ schema: StoreSchema) -> [(table: String, names: [String])] {
      schema.tables.map { (table: $0.name, names: $0.columns.map(\.name)) }
        + schema.joinTables.map { (table: $0.name, names: $0.columnNames) }
    }
    let after = Dictionary(firstOf: columns(plan.schema).map { ($0.table, Set($0.names)) })
    return transition.views.filter { view in
      guard let names = view.namesInBody else { return false }
      return columns(transition.schema).filter { names.contains($0.table.uppercased()) }.allSatisfy { old in
        guard let kept = after[old.table] else { return false }
        return old.names.allSatisfy { !names.contains($0.uppercased()) || kept.contains($0) }
      }
    }
  }

  func indexChanges(of table: TablePlan) -> IndexChanges {
    IndexChanges(
      table.source.indexes, to: table.destination.indexes, columns: table.heirs,
      allColumns: table.source.columns.map(\.name), explained: table.destination.unmadeIndexes)
  }

  /// Indexes of others that are made again over a table that is rewritten, where all names in them stay.
  func remade(of table: TablePlan) -> [IndexLayout] {
    indexChanges(of: table).foreign.filter { index in
      table.source.name == table.destination.name && index.columnNames.allSatisfy { table.carriers[$0] == $0 }
    }
  }

  func indexChanges(of join: JoinTablePlan) -> IndexChanges {
    IndexChanges(
      join.source?.indexes ?? [], to: join.destination.indexes, columns: join.columnRenames,
      allColumns: join.source?.columnNames ?? [])
  }

  /// Columns and tables that nothing goes on as.
  mutating func dropLeftovers() {
    for table in keptTables {
      for column in table.droppedColumns {
        add(
          .dropColumn(
            table: table.destination.name, column: names.column(column.name, ofTable: table.source.name)))
      }
    }
    for table in droppedTables { add(.drop(.table, names.table(table.name))) }
    for join in joinPlans {
      guard let source = join.source else { continue }
      for column in join.droppedOrderColumns {
        add(.dropColumn(table: join.destination.name, column: names.column(column, ofTable: source.name)))
      }
    }
    for join in droppedJoinTables { add(.drop(.table, names.table(join.name))) }
  }

  /// Indexes that only have another name get it; the others are built.
  mutating func createIndexes() {
    var renames: [StoreStatement.IndexRename] = []
    var missing: [IndexLayout] = []
    for table in plan.schema.tables {
      let own = tablePlansByName[table.name]
      let changes = own.flatMap { $0.kind == .kept ? indexChanges(of: $0) : nil }
      renames += changes?.renamed ?? []
      if let own, own.kind == .rebuilt { missing += remade(of: own) }
      missing += table.indexes.filter { changes?.present.contains($0.name) != true }
    }
    for join in joinPlans {
      let changes = indexChanges(of: join)
      renames += changes.renamed
      missing += join.destination.indexes.filter { !changes.present.contains($0.name) }
    }
    if !renames.isEmpty { add(.renameIndexes(renames)) }
    for index in missing { add(.createIndex(index)) }
  }

  mutating func createTriggers() {
    for made in viewsAside + plan.schema.triggers + keptDerivationTriggers {
      add(.createTrigger(name: made.name, sql: made.sql))
    }
    for trigger in foreignTriggers {
      add(.createTrigger(name: trigger.name, sql: trigger.sql, isChecked: !keepsNames(trigger)))
    }
  }
}
