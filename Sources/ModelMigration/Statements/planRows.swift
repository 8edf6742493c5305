import ManagedModel
import PersistentStore

extension StatementPlanner {
  /// References to objects that go, or that a relationship no longer reaches, become nil, before the rows go.
  mutating func forgetUnreachable() {
    forgetToOnes()
    forgetJoinRows()
  }

  private mutating func forgetToOnes() {
    for origin in keptOrigins {
      guard let table = tablePlans[origin.table.name] else { continue }
      for column in table.destination.columns {
        guard case .toOne(let reference) = column.role, let carrier = table.carriers[column.name],
          case .toOne(let past)? = table.source.columns.first(where: { $0.name == carrier })?.role,
          let target = unreachableRows(from: past, to: reference)
        else { continue }
        let companions = table.destination.columns.filter { other in
          (other.role == .discriminator(reference) || other.role == .order(reference))
            && table.carriers[other.name] != nil
        }
        add(
          .update(
            table: table.destination.name,
            assignments: ([column] + companions).map { .init($0.name, .null) },
            where: .refers(column: column.name, table: target.table, to: .entity(in: target.numbers))))
      }
    }
  }

  /// Join rows of which one side goes, or is no longer reached.
  private mutating func forgetJoinRows() {
    for join in joinPlans {
      guard let source = join.source else { continue }
      let ends = [
        (
          source.destinationColumn, source.source,
          join.isFlipped ? join.destination.destination : join.destination.source
        ),
        (
          source.sourceColumn, source.destination,
          join.isFlipped ? join.destination.source : join.destination.destination
        ),
      ]
      for (column, past, reference) in ends {
        guard let target = unreachableRows(from: past, to: reference) else { continue }
        add(
          .delete(
            from: join.destination.name,
            where: .refers(
              column: names.column(column, ofTable: source.name), table: target.table,
              to: .entity(in: target.numbers))))
      }
    }
  }

  /// The table, under its name of now, and the old numbers of rows that a relationship led to and leads to no more.
  private func unreachableRows(
    from past: PropertyReference, to reference: PropertyReference
  ) -> (table: String, numbers: [Int])? {
    guard let old = transition.source.relationship(named: past.property, of: past.entity),
      let new = transition.destination.relationship(named: reference.property, of: reference.entity),
      let table = transition.schema.table(ofEntity: old.destinationEntityName)
    else { return nil }
    let numbers = transition.unreachableNumbers(from: old, to: new)
    return numbers.isEmpty ? nil : (names.table(table.name), numbers)
  }

  /// Copies the rows that leave a table into the new tables of their entities; keys stay.
  mutating func fillSplitTables() {
    for origin in splitOrigins {
      guard let source = origin.source, let table = tablePlans[origin.table.name] else { continue }
      let numbers = origin.entities.compactMap { oldNumber(ofDestination: $0) }
      guard !numbers.isEmpty else { continue }
      var assignments: [StoreStatement.Assignment] = []
      for recipe in table.recipes {
        let cases = origin.entities.compactMap { name -> SQLExpression.EntityCase? in
          guard let number = oldNumber(ofDestination: name), let value = recipe.values[name], value != .null
          else {
            return nil
          }
          return .init(numbers: [number], value: current(value, of: source))
        }
        guard let first = cases.first else { continue }
        let isUniform = cases.count == origin.entities.count && cases.allSatisfy { $0.value == first.value }
        assignments.append(.init(recipe.column.name, isUniform ? first.value : .byEntity(cases)))
      }
      assignments.insert(
        .init("Z_ENT", .renumbered(.column("Z_ENT"), renumbering(of: origin.entities))), at: 0)
      add(
        .insert(
          into: origin.table.name, assignments: assignments, from: names.table(source.name),
          where: .entity(in: numbers)))
    }
  }

  /// Removes the rows that do not go on in their table, renumbers the others and changes their values.
  mutating func updateRows() {
    for origin in keptOrigins {
      guard let table = tablePlans[origin.table.name] else { continue }
      let staying = Set(origin.entities.compactMap { oldNumber(ofDestination: $0) })
      let leaving = transition.source.descendantNames(includingSelf: table.source.rootEntityName)
        .compactMap { transition.oldNumber(ofSource: $0) }.filter { !staying.contains($0) }
      if !leaving.isEmpty { add(.delete(from: table.destination.name, where: .entity(in: leaving))) }
      updateValues(of: table)
    }
  }

