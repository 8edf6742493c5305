package import GRDB

extension Database {
  /// The first column of a query's rows, where it holds such values: a hostile store may hold anything.
  package func values<Value: DatabaseValueConvertible>(_ sql: String) throws -> [Value] {
    try Row.fetchAll(self, sql: sql).compactMap { Value.fromDatabaseValue($0[0]) }
  }

  package func value<Value: DatabaseValueConvertible>(_ sql: String) throws -> Value? {
    try Row.fetchOne(self, sql: sql).flatMap { Value.fromDatabaseValue($0[0]) }
  }

  /// Whether there is a row; the first one ends the search.
  ///
  /// - Parameter rows: what follows `SELECT 1 FROM`.
  package func hasRows(_ rows: String) throws -> Bool {
    try Row.fetchOne(self, sql: "SELECT 1 FROM \(rows) LIMIT 1") != nil
  }

  func pragma<Value: DatabaseValueConvertible>(_ name: String) throws -> Value? {
    try value("PRAGMA \(name)")
  }
}

/// Cells by their column's place; nil where they hold something else, for which a typed subscript ends the program.
extension Row {
  package func text(_ index: Int) -> String? { String.fromDatabaseValue(self[index]) }
  package func integer(_ index: Int) -> Int64? { Int64.fromDatabaseValue(self[index]) }
  package func number(_ index: Int) -> Int? { Int.fromDatabaseValue(self[index]) }
}
