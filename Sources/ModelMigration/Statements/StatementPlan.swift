import ManagedModel
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
  /// Tables with rows.
  let tablePlans: [TablePlan]
  /// The first of each table of the destination.
  let tablePlansByName: [String: TablePlan]
  let contestedReferences: [DistinctValues]
  var joinPlans: [JoinTablePlan]
  var names = CurrentNames()
  var plan: StatementPlan

  init(_ transition: StoreTransition) {
    self.transition = transition
    var tables = transition.tablePlans
    for index in tables.indices where tables[index].kind == .kept {
      let isCheaper = transition.mayRebuild && tables[index].isCheaperToRewrite
      if tables[index].needsRebuild || isCheaper { tables[index].kind = .rebuilt }
    }
    tablePlans = tables
    contestedReferences = transition.contestedReferences(in: tables)
    self.joinPlans = transition.joinTablePlans
    var schema = transition.layout
    let planned = Dictionary(firstOf: tables.map { ($0.destination.name, $0) })
    tablePlansByName = planned
    schema.tables = schema.tables.map { planned[$0.name]?.destination ?? $0 }
    schema.joinTables = joinPlans.map(\.destination)
    self.plan = StatementPlan(schema: schema)
  }

  mutating func add(_ statement: StoreStatement) { plan.statements.append(statement) }

  mutating func set(_ column: String, _ value: SQLExpression, in table: String, where rows: SQLCondition?) {
    add(.update(table: table, assignments: [.init(column, value)], where: rows))
  }

  /// Tables that come from tables of the source in one of these ways.
  func tables(_ kinds: TablePlan.Kind...) -> [TablePlan] { tablePlans.filter { kinds.contains($0.kind) } }
  var keptTables: [TablePlan] { tables(.kept) }

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
