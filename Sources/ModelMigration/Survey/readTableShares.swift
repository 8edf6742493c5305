import PersistentStore

/// How much of a store each of the model's tables takes, estimated without reading rows: from the highest keys and
/// the numbers of columns.
struct TableShares {
  /// By table, a part of 1; 0 for an empty table.
  private(set) var shares: [String: Double] = [:]
  /// By table, an upper bound of its rows.
  private(set) var bounds: [String: Int64] = [:]

  init(_ db: StoreDatabase, of schema: StoreSchema) throws {
    var weights: [String: Double] = [:]
    for table in schema.tables {
      weights[table.name] = try weight(of: table.name, columns: table.columns.count, in: db)
    }
    for join in schema.joinTables {
      weights[join.name] = try weight(of: join.name, columns: join.columnNames.count, in: db)
    }
    let total = weights.values.reduce(0, +)
    shares = weights.mapValues { total > 0 ? $0 / total : 0 }
  }

  private mutating func weight(of table: String, columns: Int, in db: StoreDatabase) throws -> Double {
    let bound = try rowBound(db, table: table)
    bounds[table] = bound
    return Double(bound) * Double(columns + 2)
  }
}
