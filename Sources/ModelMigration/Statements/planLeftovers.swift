import ManagedModel
import PersistentStore

extension StatementPlanner {
  /// Triggers name tables, columns and entity numbers, and SQLite checks them while it renames: they go first and come
  /// back last. Indexes that the destination does not have in this form go as well.
  mutating func dropTriggersAndIndexes() {
    for trigger in transition.schema.triggers where isOnModelTable(trigger) {
      add(.dropTrigger(trigger.name))
    }
    for origin in keptOrigins {
      guard let table = tablePlans[origin.table.name] else { continue }
      let kept = Set(survivingIndexes(of: table).map(\.name))
      for index in table.source.indexes where !kept.contains(index.name) { add(.dropIndex(index.name)) }
    }
    for join in joinPlans {
      guard let source = join.source else { continue }
      let kept = Set(survivingIndexes(of: join).map(\.name))
      for index in source.indexes where !kept.contains(index.name) { add(.dropIndex(index.name)) }
    }
  }

  private func isOnModelTable(_ trigger: TriggerLayout) -> Bool {
    let tables = transition.schema.tables.map(\.name) + transition.schema.joinTables.map(\.name)
    return tables.contains { $0.uppercased() == trigger.tableName.uppercased() }
  }

  /// Triggers that are none of Core Data's and whose table still has its name.
  private var foreignTriggers: [TriggerLayout] {
    let kept = Set(
      origins.filter { $0.kind != .split && $0.source?.name == $0.table.name }.map(\.table.name)
        + joinPlans.filter { $0.source?.name == $0.destination.name }.map(\.destination.name))
    return transition.schema.triggers.filter { trigger in
      !trigger.name.hasPrefix("Z_DA_") && isOnModelTable(trigger)
        && kept.contains { $0.uppercased() == trigger.tableName.uppercased() }
    }
  }

  /// Indexes that stay as they are: those that the destination has in this form, and those that somebody else made
  /// over columns that go on. What Core Data made once and the destination does not have goes, whatever version it
  /// came from: a unique one would go on refusing values.
  private func survivingIndexes(of table: TablePlan) -> [IndexLayout] {
    let destinationNames = Dictionary(
      table.carriers.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    return table.source.indexes.filter { index in
      let columns = index.columnNames.map { destinationNames[$0] }
      if let same = table.destination.indexes.first(where: { $0.name == index.name }) {
        return columns == same.columnNames && index.form == same.form
      }
      return !index.name.hasPrefix("Z") && !columns.isEmpty && columns.allSatisfy { $0 != nil }
    }
  }

  private func survivingIndexes(of join: JoinTablePlan) -> [IndexLayout] {
    let renames = join.columnRenames
    return join.source?.indexes.filter { index in
      let same = join.destination.indexes.first { $0.name == index.name }
      return index.columnNames.map { renames[$0] } == same?.columnNames && index.form == same?.form
    } ?? []
  }

  /// Columns and tables that nothing goes on as.
  mutating func dropLeftovers() {
    for origin in keptOrigins {
      guard let table = tablePlans[origin.table.name] else { continue }
      for column in table.dying {
        add(
          .dropColumn(
            table: table.destination.name, column: names.column(column.name, ofTable: table.source.name)))
      }
    }
    for table in dyingTables { add(.dropTable(names.table(table.name))) }
    for join in joinPlans {
      guard let source = join.source else { continue }
      for column in join.droppedOrderColumns {
        add(.dropColumn(table: join.destination.name, column: names.column(column, ofTable: source.name)))
      }
    }
    for join in dyingJoinTables { add(.dropTable(names.table(join.name))) }
  }

  mutating func createIndexesAndTriggers() {
    for origin in origins {
      var present: Set<String> = []
      if let table = tablePlans[origin.table.name], origin.kind == .kept {
        present = Set(survivingIndexes(of: table).map(\.name))
      }
      let table = plan.schema.tables.first { $0.name == origin.table.name }
      for index in table?.indexes ?? [] where !present.contains(index.name) { add(.createIndex(index)) }
    }
    for join in joinPlans {
      let present = Set(survivingIndexes(of: join).map(\.name))
      for index in join.destination.indexes where !present.contains(index.name) { add(.createIndex(index)) }
    }
    for trigger in plan.schema.triggers + foreignTriggers {
      add(.createTrigger(name: trigger.name, sql: trigger.sql))
    }
  }
}

extension IndexLayout {
  /// What an index says beside its name, its table and its columns: uniqueness, collations, directions.
  fileprivate var form: [Substring] {
    let isUnique = sql.uppercased().hasPrefix("CREATE UNIQUE")
    let elements = sql[(sql.lastIndex(of: "(") ?? sql.startIndex)...].dropFirst().dropLast().split(
      separator: ",")
    return [isUnique ? "UNIQUE" : ""]
      + elements.map { element in
        let words = element.split(separator: " ")
        return element[(words.first?.endIndex ?? element.startIndex)...]
      }
  }
}
