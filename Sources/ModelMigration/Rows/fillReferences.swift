import GRDB
package import PersistentStore

/// Objects that a reference may lead to: those of some entities of one table.
package struct ReferenceTargets: Hashable {
  package var tableName: String
  /// `Z_ENT`
  package var numbers: Set<Int>

  fileprivate func exists(_ key: String) -> String {
    let list = numbers.sorted().sqlList
    return "EXISTS (SELECT 1 FROM main.\(tableName.quotedIdentifier) AS x WHERE x.Z_PK = \(key) "
      + "AND x.Z_ENT IN (\(list)))"
  }
}

extension ObjectRows {
  /// Empties the references of a mapping's objects that lead to no object, or to none of the targets.
  func nullifyReferences(of pairs: KeyedPairs, _ toOne: ToOneShape, beside targets: ReferenceTargets) throws {
    let key = pairs.destination.columnNames[toOne.keySlot].quotedIdentifier
    let table = pairs.destination.tableName.quotedIdentifier
    try db.execute(
      sql: """
        UPDATE main.\(table) SET \(key) = NULL WHERE \(key) IS NOT NULL AND Z_PK IN (SELECT d.Z_PK \(pairs.rows)) \
        AND NOT \(targets.exists("\(table).\(key)"))
        """)
  }

  /// Writes beside each reference which entity it leads to, where the store keeps that.
  package func fillEntityNumbers(of shape: EntityShape, _ toOne: ToOneShape, _ tableName: String) throws {
    guard let slot = toOne.numberSlot else { return }
    let (key, number) = (
      shape.columnNames[toOne.keySlot].quotedIdentifier, shape.columnNames[slot].quotedIdentifier
    )
    let table = shape.tableName.quotedIdentifier
    try db.execute(
      sql: """
        UPDATE main.\(table) SET \(number) = (SELECT x.Z_ENT FROM main.\(tableName.quotedIdentifier) AS x \
        WHERE x.Z_PK = \(table).\(key)) WHERE Z_ENT = \(shape.number) AND \(key) IS NOT NULL
        """)
  }

  /// Whether two to-ones that are each other's inverse say the same.
  package func agree(
    _ shape: EntityShape, _ toOne: ToOneShape, _ other: EntityShape, _ back: ToOneShape
  ) throws -> Bool {
    try [(shape, toOne, other, back), (other, back, shape, toOne)].allSatisfy { shape, toOne, other, back in
      let key = shape.columnNames[toOne.keySlot].quotedIdentifier
      let answer = other.columnNames[back.keySlot].quotedIdentifier
      return try !db.hasRows(
        """
        main.\(shape.tableName.quotedIdentifier) AS a \
        LEFT JOIN main.\(other.tableName.quotedIdentifier) AS b ON b.Z_PK = a.\(key) \
        WHERE a.Z_ENT = \(shape.number) AND a.\(key) IS NOT NULL AND b.\(answer) IS NOT a.Z_PK
        """)
    }
  }

  /// Takes the pairs of a many-to-many over from the source's join table, where both objects are there; keys are the
  /// same in both stores.
  ///
  /// - Parameter old: the relationship of the source.
  package func takePairs(
    _ toMany: ToManyShape, from old: ToManyShape, of shape: EntityShape, to targets: ReferenceTargets
  ) throws {
    guard case .join(let join) = toMany.storage, case .join(let former) = old.storage else { return }
    let (near, far) = (join.near.column.quotedIdentifier, join.far.column.quotedIdentifier)
    let (oldNear, oldFar) = (former.near.column.quotedIdentifier, former.far.column.quotedIdentifier)
    let owners = ReferenceTargets(tableName: shape.tableName, numbers: [shape.number])
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO main.\(join.name.quotedIdentifier) (\(near), \(far)) \
        SELECT s.\(oldNear), s.\(oldFar) FROM source.\(former.name.quotedIdentifier) AS s \
        WHERE \(owners.exists("s.\(oldNear)")) AND \(targets.exists("s.\(oldFar)"))
        """)
  }
}

extension ToManyShape {
  /// The to-one in the members' rows that tells the relationship, where there is one.
  package var memberKeyName: String? { if case .inverse(let name) = storage { name } else { nil } }

  /// Whether its pairs stand in a table, neither side has an order, and the two sides are two relationships.
  package var isPlainJoin: Bool {
    guard case .join(let join) = storage else { return false }
    return join.sides.allSatisfy { $0.order == nil } && !join.isOwnInverse
  }
}
