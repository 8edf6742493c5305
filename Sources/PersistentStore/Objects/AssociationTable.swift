package import GRDB
package import ManagedModel

/// Which source objects became which destination objects, by entity mapping: a table of the connection's temporary
/// database, so that memory does not grow with the number of objects.
package final class AssociationTable {
  private let db: Database
  private let source: StoreSchema
  private let destination: StoreSchema
  private let sourceNames: [Int64: String]
  private let destinationNames: [Int64: String]
  private let insert: RowStatement
  private let bySource: RowReader
  private var byDestination: RowReader?

  package init(_ db: Database, source: StoreSchema, destination: StoreSchema) throws {
    self.db = db
    self.source = source
    self.destination = destination
    sourceNames = source.namesByNumber
    destinationNames = destination.namesByNumber
    try db.execute(sql: "PRAGMA temp_store = FILE")
    try db.execute(
      sql: """
        CREATE TEMP TABLE modelc_association (id INTEGER PRIMARY KEY, mapping INTEGER, source_entity INTEGER,
          source INTEGER, destination_entity INTEGER, destination INTEGER);
        CREATE INDEX temp.modelc_association_source ON modelc_association (mapping, source, source_entity);
        """)
    insert = try RowStatement(
      db,
      sql: "INSERT INTO temp.modelc_association "
        + "(mapping, source_entity, source, destination_entity, destination) VALUES (?, ?, ?, ?, ?)")
    bySource = try RowReader(
      db,
      sql: "SELECT destination_entity, destination FROM temp.modelc_association "
        + "WHERE mapping = ? AND source = ? AND source_entity = ? ORDER BY id")
  }

  package func associate(
    _ source: ManagedObject.ID, with destination: ManagedObject.ID, mapping: Int
  ) throws {
    try insert.bind(Int64(mapping), at: 0)
    try insert.bind(Int64(self.source.entity(named: source.entityName)?.number ?? 0), at: 1)
    try insert.bind(source.primaryKey, at: 2)
    try insert.bind(Int64(self.destination.entity(named: destination.entityName)?.number ?? 0), at: 3)
    try insert.bind(destination.primaryKey, at: 4)
    try insert.run()
  }

  /// Numbers of the two entities are the caller's to know: for the default work, which does this once per object.
  package func associate(
    _ sourceEntity: Int, _ source: Int64, with destinationEntity: Int, _ destination: Int64, mapping: Int
  ) throws {
    for (index, value) in [
      Int64(mapping), Int64(sourceEntity), source, Int64(destinationEntity), destination,
    ]
    .enumerated() {
      try insert.bind(value, at: index)
    }
    try insert.run()
  }

  /// In the order in which they were associated.
  package func destinations(of source: ManagedObject.ID, mapping: Int) throws -> [ManagedObject.ID] {
    guard let number = self.source.entity(named: source.entityName)?.number else { return [] }
    try bySource.restart([Int64(mapping), source.primaryKey, Int64(number)])
    return try objects(bySource, destinationNames)
  }

  package func sources(of destination: ManagedObject.ID, mapping: Int) throws -> [ManagedObject.ID] {
    guard let number = self.destination.entity(named: destination.entityName)?.number else { return [] }
    let reader = try byDestination ?? makeDestinationReader()
    byDestination = reader
    try reader.restart([Int64(mapping), destination.primaryKey, Int64(number)])
    return try objects(reader, sourceNames)
  }

  private func makeDestinationReader() throws -> RowReader {
    try db.execute(
      sql: "CREATE INDEX IF NOT EXISTS temp.modelc_association_destination "
        + "ON modelc_association (mapping, destination, destination_entity)")
    return try RowReader(
      db,
      sql: "SELECT source_entity, source FROM temp.modelc_association "
        + "WHERE mapping = ? AND destination = ? AND destination_entity = ? ORDER BY id")
  }

  private func objects(_ rows: RowReader, _ names: [Int64: String]) throws -> [ManagedObject.ID] {
    var found: [ManagedObject.ID] = []
    while try rows.step() {
      guard let name = rows.integer(0).flatMap({ names[$0] }), let key = rows.integer(1) else { continue }
      found.append(ManagedObject.ID(entityName: name, primaryKey: key))
    }
    return found
  }

  /// All pairs of a mapping in the order in which they were associated, one for each destination object: the source
  /// that came first. What is associated meanwhile does not come.
  package func forEachDestination(
    ofMapping mapping: Int,
    _ body: (_ source: ManagedObject.ID, _ destination: ManagedObject.ID) throws -> Void
  ) throws {
    let rows = try RowReader(
      db,
      sql: "SELECT source_entity, source, destination_entity, destination, MIN(id) AS first "
        + "FROM temp.modelc_association WHERE mapping = ? "
        + "GROUP BY destination_entity, destination ORDER BY first", Int64(mapping))
    while try rows.step() {
      guard let sourceName = rows.integer(0).flatMap({ sourceNames[$0] }), let sourceKey = rows.integer(1),
        let name = rows.integer(2).flatMap({ destinationNames[$0] }), let key = rows.integer(3)
      else { continue }
      try body(
        ManagedObject.ID(entityName: sourceName, primaryKey: sourceKey),
        ManagedObject.ID(entityName: name, primaryKey: key))
    }
  }

  /// All destinations of a mapping, or all its sources, each once.
  package func all(_ side: Side, ofMapping mapping: Int) throws -> [ManagedObject.ID] {
    let (columns, names) =
      side == .source
      ? ("source_entity, source", sourceNames) : ("destination_entity, destination", destinationNames)
    let rows = try RowReader(
      db,
      sql: "SELECT \(columns), MIN(id) AS first FROM temp.modelc_association WHERE mapping = ? "
        + "GROUP BY \(columns) ORDER BY first", Int64(mapping))
    return try objects(rows, names)
  }

  package enum Side: Sendable { case source, destination }

  /// How many objects of an entity no mapping accounts for, and the keys of the first.
  package func unassociated(entity: String) throws -> (count: Int, keys: [Int64]) {
    guard let layout = destination.entity(named: entity), let table = destination.table(ofEntity: entity)
    else {
      return (0, [])
    }
    let condition =
      "FROM main.\(quotedIdentifier(table.name)) WHERE Z_ENT = \(layout.number) AND Z_PK NOT IN "
      + "(SELECT destination FROM temp.modelc_association WHERE destination_entity = \(layout.number))"
    let count = try Row.fetchOne(db, sql: "SELECT COUNT(*) \(condition)").flatMap {
      Int.fromDatabaseValue($0[0])
    }
    guard let count, count > 0 else { return (0, []) }
    let rows = try Row.fetchAll(db, sql: "SELECT Z_PK \(condition) ORDER BY Z_PK LIMIT 5")
    return (count, rows.compactMap { Int64.fromDatabaseValue($0[0]) })
  }

  package func count(ofMapping mapping: Int) throws -> Int {
    let row = try Row.fetchOne(
      db, sql: "SELECT COUNT(*) FROM temp.modelc_association WHERE mapping = ?", arguments: [mapping])
    return row.flatMap { Int.fromDatabaseValue($0[0]) } ?? 0
  }

  /// Pairs of the mapping whose keys differ, and how many: object URIs that lead elsewhere from now on.
  package func movedCount() throws -> Int {
    let row = try Row.fetchOne(
      db, sql: "SELECT COUNT(*) FROM temp.modelc_association WHERE source <> destination")
    return row.flatMap { Int.fromDatabaseValue($0[0]) } ?? 0
  }

  /// Forgets all associations; objects stay.
  package func clear() throws { try db.execute(sql: "DELETE FROM temp.modelc_association") }

  package func drop() throws {
    byDestination = nil
    try db.execute(sql: "DROP TABLE IF EXISTS temp.modelc_association")
  }
}
