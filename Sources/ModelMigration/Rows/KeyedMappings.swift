import GRDB
import ManagedModel
import PersistentStore

/// The mappings whose pairs need no table: each new object has the key of its source object, and no other mapping makes
/// objects of the one entity from those of the other.
struct KeyedMappings {
  /// A class, because every object that is made is counted.
  final class Pairs {
    let source: EntityShape
    let destination: EntityShape
    var count = 0
    /// Tell whether the objects on the other side are there.
    fileprivate var readers: [AssociationTable.Side: RowReader] = [:]

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
  }

  private let db: Database
  /// By the mapping's number.
  private var byMapping: [Pairs?] = []

  init(_ db: Database) { self.db = db }

  subscript(mapping: Int) -> Pairs? {
    get { byMapping.indices.contains(mapping) ? byMapping[mapping] : nil }
    set {
      while byMapping.count <= mapping { byMapping.append(nil) }
      byMapping[mapping] = newValue
    }
  }

  var numbers: [Int] { byMapping.indices.filter { byMapping[$0] != nil } }
  var all: [Pairs] { byMapping.compactMap(\.self) }

  /// What has the same key on the other side.
  func counterpart(
    of id: ManagedObject.ID, on side: AssociationTable.Side, mapping: Int
  ) throws -> [ManagedObject.ID] {
    guard let pairs = self[mapping] else { return [] }
    let isSource = side == .source
    let (own, other) = isSource ? (pairs.source, pairs.destination) : (pairs.destination, pairs.source)
    guard id.entityName == own.name else { return [] }
    let reader =
      try pairs.readers[side]
      ?? RowReader(
        db,
        sql: "SELECT 1 FROM \(isSource ? "main" : "source").\(other.tableName.quotedIdentifier) "
          + "WHERE Z_PK = ? AND Z_ENT = \(other.number)", 0)
    pairs.readers[side] = reader
    try reader.restart([id.primaryKey])
    defer { reader.release() }
    return try reader.step() ? [ManagedObject.ID(entityName: other.name, primaryKey: id.primaryKey)] : []
  }
}
