package import ManagedModel

/// A trigger: its name, the table that fires it and the statement that creates it; a view, whose table is itself.
package struct TriggerLayout: Hashable, Sendable {
  package var name: String
  package var tableName: String
  package var sql: String
}

/// What a store's file says of its schema, before any model gives it meaning.
package struct PhysicalSchema: Hashable, Sendable {
  package struct Table: Hashable, Sendable {
    package var name: String
    package var sql: String
    package var columns: [Column]
  }

  package struct Column: Hashable, Sendable {
    package var name: String
    package var declaredType: String
    /// Of a column of integers whose name is that of another one and a number: whether rows hold something in it.
    package var isDoubleInUse = false
  }

  package struct Index: Hashable, Sendable {
    package var name: String
    package var tableName: String
    package var sql: String
    /// Empty if an element is an expression.
    package var columnNames: [String]
  }

  /// A row of `Z_PRIMARYKEY`.
  package struct EntityRow: Hashable, Sendable {
    package var number: Int
    package var name: String
    /// The number of the parent entity, 0 for a root.
    package var superNumber: Int
    /// The highest primary key ever given out; kept on the root entity's row only.
    package var maximum: CheckedKey

    package init(number: Int, name: String, superNumber: Int, maximum: CheckedKey) {
      (self.number, self.name, self.superNumber, self.maximum) = (number, name, superNumber, maximum)
    }
  }

  /// In the order of creation; SQLite's own tables are left out.
  package var tables: [Table] = []
  /// Those that a statement created; the automatic ones of inline constraints are left out.
  package var indexes: [Index] = []
  package var triggers: [TriggerLayout] = []
  package var views: [TriggerLayout] = []
  package var entityRows: [EntityRow] = []

  /// The highest primary keys ever given out, by entity number.
  package var maxima: [Int: CheckedKey] { Dictionary(firstOf: entityRows.map { ($0.number, $0.maximum) }) }

  package var viewNames: [String] { views.map(\.name) }

  /// SQLite compares names without regard to case.
  package func table(named name: String) -> Table? { tables.first { $0.name.caseInsensitivelyEquals(name) } }
}

extension String {
  /// Equality as SQLite sees it: only ASCII letters lose their case.
  package func caseInsensitivelyEquals(_ other: String) -> Bool {
    utf8.count == other.utf8.count
      && zip(utf8, other.utf8).allSatisfy { $0 == $1 || asciiLowercased($0) == asciiLowercased($1) }
  }
}

private func asciiLowercased(_ byte: UInt8) -> UInt8 {
  (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
}
