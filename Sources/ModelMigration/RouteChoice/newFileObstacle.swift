import PersistentStore
import StoreFiles

/// Why a store's tables cannot be laid out in a new file with statements alone; nil where they can.
///
/// - Parameter isModelTable: whether the model has a table of the name.
func newFileObstacle(_ physical: PhysicalSchema, _ planner: StatementPlanner) -> String? {
  let transition = planner.transition
  let known = Set(
    (transition.schema.tables.map(\.name) + transition.schema.joinTables.map(\.name)).map { $0.uppercased() })
  if let view = physical.viewNames.first { return "the view '\(view)' would not go along" }
  for table in physical.tables where !known.contains(table.name.uppercased()) {
    let text = table.sql.uppercased()
    if text.hasPrefix("CREATE VIRTUAL") {
      return "'\(table.name)' is a virtual table, whose rows only its own module can write"
    }
    if text.contains("AUTOINCREMENT") || text.contains("GENERATED ALWAYS") || text.contains(#/\bAS\s*\(/#) {
      return "'\(table.name)', a table of unknown origin, has columns that SQLite fills by itself"
    }
  }
  for table in transition.schema.tables {
    // In a new file the name of the first is that of the only one: what is read stands in the second.
    if let column = table.columnsNotRead.first {
      return
        "'\(table.name)' has two columns for one relationship, '\(column.name)' and another"
    }
  }
  for table in planner.tablePlans.values {
    let isRenamed = table.source.name != table.destination.name
    for index in planner.indexChanges(of: table).foreign
    where isRenamed || index.columnNames.contains(where: { table.carriers[$0] != $0 }) {
      return "'\(index.name)', an index of unknown origin, names tables or columns that get other names"
    }
  }
  return nil
}
