/// One statement that alters a store: a value that a plan holds, a person reads and a connection runs.
package enum StoreStatement: Hashable, Sendable {
  /// A table of a root entity, with its `CREATE TABLE` text.
  case createTable(name: String, sql: String)
  case dropTable(String)
  case renameTable(String, to: String)
  case addColumn(table: String, column: String, declaredType: String)
  case dropColumn(table: String, column: String)
  case renameColumn(table: String, column: String, to: String)
  case update(table: String, assignments: [Assignment], where: SQLCondition?)
  /// Rows of one table into another, with every column computed.
  case insert(into: String, assignments: [Assignment], from: String, where: SQLCondition?)
  case delete(from: String, where: SQLCondition?)
  /// Places for an ordered to-many that had none: by primary key within each owner.
  case numberOrder(table: String, owner: String, key: String, order: String)
  /// The values of a derived attribute, for every row.
  case deriveValues(sql: String)
  case createIndex(IndexLayout)
  case dropIndex(String)
  case createTrigger(name: String, sql: String)
  case dropTrigger(String)

  package struct Assignment: Hashable, Sendable {
    package var column: String
    package var value: SQLExpression

    package init(_ column: String, _ value: SQLExpression) {
      self.column = column
      self.value = value
    }
  }

  package var sql: String {
    switch self {
    case .createTable(_, let sql), .createTrigger(_, let sql), .deriveValues(let sql): sql
    case .dropTable(let name): "DROP TABLE \(quotedIdentifier(name))"
    case .renameTable(let name, let newName):
      "ALTER TABLE \(quotedIdentifier(name)) RENAME TO \(quotedIdentifier(newName))"
    case .addColumn(let table, let column, let type):
      "ALTER TABLE \(quotedIdentifier(table)) ADD COLUMN \(quotedIdentifier(column)) \(type)"
    case .dropColumn(let table, let column):
      "ALTER TABLE \(quotedIdentifier(table)) DROP COLUMN \(quotedIdentifier(column))"
    case .renameColumn(let table, let column, let newName):
      "ALTER TABLE \(quotedIdentifier(table)) RENAME COLUMN \(quotedIdentifier(column)) TO \(quotedIdentifier(newName))"
    case .update(let table, let assignments, let condition):
      "UPDATE \(quotedIdentifier(table)) SET "
        + assignments.map { "\(quotedIdentifier($0.column)) = \($0.value.sql)" }.joined(separator: ", ")
        + whereClause(condition)
    case .insert(let table, let assignments, let source, let condition):
      "INSERT INTO \(quotedIdentifier(table)) (\(assignments.map { quotedIdentifier($0.column) }.joined(separator: ", "))) "
        + "SELECT \(assignments.map(\.value.sql).joined(separator: ", ")) FROM \(quotedIdentifier(source))"
        + whereClause(condition)
    case .delete(let table, let condition): "DELETE FROM \(quotedIdentifier(table))" + whereClause(condition)
    case .numberOrder(let table, let owner, let key, let order):
      numberOrderSQL(
        quotedIdentifier(table), quotedIdentifier(owner), quotedIdentifier(key), quotedIdentifier(order))
    case .createIndex(let index): index.sql
    case .dropIndex(let name): "DROP INDEX \(quotedIdentifier(name))"
    case .dropTrigger(let name): "DROP TRIGGER \(quotedIdentifier(name))"
    }
  }

  private func whereClause(_ condition: SQLCondition?) -> String {
    condition.map { " WHERE \($0.sql)" } ?? ""
  }
}

/// Genuine stores begin at 2048 and leave 1024 between neighbours.
private func numberOrderSQL(_ table: String, _ owner: String, _ key: String, _ order: String) -> String {
  """
  UPDATE \(table) SET \(order) = 1024 + 1024 * n.place FROM (SELECT rowid AS id, \
  ROW_NUMBER() OVER (PARTITION BY \(owner) ORDER BY \(key)) AS place FROM \(table) \
  WHERE \(owner) IS NOT NULL) n WHERE \(table).rowid = n.id
  """
}
