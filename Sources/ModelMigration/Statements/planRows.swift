import ManagedModel
import PersistentStore

extension StatementPlanner {
  /// Removes the objects whose entity goes, so that nothing that is looked up or copied meets them.
  mutating func deleteRemoved() {
    let sources = Set(tablePlans.map(\.source.name))
    for table in transition.schema.tables where sources.contains(table.name) {
      let removed = transition.numbers(ofSource: table.rootEntityName) { $1 == nil }
      if !removed.isEmpty { add(.delete(from: names.table(table.name), where: .entity(in: removed))) }
    }
  }

  /// Copies the rows that leave a table into the new tables of their entities; keys stay.
  mutating func copyRows() {
    for table in tables(.split, .rebuilt) {
      let numbers = table.entities.compactMap { transition.oldNumber(ofDestination: $0) }
      guard !numbers.isEmpty else { continue }
      var assignments: [StoreStatement.Assignment] = [
        .init("Z_ENT", .renumbered(.column("Z_ENT"), renumbering(of: table.entities)))
      ]
      assignments += table.recipes.compactMap { recipe in
        copiedValue(of: recipe, in: table).map { .init(recipe.column.name, $0) }
      }
      assignments += table.destination.unknownColumns.compactMap { column in
        table.carriers[column.name].map { .init(column.name, current(.column($0), of: table.source)) }
      }
      add(
        .insert(
          into: table.destination.name, assignments: assignments, from: names.table(table.source.name),
          where: .entity(in: numbers)))
    }
  }

  /// Nil if it is null for every entity.
  private func copiedValue(of recipe: ColumnRecipe, in table: TablePlan) -> SQLExpression? {
    let cases = table.entities.compactMap { name -> SQLExpression.EntityCase? in
      guard let number = transition.oldNumber(ofDestination: name), let value = recipe.values[name],
        value != .null
      else { return nil }
      return .init(numbers: [number], value: current(value, of: table.source))
    }
    guard let first = cases.first else { return nil }
    let isUniform = cases.count == table.entities.count && cases.allSatisfy { $0.value == first.value }
    return isUniform ? first.value : .byEntity(cases)
  }

  /// Keys that stand in rows of other tables, while those still have their old columns.
  mutating func lookUpReferrers() {
    for table in keptTables {
      for recipe in table.recipes {
        for name in table.entities {
          guard let value = recipe.values[name], value.readsOtherRows,
            let number = transition.oldNumber(ofDestination: name)
          else { continue }
          set(
            recipe.column.name, current(value, of: table.source), in: table.destination.name,
            where: .entity(in: [number]))
        }
      }
    }
  }

  /// Removes the rows that go on in another table, renumbers the others and changes their values.
  mutating func updateRows() {
    for table in keptTables {
      let leaving = transition.numbers(ofSource: table.source.rootEntityName) { _, name in
        name.map { !table.entities.contains($0) } ?? false
      }
      if !leaving.isEmpty { add(.delete(from: table.destination.name, where: .entity(in: leaving))) }
      updateValues(of: table)
    }
  }

  private mutating func updateValues(of table: TablePlan) {
    let numbers = renumbering(of: table.entities)
    let isRenumbered = numbers.contains { $0.key != $0.value }
    let groups = assignmentGroups(of: table)
    // One set of assignments for all rows: the new numbers go along.
    if groups.count == 1, let only = groups.first {
      let renumber = isRenumbered ? [StoreStatement.Assignment("Z_ENT", renumbered(numbers))] : []
      let assignments = renumber + only.assignments
      if !assignments.isEmpty {
        let changed = isRenumbered ? nil : changedRows(assignments)
        let both = [objectRows(of: table), changed].compactMap(\.self)
        let rows = both.isEmpty ? nil : both.count == 1 ? both[0] : SQLCondition.all(both)
        add(.update(table: table.destination.name, assignments: assignments, where: rows))
      }
      return
    }
    if isRenumbered {
      set("Z_ENT", renumbered(numbers), in: table.destination.name, where: objectRows(of: table))
    }
    for group in groups where !group.assignments.isEmpty {
      let condition = SQLCondition.entity(
        in: group.entities.compactMap { transition.newNumber(ofDestination: $0) })
      let rows = changedRows(group.assignments).map { SQLCondition.all([condition, $0]) } ?? condition
      add(.update(table: table.destination.name, assignments: group.assignments, where: rows))
    }
  }

  /// The rows that assignments give another value than they have; nil if that is not told without computing it.
  ///
  /// A row that is left alone costs nothing, neither in the table nor in a journal.
  private func changedRows(_ assignments: [StoreStatement.Assignment]) -> SQLCondition? {
    var conditions: [SQLCondition] = []
    for assignment in assignments {
      let column = SQLExpression.column(assignment.column)
      switch assignment.value {
      case .coalesce(column, .literal): conditions.append(.isNull(column))
      case .null: conditions.append(.isNotNull(column))
      default: return nil
      }
    }
    return .any(conditions)
  }

