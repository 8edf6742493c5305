/// One statement that alters a store: a value that a plan holds, a person reads and a connection runs.
package enum StoreStatement: Hashable, Sendable {
  /// A table of a root entity, with its `CREATE TABLE` text.
  case createTable(name: String, sql: String)
  case drop(SchemaText.Kind, String)
  case renameTable(String, to: String)
  case addColumn(table: String, column: String, declaredType: String)
  case dropColumn(table: String, column: String)
  case renameColumn(table: String, column: String, to: String)
  /// Another `CREATE TABLE` text for a table whose columns only get other types: no row is written, and the values are
  /// what they were until an update gives them others.
  case retypeColumns(table: String, sql: String)
  case update(table: String, assignments: [Assignment], where: SQLCondition?)
  /// Rows of one table into another, with every column computed.
  case insert(into: String, assignments: [Assignment], from: String, where: SQLCondition?)
  case delete(from: String, where: SQLCondition?)
  /// Places for an ordered to-many that had none: by primary key within each owner.
  case numberOrder(table: String, owner: String, key: String, order: String)
  /// The values of a derived attribute, for every row.
  case deriveValues(sql: String)
  case createIndex(IndexLayout)
  /// New names for indexes that stay as they are, all at once: their trees are left alone, so this takes no time
  /// however many rows they have.
  case renameIndexes([IndexRename])
  /// Texts within a column's values by other texts, all at once.
  case replaceTexts(table: String, column: String, [TextReplacement])
  /// Or a view. Where it is checked, a trigger that names what is not there is an error.
  case createTrigger(name: String, sql: String, isChecked: Bool = false)

  /// The table that it works on, under its name at that moment.
  package var tableName: String? {
    switch self {
    case .createTable(let name, _), .drop(.table, let name), .renameTable(_, let name): name
    case .addColumn(let table, _, _), .dropColumn(let table, _), .renameColumn(let table, _, _): table
    case .retypeColumns(let table, _), .replaceTexts(let table, _, _), .numberOrder(let table, _, _, _): table
    case .update(let table, _, _), .insert(let table, _, _, _), .delete(let table, _): table
    case .deriveValues, .createIndex, .drop, .renameIndexes, .createTrigger: nil
    }
  }

  package var editsSchema: Bool {
    switch self {
    case .renameIndexes, .retypeColumns: true
    default: false
    }
  }

  package struct Assignment: Hashable, Sendable {
    package var column: String
    package var value: SQLExpression

    package init(_ column: String, _ value: SQLExpression) { (self.column, self.value) = (column, value) }
  }

  package struct IndexRename: Hashable, Sendable {
    package var name: String
    package var index: IndexLayout

    package init(_ name: String, to index: IndexLayout) { (self.name, self.index) = (name, index) }
  }

  package struct TextReplacement: Hashable, Sendable {
    package var old: String
    package var new: String

    package init(_ old: String, with new: String) { (self.old, self.new) = (old, new) }
  }

  package var sql: String {
    switch self {
    case .createTable(_, let sql), .createTrigger(_, let sql, _), .deriveValues(let sql): sql
    case .drop(let kind, let name): "DROP \(kind.rawValue.uppercased()) \(name.quotedIdentifier)"
    case .renameTable(let name, let newName):
      "ALTER TABLE \(name.quotedIdentifier) RENAME TO \(newName.quotedIdentifier)"
    case .addColumn(let table, let column, let type):
      "ALTER TABLE \(table.quotedIdentifier) ADD COLUMN \(column.quotedIdentifier) \(type)"
    case .dropColumn(let table, let column):
      "ALTER TABLE \(table.quotedIdentifier) DROP COLUMN \(column.quotedIdentifier)"
    case .renameColumn(let table, let column, let newName):
      "ALTER TABLE \(table.quotedIdentifier) RENAME COLUMN \(column.quotedIdentifier) TO \(newName.quotedIdentifier)"
    case .retypeColumns(let table, let sql):
      "UPDATE sqlite_master SET sql = \(StoredCell.text(sql).sql) "
        + "WHERE type = 'table' AND name = \(StoredCell.text(table).sql)"
    case .update(let table, let assignments, let condition):
      "UPDATE \(table.quotedIdentifier) SET "
        + assignments.map { "\($0.column.quotedIdentifier) = \($0.value.sql)" }.joined(separator: ", ")
        + whereClause(condition)
    case .insert(let table, let assignments, let source, let condition):
      "INSERT INTO \(table.quotedIdentifier) (\(assignments.map { $0.column.quotedIdentifier }.joined(separator: ", "))) "
        + "SELECT \(assignments.map(\.value.sql).joined(separator: ", ")) FROM \(source.quotedIdentifier)"
        + whereClause(condition)
    case .delete(let table, let condition): "DELETE FROM \(table.quotedIdentifier)" + whereClause(condition)
    case .numberOrder(let table, let owner, let key, let order):
      numberOrderSQL(table, owner: owner, by: key.quotedIdentifier, order)
    case .createIndex(let index): index.sql
    case .renameIndexes(let renames): renameIndexesSQL(renames)
    case .replaceTexts(let table, let column, let replacements):
      replaceTextsSQL(table.quotedIdentifier, column.quotedIdentifier, replacements)
    }
  }

  private func whereClause(_ condition: SQLCondition?) -> String {
    condition.map { " WHERE \($0.sql)" } ?? ""
  }
}

