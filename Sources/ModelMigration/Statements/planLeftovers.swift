import ManagedModel
import PersistentStore

extension StatementPlanner {
  /// Triggers of derived attributes name tables, columns and entity numbers, and SQLite checks them while it renames:
  /// they go first and come back last. Indexes that the destination does not have in this form go as well.
  mutating func dropTriggersAndIndexes() {
    for trigger in transition.schema.triggers { add(.dropTrigger(trigger.name)) }
    for origin in keptOrigins {
      guard let table = tablePlans[origin.table.name] else { continue }
      let kept = Set(survivingIndexes(of: table).map(\.name))
      for index in table.source.indexes where !kept.contains(index.name) { add(.dropIndex(index.name)) }
    }
    for join in joinPlans {
      guard let source = join.source else { continue }
      let wanted = Set(join.destination.indexes.map(\.name))
      for index in source.indexes where !wanted.contains(index.name) { add(.dropIndex(index.name)) }
    }
  }

  /// Indexes that stay as they are: the destination has one of that name over the same columns, or the source's
  /// model did not know of it and all its columns go on.
  private func survivingIndexes(of table: TablePlan) -> [IndexLayout] {
    if table.needsRebuild { return [] }
    let wanted = Dictionary(
      table.destination.indexes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let destinationNames = Dictionary(
      table.carriers.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let known = Set(
      transition.derivedSchema.tables.first { $0.rootEntityName == table.source.rootEntityName }?.indexes.map(
        \.name) ?? [])
    return table.source.indexes.filter { index in
      let columns = index.columnNames.map { destinationNames[$0] }
      if let same = wanted[index.name] {
        return columns == same.columnNames && isUnique(index) == isUnique(same)
      }
      return !known.contains(index.name) && !columns.isEmpty && columns.allSatisfy { $0 != nil }
    }
  }

  private func isUnique(_ index: IndexLayout) -> Bool { index.sql.uppercased().hasPrefix("CREATE UNIQUE") }

  /// Columns and tables that nothing goes on as; tables whose text has to change are written anew.
  mutating func dropLeftovers() {
    for origin in keptOrigins {
      guard let table = tablePlans[origin.table.name] else { continue }
      if table.needsRebuild {
        rebuild(table)
      } else {
        for column in table.dying {
          add(
            .dropColumn(
              table: table.destination.name, column: names.column(column.name, ofTable: table.source.name)))
        }
      }
    }
    for table in dyingTables { add(.dropTable(names.table(table.name))) }
    for join in joinPlans {
      guard let source = join.source else { continue }
      for column in join.droppedOrderColumns {
        add(.dropColumn(table: join.destination.name, column: names.column(column, ofTable: source.name)))
      }
    }
    for join in dyingJoinTables { add(.dropTable(names.table(join.name))) }
  }

  /// https://sqlite.org/lang_altertable.html, "Making Other Kinds Of Table Schema Changes", steps 4 to 7.
  private mutating func rebuild(_ table: TablePlan) {
    var spare = 900
    let aside = spareName(&spare, taken: [])
    let name = table.destination.name
    add(.renameTable(name, to: aside))
    add(.createTable(name: name, sql: table.destination.createStatement))
    let columns = table.destination.columns.map { StoreStatement.Assignment($0.name, .column($0.name)) }
    add(.insert(into: name, assignments: columns, from: aside, where: nil))
    add(.dropTable(aside))
  }

  mutating func createIndexesAndTriggers() {
    for origin in origins {
      var present: Set<String> = []
      if let table = tablePlans[origin.table.name], origin.kind == .kept {
        present = Set(survivingIndexes(of: table).map(\.name))
      }
      let table = plan.schema.tables.first { $0.name == origin.table.name }
      for index in table?.indexes ?? [] where !present.contains(index.name) { add(.createIndex(index)) }
    }
    for join in joinPlans {
      let present = Set(join.source?.indexes.map(\.name) ?? [])
      for index in join.destination.indexes where !present.contains(index.name) { add(.createIndex(index)) }
    }
    for trigger in plan.schema.triggers { add(.createTrigger(name: trigger.name, sql: trigger.sql)) }
  }
}