  private func renumbered(_ numbers: [Int: Int]) -> SQLExpression {
    if numbers.count == 1, let only = numbers.first { return .literal("\(only.value)") }
    return .renumbered(.column("Z_ENT"), numbers)
  }

  /// Entities whose rows change in the same way, with what changes; an entity's rows change all at once, so that
  /// every value is computed from the old ones.
  private func assignmentGroups(
    of table: TablePlan
  ) -> [(entities: [String], assignments: [StoreStatement.Assignment])] {
    var groups: [(entities: [String], assignments: [StoreStatement.Assignment])] = []
    let roles = Dictionary(firstOf: table.source.columns.map { ($0.name, $0.role) })
    for name in table.entities {
      let assignments = table.recipes.compactMap { recipe in
        let carrier = table.carriers[recipe.column.name]
        return assignment(recipe, carrier, carrier.flatMap { roles[$0] }, entity: name, table: table)
      }
      if let index = groups.firstIndex(where: { $0.assignments == assignments }) {
        groups[index].entities.append(name)
      } else {
        groups.append(([name], assignments))
      }
    }
    return groups
  }

  private func assignment(
    _ recipe: ColumnRecipe, _ carrier: String?, _ past: ColumnRole?, entity: String, table: TablePlan
  ) -> StoreStatement.Assignment? {
    guard let value = recipe.values[entity] else {
      // What another entity keeps in this column may be left over from a property that this one has lost.
      guard let past, let source = transition.sourceName(ofEntity: entity),
        transition.source.uses(past, entity: source)
      else { return nil }
      return .init(recipe.column.name, .null)
    }
    if value.readsOtherRows { return nil }
    if let carrier, value.plainColumn == carrier { return nil }
    if carrier == nil, value == .null { return nil }
    return .init(recipe.column.name, current(value, of: table.source))
  }

  /// The expression over the names that tables and columns have by now.
  private func current(_ value: SQLExpression, of table: TableLayout) -> SQLExpression {
    value.renaming(ofTable: table.name, names)
  }

  private func renumbering(of entities: [String]) -> [Int: Int] {
    let numbers = entities.compactMap { transition.oldNumber(ofDestination: $0) }
    return transition.renumbering.filter { numbers.contains($0.key) }
  }

  // Rows with the number of no entity are not objects. They stay in their table.

  /// Gives rows of no entity that have a number which an entity gets now another one, that nobody has: they would
  /// become its objects.
  mutating func setOrphanRowsApart() {
    let taken = Set(transition.layout.entities.map(\.number))
    for (table, orphanRows) in transition.orphanRows.sorted(by: { $0.key < $1.key }) {
      let numbers = orphanRows.filter { taken.contains($0) }.sorted()
      if numbers.isEmpty { continue }
      let apart = Dictionary(firstOf: numbers.map { ($0, -1 - $0) })
      set("Z_ENT", .renumbered(.column("Z_ENT"), apart), in: names.table(table), where: .entity(in: numbers))
    }
  }

  /// Takes rows of no entity along where their table is rewritten.
  mutating func copyOrphanRows() {
    for table in tables(.rebuilt) where transition.orphanRows[table.source.name] != nil {
      let columns = table.destination.columns.compactMap { column in
        table.carriers[column.name].map { StoreStatement.Assignment(column.name, .column($0)) }
      }.filter { !["Z_PK", "Z_ENT", "Z_OPT"].contains($0.column) }
      add(
        .insert(
          into: table.destination.name, assignments: [.init("Z_ENT", .column("Z_ENT"))] + columns,
          from: names.table(table.source.name), where: .noEntity(in: numbers(of: table.source))))
    }
  }

  /// The rows of a table that are objects; nil for all.
  func objectRows(of table: TablePlan) -> SQLCondition? {
    transition.orphanRows[table.source.name] == nil ? nil : .entity(in: numbers(of: table.source))
  }

  private func numbers(of table: TableLayout) -> [Int] {
    transition.numbers(ofSource: table.rootEntityName) { _, _ in true }
  }
}

extension SQLExpression {
  var isNeverNull: Bool {
    switch self {
    case .literal(let literal): literal != "NULL"
    case .coalesce(let first, let second): first.isNeverNull || second.isNeverNull
    case .converted(let value, _, _), .marked(let value), .unmarked(let value): value.isNeverNull
    case .column, .renumbered, .byEntity, .lookup, .referrer: false
    }
  }

  var readsOtherRows: Bool {
    switch self {
    case .referrer, .lookup: true
    case .coalesce(let first, let second): first.readsOtherRows || second.readsOtherRows
    case .converted(let value, _, _), .renumbered(let value, _), .marked(let value), .unmarked(let value):
      value.readsOtherRows
    case .column, .literal, .byEntity: false
    }
  }
}
