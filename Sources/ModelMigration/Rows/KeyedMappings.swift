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
    fileprivate var hasDestination: RowReader?
    fileprivate var hasSource: RowReader?

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

  func destination(of source: ManagedObject.ID, mapping: Int) throws -> [ManagedObject.ID] {
    guard let pairs = self[mapping], source.entityName == pairs.source.name else { return [] }
    let reader = try pairs.hasDestination ?? existence(of: pairs.destination, in: "main")
    pairs.hasDestination = reader
    guard try hasRow(reader, source.primaryKey) else { return [] }
    return [ManagedObject.ID(entityName: pairs.destination.name, primaryKey: source.primaryKey)]
  }

  func source(of destination: ManagedObject.ID, mapping: Int) throws -> [ManagedObject.ID] {
    guard let pairs = self[mapping], destination.entityName == pairs.destination.name else { return [] }
    let reader = try pairs.hasSource ?? existence(of: pairs.source, in: "source")
    pairs.hasSource = reader
    guard try hasRow(reader, destination.primaryKey) else { return [] }
    return [ManagedObject.ID(entityName: pairs.source.name, primaryKey: destination.primaryKey)]
  }

  private func existence(of shape: EntityShape, in schema: String) throws -> RowReader {
    try RowReader(
      db,
      sql: "SELECT 1 FROM \(schema).\(shape.tableName.quotedIdentifier) "
        + "WHERE Z_PK = ? AND Z_ENT = \(shape.number)", 0)
  }

  private func hasRow(_ reader: RowReader, _ key: Int64) throws -> Bool {
    try reader.restart([key])
    defer { reader.release() }
    return try reader.step()
  }
}
