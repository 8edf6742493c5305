import ManagedModel
import PersistentStore

/// What becomes of one join table, or where a new one has its rows from.
struct JoinTablePlan {
  var destination: JoinTableLayout
  /// The source's join table that goes on as this one.
  var source: JoinTableLayout?
  /// Whether ``source`` names its sides the other way round.
  var isFlipped = false
  /// The source's to-one whose references become rows here.
  var formerToOne: (reference: PropertyReference, isSourceSide: Bool)?

  /// Source column → destination column.
  var columnRenames: [String: String] {
    guard let source else { return [:] }
    var renames: [String: String] = [:]
    for (old, new) in zip(sides(of: source, flipped: isFlipped), sides(of: destination, flipped: false)) {
      renames[old.key] = new.key
      if let order = old.order, let newOrder = new.order { renames[order] = newOrder }
    }
    return renames
  }

  /// Order columns that the source did not have: each with the column of its owner and the one of what it orders.
  var addedOrderColumns: [(name: String, owner: String, key: String)] {
    guard let source else { return [] }
    let old = sides(of: source, flipped: isFlipped)
    let new = sides(of: destination, flipped: false)
    return new.indices.compactMap { index in
      guard old[index].order == nil, let order = new[index].order else { return nil }
      return (order, new[1 - index].key, new[index].key)
    }
  }

  var droppedOrderColumns: [String] {
    guard let source else { return [] }
    let new = sides(of: destination, flipped: false)
    return sides(of: source, flipped: isFlipped).enumerated().compactMap { index, old in
      new[index].order == nil ? old.order : nil
    }
  }
}

/// The column of each side, with the one that holds its place in the other side's order.
private func sides(of table: JoinTableLayout, flipped: Bool) -> [(key: String, order: String?)] {
  let sides = [
    (key: table.sourceColumn, order: table.sourceOrderColumn),
    (key: table.destinationColumn, order: table.destinationOrderColumn),
  ]
  return flipped ? sides.reversed() : sides
}

/// Pairs the destination's join tables with the source's, by the relationships that they serve.
func planJoinTables(_ transition: StoreTransition) -> [JoinTablePlan] {
  var claimed: Set<String> = []
  return transition.layout.joinTables.map { layout in
    var plan = JoinTablePlan(destination: layout)
    let past = [layout.source, layout.destination].map { transition.sourceRelationship(of: $0) }
    if let found = past.compactMap({ $0 }).lazy.compactMap({ transition.schema.joinTable(of: $0) }).first,
      claimed.insert(found.name).inserted
    {
      plan.source = found
      plan.isFlipped =
        found.source != found.destination
        && (past[0].map { $0 == found.destination } ?? past[1].map { $0 == found.source } ?? false)
      plan.adoptRealNames(derived: transition.derivedSchema)
    } else {
      plan.formerToOne = formerToOne(past, transition: transition)
    }
    return plan
  }
}

/// A to-one of the source that has become one side of a many-to-many.
private func formerToOne(
  _ past: [PropertyReference?], transition: StoreTransition
) -> (reference: PropertyReference, isSourceSide: Bool)? {
  for (index, reference) in past.enumerated() {
    guard let reference,
      let relationship = transition.source.relationship(named: reference.property, of: reference.entity),
      !relationship.isToMany
    else { continue }
    return (reference, index == 0)
  }
  return nil
}

extension JoinTablePlan {
  /// Which of two names a join table of one entity has, and which column a suffix, only the store knows: where its
  /// names are not the derived ones and nothing that they are made of changes, they stay.
  fileprivate mutating func adoptRealNames(derived: StoreSchema) {
    guard let source, let expected = derived.joinTable(of: source.source),
      Set([source.name, source.sourceColumn, source.destinationColumn])
        != Set([expected.name, expected.sourceColumn, expected.destinationColumn]),
      Set([expected.name, expected.sourceColumn, expected.destinationColumn])
        == Set([destination.name, destination.sourceColumn, destination.destinationColumn])
    else { return }
    let real = sides(of: source, flipped: isFlipped)
    destination.name = source.name
    destination.sourceColumn = real[0].key
    destination.destinationColumn = real[1].key
    if destination.sourceOrderColumn != nil, let order = real[0].order {
      destination.sourceOrderColumn = order
    }
    if destination.destinationOrderColumn != nil, let order = real[1].order {
      destination.destinationOrderColumn = order
    }
    destination.indexes = source.indexes
  }
}

extension StatementPlanner {
  /// The references of a to-one that has become many-to-many, as rows of the new join table.
  mutating func fillJoinTables() {
    for join in joinPlans where join.source == nil {
      guard let (reference, isSourceSide) = join.formerToOne,
        let table = transition.schema.table(ofEntity: reference.entity),
        let column = table.column(for: .toOne(reference))
      else { continue }
      let foreignKey = SQLExpression.column(names.column(column.name, ofTable: table.name))
      let own = isSourceSide ? join.destination.sourceColumn : join.destination.destinationColumn
      let other = isSourceSide ? join.destination.destinationColumn : join.destination.sourceColumn
      add(
        .insert(
          into: join.destination.name,
          assignments: [.init(own, .column("Z_PK")), .init(other, foreignKey)],
          from: names.table(table.name), where: .isNotNull(foreignKey)))
      numberOrder(of: join.destination)
    }
  }

  private mutating func numberOrder(of join: JoinTableLayout) {
    if let order = join.sourceOrderColumn {
      add(.numberOrder(table: join.name, owner: join.destinationColumn, key: join.sourceColumn, order: order))
    }
    if let order = join.destinationOrderColumn {
      add(.numberOrder(table: join.name, owner: join.sourceColumn, key: join.destinationColumn, order: order))
    }
  }
}
