import GRDB
package import ManagedModel
package import PersistentStore

extension ObjectRows {
  /// In the relationship's order, else by primary key. References to missing objects are left out.
  package func members(of toMany: ToManyShape, owner key: Int64) throws -> [ManagedObject.ID] {
    let known = memberQueries[toMany.reference]
    guard let sql = known ?? membersQuery(of: toMany, in: schema, hierarchy: hierarchy, owner: "?") else {
      return []
    }
    if known == nil {
      memberQueries[toMany.reference] = sql
      if case .join(let join) = toMany.storage {
        try ensureIndex(on: join.name, join.sides.map(\.column))
      } else if let table = schema.table(ofEntity: toMany.destinationEntityName),
        let columns = toMany.memberColumns(in: table, hierarchy)
      {
        try ensureIndex(on: table.name, [columns.key])
      }
    }
    // Not shared: a caller may ask for the members of others while it reads these.
    return try RowReader(db, sql: sql, key).objects(namesByNumber, number: 2)
  }

  /// - Parameters:
  ///   - order: the member's place among the owner's.
  ///   - otherOrder: the owner's place among the member's.
  package func link(
    _ toMany: ToManyShape, _ owner: Int64, _ member: Int64, order: Int64, otherOrder: Int64
  ) throws {
    guard case .join(let join) = toMany.storage else { return }
    try writer(join.replacingInsertion, to: join.name)
      .run(join.cells(owner, member, order: order, otherOrder: otherOrder))
    // A relationship that is its own inverse holds both directions.
    if join.isOwnInverse {
      try writer(join.keepingInsertion, to: join.name)
        .run(join.cells(member, owner, order: otherOrder, otherOrder: order))
    }
  }

  package func unlink(_ toMany: ToManyShape, _ owner: Int64, _ member: Int64) throws {
    guard case .join(let join) = toMany.storage else { return }
    let sql =
      "DELETE FROM \(join.name.quotedIdentifier) WHERE \(join.near.column.quotedIdentifier) = ? AND "
      + "\(join.far.column.quotedIdentifier) = ?"
    try run(sql, in: join.name, owner, member)
    if join.isOwnInverse { try run(sql, in: join.name, member, owner) }
  }
}

extension Array where Element: Hashable {
  /// Each once, in the order of their first appearance.
  var unique: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
