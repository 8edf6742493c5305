import Foundation
package import GRDB

extension StoredCell {
  /// Numbers are equal across SQLite's two kinds.
  package func isSameNumber(as other: StoredCell) -> Bool {
    switch (self, other) {
    case (.integer(let number), .real(let value)), (.real(let value), .integer(let number)):
      Double(number) == value
    default: false
    }
  }

  /// The bytes without the one that says that they stand in the row, where an attribute that may lie outside has it.
  package func withoutMarker(_ hasMarker: Bool) -> StoredCell {
    if hasMarker, case .blob(let data) = self, data.first == 1 { return .blob(data.dropFirst()) }
    return self
  }
}

/// The rows of one entity in the order of their keys, one at a time.
package final class KeyedRows {
  package struct KeyedRow {
    package let key: Int64
    private let cells: [StoredCell]

    fileprivate init(_ key: Int64, _ row: Row, _ count: Int) {
      self.key = key
      cells = (0..<count).map { StoredCell(row[$0 + 1]) }
    }

    package func value(_ index: Int) -> StoredCell { cells[index] }
    package func isNull(_ index: Int) -> Bool { cells[index] == .null }
  }

  private let cursor: RowCursor
  private let count: Int

  package init(_ db: Database, table: String, entityNumber: Int, columns: [String]) throws {
    let list = (["Z_PK"] + columns.map(\.quotedIdentifier)).joined(separator: ", ")
    cursor = try Row.fetchCursor(
      db,
      sql:
        "SELECT \(list) FROM \(table.quotedIdentifier) WHERE Z_ENT = ? AND Z_PK IS NOT NULL ORDER BY Z_PK",
      arguments: [entityNumber])
    count = columns.count
  }

  package func next() throws -> KeyedRow? {
    while let row = try cursor.next() {
      if let key = Int64.fromDatabaseValue(row[0]) { return KeyedRow(key, row, count) }
    }
    return nil
  }
}
