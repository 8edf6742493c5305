import ManagedModel
import PersistentStore
import StoreFiles

extension StatementPlanner {
  /// Makes the source's tables readable under names that no table of the new file has: without the objects that go,
  /// and without the references that do not go on.
  ///
  /// The other routes remove both from the tables themselves; here the tables are only read.
  mutating func createSourceViews() {
    let tables = transition.schema.tables.map(\.name) + transition.schema.joinTables.map(\.name)
    let raw = Dictionary(firstOf: zip(tables, (1...max(1, tables.count)).map { "ZMODELC_TABLE\($0)" }))
    for name in tables {
      add(.createSourceView(name: raw[name] ?? name, sql: "SELECT * FROM source.\(quotedIdentifier(name))"))
    }
    for name in tables { names.renameTable(name, to: raw[name] ?? name) }
    let forgotten = nullifiedReferences()
    let sources = Set(origins.compactMap(\.source?.name))
    for (number, table) in transition.schema.tables.enumerated() {
      let removed = sources.contains(table.name) ? removedNumbers(of: table) : []
      let own = forgotten.filter { $0.table == table.name }
      if removed.isEmpty, own.isEmpty { continue }
      createView("ZMODELC_ROWS\(number + 1)", of: table, raw, without: removed, own)
    }
    for (number, join) in joinPlans.enumerated() {
      guard let source = join.source else { continue }
      let conditions = deletedJoinRows(
        of: join, sides: source.sides(flipped: join.isFlipped).map(\.key), table: { raw[$0] ?? $0 })
      if conditions.isEmpty { continue }
      let view = "ZMODELC_LINKS\(number + 1)"
      let condition = SQLCondition.any(conditions).sql
      add(
        .createSourceView(
          name: view, sql: "SELECT * FROM \(raw[source.name] ?? source.name) WHERE (\(condition)) IS NOT TRUE"
        ))
      names.renameTable(raw[source.name] ?? source.name, to: view)
    }
  }

  private func removedNumbers(of table: TableLayout) -> [Int] {
    transition.numbers(ofSource: table.rootEntityName) { $0 == nil }
  }

  private mutating func createView(
    _ name: String, of table: TableLayout, _ raw: [String: String], without removed: [Int],
    _ forgotten: [NullifiedReference]
  ) {
    let rows = raw[table.name] ?? table.name
    let filter = removed.isEmpty ? "" : " WHERE \(SQLCondition.entity(in: removed).sql) IS NOT TRUE"
    let columns = table.columns.map { column -> String in
      let reasons = forgotten.filter { $0.columns.contains(column.name) }
      let name = quotedIdentifier(column.name)
      if reasons.isEmpty { return name }
      let isNullified = SQLCondition.any(reasons.map { condition($0, raw) })
      return "CASE WHEN \(isNullified.sql) THEN NULL ELSE \(name) END AS \(name)"
    }
    add(.createSourceView(name: name, sql: "SELECT \(columns.joined(separator: ", ")) FROM \(rows)\(filter)"))
    names.renameTable(rows, to: name)
    // Where a key of another row leads here, its column has to stay a plain one, or no index would find the row.
    for (number, column) in Set(forgotten.map { $0.columns[0] }).sorted().enumerated() {
      let silent = forgotten.filter { $0.columns[0] == column }.flatMap { reference -> [Int] in
        if case .holders(let numbers) = reference.reason { numbers } else { [] }
      }
      let view = "\(name)_\(number + 1)"
      let left = removed + silent
      let filter = left.isEmpty ? "" : " WHERE \(SQLCondition.entity(in: left).sql) IS NOT TRUE"
      add(.createSourceView(name: view, sql: "SELECT * FROM \(rows)\(filter)"))
      names.lookUpReferrers(in: view, ofTable: table.name, by: column)
    }
  }

  private func condition(_ reference: NullifiedReference, _ raw: [String: String]) -> SQLCondition {
    switch reference.reason {
    case .target(let target, let numbers):
      .refers(column: reference.columns[0], table: raw[target] ?? target, to: .entity(in: numbers))
    case .holders(let numbers): .entity(in: numbers)
    }
  }
}
