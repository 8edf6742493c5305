package import GRDB
package import ManagedModel
package import PersistentStore

/// Which source objects became which destination objects, by entity mapping. It is a table of the connection's temporary
/// database, so memory does not grow with the number of objects.
///
/// A mapping is *keyed* as long as each new object has the key of its source object. Then no pairs are written. The first
/// pair with different keys writes all of them.
package final class AssociationTable {
  let db: Database
  let source: StoreSchema
  private let destination: StoreSchema
  private let sourceNames: [Int64: String]
  let destinationNames: [Int64: String]
  private let insert: RowStatement
  /// Read the pairs of one object, by the side that it is on.
  private var readers: [Side: RowReader] = [:]
  /// By the mapping's number; nil where pairs are written.
  private var keyed: [KeyedPairs?]
  /// Mappings whose objects are there, and whose turn is yet to come: nobody finds them.
  package var hidden: Set<Int> = []
  /// Called before somebody associates objects by one of them.
  package var meetHidden: () throws -> Void = {}
  /// Writes what waits to be written, before rows are asked for pairs.
  package var writePending: () throws -> Void = {}

  /// - Parameter mappings: how many there are.
  package init(_ db: Database, source: StoreSchema, destination: StoreSchema, mappings: Int) throws {
    self.db = db
    self.source = source
    self.destination = destination
    keyed = Array(repeating: nil, count: mappings)
    sourceNames = source.namesByNumber
    destinationNames = destination.namesByNumber
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
  }

  package func associate(
    _ source: ManagedObject.ID, with destination: ManagedObject.ID, mapping: Int
  ) throws {
    try associate(
      self.source.entity(named: source.entityName)?.number ?? 0, source.primaryKey,
      with: self.destination.entity(named: destination.entityName)?.number ?? 0, destination.primaryKey,
      mapping: mapping)
  }

  /// Numbers of the two entities are the caller's to know: for the default work, which does this once per object.
  package func associate(
    _ sourceEntity: Int, _ source: Int64, with destinationEntity: Int, _ destination: Int64, mapping: Int
  ) throws {
    if hidden.contains(mapping) { try meetHidden() }
    try materialize(mapping: mapping)
    try insert.run([Int64(mapping), Int64(sourceEntity), source, Int64(destinationEntity), destination])
  }

  /// States that the mapping alone makes objects of the entity with keys of the source's, each for its source object.
  func key(_ mapping: Int, _ pairs: KeyedPairs) { keyed[mapping] = pairs }

  package func isKeyed(_ mapping: Int) -> Bool { keyed[mapping] != nil }

  /// Counts pairs that the rows tell.
  package func addKeyed(_ count: Int, mapping: Int) { keyed[mapping]?.count += count }

  /// The keys of all objects that a keyed mapping made, in their order: each is its source object's as well.
  package func forEachKey(ofMapping mapping: Int, _ body: (Int64) throws -> Void) throws {
    guard let pairs = keyed[mapping] else { return }
    try writePending()
    let from = try madeAll(pairs) ? pairs.allRows : pairs.rows
    try RowReader(db, sql: "SELECT d.Z_PK \(from) ORDER BY d.Z_PK").forEachKey(body)
  }

  /// Where the mapping made all objects of the entity, no look at the source is needed: others would be more, and have
  /// keys above all of the source.
  private func madeAll(_ pairs: KeyedPairs) throws -> Bool {
    let table = pairs.source.tableName.quotedIdentifier
    let facts = try Row.fetchOne(
      db,
      sql: "SELECT COUNT(*), MAX(d.Z_PK) <= (SELECT MAX(Z_PK) FROM source.\(table)) \(pairs.allRows)")
    return facts.map { $0.number(0) == pairs.count && $0.number(1) == 1 } ?? false
  }

  /// Writes the pairs of a keyed mapping down, so that others can stand beside them.
  ///
  /// - Parameter key: of an object that has its source object's key and is not associated with it.
  package func materialize(mapping: Int, excluding key: Int64? = nil) throws {
    guard let pairs = keyed[mapping] else { return }
    try writePending()
    keyed[mapping] = nil
    let exclusion = key.map { " AND d.Z_PK <> \($0)" } ?? ""
    try db.execute(
      sql: """
        INSERT INTO temp.modelc_association (mapping, source_entity, source, destination_entity, destination) \
        SELECT \(mapping), \(pairs.source.number), d.Z_PK, \(pairs.destination.number), d.Z_PK \
        \(pairs.rows)\(exclusion) ORDER BY d.Z_PK
        """)
  }

  package func materializeAll() throws {
    for mapping in keyed.indices where !hidden.contains(mapping) { try materialize(mapping: mapping) }
  }

  /// What became of an object of the source, or what one of the destination was made of, in the order in which they were
  /// associated.
  package func counterparts(
    of id: ManagedObject.ID, on side: Side, mapping: Int
  ) throws -> [ManagedObject.ID] {
    if hidden.contains(mapping) { return [] }
    if let pairs = keyed[mapping] {
      try writePending()
      return try pairs.counterpart(of: id, on: side, in: db)
    }
    let (own, names) = side == .source ? (source, destinationNames) : (destination, sourceNames)
    guard let number = own.entity(named: id.entityName)?.number else { return [] }
    let reader = try readers[side] ?? makeReader(side)
    try reader.restart([Int64(mapping), id.primaryKey, Int64(number)])
    return try reader.objects(names)
  }

  private func makeReader(_ side: Side) throws -> RowReader {
    let (own, other) = side == .source ? ("source", "destination") : ("destination", "source")
    try db.execute(
      sql: "CREATE INDEX IF NOT EXISTS temp.modelc_association_\(own) "
        + "ON modelc_association (mapping, \(own), \(own)_entity)")
    let made = try RowReader(
      db,
      sql: "SELECT \(other)_entity, \(other) FROM temp.modelc_association "
        + "WHERE mapping = ? AND \(own) = ? AND \(own)_entity = ? ORDER BY id")
    readers[side] = made
    return made
  }

  /// All pairs of a mapping that is not keyed, in the order in which they were associated, one for each destination object:
  /// the source that came first. What is associated meanwhile does not come.
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
    if hidden.contains(mapping) { return [] }
    try materialize(mapping: mapping)
    let (columns, names) =
      side == .source
      ? ("source_entity, source", sourceNames) : ("destination_entity, destination", destinationNames)
    let rows = try RowReader(
      db,
      sql: "SELECT \(columns), MIN(id) AS first FROM temp.modelc_association WHERE mapping = ? "
        + "GROUP BY \(columns) ORDER BY first", Int64(mapping))
    return try rows.objects(names)
  }

  package enum Side: Sendable { case source, destination }

  /// How many objects of an entity no mapping accounts for, and the keys of the first.
  package func unassociated(entity: String) throws -> (count: Int, keys: [Int64]) {
    guard let layout = destination.entity(named: entity), let table = destination.table(ofEntity: entity)
    else { return (0, []) }
    try writePending()
    let recorded = keyed.compactMap(\.self).filter { $0.destination.name == entity }.map(\.count).reduce(0, +)
    let all = "FROM main.\(table.name.quotedIdentifier) WHERE Z_ENT = \(layout.number)"
    if try countRows(db, all) == recorded { return (0, []) }
    try materializeAll()
    let others =
      all + " AND Z_PK NOT IN (SELECT destination FROM temp.modelc_association "
      + "WHERE destination_entity = \(layout.number))"
    let count = try countRows(db, others)
    if count == 0 { return (0, []) }
    return (count, try db.values("SELECT Z_PK \(others) ORDER BY Z_PK LIMIT 5"))
  }

  /// How many source objects of a mapping became something, and how many objects they became.
  package func counts(ofMapping mapping: Int) throws -> (sources: Int, destinations: Int) {
    if let pairs = keyed[mapping] { return (pairs.count, pairs.count) }
    func count(_ columns: String) throws -> Int {
      let pairs = "FROM temp.modelc_association WHERE mapping = \(mapping)"
      return try countRows(db, "FROM (SELECT DISTINCT \(columns) \(pairs))")
    }
    return (try count("source_entity, source"), try count("destination_entity, destination"))
  }

  /// How many pairs have keys that differ, where no mapping carries the object on under its own: object URIs that lead
  /// elsewhere from now on.
  package func movedCount() throws -> Int {
    let pairs = "FROM temp.modelc_association AS a WHERE source"
    let entities: [Int64] = try db.values("SELECT DISTINCT source_entity \(pairs) <> destination")
    let kept = keyed.compactMap(\.self).filter { entities.contains(Int64($0.source.number)) }.map {
      " AND NOT (source_entity = \($0.source.number) AND EXISTS (SELECT 1 \($0.allRows) AND d.Z_PK = a.source))"
    }
    return try countRows(
      db,
      "\(pairs) <> destination AND (source_entity, source) NOT IN (SELECT source_entity, source \(pairs) = destination)"
        + kept.joined())
  }

  /// Forgets all associations; objects stay.
  package func clear() throws {
    keyed = keyed.map { _ in nil }
    try db.execute(sql: "DELETE FROM temp.modelc_association")
  }

  package func drop() throws {
    readers = [:]
    keyed = keyed.map { _ in nil }
    try db.execute(sql: "DROP TABLE IF EXISTS temp.modelc_association")
  }
}

extension RowReader {
  /// The objects of rows that have a key in their second column. What is of none of the entities is left out.
  ///
  /// - Parameter number: the column of the entity's number.
  func objects(_ names: [Int64: String], number: Int = 0) throws -> [ManagedObject.ID] {
    var found: [ManagedObject.ID] = []
    while try step() {
      guard let name = integer(number).flatMap({ names[$0] }), let key = integer(1) else { continue }
      found.append(ManagedObject.ID(entityName: name, primaryKey: key))
    }
    return found
  }
}

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
