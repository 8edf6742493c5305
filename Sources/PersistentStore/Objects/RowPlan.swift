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
  package var origins: [Origin]

  package init(_ shape: EntityShape) {
    self.shape = shape
    origins = shape.defaults.map { .cell($0) }
  }

  package func cell(_ slot: Int, from cursor: ObjectCursor) -> StoredCell {
    switch origins[slot] {
    case .column(let from): cursor.cell(from)
    case .cell(let cell): cell
    }
  }
}
