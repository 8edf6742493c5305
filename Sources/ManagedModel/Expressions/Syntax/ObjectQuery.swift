/// What is asked of a store: `SELECT name, hut.name FROM Visit WHERE date != nil ORDER BY date DESC LIMIT 20`.
package struct ObjectQuery: Hashable, Sendable {
  package var entityName: String
  /// Nil if the query names none: then all that an object holds.
  package var columns: [Column]?
  package var predicate: Predicate?
  package var groups: [Column] = []
  package var order: [Order] = []
  package var limit: Int64?

  /// A value of each row, by the text that asks for it.
  package struct Column: Hashable, Sendable {
    package var name: String
    package var expression: Expression

    package init(name: String, expression: Expression) { (self.name, self.expression) = (name, expression) }

    /// What it computes over the rows of a group, such as `@count` or `@sum.price`.
    package var aggregate: CollectionKeyPath? {
      guard case .keyPath(let keys, nil) = expression, let path = CollectionKeyPath(keys) else { return nil }
      return path.collection.isEmpty ? path : nil
    }
  }

  /// A value to sort by.
  package struct Order: Hashable, Sendable {
    package var column: Column
    package var isAscending: Bool
  }

  /// Whether its rows are groups of objects.
  package var isGrouped: Bool { !groups.isEmpty || columns?.contains { $0.aggregate != nil } == true }
}
