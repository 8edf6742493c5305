import ManagedModel
import PersistentStore

extension StatementPlanner {
  /// References to objects that go become nil, as those that do not go on though the rows that hold them do; and join rows of
  /// such objects go, before the objects do. Join tables that others are filled from are read first, before they lose rows.
  mutating func nullifyRemovedReferences() {
    nullifyReferencesToRemoved()
    nullifyUnreadReferences()
    let read = Set(joinPlans.flatMap(\.others).map(\.table))
    for isRead in [false, true] {
      // Rows that go on in another join table are read before this one loses them.
      if isRead { fillJoinTables(fromKept: true) }
      for join in joinPlans where read.contains(join.source?.name ?? "") == isRead {
        for condition in deletedJoinRows(of: join) {
          add(.delete(from: join.destination.name, where: condition))
        }
      }
    }
  }

  private mutating func nullifyReferencesToRemoved() {
    // Those that some column of the destination is computed from.
    let used = Set(
      tablePlans.flatMap { plan in
        plan.recipes.filter(\.column.role.holdsKeys).flatMap(\.values.values)
          .flatMap { usedColumns($0, of: plan.source.name) }
      })
    for key in transition.schema.referenceColumns(transition.source)
    where used.contains([key.table.name, key.column.name]) {
      let table = key.table.name
      let removed = transition.numbers(ofSource: key.entity) { $1 == nil }
      if removed.isEmpty { continue }
      let rows = SQLCondition.refers(
        column: names.column(key.column.name, ofTable: table), table: names.table(key.target.name),
        to: .entity(in: removed))
      nullify(key.emptied, ofSource: table, where: rows)
    }
  }

  /// Where the rows that lead to an object are looked up, those of entities that no longer tell the relationship must
  /// not be found.
  private mutating func nullifyUnreadReferences() {
    for reference in contestedReferences {
      guard let column = reference.column,
        let table = transition.schema.tables.first(where: { $0.name == reference.table })
      else { continue }
      let silent = transition.numbers(ofSource: table.rootEntityName) { _, name in
        name.map { !reads($0, column, of: table) } ?? false
      }.filter { !reference.numbers.contains($0) }
      if !silent.isEmpty { nullify([column], ofSource: table.name, where: .entity(in: silent)) }
    }
  }

  /// Whether rows of the destination's entity keep what the source's column holds.
  private func reads(_ entity: String, _ column: String, of table: TableLayout) -> Bool {
    tablePlans.contains { plan in
      plan.source.name == table.name
        && plan.recipes.compactMap { $0.values[entity] }
          .contains { usedColumns($0, of: table.name).contains([table.name, column]) }
    }
  }

  /// References to objects that stay but lie outside of what the relationship leads to from now on become nil, once
  /// all rows have their new numbers.
  mutating func nullifyOutsideReferences() {
    for table in tablePlans {
      for column in table.destination.columns {
        for (end, reached) in destinations(of: column.role) {
          let names = transition.source.descendantNames(includingSelf: end.entity)
            .filter { !reached.contains($0) }.compactMap { transition.destinationName(ofEntity: $0) }
          nullifyOutsideReferences(column, of: table, names: names)
        }
      }
    }
  }

  private mutating func nullifyOutsideReferences(_ column: ColumnLayout, of table: TablePlan, names: [String])
  {
    let byTable = Dictionary(grouping: names) { plan.schema.table(ofEntity: $0)?.name }
    let companions = table.destination.columns.filter { $0.role.key == column.role && $0 != column }
    for (target, names) in byTable.sorted(by: { ($0.key ?? "") < ($1.key ?? "") }) {
      guard let target else { continue }
      let numbers = names.compactMap { transition.newNumber(ofDestination: $0) }.sorted()
      nullify(
        [column.name] + companions.map(\.name), of: table.destination.name,
        where: .refers(column: column.name, table: target, to: .entity(in: numbers)))
    }
  }

