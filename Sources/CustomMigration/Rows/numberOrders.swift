package import GRDB
import ManagedModel
package import PersistentStore
import StoreFiles

/// Numbers the places of ordered relationships as Core Data does in a new store.
///
/// - Parameter settled: relationships whose places stay what they were.
package func numberOrders(
  of schema: StoreSchema, except settled: Set<PropertyReference>, in db: Database
) throws {
  for table in schema.tables {
    for column in table.columns {
      let owner: (role: ColumnRole, reference: PropertyReference)? =
        switch column.role {
        case .order(let reference): (.toOne(reference), reference)
        case .ownerOrder(let reference): (.owner(reference), reference)
        default: nil
        }
      guard let owner, !settled.contains(owner.reference), let key = table.column(for: owner.role) else {
        continue
      }
      try db.execute(
        sql: numberOrderSQL(table.name, owner: key.name, by: [column.name, "Z_PK"], column.name))
    }
  }
  for join in schema.joinTables where !settled.contains(join.source) {
    if let order = join.destinationOrderColumn {
      let keys = [order, join.destinationColumn]
      try db.execute(sql: numberOrderSQL(join.name, owner: join.sourceColumn, by: keys, order))
    }
    if let order = join.sourceOrderColumn {
      let keys = [order, join.sourceColumn]
      try db.execute(sql: numberOrderSQL(join.name, owner: join.destinationColumn, by: keys, order))
    }
  }
}
