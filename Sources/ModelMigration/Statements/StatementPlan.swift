import PersistentStore

/// The statements that turn a store's tables into those of another version, in order.
struct StatementPlan {
  var statements: [StoreStatement] = []
  /// The schema when all is done.
  var schema: StoreSchema
  /// Changes that no statement can carry out.
  var diagnostics: [Diagnostic] = []
}

extension StoreTransition {
  /// Plans the statements for a whole mapping model.
  ///
  /// The same statements serve a store that is changed in place and a clone. In this order they change the tables' names,
  /// their columns and their rows, drop what is left over and build indexes. Values are computed while all old columns are
  /// there. Statements that read other rows run after objects were deleted, and before objects change tables; only rows
  /// of join tables that go on are copied into others before that.
  func statements() -> StatementPlan {
    var planner = StatementPlanner(self)
    planner.dropTriggersAndIndexes()
    planner.retypeColumns()
    planner.renameTables()
    planner.alterColumns()
    planner.setOrphanRowsApart()
    planner.nullifyRemovedReferences()
    planner.deleteRemoved()
    planner.copyRows()
    planner.copyOrphanRows()
    planner.fillJoinTables(fromKept: false)
    planner.lookUpReferrers()
    planner.updateRows()
    planner.nullifyOutsideReferences()
    planner.lookUpDiscriminators()
    planner.numberOrders()
    planner.dropLeftovers()
    planner.createIndexes()
    planner.deriveValues()
    planner.plan.statements += HistoryTransition(self)?.statements ?? []
    planner.createTriggers()
    planner.reportIndexes()
    planner.reportUnkeptDerivations()
    return planner.plan
  }
}

/// The planner at work. Each step is one method, in the file of its subject.
struct StatementPlanner {
  let transition: StoreTransition
  let origins: [TableOrigin]
  /// Tables with rows, by the destination's table name.
  var tablePlans: [String: TablePlan] = [:]
  let contestedReferences: [DistinctValues]
  var joinPlans: [JoinTablePlan]
  var names = CurrentNames()
  var plan: StatementPlan

  init(_ transition: StoreTransition) {
    self.transition = transition
    var origins = transition.tableOrigins
    var tables: [TablePlan] = []
    for index in origins.indices {
      guard let plan = TablePlan(origins[index], transition) else { continue }
      tables.append(plan)
      tablePlans[origins[index].table.name] = plan
      if origins[index].kind == .kept, plan.needsRebuild || transition.mayRebuild && plan.isCheaperToRewrite {
        origins[index].kind = .rebuilt
      }
    }
    self.origins = origins
    contestedReferences = transition.contestedReferences(in: tables, version: "")
    self.joinPlans = transition.joinTablePlans
    var schema = transition.layout
    for position in schema.tables.indices {
      if let plan = tablePlans[schema.tables[position].name] { schema.tables[position] = plan.destination }
    }
    schema.joinTables = joinPlans.map(\.destination)
    self.plan = StatementPlan(schema: schema)
  }

  mutating func add(_ statement: StoreStatement) { plan.statements.append(statement) }

  mutating func set(_ column: String, _ value: SQLExpression, in table: String, where rows: SQLCondition?) {
    add(.update(table: table, assignments: [.init(column, value)], where: rows))
  }

  /// Tables that come from tables of the source in one of these ways.
  func tables(_ kinds: TableOrigin.Kind...) -> [TablePlan] {
    origins.filter { kinds.contains($0.kind) }.compactMap { tablePlans[$0.table.name] }
  }
  var keptTables: [TablePlan] { tables(.kept) }
  var filledTables: [TablePlan] { tables(.kept, .rebuilt, .split) }

  /// Source tables that themselves do not go on.
  var droppedTables: [TableLayout] {
    let kept = Set(keptTables.map(\.source.name))
    return transition.schema.tables.filter { !kept.contains($0.name) }
  }

  /// Join tables of the source that go on, whatever they are called.
  var keptJoinTables: Set<String> { Set(joinPlans.compactMap(\.source?.name)) }

  var droppedJoinTables: [JoinTableLayout] {
    let kept = keptJoinTables
    return transition.schema.joinTables.filter { !kept.contains($0.name) }
  }
}

extension StoreStatement {
  /// Whether its time grows with the rows.
  var changesRows: Bool {
    switch self {
    case .update, .insert, .delete, .numberOrder: true
    default: false
    }
  }
}
