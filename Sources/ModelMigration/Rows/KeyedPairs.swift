import ManagedModel
import PersistentStore

/// The pairs of a mapping that need no table: each new object has the key of its source object, and no other mapping makes
/// objects of the one entity from those of the other.
///
/// A class, because every object that is made is counted.
final class KeyedPairs {
  let source: EntityShape
  let destination: EntityShape
  var count = 0
  /// Tell whether the objects on the other side are there.
  private var readers: [AssociationTable.Side: RowReader] = [:]

  init(source: EntityShape, destination: EntityShape) {
    self.source = source
    self.destination = destination
  }

  /// The rows of all objects of the entity, as `d`.
  var allRows: String {
    "FROM main.\(destination.tableName.quotedIdentifier) AS d WHERE d.Z_ENT = \(destination.number)"
  }

  /// The rows of the objects that were made, as `d`.
  var rows: String {
    allRows
      + " AND EXISTS (SELECT 1 FROM source.\(source.tableName.quotedIdentifier) AS s "
      + "WHERE s.Z_PK = d.Z_PK AND s.Z_ENT = \(source.number))"
  }

  /// What has the same key on the other side.
  func counterpart(
    of id: ManagedObject.ID, on side: AssociationTable.Side, in db: StoreDatabase
  ) throws -> [ManagedObject.ID] {
    let isSource = side == .source
    let (own, other) = isSource ? (source, destination) : (destination, source)
    guard id.entityName == own.name else { return [] }
    let reader =
      try readers[side]
      ?? RowReader(
        db,
        sql: "SELECT 1 FROM \(isSource ? "main" : "source").\(other.tableName.quotedIdentifier) "
          + "WHERE Z_PK = ? AND Z_ENT = \(other.number)", 0)
    readers[side] = reader
    try reader.restart([id.primaryKey])
    defer { reader.release() }
    return try reader.step() ? [ManagedObject.ID(entityName: other.name, primaryKey: id.primaryKey)] : []
  }
}
