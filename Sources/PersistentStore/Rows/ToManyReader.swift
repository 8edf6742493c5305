package import GRDB
package import ManagedModel

/// The members of one to-many relationship, read in step with its owners.
package final class ToManyReader {
  let relationship: PropertyReference
  private let destination: String
  private let namesByNumber: [Int64: String]
  private let rows: RowReader
  private let takesDangling: Bool
  private var isStarted = false
  private var isAtEnd = false

  /// Nil if the store has no such relationship.
  ///
  /// - Parameters:
  ///   - owner: the one owner to read for; nil for all in turn.
  ///   - takesDangling: whether links to objects that do not exist count.
  package init?(
    _ toMany: ToManyShape, _ db: Database, _ schema: StoreSchema, _ hierarchy: EntityHierarchy,
    owner: Int64? = nil, takesDangling: Bool = true
  ) throws {
    let query = membersQuery(of: toMany, in: schema, hierarchy: hierarchy, owner: owner.map(String.init))
    guard let sql = query else { return nil }
    (relationship, destination) = (toMany.reference, toMany.destinationEntityName)
    (namesByNumber, self.takesDangling) = (schema.namesByNumber, takesDangling)
    rows = try RowReader(db, sql: sql)
  }

  /// In the relationship's order, else by primary key.
  ///
  /// - Parameter owner: greater than the one before.
  package func members(of owner: Int64) throws -> [ManagedObject.ID] {
    if !isStarted { try advance() }
    while !isAtEnd, (rows.integer(0) ?? .min) < owner { try advance() }
    var found: [ManagedObject.ID] = []
    while !isAtEnd, rows.integer(0) == owner {
      if let member = rows.integer(1), takesDangling || rows.integer(2) != nil {
        let name = rows.integer(2).flatMap { namesByNumber[$0] } ?? destination
        found.append(ManagedObject.ID(entityName: name, primaryKey: member))
      }
      try advance()
    }
    return found
  }

  /// To the next row whose owner is a key: SQLite sorts other types around the numbers.
  private func advance() throws {
    isStarted = true
    repeat { isAtEnd = try !rows.step() } while !isAtEnd && rows.integer(0) == nil
  }
}

/// A query of owner's key, member's key, member's entity number and place, by owner and in the relationship's order.
///
/// - Parameter owner: the key of the one owner that is asked for, or the parameter for it; nil for all.
package func membersQuery(
  of toMany: ToManyShape, in schema: StoreSchema, hierarchy: EntityHierarchy, owner: String?
) -> String? {
  guard let table = schema.table(ofEntity: toMany.destinationEntityName) else { return nil }
  let members = table.name.quotedIdentifier
  if case .join(let join) = toMany.storage {
    let (near, far) = (join.near.column.quotedIdentifier, join.far.column.quotedIdentifier)
    let order = join.far.order.map { "j.\($0.quotedIdentifier), " } ?? ""
    let place = join.far.order.map { "j.\($0.quotedIdentifier)" } ?? "0"
    return "SELECT j.\(near), j.\(far), d.Z_ENT, \(place) FROM \(join.name.quotedIdentifier) AS j"
      + " LEFT JOIN \(members) AS d ON d.Z_PK = j.\(far)"
      + (owner.map { " WHERE j.\(near) = \($0)" } ?? "") + " ORDER BY j.\(near), \(order)j.\(far)"
  }
  guard let columns = toMany.memberColumns(in: table, hierarchy) else { return nil }
  let key = columns.key.quotedIdentifier
  let order = columns.order.map { $0.quotedIdentifier + ", " } ?? ""
  let place = columns.order.map(\.quotedIdentifier) ?? "0"
  let owned = owner.map { "= \($0)" } ?? "IS NOT NULL"
  return "SELECT \(key), Z_PK, Z_ENT, \(place) FROM \(members) WHERE \(key) \(owned)"
    + " ORDER BY \(key), \(order)Z_PK"
}

extension ToManyShape {
  /// Where the members' rows hold the owner's key, and their places in its order.
  package func memberColumns(in table: TableLayout, _ hierarchy: EntityHierarchy) -> (
    key: String, order: String?
  )? {
    var (key, order) = (ColumnRole.owner(reference), ColumnRole.ownerOrder(reference))
    if case .inverse(let name) = storage {
      guard let inverse = hierarchy.reference(to: name, seenFrom: destinationEntityName) else { return nil }
      (key, order) = (.toOne(inverse), .order(inverse))
    }
    return table.column(for: key).map { ($0.name, table.column(for: order)?.name) }
  }
}
