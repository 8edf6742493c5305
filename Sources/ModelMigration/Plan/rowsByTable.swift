import PersistentStore

extension MigrationPlan {
  /// How many rows a table takes part with, and the entity that stands for it, by the names before and after.
  var rowsByTable: [String: (entity: String, count: Int)] {
    var counts: [String: Int] = [:]
    for row in entities { if let name = row.destination { counts[name, default: 0] += row.rows } }
    var result: [String: (entity: String, count: Int)] = [:]
    for table in schema.tables {
      let members = schema.entities.filter { $0.rootEntityName == table.rootEntityName }
      result[table.name] = (table.rootEntityName, members.map { counts[$0.name] ?? 0 }.reduce(0, +))
    }
    return result
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
