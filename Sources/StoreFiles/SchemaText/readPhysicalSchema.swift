package import GRDB
import ManagedModel

/// Entity numbers from here on belong to persistent history and other parts of Core Data, not to a model.
package let firstSystemEntityNumber = 16000

/// Reads the schema of an open store as it is, in four statements however many tables there are.
///
/// - Parameter readsEntityRows: whether the rows of `Z_PRIMARYKEY` are read, whose pages may be damaged.
package func readPhysicalSchema(_ db: Database, readsEntityRows: Bool = true) throws -> PhysicalSchema {
  var schema = PhysicalSchema()
  // The module of a virtual table may be unknown here; its columns are not asked for.
  let columns = try columnsByTable(
    db,
    """
    SELECT m.name, c.name, c.type FROM sqlite_master AS m, pragma_table_info(m.name) AS c
    WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL %' ORDER BY m.rowid, c.cid
    """)
  let indexColumns = try columnsByTable(
    db,
    """
    SELECT m.name, IFNULL(c.name, ''), '' FROM sqlite_master AS m, pragma_index_info(m.name) AS c
    WHERE m.type = 'index' AND m.sql IS NOT NULL ORDER BY m.rowid, c.seqno
    """)
  let objects = try Row.fetchCursor(
    db, sql: "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid")
  while let row = try objects.next() {
    guard let type = String.fromDatabaseValue(row[0]), let name = String.fromDatabaseValue(row[1]),
      let table = String.fromDatabaseValue(row[2]), let sql = String.fromDatabaseValue(row[3])
    else { continue }
    switch type {
    case "table" where !name.lowercased().hasPrefix("sqlite_"):
      schema.tables.append(PhysicalSchema.Table(name: name, sql: sql, columns: columns[name] ?? []))
    case "index":
      let names = (indexColumns[name] ?? []).map(\.name)
      schema.indexes.append(
        PhysicalSchema.Index(
          name: name, tableName: table, sql: sql, columnNames: names.contains("") ? [] : names))
    case "trigger":
      schema.triggers.append(PhysicalSchema.Trigger(name: name, tableName: table, sql: sql))
    case "view": schema.viewNames.append(name)
    default: break
    }
  }
  if readsEntityRows { schema.entityRows = try readEntityRows(db, in: schema) }
  return schema
}

private func columnsByTable(_ db: Database, _ sql: String) throws -> [String: [PhysicalSchema.Column]] {
  var columns: [String: [PhysicalSchema.Column]] = [:]
  let rows = try Row.fetchCursor(db, sql: sql)
  while let row = try rows.next() {
    guard let table = String.fromDatabaseValue(row[0]), let name = String.fromDatabaseValue(row[1]) else {
      continue
    }
    let type = String.fromDatabaseValue(row[2]) ?? ""
    columns[table, default: []].append(PhysicalSchema.Column(name: name, declaredType: type))
  }
  return columns
}

/// Rows whose number or name is of a wrong type are left out; binding then reports their entities as missing.
private func readEntityRows(
  _ db: Database, in schema: PhysicalSchema
) throws -> [PhysicalSchema.EntityRow] {
  guard schema.table(named: "Z_PRIMARYKEY") != nil else { return [] }
  let rows = try Row.fetchCursor(
    db, sql: "SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT")
  var entities: [PhysicalSchema.EntityRow] = []
  while let row = try rows.next() {
    guard let number = Int.fromDatabaseValue(row[0]), let name = String.fromDatabaseValue(row[1]) else {
      continue
    }
    entities.append(
      PhysicalSchema.EntityRow(
        number: number, name: name, superNumber: Int.fromDatabaseValue(row[2]) ?? 0,
        maximum: CheckedKey(Int64.fromDatabaseValue(row[3]) ?? 0)))
  }
  return entities
}
