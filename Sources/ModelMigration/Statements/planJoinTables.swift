import PersistentStore

/// What happens to one join table, or where a new one gets its rows.
struct JoinTablePlan {
  var destination: JoinTableLayout
  /// The source's join table that goes on as this one, from the side of `destination.source`.
  var source: JoinTableLayout?
  /// References that become rows here, from the side of `destination.source`.
  var others: [Links] = []
  /// By side, source and destination, whether its places in the other's order go on.
  var keepsOrder = [false, false]

  /// Source column → destination column.
  var columnRenames: [String: String] {
    var renames: [String: String] = [:]
    for (old, new) in sides {
      renames[old.column] = new.column
      if let order = old.order, let newOrder = new.order { renames[order] = newOrder }
    }
    return renames
  }

  var addedOrderColumns: [String] { sides.compactMap { $0.order == nil ? $1.order : nil } }

  var droppedOrderColumns: [String] { sides.compactMap { $1.order == nil ? $0.order : nil } }

  /// The sides of ``source``, each with the one that it goes on as.
  private var sides: Zip2Sequence<[JoinTableLayout.Side], [JoinTableLayout.Side]> {
    zip(source?.sides ?? [], destination.sides)
  }

  /// Order columns whose places are given anew, each with the column of its owner and the one of what it orders.
  var numberedOrderColumns: [(name: String, owner: String, key: String)] {
    let new = destination.sides
    return new.indices.compactMap { index in
      guard let order = new[index].order else { return nil }
      let olds = others.map { index == 0 ? $0.from.order : $0.to.order }
      let own = source.map { $0.sides[index].order }
      let isComplete = olds.allSatisfy { $0 != nil } && own.map { $0 != nil } ?? true
      return keepsOrder[index] && isComplete ? nil : (order, new[1 - index].column, new[index].column)
    }
  }

  /// Which of two names a join table of one entity has, and which column a suffix, only the store knows: where its
  /// names are not the derived ones and nothing that they are made of changes, they stay.
  ///
  /// - Returns: whether they do.
  fileprivate mutating func adoptRealNames(_ transition: StoreTransition) -> Bool {
    guard let source, let expected = transition.derivedSchema.joinTable(of: source.source),
      source.names != expected.names, expected.names == destination.names,
      !transition.areNamedByTriggers(destination.names)
    else { return false }
    (destination.name, destination.indexes) = (source.name, source.indexes)
    for side in [\JoinTableLayout.near, \.far] {
      let (real, derived) = (source[keyPath: side], destination[keyPath: side])
      destination[keyPath: side].column = real.column
      destination[keyPath: side].order = derived.order.map { real.order ?? $0 }
    }
    return true
  }
}

extension JoinTableLayout {
  fileprivate var names: Set<String> { [name, near.column, far.column] }
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
      if layout.isOwnInverse { plan.keepsOrder = [plan.keepsOrder[0], plan.keepsOrder[0]] }
      if let index = plan.others.firstIndex(where: { $0.isJoin && !claimed.contains($0.table) }),
        let found = schema.joinTables.first(where: { $0.name == plan.others[index].table })
      {
        claimed.insert(found.name)
        let carried = plan.others.remove(at: index)
        let isFlipped = carried.from.column != found.near.column
        plan.source = isFlipped ? found.reversed : found
        let hasRealNames = plan.adoptRealNames(self)
        if isFlipped, !hasRealNames {
          // A table that is named after its other side from now on is recreated: its primary key begins with the other
          // column, and the index over both would only repeat it.
          plan.source = nil
          plan.others.insert(carried, at: 0)
        }
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

extension StatementPlanner {
  /// References that were told otherwise, as rows of the join tables that tell them now.
  ///
  /// - Parameter isKept: whether those of join tables that themselves go on, or all others.
  mutating func fillJoinTables(fromKept isKept: Bool) {
    let kept = keptJoinTables
    for join in joinPlans {
      for links in join.others where kept.contains(links.table) == isKept { fill(join, from: links) }
    }
  }

  private mutating func fill(_ join: JoinTablePlan, from links: Links) {
    func now(_ column: String) -> SQLExpression { .column(names.column(column, ofTable: links.table)) }
    var assignments: [StoreStatement.Assignment] = []
    var conditions = [SQLCondition.isNotNull(now(links.from.column)), .isNotNull(now(links.to.column))]
    let reached = transition.ends(of: join.destination)
    let ends = [(links.from, reached.source), (links.to, reached.destination)]
    for (side, (end, reached)) in zip(join.destination.sides, ends) {
      assignments.append(.init(side.column, now(end.column)))
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
