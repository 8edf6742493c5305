import Foundation
package import ManagedModel

/// A value as SQL computes it from one row: the few forms that carrying a store over needs.
package indirect enum SQLExpression: Hashable, Sendable {
  case column(String)
  /// A constant, in SQL text.
  case literal(String)
  /// The first, or the second where the first is null.
  case coalesce(SQLExpression, SQLExpression)
  /// A stored value of one attribute type as one of another.
  case converted(SQLExpression, from: AttributeType, to: AttributeType)
  /// Bytes as an attribute with external storage keeps them inline: after a byte 1.
  case marked(SQLExpression)
  /// Bytes without the mark of those that lie inline.
  case unmarked(SQLExpression)
  /// An entity number as the number that replaces it; a number that is not listed becomes null.
  case renumbered(SQLExpression, [Int: Int])
  /// One value or another by the row's `Z_ENT`; null for entities that no case names.
  case byEntity([EntityCase])
  /// `SELECT column FROM table WHERE Z_PK = key`
  case lookup(column: String, table: String, key: SQLExpression)
  /// The key of a row of `table` whose `foreignKey` points at this row of `outerTable`.
  case referrer(table: String, foreignKey: String, outerTable: String)

  package struct EntityCase: Hashable, Sendable {
    package var numbers: [Int]
    package var value: SQLExpression

    package init(numbers: [Int], value: SQLExpression) { (self.numbers, self.value) = (numbers, value) }
  }

  package static let null = SQLExpression.literal("NULL")

  /// The column's name, where the expression is nothing more.
  package var plainColumn: String? { if case .column(let name) = self { name } else { nil } }

  package var sql: String {
    switch self {
    case .column(let name): name.quotedIdentifier
    case .literal(let literal): literal
    case .coalesce(let first, let second): "COALESCE(\(first.sql), \(second.sql))"
    case .converted(let value, let from, let to): value.sql.convertedSQL(from: from, to: to)
    case .marked(let value): "CAST(X'01' || \(value.sql) AS BLOB)"
    case .unmarked(let value): "SUBSTR(\(value.sql), 2)"
    case .renumbered(let value, let numbers):
      "CASE \(value.sql) "
        + numbers.sorted { $0.key < $1.key }.map { "WHEN \($0.key) THEN \($0.value) " }.joined() + "END"
    case .byEntity(let cases):
      "CASE "
        + cases.map { "WHEN \(SQLCondition.entity(in: $0.numbers).sql) THEN \($0.value.sql) " }.joined()
        + "END"
    case .lookup(let column, let table, let key):
      "(SELECT \(column.quotedIdentifier) FROM \(table.quotedIdentifier) WHERE Z_PK = \(key.sql))"
    case .referrer(let table, let foreignKey, let outerTable):
      "(SELECT r.Z_PK FROM \(table.quotedIdentifier) r WHERE r.\(foreignKey.quotedIdentifier) = "
        + "\(outerTable.quotedIdentifier).Z_PK)"
    }
  }

  /// That a number is stored as it was and is none of the new type: no number of four bytes, or beyond what a decimal's
  /// exponent holds, or no number at all. It begins with OR.
  func misfit(_ cell: String) -> String {
    guard case .converted(_, let from, let to) = self, from != to else { return "" }
    switch to {
    case .float: return " OR \(cell.exceedsFloat)"
    case .decimal where !from.isInteger:
      return " OR typeof(\(cell)) IN ('text', 'blob') OR typeof(\(cell)) = 'real' AND \(cell.exceedsDecimal)"
    default: return ""
    }
  }
}

extension StoredCell {
  /// The cell as a constant in SQL text.
  package var sql: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): "\(value)"
    case .real(let value): value.isFinite ? "\(value)" : value.isNaN ? "NULL" : value < 0 ? "-9e999" : "9e999"
    // A NUL would end the statement's text, so text that has one goes as bytes.
    case .text(let text):
      text.utf8.contains(0) ? "CAST(\(StoredCell.blob(Data(text.utf8)).sql) AS TEXT)" : text.sqlText
    case .blob(let bytes): "X'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
    }
  }
}

extension String {
  /// Numbers convert by value, a fraction is cut off and what is too large for an integer type is its nearest bound; what no
  /// decimal can be is not a number. Other pairs share their stored form.
  package func convertedSQL(from: AttributeType, to: AttributeType) -> String {
    switch to {
    case .integer64: "CAST(\(self) AS INTEGER)"
    case _ where to.isInteger: bounded("CAST(\(self) AS INTEGER)", from, to)
    case .double, .float: "CAST(\(self) AS REAL)"
    case .decimal where !from.isInteger && from != to: "iif(\(exceedsDecimal), 'NaN', \(self))"
    case .string where from.isInteger: "CAST(\(self) AS TEXT)"
    case .boolean where from.isInteger: "(\(self) <> 0)"
    default: self
    }
  }
}

private func bounded(_ value: String, _ from: AttributeType, _ to: AttributeType) -> String {
  guard let range = to.traits.integerRange, !from.isInteger || from.rawValue > to.rawValue else {
    return value
  }
  return "MAX(\(range.lowerBound), MIN(\(range.upperBound), \(value)))"
}
