import GRDB

/// An index as the schema's table has it: where its entries lie does not depend on the table that it is said to be of.
struct SchemaIndex {
  var name: String
  var rootPage: Int64
  var sql: String
}

/// The indexes of a table that have a text: those of constraints have none.
func schemaIndexes(of table: String, in db: Database) throws -> [SchemaIndex] {
  let rows = try Row.fetchAll(
    db, sql: "SELECT name, rootpage, sql FROM main.sqlite_master WHERE type = 'index' AND tbl_name = ?",
    arguments: [table])
  return rows.compactMap { row in
    guard let name = String.fromDatabaseValue(row[0]), let root = Int64.fromDatabaseValue(row[1]),
      let sql = String.fromDatabaseValue(row[2])
    else { return nil }
    return SchemaIndex(name: name, rootPage: root, sql: sql)
  }
}

/// Says of indexes that they are a table's, while the schema is edited; they have to stand behind it.
func insertSchemaIndexes(_ indexes: [SchemaIndex], of table: String, in db: Database) throws {
  for index in indexes {
    try db.execute(
      sql:
        "INSERT INTO main.sqlite_master (type, name, tbl_name, rootpage, sql) VALUES ('index', ?, ?, ?, ?)",
      arguments: [index.name, table, index.rootPage, index.sql])
  }
}