  /// The same by the source's names of the table and its columns.
  private mutating func nullify(_ columns: [String], ofSource table: String, where rows: SQLCondition) {
    nullify(columns.map { names.column($0, ofTable: table) }, of: names.table(table), where: rows)
  }

  private mutating func nullify(_ columns: [String], of table: String, where condition: SQLCondition) {
    add(.update(table: table, assignments: columns.map { .init($0, .null) }, where: condition))
  }

  /// Rows of which one end goes, or is no longer what stands at that end.
  private func deletedJoinRows(of join: JoinTablePlan) -> [SQLCondition] {
    guard let source = join.source else { return [] }
    let reached = transition.ends(of: join.destination)
    let sides = zip(zip(join.destination.sides, source.sides), [reached.source, reached.destination])
    return sides.compactMap { sides, reached -> SQLCondition? in
      let unreachable = transition.unreachableNumbers(of: sides.1.entity, except: reached)
      guard !unreachable.isEmpty, let target = transition.schema.table(ofEntity: sides.1.entity) else {
        return nil
      }
      return .refers(column: sides.0.column, table: names.table(target.name), to: .entity(in: unreachable))
    }
  }

  /// The objects that a destination column's keys can be of, with the source's entities that they have to be of.
  private func destinations(of role: ColumnRole) -> [(end: Links.End, reached: Set<String>)] {
    switch role {
    case .toOne(let reference):
      transition.links(of: reference).map { ($0.to, transition.reachableEntities(of: reference)) }
    case .owner(let reference):
      transition.links(of: reference).map { ($0.from, transition.sourceEntities(of: reference)) }
    default: []
    }
  }

  /// Columns of references that a value is computed from: each as its table and itself, under the source's names.
  private func usedColumns(_ value: SQLExpression, of table: String) -> [[String]] {
    switch value {
    case .column(let name): [[table, name]]
    case .referrer(let other, let foreignKey, _): [[other, foreignKey]]
    case .coalesce(let first, let second): usedColumns(first, of: table) + usedColumns(second, of: table)
    case .literal, .converted, .marked, .unmarked, .renumbered, .byEntity, .lookup: []
    }
  }

  /// Entity numbers of a relationship's objects, where the source did not have them: once every table has its rows
  /// and numbers.
  mutating func lookUpDiscriminators() {
    for (column, table) in openColumns {
      guard case .discriminator(let reference) = column.role, hasPast(reference),
        let foreignKey = table.column(for: .toOne(reference)),
        let relationship = transition.destination.relationship(reference),
        let target = plan.schema.table(ofEntity: relationship.destinationEntityName)
      else { continue }
      // By entity, not by a correlated lookup: one of the target's own columns may have the key's name.
      for entity in plan.schema.entities(in: target) {
        guard transition.sourceName(ofEntity: entity.name) != nil else { continue }
        set(
          column.name, .literal("\(entity.number)"), in: table.name,
          where: .refers(column: foreignKey.name, table: target.name, to: .entity(in: [entity.number])))
      }
    }
  }

  /// Places in to-manys that have become ordered.
  mutating func numberOrders() {
    for (column, table) in openColumns {
      guard let role = column.role.placedBy, let reference = role.property, hasPast(reference),
        let owner = table.column(for: role)
      else { continue }
      add(.numberOrder(table: table.name, owner: owner.name, key: "Z_PK", order: column.name))
    }
    for join in joinPlans where join.source != nil || !join.others.isEmpty {
      for column in join.numberedOrderColumns {
        add(
          .numberOrder(
            table: join.destination.name, owner: column.owner, key: column.key, order: column.name))
      }
    }
  }

  /// Columns whose values the rows alone do not tell.
  private var openColumns: [(column: ColumnLayout, table: TableLayout)] {
    tablePlans.flatMap { plan in plan.recipes.filter(\.values.isEmpty).map { ($0.column, plan.destination) } }
  }

  /// Whether the relationship begins with any references at all.
  private func hasPast(_ reference: PropertyReference) -> Bool { !transition.links(of: reference).isEmpty }
}
