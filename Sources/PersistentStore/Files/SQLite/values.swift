package import GRDB

extension Database {
  /// The first column of a query's rows, where it holds such values: a hostile store may hold anything.
  package func values<Value: DatabaseValueConvertible>(_ sql: String) throws -> [Value] {
    try Row.fetchAll(self, sql: sql).compactMap { Value.fromDatabaseValue($0[0]) }
  }

  package func value<Value: DatabaseValueConvertible>(_ sql: String) throws -> Value? {
    try Row.fetchOne(self, sql: sql).flatMap { Value.fromDatabaseValue($0[0]) }
  }

  func pragma<Value: DatabaseValueConvertible>(_ name: String) throws -> Value? {
    try value("PRAGMA \(name)")
  }
}
