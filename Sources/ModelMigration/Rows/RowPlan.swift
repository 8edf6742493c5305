package import PersistentStore

/// Where the cells of a new object come from, decided once for a mapping.
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

  package init(_ shape: EntityShape) {
    self.shape = shape
    origins = shape.defaults.map { .cell($0) }
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
}
