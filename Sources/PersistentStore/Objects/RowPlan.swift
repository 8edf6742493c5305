import ManagedModel

/// Where the cells of an object that is made of a source object come from, decided once for a mapping.
package final class RowPlan {
  package enum Origin {
    /// The cell of a slot of the source.
    case column(Int)
    case cell(StoredCell)
  }

  package let shape: EntityShape
  /// By slot.
  package var origins: [Origin] {
    didSet { sort() }
  }
  /// The same, by kind.
  private(set) var moves: [(from: Int, to: Int)] = []
  private(set) var constants: [(slot: Int, cell: StoredCell)] = []
  /// Rows that were inserted by it.
  package internal(set) var insertedCount = 0
  /// By slot, whether such a row got another cell than the plan says.
  private(set) var isOverridden: [Bool]

  package init(_ shape: EntityShape) {
    self.shape = shape
    origins = shape.defaults.map { .cell($0) }
    isOverridden = origins.map { _ in false }
    sort()
  }

  private func sort() {
    moves = []
    constants = []
    for slot in origins.indices {
      switch origins[slot] {
      case .column(let from): moves.append((from, slot))
      case .cell(let cell): constants.append((slot, cell))
      }
    }
  }

  package func cell(_ slot: Int, from cursor: ObjectCursor) -> StoredCell {
    switch origins[slot] {
    case .column(let from): cursor.cell(from)
    case .cell(let cell): cell
    }
  }

  /// Whether every row that it inserted has the source's cell in the column of that name, as long as no update changed it.
  package func keepsColumn(_ name: String, of source: EntityShape) -> Bool {
    guard let slot = shape.columnNames.firstIndex(of: name), case .column(let from) = origins[slot] else {
      return false
    }
    return !isOverridden[slot] && source.columnNames[from] == name
  }

  func noteInsertion(_ changes: [(slot: Int, cell: StoredCell)]) {
    insertedCount += 1
    for change in changes { isOverridden[change.slot] = true }
  }
}
