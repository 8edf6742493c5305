package import ManagedModel

/// Which rows a statement is about.
package indirect enum SQLCondition: Hashable, Sendable {
  /// Rows of these entities, by number.
  case entity(in: [Int])
  /// Rows of other entities, or of none.
  case noEntity(in: [Int])
  /// Rows whose column holds one of the numbers.
  case number(of: String, in: [Int])
  case isNull(SQLExpression)
  case isNotNull(SQLExpression)
  /// Rows whose column holds the key of a row of `table` that satisfies the condition.
  ///
  /// - Parameter usesIndex: false for the second of two such columns: looked for by both, each key of the one would be tried
  ///   with each of the other, 25 million times for 5,000 notes and 5,000 tags.
  case refers(column: String, table: String, to: SQLCondition, usesIndex: Bool = true)
  /// Rows whose column holds a key, and that of no row of `table`.
  case refersToNone(column: String, table: String)
  /// Rows whose bytes lie in a file beside the store; the cell then has its name.
  case isExternal(SQLExpression)
  /// Rows whose number changes, or does not fit, when converted; see `SQLExpression.converted`.
  case differs(SQLExpression, SQLExpression)
  /// Rows whose column holds what no value of the attribute can be computed from.
  case isMisread(column: String, AttributeDescription, declaredType: String)
  /// Rows that a predicate or a validation rule takes, which is compiled to a condition of SQL.
  case satisfies(String)
  /// Rows of `of` whose key is in the column of so many rows of `table`.
  case members(of: String, table: String, column: String, ClosedRange<Int>)
  /// Rows whose column, a text, contains one of the texts; the column is quoted already.
  case containsText(column: String, [String])
  case not(SQLCondition)
  case all([SQLCondition])
  case any([SQLCondition])

  package var sql: String {
    switch self {
    case .entity(let numbers): SQLCondition.number(of: "Z_ENT", in: numbers).sql
    case .noEntity(let numbers):
      "Z_ENT IS NULL OR Z_ENT NOT IN (\(numbers.sorted().sqlList))"
    case .number(let column, let numbers):
      numbers.count == 1
        ? "\(column.quotedIdentifier) = \(numbers[0])"
        : "\(column.quotedIdentifier) IN (\(numbers.sorted().sqlList))"
    case .isNull(let value): "\(value.sql) IS NULL"
    case .isNotNull(let value): "\(value.sql) IS NOT NULL"
    case .refers(let column, let table, let condition, let usesIndex):
      "\(usesIndex ? "" : "+")\(column.quotedIdentifier) IN (SELECT Z_PK FROM \(table.quotedIdentifier) WHERE \(condition.sql))"
    case .refersToNone(let column, let table):
      // Nothing is in no row, too.
      "\(column.quotedIdentifier) IS NOT NULL AND \(column.quotedIdentifier) NOT IN "
        + "(SELECT Z_PK FROM \(table.quotedIdentifier))"
    case .isExternal(let value): "SUBSTR(\(value.sql), 1, 1) = X'02'"
    case .differs(let left, let right): "(\(left.sql) <> \(right.sql)\(left.misfit(right.sql)))"
    case .isMisread(let column, let attribute, let declaredType):
      "\(column.quotedIdentifier) IS NOT NULL AND (\(column.quotedIdentifier.misread(attribute.type, usesExternalStorage: attribute.allowsExternalBinaryDataStorage, declaredType: declaredType)))"
    case .satisfies(let condition): condition
    case .members(let owner, let table, let column, let range):
      "(SELECT COUNT(*) FROM \(table.quotedIdentifier) AS m WHERE m.\(column.quotedIdentifier) = "
        + "\(owner.quotedIdentifier).Z_PK) BETWEEN \(range.lowerBound) AND \(range.upperBound)"
    case .containsText(let column, let texts):
      "typeof(\(column)) = 'text' AND ("
        + texts.map { "instr(\(column), \(StoredCell.text($0).sql)) > 0" }.balanced(" OR ") + ")"
    // What is unknown, as of a missing key, does not fulfil it.
    case .not(let condition): "(\(condition.sql)) IS NOT TRUE"
    case .all(let conditions): joined(conditions, " AND ", whenEmpty: "1")
    case .any(let conditions): joined(conditions, " OR ", whenEmpty: "0")
    }
  }

  private func joined(_ conditions: [SQLCondition], _ separator: String, whenEmpty: String) -> String {
    switch conditions.count {
    case 0: whenEmpty
    case 1: conditions[0].sql
    default: conditions.map { "(\($0.sql))" }.balanced(separator)
    }
  }
}

extension Sequence where Element: BinaryInteger {
  /// The numbers as SQL lists them.
  package var sqlList: String { map { "\($0)" }.joined(separator: ", ") }
}

extension RandomAccessCollection<String> {
  /// Operands with an operator between them, in parentheses that halve them: SQLite reads a chain as one expression within
  /// another, and takes 1,000 of those (`SQLITE_LIMIT_EXPR_DEPTH`). The operator has to be associative.
  package func balanced(_ separator: String) -> String {
    if count <= 64 { return joined(separator: separator) }
    let middle = index(startIndex, offsetBy: count / 2)
    return "(" + self[..<middle].balanced(separator) + ")" + separator + "("
      + self[middle...].balanced(separator) + ")"
  }
}
