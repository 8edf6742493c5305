/// What was done to the rows of a store that is filled, beside inserting them as a plan says: for what is known of them
/// without a look at each.
package struct RowChanges {
  /// Whether any object was deleted: rows that refer to it were changed as well.
  package internal(set) var hasDeletions = false
  private var tables: Set<String> = []
  private var slots: [ObjectIdentifier: Set<Int>] = [:]

  mutating func noteInsertion(_ shape: EntityShape) { tables.insert(shape.tableName) }

  mutating func noteUpdate(_ shape: EntityShape, _ changed: [Int]) {
    slots[ObjectIdentifier(shape), default: []].formUnion(changed)
  }

  /// Whether rows were inserted into the table otherwise than by a plan.
  package func hasInsertions(in table: String) -> Bool { tables.contains(table) }

  package func hasUpdates(of column: String, _ shape: EntityShape) -> Bool {
    slots[ObjectIdentifier(shape)]?.contains { shape.columnNames[$0] == column } ?? false
  }
}
