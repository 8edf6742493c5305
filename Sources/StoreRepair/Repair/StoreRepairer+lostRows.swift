import GRDB
import ManagedModel
import PersistentStore

extension StoreRepairer {
  /// Fills tables that the damaged schema did not have any more, in the order of columns in which the model lays them out.
  ///
  /// A table whose columns came over time has them in another order, which nothing tells any more: where one of the others
  /// has, or a row has other kinds of cells, its rows are lost. Rows that could be placed are told apart, since two texts may
  /// have changed places all the same.
  func placeLostRows(in made: Set<String>, expected: StoreSchema) throws {
    guard var lost, !made.isEmpty else { return }
    let isInOrder = store.schema.tables.filter { !made.contains($0.name) }.allSatisfy { table in
      expected.tables.first { $0.rootEntityName == table.rootEntityName }?.columns.map(\.name)
        == table.columns.map(\.name)
    }
    var tables: [String: SalvagedTable] = [:]
    for table in try db.readPhysicalSchema().tables where made.contains(table.name) {
      tables[table.name] = try SalvagedTable(db, table)
      try tables[table.name]?.prepare(in: db)
    }
    var found: [String?: Int] = [:]
    var misfits: Set<String?> = []
    let walk = try lost.file.read(lost.pages) { row in
      guard let name = tableName(of: row, among: tables) else { return true }
      found[name, default: 0] += 1
      guard let table = name.flatMap({ tables[$0] }), !lost.mayBeDeleted, isInOrder, table.fits(row) else {
        misfits.insert(name)
        return true
      }
      return try table.insert(row)
    }
    for (name, count) in found.sorted(by: { ($0.key ?? "") < ($1.key ?? "") }) {
      let rows =
        "\(count) \(verb(count, "row", "rows")) of \(name.map { "'\($0)'" } ?? "tables that cannot be identified")"
      let isLost = misfits.contains(name)
      if isLost, let name { try prepare("DELETE FROM \(name.quotedIdentifier)") }
      if isLost { unplacedRows += count } else { guessedRows += count }
      note(
        .pages, count: count, lost: isLost ? count : 0,
        isLost
          ? "\(rows) cannot be saved: the page that described their columns is damaged"
          : "\(rows) \(verb(count, "is", "are")) found; their cells are in the model's order")
    }
    unplacedRows += walk.damages
  }

  /// The table that a row belongs to: by its entity's number or, of two keys, the only join table that it fits.
  ///
  /// - Parameter made: the tables that were missing.
  /// - Returns: nil for a row of a table that was there, where it was counted; nil within for one of no table.
  private func tableName(of row: DamagedFile.Row, among made: [String: SalvagedTable]) -> String?? {
    if row.cells.first == .null, let number = row.entityNumber {
      let entity = store.schema.entities.first { $0.number == number }
      let table = entity.flatMap { store.schema.table(ofEntity: $0.rootEntityName)?.name }
      return table.map { made[$0] == nil ? nil : $0 } ?? .some(nil)
    }
    let joins = store.schema.joinTables.map(\.name).filter { made[$0] != nil }
    guard isLink(row), !joins.isEmpty else { return nil }
    let fitting = joins.filter { made[$0]?.fits(row) == true }
    return .some(fitting.count == 1 ? fitting[0] : nil)
  }

  /// Whether a row may be one of a join table: two keys, and places.
  private func isLink(_ row: DamagedFile.Row) -> Bool {
    guard (2...4).contains(row.cells.count) else { return false }
    return row.cells.enumerated().allSatisfy { index, cell in
      if case .integer = cell { true } else { cell == .null && index > 1 }
    }
  }
}
