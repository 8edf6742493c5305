package import GRDB
import ManagedModel

/// Entity numbers from here on belong to persistent history and other parts of Core Data, not to a model.
package let firstSystemEntityNumber = 16000

extension Database {
  /// Reads the schema of an open store as it is, in four statements however many tables there are.
  ///
  /// - Parameter readsEntityRows: whether the rows of `Z_PRIMARYKEY` are read, whose pages may be damaged.
  package func readPhysicalSchema(readsEntityRows: Bool = true) throws -> PhysicalSchema {
    var schema = PhysicalSchema()
    // The module of a virtual table may be unknown here; its columns are not asked for.
    let columns = try columnsByTable(
      self,
      """
      SELECT m.name, c.name, c.type FROM sqlite_master AS m, pragma_table_info(m.name) AS c
      WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL %' ORDER BY m.rowid, c.cid
      """)
    let indexColumns = try columnsByTable(
      self,
      """
      SELECT m.name, IFNULL(c.name, ''), '' FROM sqlite_master AS m, pragma_index_info(m.name) AS c
      WHERE m.type = 'index' AND m.sql IS NOT NULL ORDER BY m.rowid, c.seqno
      """)
    let objects = try Row.fetchCursor(
      self, sql: "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid")
    while let row = try objects.next() {
      guard let type = row.text(0), let name = row.text(1), let table = row.text(2), let sql = row.text(3)
      else { continue }
      switch type {
      case "table" where !name.lowercased().hasPrefix("sqlite_"):
        schema.tables.append(PhysicalSchema.Table(name: name, sql: sql, columns: columns[name] ?? []))
      case "index":
        let names = (indexColumns[name] ?? []).map(\.name)
        schema.indexes.append(
          PhysicalSchema.Index(
            name: name, tableName: table, sql: sql, columnNames: names.contains("") ? [] : names))
      case "trigger": schema.triggers.append(TriggerLayout(name: name, tableName: table, sql: sql))
      case "view": schema.views.append(TriggerLayout(name: name, tableName: table, sql: sql))
      default: break
      }
    }
    if readsEntityRows { try markDoubles(self, in: &schema) }
    if readsEntityRows { schema.entityRows = try readEntityRows(self, in: schema) }
    return schema
  }
}

/// Looks into the columns that may be the second of one relationship (`ZOWNER1` beside `ZOWNER`): by their index, as Core
/// Data gives one to every reference, else into the first rows alone.
private func markDoubles(_ db: Database, in schema: inout PhysicalSchema) throws {
  for (place, table) in schema.tables.enumerated() {
    let names = Set(table.columns.map { $0.name.uppercased() })
    for (index, column) in table.columns.enumerated() where column.declaredType.uppercased() == "INTEGER" {
      let name = column.name.uppercased()
      let stem = String(name.reversed().drop { $0.isNumber }.reversed())
      guard stem != name, names.contains(stem) else { continue }
      let isIndexed = schema.indexes.contains {
        $0.tableName.caseInsensitivelyEquals(table.name) && $0.columnNames.first == column.name
      }
      let (source, cell) = (table.name.quotedIdentifier, column.name.quotedIdentifier)
      let rows = isIndexed ? source : "(SELECT \(cell) FROM \(source) LIMIT 10000)"
      schema.tables[place].columns[index].isDoubleInUse = try db.hasRows("\(rows) WHERE \(cell) IS NOT NULL")
    }
  }
}

private func columnsByTable(_ db: Database, _ sql: String) throws -> [String: [PhysicalSchema.Column]] {
  try Row.fetchCursor(db, sql: sql).reduce(into: [:]) { columns, row in
    guard let table = row.text(0), let name = row.text(1) else { return }
    columns[table, default: []].append(PhysicalSchema.Column(name: name, declaredType: row.text(2) ?? ""))
  }
}

/// Rows whose number, name or parent is of a wrong type are left out; binding then reports their entities as missing.
private func readEntityRows(_ db: Database, in schema: PhysicalSchema) throws -> [PhysicalSchema.EntityRow] {
  guard schema.table(named: "Z_PRIMARYKEY") != nil else { return [] }
  let rows = try Row.fetchCursor(
    db, sql: "SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT")
  return try rows.reduce(into: []) { entities, row in
    guard let number = row.number(0), let name = row.text(1) else { return }
    // Core Data writes no bytes there: such a row is a damaged page's.
    if case .blob = (row[2] as DatabaseValue).storage { return }
    entities.append(
      PhysicalSchema.EntityRow(
        number: number, name: name, superNumber: row.number(2) ?? 0,
        maximum: CheckedKey(row.integer(3) ?? 0)))
  }
}
