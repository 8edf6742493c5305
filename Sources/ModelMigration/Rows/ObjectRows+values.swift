import GRDB
package import ManagedModel
package import PersistentStore

extension ObjectRows {
  /// The value in a cell of an attribute; quick for the kinds of values that most attributes have.
  ///
  /// - Throws: MC5401, MC5402 for cells that hold no value of the attribute, MC5303 where a file is missing.
  package func value(
    _ cell: StoredCell, of shape: AttributeShape, property: String,
    object: @autoclosure () -> ManagedObject.ID
  ) throws -> AttributeValue? {
    switch (cell, shape.type) {
    case (.null, _): return nil
    case (.text(let text), .string): return .string(text)
    case (.real(let number), .double): return .double(number)
    case (.real(let number), .date): return .date(number)
    case (.integer(let number), .integer16) where shape.type.holds(number),
      (.integer(let number), .integer32) where shape.type.holds(number), (.integer(let number), .integer64):
      return .integer(number)
    default:
      return try cell.storedValue(of: shape.attribute).value(
        of: shape.attribute, property: property, object: object(),
        externalData: { try largeValues?.read($0) })
    }
  }

  package func destination(of toOne: ToOneShape, _ cells: [StoredCell]) throws -> ManagedObject.ID? {
    guard case .integer(let key) = cells[toOne.keySlot] else { return nil }
    if let slot = toOne.numberSlot, case .integer(let number) = cells[slot], let name = namesByNumber[number]
    {
      return ManagedObject.ID(entityName: name, primaryKey: key)
    }
    let declared = toOne.destinationEntityName
    let isExact = hierarchy.subentityNames(of: declared).isEmpty
    let name = try isExact ? declared : entityName(ofKey: key, inTableOf: declared)
    return name.map { ManagedObject.ID(entityName: $0, primaryKey: key) }
  }

  /// Puts a reference, or nil, into the cells.
  ///
  /// - Parameter order: the place in the ordered to-many at the other end, where there is one.
  /// - Returns: the slots that it changed.
  package func point(
    _ toOne: ToOneShape, to id: ManagedObject.ID?, order: Int64?, in cells: inout [StoredCell]
  ) -> [Int] {
    var changed = [toOne.keySlot]
    cells[toOne.keySlot] = id.map { .integer($0.primaryKey) } ?? .null
    if let slot = toOne.numberSlot {
      cells[slot] =
        id.flatMap { schema.entity(named: $0.entityName) }.map { .integer(Int64($0.number)) } ?? .null
      changed.append(slot)
    }
    if let slot = toOne.orderSlot {
      cells[slot] = id == nil ? .null : order.map { .integer($0) } ?? .null
      changed.append(slot)
    }
    return changed
  }

  /// The same for the owner in a to-many without inverse.
  package func point(
    ownerOf toMany: ToManyShape, of member: EntityShape, to key: Int64?, order: Int64?,
    in cells: inout [StoredCell]
  ) -> [Int] {
    guard let slots = member.owners[toMany.reference] else { return [] }
    cells[slots.key] = key.map { .integer($0) } ?? .null
    guard let slot = slots.order else { return [slots.key] }
    cells[slot] = key == nil ? .null : order.map { .integer($0) } ?? .null
    return [slots.key, slot]
  }

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
