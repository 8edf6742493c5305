/// A table of which in a clone of the store something stays: its rows, as they lie but for the number of their entity;
/// or, where cells are made anew for the same keys, indexes over cells that do not change.
package struct KeptTable: Hashable, Sendable {
  /// The only entity of the destination whose objects it holds.
  package var entityName: String
  /// In both stores.
  package var name: String
  /// `Z_ENT` in the store, and in the next version.
  package var formerNumber: Int
  package var number: Int
  /// Those of its indexes that the next version has as they are.
  package var indexNames: Set<String>
  /// Their columns.
  package var indexedColumns: Set<String> = []
  /// The `CREATE TABLE` text of the next version, where its rows are made anew.
  package var newText: String?

  /// Whether a policy makes its rows anew, so that only these can tell which indexes stay.
  package var isMadeByPolicy = false

  package var keepsRows: Bool { newText == nil }

  package init(entityName: String, name: String, formerNumber: Int, number: Int, indexNames: Set<String>) {
    self.entityName = entityName
    self.name = name
    self.formerNumber = formerNumber
    self.number = number
    self.indexNames = indexNames
  }
}
