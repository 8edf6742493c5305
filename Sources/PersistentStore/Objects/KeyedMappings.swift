import GRDB
import ManagedModel

/// The mappings whose pairs the rows themselves tell: each object that such a mapping made has the key of its source
/// object, and no other mapping makes objects of the two entities.
struct KeyedMappings {
  struct Pairs {
    var source: EntityShape
    var destination: EntityShape
    var count = 0
    fileprivate var hasDestination: RowReader?
    fileprivate var hasSource: RowReader?

    init(source: EntityShape, destination: EntityShape) {
      self.source = source
      self.destination = destination
    }

    /// The rows of all objects of the entity, as `d`.
    var allRows: String {
      "FROM main.\(quotedIdentifier(destination.tableName)) AS d WHERE d.Z_ENT = \(destination.number)"
    }

    /// The rows of the objects that were made, as `d`.
    var rows: String {
      allRows
        + " AND EXISTS (SELECT 1 FROM source.\(quotedIdentifier(source.tableName)) AS s "
        + "WHERE s.Z_PK = d.Z_PK AND s.Z_ENT = \(source.number))"
    }
  }

  private let db: Database
  private(set) var byMapping: [Int: Pairs] = [:]

  init(_ db: Database) { self.db = db }

  subscript(mapping: Int) -> Pairs? {
    get { byMapping[mapping] }
    set { byMapping[mapping] = newValue }
  }

  mutating func destination(of source: ManagedObject.ID, mapping: Int) throws -> [ManagedObject.ID] {
    guard let pairs = byMapping[mapping], source.entityName == pairs.source.name else { return [] }
    let reader = try pairs.hasDestination ?? existence(of: pairs.destination, in: "main")
    if pairs.hasDestination == nil { byMapping[mapping]?.hasDestination = reader }
    guard try hasRow(reader, source.primaryKey) else { return [] }
    return [ManagedObject.ID(entityName: pairs.destination.name, primaryKey: source.primaryKey)]
  }

  mutating func source(of destination: ManagedObject.ID, mapping: Int) throws -> [ManagedObject.ID] {
    guard let pairs = byMapping[mapping], destination.entityName == pairs.destination.name else { return [] }
    let reader = try pairs.hasSource ?? existence(of: pairs.source, in: "source")
    if pairs.hasSource == nil { byMapping[mapping]?.hasSource = reader }
    guard try hasRow(reader, destination.primaryKey) else { return [] }
    return [ManagedObject.ID(entityName: pairs.source.name, primaryKey: destination.primaryKey)]
  }

  private func existence(of shape: EntityShape, in schema: String) throws -> RowReader {
    try RowReader(
      db,
      sql: "SELECT 1 FROM \(schema).\(quotedIdentifier(shape.tableName)) "
        + "WHERE Z_PK = ? AND Z_ENT = \(shape.number)", 0)
  }

  private func hasRow(_ reader: RowReader, _ key: Int64) throws -> Bool {
    try reader.restart([key])
    defer { reader.release() }
    return try reader.step()
  }
}
