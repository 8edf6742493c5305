import Foundation
import ManagedModel
import PersistentStore

/// The tables of a store, and of one that is attached to it as `source`, both of one version: table by table, column by
/// column.
struct PairedSchema {
  let new: StoreSchema
  let hierarchy: EntityHierarchy
  let tables: [Table]
  let joins: [(join: JoinTableLayout, former: JoinTableLayout)]

  struct Table {
    let name: String
    /// The names in quotes.
    let new: String
    let old: String
    /// The root entity's number in the store.
    let root: Int
    let columns: [Column]
    /// Columns of the source, in quotes, that no model knows and the store does not have.
    let unpaired: [String]
    let entities: [Entity]

    func column(_ role: ColumnRole) -> Column? { columns.first { $0.role == role } }
  }

  /// A column of both stores, its names in quotes.
  typealias Column = (name: String, former: String, role: ColumnRole)

  typealias Entity = (name: String, number: Int, formerNumber: Int)

  init(old: StoreSchema, new: StoreSchema, hierarchy: EntityHierarchy) {
    (self.new, self.hierarchy) = (new, hierarchy)
    tables = new.tables.compactMap { table in
      guard let former = old.tables.first(where: { $0.rootEntityName == table.rootEntityName }),
        let root = new.entity(named: table.rootEntityName)?.number
      else { return nil }
      return Table(
        name: table.name, new: table.name.quotedIdentifier, old: former.name.quotedIdentifier, root: root,
        columns: table.columns.compactMap { column in
          former.columns.first { $0.role == column.role && ($0.role != .unknown || $0.name == column.name) }
            .map { (column.name.quotedIdentifier, $0.name.quotedIdentifier, column.role) }
        },
        unpaired: former.columns.filter { own in
          own.role == .unknown && !table.columns.contains { $0.role == .unknown && $0.name == own.name }
        }.map(\.name.quotedIdentifier),
        entities: new.entities(in: table).compactMap { entity in
          old.entity(named: entity.name).map { (entity.name, entity.number, $0.number) }
        })
    }
    joins = new.joinTables.compactMap { join in
      old.joinTables.first { $0.source == join.source && $0.destination == join.destination }
        .map { (join, $0) }
    }
  }

  func target(of role: ColumnRole) -> Table? {
    let name = hierarchy.entityReferred(toBy: role).flatMap(new.table)?.name
    return tables.first { $0.name == name }
  }

  /// An entity's number in the source, as it is in the store.
  func mappedNumber(_ number: String) -> String {
    let pairs = tables.flatMap(\.entities).map { ($0.formerNumber, $0.number) }
    if pairs.allSatisfy({ $0 == $1 }) { return number }
    return "CASE \(number) \(pairs.map { "WHEN \($0) THEN \($1)" }.joined(separator: " ")) END"
  }

  /// Gives cells that name a file beside the source a file beside the store.
  ///
  /// - Parameters:
  ///   - read: the contents of a file there; nil if it is missing, and the cell then stays as it is.
  ///   - rows: which rows have a cell of the source in a column.
  func takeLargeValues(
    in db: StoreDatabase, to files: MigratedExternalData, reading read: (String) throws -> Data?,
    where rows: (Table, Column) -> String
  ) throws {
    for table in tables {
      for column in table.columns {
        guard case .attribute(let reference) = column.role,
          let attribute = hierarchy.attribute(reference),
          attribute.allowsExternalBinaryDataStorage
        else { continue }
        let name = column.name
        let update = try RowStatement(db, sql: "UPDATE main.\(table.new) SET \(name) = ? WHERE Z_PK = ?")
        let cells = try RowReader(
          db,
          sql: "SELECT Z_PK, \(name) FROM main.\(table.new) WHERE \(rows(table, column))"
            + " AND SUBSTR(\(name), 1, 1) = X'02' ORDER BY Z_PK")
        var found: [(key: Int64, cell: StoredCell)] = []
        while try cells.step() { if let key = cells.integer(0) { found.append((key, cells.cell(1))) } }
        for (key, cell) in found {
          guard case .external(let file) = cell.storedValue(of: attribute), let data = try read(file) else {
            continue
          }
          let id = ManagedObject.ID(entityName: reference.entity, primaryKey: key)
          let made = try files.store(data, of: id, property: reference.property)
          let stored = made.map(\.externalReference) ?? .blob(Data([1]) + data)
          try update.run(cells: [stored, .integer(key)])
        }
      }
    }
  }
}
