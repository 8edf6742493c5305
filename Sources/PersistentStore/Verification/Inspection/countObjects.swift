import GRDB
import ManagedModel

extension Database {
  /// Counts the objects of every entity: exactly, or by the highest key of its table.
  ///
  /// A bound costs one look into a table's tree instead of a walk along it.
  func countObjects(schema: StoreSchema, physical: PhysicalSchema, isExact: Bool) throws -> [Int:
    StoreInspection.RowCount]
  {
    var counts: [Int: StoreInspection.RowCount] = [:]
    for table in schema.tables {
      let entities = schema.entities(in: table)
      if isExact {
        let all = entities.count == 1 ? try countAllRows(table: table.name) : nil
        let exact = all == nil ? try countRows(self, table: table.name) : [:]
        for entity in entities { counts[entity.number] = .exact(all ?? exact[entity.number]?.rows ?? 0) }
      } else {
        let root = entities.first { $0.name == table.rootEntityName }
        let recorded = physical.entityRows.first { $0.number == root?.number }?.maximum ?? .none
        let highest = try self.greatestKey(table: table.name) ?? .none
        for entity in entities { counts[entity.number] = .atMost(max(.none, recorded, highest).value) }
      }
    }
    return counts
  }

  /// The bytes of each table, by its name; nothing where this SQLite cannot tell.
  func countTableBytes(physical: PhysicalSchema) throws -> [String: TableBytes] {
    guard try countRows(self, "FROM pragma_module_list WHERE name = 'dbstat'") > 0 else { return [:] }
    let owners = Dictionary(firstOf: physical.indexes.map { ($0.name, $0.tableName) })
    let rows = try Row.fetchCursor(self, sql: "SELECT name, pgsize FROM dbstat WHERE aggregate = TRUE")
    return try rows.reduce(into: [:]) { bytes, row in
      guard let name = row.text(0), let size = row.integer(1) else { return }
      let automatic = name.wholeMatch(of: #/sqlite_autoindex_(.+)_\d+/#).map { String($0.1) }
      if let owner = owners[name] ?? automatic {
        bytes[owner, default: TableBytes()].indexes += size
      } else {
        bytes[name, default: TableBytes()].rows += size
      }
    }
  }
}

/// The bytes of a table's own pages, and of its indexes.
struct TableBytes {
  var rows: Int64 = 0
  var indexes: Int64 = 0

  var total: Int64 { rows.addingClamped(indexes) }
}
