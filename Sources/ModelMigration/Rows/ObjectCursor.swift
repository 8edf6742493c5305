package import ManagedModel
package import PersistentStore

/// The objects of one entity in the order of their keys, without those of its sub-entities: a row at a time, each
/// cell read when it is asked for.
package final class ObjectCursor {
  package let shape: EntityShape
  private let rows: RowReader
  package private(set) var key: Int64 = 0
  /// Grows with every object, so that who looks back knows that the cursor has gone on.
  package private(set) var position = 0
  /// What SQL cannot be asked, and so each object has to be.
  package let filter: Predicate?

  /// - Parameters:
  ///   - filter: a condition with the meaning of a fetch.
  ///   - keys: a query of the only keys that are looked at; nil for all.
  package init(_ store: ObjectRows, _ shape: EntityShape, filter: Predicate?, among keys: String? = nil)
    throws
  {
    self.shape = shape
    let compiled = try? filter?.compiled(
      ofEntity: shape.name, schema: store.schema, model: store.hierarchy.model, now: store.now)
    self.filter = compiled == nil ? filter : nil
    let from = compiled?.from ?? "\(shape.tableName.quotedIdentifier) t0"
    let condition =
      (compiled.map { " AND (\($0.condition))" } ?? "") + (keys.map { " AND t0.Z_PK IN (\($0))" } ?? "")
    let list = shape.columnNames.map { ", t0." + $0.quotedIdentifier }.joined()
    rows = try RowReader(
      store.db,
      sql:
        "SELECT t0.Z_PK, t0.Z_OPT\(list) FROM \(from) WHERE t0.Z_ENT = \(shape.number)\(condition) ORDER BY t0.Z_PK"
    )
  }

  package func next() throws -> Bool {
    position += 1
    guard let found = try rows.nextKey() else { return false }
    key = found
    return true
  }

  package func cell(_ slot: Int) -> StoredCell { rows.cell(slot + 2) }

  package var cells: [StoredCell] { shape.columnNames.indices.map { rows.cell($0 + 2) } }

  /// `Z_OPT`
  package var lock: StoredCell { rows.cell(1) }

  /// Binds the cell of a slot as it is. The statement has to run before the cursor goes on.
  func bindColumn(_ slot: Int, to place: Int, of statement: RowStatement) throws {
    try rows.bindColumn(slot + 2, to: place, of: statement)
  }

  func bindLock(to place: Int, of statement: RowStatement) throws {
    try rows.bindColumn(1, to: place, of: statement)
  }
}

/// Where the cells of a new object come from, decided once for a mapping.
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