  private mutating func updateValues(of table: TablePlan) {
    let numbers = renumbering(of: table.entities)
    let isRenumbered = numbers.contains { $0.key != $0.value }
    let groups = assignmentGroups(of: table)
    // One set of assignments for all rows: the new numbers go along.
    if groups.count == 1, let only = groups.first, only.entities.count == table.entities.count {
      let renumber = isRenumbered ? [StoreStatement.Assignment("Z_ENT", renumbered(numbers))] : []
      let assignments = renumber + only.assignments
      if !assignments.isEmpty {
        add(.update(table: table.destination.name, assignments: assignments, where: nil))
      }
      return
    }
    if isRenumbered {
      add(
        .update(table: table.destination.name, assignments: [.init("Z_ENT", renumbered(numbers))], where: nil)
      )
    }
    for group in groups where !group.assignments.isEmpty {
      let condition = SQLCondition.entity(
        in: group.entities.compactMap { transition.newNumber(ofDestination: $0) })
      add(.update(table: table.destination.name, assignments: group.assignments, where: condition))
    }
  }

  private func renumbered(_ numbers: [Int: Int]) -> SQLExpression {
    if numbers.count == 1, let only = numbers.first { return .literal(.integer(Int64(only.value))) }
    return .renumbered(.column("Z_ENT"), numbers)
  }

  /// Entities whose rows change in the same way, with what changes; an entity's rows change all at once, so that
  /// every value is computed from the old ones.
  private func assignmentGroups(
    of table: TablePlan
  ) -> [(entities: [String], assignments: [StoreStatement.Assignment])] {
    var groups: [(entities: [String], assignments: [StoreStatement.Assignment])] = []
    for name in table.entities {
      let assignments = table.recipes.compactMap { assignment($0, entity: name, table: table) }
      if let index = groups.firstIndex(where: { $0.assignments == assignments }) {
        groups[index].entities.append(name)
      } else {
        groups.append(([name], assignments))
      }
    }
    return groups
  }

  private func assignment(
    _ recipe: ColumnRecipe, entity: String, table: TablePlan
  ) -> StoreStatement.Assignment? {
    if recipe.isLookedUp { return nil }
    let carrier = table.carriers[recipe.column.name]
    guard let value = recipe.values[entity] else {
      // What another entity keeps in this column may be left over from a property that this one has lost.
      guard let carrier, mayHold(carrier, entity: entity, table: table) else { return nil }
      return .init(recipe.column.name, .null)
    }
    if let carrier, value.plainColumn == carrier { return nil }
    if carrier == nil, value == .null { return nil }
    return .init(recipe.column.name, current(value, of: table.source))
  }

  /// Whether rows of the entity had a property of their own in the source's column.
  private func mayHold(_ column: String, entity: String, table: TablePlan) -> Bool {
    guard let sourceName = transition.sourceName(ofEntity: entity),
      let role = table.source.columns.first(where: { $0.name == column })?.role
    else { return false }
    switch role {
    case .attribute(let reference), .toOne(let reference), .discriminator(let reference),
      .order(let reference):
      return transition.source.isKind(sourceName, of: reference.entity)
    default: return false
    }
  }

  /// The expression over the columns' names of now.
  private func current(_ value: SQLExpression, of table: TableLayout) -> SQLExpression {
    value.renamingColumns { names.column($0, ofTable: table.name) }
  }

  private func oldNumber(ofDestination name: String) -> Int? {
    transition.sourceName(ofEntity: name).flatMap { transition.oldNumber(ofSource: $0) }
  }

  private func renumbering(of entities: [String]) -> [Int: Int] {
    var numbers: [Int: Int] = [:]
    for name in entities {
      if let old = oldNumber(ofDestination: name), let new = transition.newNumber(ofDestination: name) {
        numbers[old] = new
      }
    }
    return numbers
  }
}
