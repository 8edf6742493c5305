import PersistentStore

/// What happens to one join table, or where a new one gets its rows.
struct JoinTablePlan {
  var destination: JoinTableLayout
  /// The source's join table that goes on as this one.
  var source: JoinTableLayout?
  /// Whether ``source`` names its sides the other way round.
  var isFlipped = false
  /// Whether the store's own names stay.
  fileprivate(set) var hasRealNames = false
  /// The references of ``source``, from the side of `destination.source`.
  var carried: Links?
  /// References that become rows here, from the side of `destination.source`.
  var others: [Links] = []
  /// By side, source and destination, whether its places in the other's order go on.
  var keepsOrder = [false, false]

  /// Source column → destination column.
  var columnRenames: [String: String] {
    var renames: [String: String] = [:]
    for (old, new) in sides {
      renames[old.key] = new.key
      if let order = old.order, let newOrder = new.order { renames[order] = newOrder }
    }
    return renames
  }

  var addedOrderColumns: [String] { sides.compactMap { $0.order == nil ? $1.order : nil } }

  var droppedOrderColumns: [String] { sides.compactMap { $1.order == nil ? $0.order : nil } }

  /// The sides of ``source``, each with the one that it goes on as.
  private var sides: Zip2Sequence<[JoinTableLayout.Side], [JoinTableLayout.Side]> {
    zip(source?.sides(flipped: isFlipped) ?? [], destination.sides())
  }

  /// Order columns whose places are given anew, each with the column of its owner and the one of what it orders.
  var numberedOrderColumns: [(name: String, owner: String, key: String)] {
    let new = destination.sides()
    return new.indices.compactMap { index in
      guard let order = new[index].order else { return nil }
      let olds = others.map { index == 0 ? $0.from.order : $0.to.order }
      let own = source.map { $0.sides(flipped: isFlipped)[index].order }
      let isComplete = olds.allSatisfy { $0 != nil } && own.map { $0 != nil } ?? true
      return keepsOrder[index] && isComplete ? nil : (order, new[1 - index].key, new[index].key)
    }
  }
}

extension JoinTableLayout {
  /// The column of a side, with the one that holds its place in the other side's order.
  typealias Side = (key: String, order: String?)

  func sides(flipped: Bool = false) -> [Side] {
    let sides = [(sourceColumn, sourceOrderColumn), (destinationColumn, destinationOrderColumn)]
    return flipped ? sides.reversed() : sides
  }

  fileprivate var names: Set<String> { [name, sourceColumn, destinationColumn] }
}

extension StoreTransition {
  /// Pairs the destination's join tables with the places of their references in the source.
  ///
  /// The first join table among those places becomes the new one. References in other places become rows of it.
  var joinTablePlans: [JoinTablePlan] {
    var claimed: Set<String> = []
    return self.layout.joinTables.map { layout in
      var plan = JoinTablePlan(destination: layout)
      // Each side alone tells all references of a pair.
      plan.others = links(of: layout.source)
      if plan.others.isEmpty { plan.others = links(of: layout.destination).map(\.reversed) }
      // Places of the source side stand in the list that the inverse is.
      plan.keepsOrder = [layout.destination, layout.source].map { keepsOrder(of: $0) }
      if layout.source == layout.destination { plan.keepsOrder = [plan.keepsOrder[0], plan.keepsOrder[0]] }
      if let index = plan.others.firstIndex(where: { $0.isJoin && !claimed.contains($0.table) }),
        let found = schema.joinTables.first(where: { $0.name == plan.others[index].table })
      {
        claimed.insert(found.name)
        plan.source = found
        let carried = plan.others.remove(at: index)
        plan.carried = carried
        plan.isFlipped = carried.from.column != found.sourceColumn
        plan.adoptRealNames(self)
        if plan.isFlipped, !plan.hasRealNames { plan.fillAnew() }
      }
      return plan
    }
  }

  /// Whether the triggers of the destination's derived attributes say one of the names; the text of a trigger is
  /// made from derived names, so these cannot be the store's own then.
  func areNamedByTriggers(_ names: Set<String>) -> Bool {
    layout.triggers.contains { trigger in
      trigger.sql.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains { names.contains(String($0)) }
    }
  }
}

extension JoinTablePlan {
  /// Which of two names a join table of one entity has, and which column a suffix, only the store knows: where its
  /// names are not the derived ones and nothing that they are made of changes, they stay.
  fileprivate mutating func adoptRealNames(_ transition: StoreTransition) {
    guard let source, let expected = transition.derivedSchema.joinTable(of: source.source),
      source.names != expected.names, expected.names == destination.names,
      !transition.areNamedByTriggers(destination.names)
    else { return }
    hasRealNames = true
    let real = source.sides(flipped: isFlipped)
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

  /// A table that is named after its other side from now on is recreated: its primary key begins with the other
  /// column, and the index over both would only repeat it.
  fileprivate mutating func fillAnew() {
    others.insert(contentsOf: [carried].compactMap(\.self), at: 0)
    source = nil
    carried = nil
    isFlipped = false
  }
}

extension StatementPlanner {
  /// References that were told otherwise, as rows of the join tables that tell them now.
  mutating func fillJoinTables() {
    for join in joinPlans {
      for links in join.others { fill(join, from: links) }
    }
  }

  private mutating func fill(_ join: JoinTablePlan, from links: Links) {
    func now(_ column: String) -> SQLExpression {
      .column(names.column(column, ofTable: links.table))
    }
    var assignments: [StoreStatement.Assignment] = []
    var conditions = [SQLCondition.isNotNull(now(links.from.column)), .isNotNull(now(links.to.column))]
    let reached = transition.ends(of: join.destination)
    let ends = [(links.from, reached.source), (links.to, reached.destination)]
    for (side, (end, reached)) in zip(join.destination.sides(), ends) {
      assignments.append(.init(side.key, now(end.column)))
      if let order = side.order, let old = end.order { assignments.append(.init(order, now(old))) }
      conditions += restriction(of: end, in: links, to: reached)
    }
    add(
      .insert(
        into: join.destination.name, assignments: assignments, from: names.table(links.table),
        where: .all(conditions)))
  }

  /// Restricts references to objects of these entities, where there are others.
  private func restriction(of end: Links.End, in links: Links, to reached: Set<String>) -> [SQLCondition] {
    guard !transition.unreachableNumbers(of: end.entity, except: reached).isEmpty,
      let table = transition.schema.table(ofEntity: end.entity)
    else { return [] }
    let numbers = reached.compactMap { transition.oldNumber(ofSource: $0) }.sorted()
    if end.column == Links.rowKey, !links.isJoin { return [.entity(in: numbers)] }
    return [
      .refers(
        column: names.column(end.column, ofTable: links.table), table: names.table(table.name),
        to: .entity(in: numbers))
    ]
  }
}
