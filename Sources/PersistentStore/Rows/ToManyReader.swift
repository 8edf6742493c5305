import GRDB
import ManagedModel
import StoreFiles

/// The members of one to-many relationship, read in step with its owners.
final class ToManyReader {
  /// The entity that declares the relationship.
  let entityName: String
  let relationshipName: String
  private let destination: String
  private let namesByNumber: [Int64: String]
  private let rows: RowReader
  private var isStarted = false
  private var isAtEnd = false

  /// Nil where the store has no such relationship.
  ///
  /// - Parameter owner: the one owner to read for; nil for all in turn.
  init?(
    _ relationship: RelationshipDescription, _ reference: PropertyReference, of reader: ObjectReader,
    owner: Int64? = nil
  ) throws {
    guard
      let sql = membersQuery(
        of: relationship, reference, in: reader.schema, hierarchy: reader.hierarchy, owner: owner)
    else { return nil }
    self.entityName = reference.entity
    self.relationshipName = relationship.name
    self.destination = relationship.destinationEntityName
    self.namesByNumber = reader.schema.namesByNumber
    self.rows = try RowReader(reader.db, sql: sql)
  }

  /// In the relationship's order, else by primary key.
  ///
  /// - Parameter owner: greater than the one before.
  func members(of owner: Int64) throws -> [ManagedObject.ID] {
    if !isStarted { try advance() }
    while !isAtEnd, (rows.integer(0) ?? .min) < owner { try advance() }
    var found: [ManagedObject.ID] = []
    while !isAtEnd, rows.integer(0) == owner {
      if let member = rows.integer(1) {
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

/// A query of owner's key, member's key and member's entity number, by owner and in the order of the relationship.
private func membersQuery(
  of relationship: RelationshipDescription, _ reference: PropertyReference, in schema: StoreSchema,
  hierarchy: EntityHierarchy, owner: Int64?
) -> String? {
  let destination = relationship.destinationEntityName
  guard let table = schema.table(ofEntity: destination) else { return nil }
  let members = quotedIdentifier(table.name)
  if let join = schema.joinTable(of: reference) {
    let isSource = join.source == reference
    let near = quotedIdentifier(isSource ? join.sourceColumn : join.destinationColumn)
    let far = quotedIdentifier(isSource ? join.destinationColumn : join.sourceColumn)
    let order = (isSource ? join.destinationOrderColumn : join.sourceOrderColumn).map {
      "j.\(quotedIdentifier($0)), "
    }
    return "SELECT j.\(near), j.\(far), d.Z_ENT FROM \(quotedIdentifier(join.name)) AS j"
      + " LEFT JOIN \(members) AS d ON d.Z_PK = j.\(far)"
      + (owner.map { " WHERE j.\(near) = \($0)" } ?? "") + " ORDER BY j.\(near), \(order ?? "")j.\(far)"
  }
  guard let keys = schema.ownerKeys(of: relationship.name, seenFrom: reference.entity, hierarchy: hierarchy)
  else { return nil }
  let key = quotedIdentifier(keys.column)
  let orderRole: ColumnRole? =
    switch table.columns.first(where: { $0.name == keys.column })?.role {
    case .toOne(let inverse): .order(inverse)
    case .owner(let own): .ownerOrder(own)
    default: nil
    }
  let order = orderRole.flatMap { table.column(for: $0) }.map { quotedIdentifier($0.name) + ", " } ?? ""
  return "SELECT \(key), Z_PK, Z_ENT FROM \(members) WHERE \(key) \(owner.map { "= \($0)" } ?? "IS NOT NULL")"
    + " ORDER BY \(key), \(order)Z_PK"
}
