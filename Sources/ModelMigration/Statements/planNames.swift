import ManagedModel
import PersistentStore

extension StatementPlanner {
  /// Gives columns that go on where they stand their other types, while tables and columns have their old names.
  mutating func retypeColumns() {
    for origin in keptOrigins {
      guard let table = tablePlans[origin.table.name], let text = table.retypedText else { continue }
      add(.retypeColumns(table: table.source.name, sql: text))
    }
  }

  /// Gives every table its new name; tables that stand in the way of one move aside.
  mutating func renameTables() {
    var renames: [String: String] = [:]
    for origin in keptOrigins {
      if let source = origin.source { renames[source.name] = origin.table.name }
    }
    for join in joinPlans {
      if let source = join.source { renames[source.name] = join.destination.name }
    }
    // A new table may need a name that a table on its way out still has.
    let created = Set(
      origins.filter { $0.kind != .kept }.map(\.table.name)
        + joinPlans.filter { $0.source == nil }.map(\.destination.name))
    var existing = Set(transition.schema.tables.map(\.name) + transition.schema.joinTables.map(\.name))
    var spare = 100
    for name in (droppedTables.map(\.name) + droppedJoinTables.map(\.name)) where created.contains(name) {
      let aside = spareName(&spare, taken: existing)
      existing.insert(aside)
      rename(name, to: aside)
      existing.remove(name)
    }
    for (name, newName) in orderRenames(renames, existing: existing) { rename(name, to: newName) }
    for origin in origins where origin.kind != .kept {
      let table = tablePlans[origin.table.name]?.destination ?? origin.table
      add(.createTable(name: table.name, sql: table.createStatement))
    }
    for join in joinPlans where join.source == nil {
      add(.createTable(name: join.destination.name, sql: join.destination.createStatement))
    }
  }

  private mutating func rename(_ name: String, to newName: String) {
    add(.renameTable(name, to: newName))
    names.renameTable(name, to: newName)
  }

  /// Renames the columns that go on under another name and adds the new ones.
  mutating func alterColumns() {
    for origin in keptOrigins {
      guard let table = tablePlans[origin.table.name] else { continue }
      let renames = Dictionary(firstOf: table.carriers.map { ($1, $0) })
      var existing = Set(table.source.columns.map(\.name))
      let added = table.destination.columns.filter { table.carriers[$0.name] == nil }
      // A column on its way out may hold the name of a new one; its values are still needed.
      var spare = 100
      for column in table.droppedColumns where added.contains(where: { $0.name == column.name }) {
        let aside = spareName(&spare, taken: existing)
        existing.insert(aside)
        existing.remove(column.name)
        renameColumn(column.name, to: aside, of: table)
      }
      for (name, newName) in orderRenames(renames, existing: existing) {
        renameColumn(name, to: newName, of: table)
      }
      for column in added {
        add(.addColumn(table: table.destination.name, column: column.name, declaredType: column.declaredType))
      }
    }
    for join in joinPlans { alterColumns(of: join) }
  }

  private mutating func renameColumn(_ name: String, to newName: String, of table: TablePlan) {
    add(.renameColumn(table: table.destination.name, column: name, to: newName))
    names.renameColumn(name, ofTable: table.source.name, to: newName)
  }

  private mutating func alterColumns(of join: JoinTablePlan) {
    guard let source = join.source else { return }
    for (name, newName) in orderRenames(join.columnRenames, existing: Set(source.columnNames)) {
      add(.renameColumn(table: join.destination.name, column: name, to: newName))
      names.renameColumn(name, ofTable: source.name, to: newName)
    }
    for column in join.addedOrderColumns {
      add(.addColumn(table: join.destination.name, column: column, declaredType: "INTEGER"))
    }
  }
}
