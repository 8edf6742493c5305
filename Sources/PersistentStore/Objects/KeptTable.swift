/// A table of which in a clone of the store something stays: its rows, as they lie but for the number of their entity
/// and new columns that hold the same in all of them; or, where cells are made anew for the same keys, indexes over
/// cells that do not change.
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
  /// Columns of the next version whose cells are those of the source's column of the same name, as the models say.
  package var carriedColumns: Set<String> = []
  /// Where the rows stay: columns of the next version that the table gets.
  package var addedColumns: [ColumnLayout] = []
  /// Whether some of them begin with a value.
  package var setsValues = false
  /// The `CREATE TABLE` text of the next version, where its rows are made anew.
  package var newText: String?

  /// Whether a policy makes its rows anew, so that only these can tell which indexes stay.
  package var isMadeByPolicy = false

  package var keepsRows: Bool { newText == nil }
  /// Whether no row has to be written.
  package var isUntouched: Bool { keepsRows && !setsValues && number == formerNumber }

  package init(entityName: String, name: String, formerNumber: Int, number: Int, indexNames: Set<String>) {
    self.entityName = entityName
    self.name = name
    self.formerNumber = formerNumber
    self.number = number
    self.indexNames = indexNames
  }
}
