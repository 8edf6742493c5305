import ManagedModel
import PersistentStore

extension StatementPlanner {
  /// Gives columns that go on where they stand their other types, while tables and columns have their old names.
  mutating func retypeColumns() {
    for table in keptTables {
      if let text = table.retypedText { add(.retypeColumns(table: table.source.name, sql: text)) }
    }
  }

  /// Gives every table its new name; tables that stand in the way of one move aside.
  mutating func renameTables() {
    var renames: [String: String] = [:]
    for table in keptTables { renames[table.source.name] = table.destination.name }
    for join in joinPlans { if let source = join.source { renames[source.name] = join.destination.name } }
    // A new table may need a name that a table on its way out still has.
    let kept = Set(keptTables.map(\.destination.name))
    let others = plan.schema.tables.filter { !kept.contains($0.name) }
    let created = Set(others.map(\.name) + joinPlans.filter { $0.source == nil }.map(\.destination.name))
    var existing = Set(transition.schema.tableNames)
    var spare = 100
    for name in (droppedTables.map(\.name) + droppedJoinTables.map(\.name)) where created.contains(name) {
      let aside = spareName(&spare, taken: existing)
      existing.insert(aside)
      rename(name, to: aside)
      existing.remove(name)
    }
    for (name, newName) in renames.ordered(existing: existing) { rename(name, to: newName) }
    for table in others { add(.createTable(name: table.name, sql: table.createStatement)) }
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
    for table in keptTables {
      var existing = Set(table.source.columns.map(\.name))
      let added = table.destination.columns.filter { table.carriers[$0.name] == nil }
      // A column on its way out may hold the name of a new one; its values are still needed.
      var spare = 100
      for column in table.droppedColumns where added.contains(where: { $0.name == column.name }) {
        let aside = spareName(&spare, taken: existing)
        existing.insert(aside)
        existing.remove(column.name)
        renameColumn(column.name, to: aside, of: table.source.name, in: table.destination.name)
      }
      for (name, newName) in table.heirs.ordered(existing: existing) {
        renameColumn(name, to: newName, of: table.source.name, in: table.destination.name)
      }
      for column in added {
        add(.addColumn(table: table.destination.name, column: column.name, declaredType: column.declaredType))
      }
    }
    for join in joinPlans {
      guard let source = join.source else { continue }
      for (name, newName) in join.columnRenames.ordered(existing: Set(source.columnNames)) {
        renameColumn(name, to: newName, of: source.name, in: join.destination.name)
      }
      for column in join.addedOrderColumns {
        add(.addColumn(table: join.destination.name, column: column, declaredType: "INTEGER"))
      }
    }
  }

  /// - Parameter table: the source's name of the table, which is called otherwise by now.
  private mutating func renameColumn(
    _ name: String, to newName: String, of table: String, in destination: String
  ) {
    add(.renameColumn(table: destination, column: name, to: newName))
    names.renameColumn(name, ofTable: table, to: newName)
  }
}

/// The names of a store's tables and columns while statements change them, by the names they had at first.
struct CurrentNames {
  private var tables: [String: String] = [:]
  private var columns: [String: [String: String]] = [:]

  func table(_ name: String) -> String { tables[name] ?? name }
  func column(_ name: String, ofTable table: String) -> String { columns[table]?[name] ?? name }

  mutating func renameTable(_ current: String, to newName: String) {
    let original = tables.first { $0.value == current }?.key ?? current
    tables[original] = newName
  }

  mutating func renameColumn(_ current: String, ofTable table: String, to newName: String) {
    let original = columns[table]?.first { $0.value == current }?.key ?? current
    columns[table, default: [:]][original] = newName
  }
}

extension SQLExpression {
  /// The same expression over the names that tables and columns have got meanwhile.
  ///
  /// - Parameter table: the source's name of the table whose row it reads.
  func renaming(ofTable table: String, _ names: CurrentNames) -> SQLExpression {
    func renamed(_ value: SQLExpression) -> SQLExpression { value.renaming(ofTable: table, names) }
    switch self {
    case .column(let name): return .column(names.column(name, ofTable: table))
    case .literal: return self
    case .coalesce(let first, let second): return .coalesce(renamed(first), renamed(second))
    case .converted(let value, let from, let to): return .converted(renamed(value), from: from, to: to)
    case .marked(let value): return .marked(renamed(value))
    case .unmarked(let value): return .unmarked(renamed(value))
    case .renumbered(let value, let numbers): return .renumbered(renamed(value), numbers)
    case .byEntity(let cases):
      return .byEntity(cases.map { EntityCase(numbers: $0.numbers, value: renamed($0.value)) })
    case .lookup(let column, let other, let key):
      return .lookup(
        column: names.column(column, ofTable: other), table: names.table(other), key: renamed(key))
    case .referrer(let other, let foreignKey, let outer):
      return .referrer(
        table: names.table(other), foreignKey: names.column(foreignKey, ofTable: other),
        outerTable: names.table(outer))
    }
  }
}

extension [String: String] {
  /// A sequence of single renames with the effect of all at once.
  ///
  /// Names may follow one another (`a` → `b`, `b` → `c`) or form a circle. A temporary name opens a circle, and frees a name
  /// that something else holds. Names compare without regard to case, as SQLite's do.
  func ordered(existing: Set<String>) -> [(name: String, newName: String)] {
    var open = filter { $0.key != $0.value }
    var taken = Set(existing.map { $0.uppercased() })
    var ordered: [(name: String, newName: String)] = []
    var spare = 0
    while !open.isEmpty {
      let free = open.filter {
        !taken.contains($0.value.uppercased()) || $0.key.uppercased() == $0.value.uppercased()
      }
      if let next = free.min(by: { $0.key < $1.key }) {
        ordered.append((next.key, next.value))
        open[next.key] = nil
        taken.remove(next.key.uppercased())
        taken.insert(next.value.uppercased())
      } else if let blocked = open.min(by: { $0.key < $1.key }) {
        // Either a circle, or something that has no other name to go to: what stands in the way moves aside.
        let occupant =
          existing.union(open.keys).first { $0.uppercased() == blocked.value.uppercased() } ?? blocked.value
        let temporary = spareName(&spare, taken: taken)
        ordered.append((occupant, temporary))
        if let target = open.removeValue(forKey: occupant) { open[temporary] = target }
        taken.remove(occupant.uppercased())
        taken.insert(temporary)
      }
    }
    return ordered
  }
}

/// A temporary name. No name of the store's own has this form.
func spareName(_ counter: inout Int, taken: Set<String>) -> String {
  repeat { counter += 1 } while taken.contains("ZMODELC_\(counter)")
  return "ZMODELC_\(counter)"
}