/// Gives the members of each owner their places in an order.
///
/// - Parameters:
///   - sorting: SQL.
///   - owners: a condition for those that are meant; nil for all.
package func numberOrderSQL(
  _ table: String, owner: String, by sorting: String, _ order: String, where owners: String? = nil
) -> String {
  let (table, owner, order) = (table.quotedIdentifier, owner.quotedIdentifier, order.quotedIdentifier)
  return """
    UPDATE \(table) SET \(order) = \(OrderKey.step) + \(OrderKey.step) * n.place FROM (SELECT rowid AS id, \
    ROW_NUMBER() OVER (PARTITION BY \(owner) ORDER BY \(sorting)) AS place FROM \(table) \
    WHERE \(owners ?? "\(owner) IS NOT NULL")) n WHERE \(table).rowid = n.id
    """
}

/// Edits the schema table: SQLite has no statement that renames an index.
private func renameIndexesSQL(_ renames: [StoreStatement.IndexRename]) -> String {
  func cases(_ value: (IndexLayout) -> String) -> String {
    renames.map { "WHEN \(StoredCell.text($0.name).sql) THEN \(StoredCell.text(value($0.index)).sql) " }
      .joined()
  }
  let names = renames.map { StoredCell.text($0.name).sql }.joined(separator: ", ")
  return "UPDATE sqlite_master SET name = CASE name \(cases(\.name))END, sql = CASE name \(cases(\.sql))END"
    + " WHERE type = 'index' AND name IN (\(names))"
}

private func replaceTextsSQL(
  _ table: String, _ column: String, _ replacements: [StoreStatement.TextReplacement]
) -> String {
  let value = replacements.carriedOut(on: column) {
    "replace(\($0), \(StoredCell.text($1).sql), \(StoredCell.text($2).sql))"
  }
  let condition = SQLCondition.containsText(column: column, replacements.map(\.old)).sql
  return "UPDATE \(table) SET \(column) = \(value) WHERE \(condition)"
}

extension [StoreStatement.TextReplacement] {
  /// First every old text becomes a mark that no value holds, then every mark the new text: so two may change places.
  ///
  /// - Parameter replace: puts the second text in place of the first.
  func carriedOut(on value: String, _ replace: (String, String, String) -> String) -> String {
    let marks = indices.map { "\u{1}modelc \($0)\u{1}" }
    let marked = zip(self, marks).reduce(value) { replace($0, $1.0.old, $1.1) }
    return zip(self, marks).reduce(marked) { replace($0, $1.1, $1.0.new) }
  }
}
