import PersistentStore

/// Rows with the number of no entity are no objects. They stay in their table.
extension StatementPlanner {
  /// Gives rows of no entity that have a number which an entity gets now another one, that nobody has: they would
  /// become its objects.
  mutating func setStraysApart() {
    let taken = Set(transition.layout.entities.map(\.number))
    for (table, strays) in transition.strays.sorted(by: { $0.key < $1.key }) {
      let numbers = strays.filter { taken.contains($0) }.sorted()
      if numbers.isEmpty { continue }
      let apart = Dictionary(numbers.map { ($0, -1 - $0) }) { first, _ in first }
      add(
        .update(
          table: names.table(table), assignments: [.init("Z_ENT", .renumbered(.column("Z_ENT"), apart))],
          where: .entity(in: numbers)))
    }
  }

  /// Takes rows of no entity along where their table is written anew.
  mutating func copyStrays() {
    for origin in copiedOrigins where origin.kind == .rebuilt {
      guard let source = origin.source, let table = tablePlans[origin.table.name],
        transition.strays[source.name] != nil
      else { continue }
      let columns = table.destination.columns.compactMap { column in
        table.carriers[column.name].map { StoreStatement.Assignment(column.name, .column($0)) }
      }.filter { !["Z_PK", "Z_ENT", "Z_OPT"].contains($0.column) }
      add(
        .insert(
          into: origin.table.name, assignments: [.init("Z_ENT", .column("Z_ENT"))] + columns,
          from: names.table(source.name), where: .noEntity(in: numbers(of: source))))
    }
  }

  /// The rows of a table that are objects; nil for all.
  func objectRows(of table: TablePlan) -> SQLCondition? {
    transition.strays[table.source.name] == nil ? nil : .entity(in: numbers(of: table.source))
  }

  private func numbers(of table: TableLayout) -> [Int] {
    transition.numbers(ofSource: table.rootEntityName) { _ in true }
  }
}
