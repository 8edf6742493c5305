package import GRDB
package import ManagedModel
package import PersistentStore

/// The rows of one store for live objects: read by key, written one at a time, through statements that are prepared once.
///
/// It keeps no rows, so memory does not grow with the store.
package final class ObjectRows {
  package let db: Database
  package let schema: StoreSchema
  package let hierarchy: EntityHierarchy
  /// Where large values lie, and where those go that are written; nil if they stay in their cells.
  let largeValues: MigratedExternalData?
  private var shapes: [String: EntityShape] = [:]
  private(set) var namesByNumber: [Int64: String] = [:]
  private var readers: [String: RowReader] = [:]
  private var writers: [String: RowStatement] = [:]
  private var inserters: [ObjectIdentifier: RowStatement] = [:]
  private lazy var references = schema.referenceColumns(hierarchy)
  var memberQueries: [PropertyReference: String] = [:]
  private var lastInserter: (shape: EntityShape, statement: RowStatement)?
  /// Tables of objects and of links that were written to.
  private(set) var writtenTables: Set<String> = []
  /// By entity number: objects with keys up to this are not to be found yet.
  package var hiddenKeys: [Int: Int64] = [:]
  /// Of a store that nobody changes: the objects of each entity, by table.
  package var counts: [String: [Int: Int]] = [:]
  /// What mappings take, by their names, whose conditions only objects can be asked; of a store that nobody changes.
  var asked: [String: (rows: SQLCondition, count: Int)] = [:]
  /// What `now()` gives, in seconds since 2001: one moment for a whole run.
  package var now = EvaluationContext().now

  package init(
    _ db: Database, schema: StoreSchema, model: ManagedObjectModel,
    largeValues: MigratedExternalData? = nil
  ) {
    self.largeValues = largeValues
    self.db = db
    self.schema = schema
    self.hierarchy = EntityHierarchy(model)
    self.namesByNumber = schema.namesByNumber
  }

  /// Nil if the store has no table for the entity.
  package func shape(named name: String) -> EntityShape? {
    if let known = shapes[name] { return known }
    let made = EntityShape(name, schema: schema, hierarchy: hierarchy)
    shapes[name] = made
    return made
  }

  /// How many objects are of an entity itself; of a store that nobody changes.
  package func count(ofEntity name: String) throws -> Int {
    try shape(named: name).flatMap { try counts(inTable: $0)[$0.number] } ?? 0
  }

  /// How many rows the table of an entity has that are of none of its entities; of a store that nobody changes.
  package func orphanRowCount(inTableOf name: String) throws -> Int {
    try shape(named: name).flatMap { try counts(inTable: $0)[0] } ?? 0
  }

  /// One look at the table tells of all its entities; strays stand under 0.
  private func counts(inTable shape: EntityShape) throws -> [Int: Int] {
    if let known = counts[shape.tableName] { return known }
    let numbers = schema.entities.filter { $0.rootEntityName == shape.rootEntityName }.map(\.number)
    let found = try countRows(db, table: shape.tableName).mapValues(\.rows)
    var made = found.filter { numbers.contains($0.key) }
    made[0] = found.values.reduce(0, +) - made.values.reduce(0, +)
    counts[shape.tableName] = made
    return made
  }

  package func highestKey(ofEntity name: String) throws -> CheckedKey {
    try shape(named: name).flatMap { try db.greatestKey(table: $0.tableName) } ?? .none
  }

  /// The concrete entity of a row; nil if there is no such row.
  package func entityName(ofKey key: Int64, inTableOf entity: String) throws -> String? {
    guard let shape = shape(named: entity) else { return nil }
    let rows = try reader("SELECT Z_ENT FROM \(shape.tableName.quotedIdentifier) WHERE Z_PK = ?", key)
    guard try rows.step() else { return nil }
    return rows.integer(0).flatMap { namesByNumber[$0] }
  }

  /// The cells of an object's slots; nil if there is no such object.
  package func load(_ shape: EntityShape, _ key: Int64) throws -> [StoredCell]? {
    let list = shape.columnNames.map { ", " + $0.quotedIdentifier }.joined()
    let rows = try reader("SELECT Z_ENT\(list) FROM \(shape.tableName.quotedIdentifier) WHERE Z_PK = ?", key)
    guard try rows.step(), rows.integer(0) == Int64(shape.number) else { return nil }
    return shape.columnNames.indices.map { rows.cell($0 + 1) }
  }

  /// - Parameter lock: `Z_OPT`
  package func insert(
    _ shape: EntityShape, _ key: Int64, lock: StoredCell = .integer(1), _ cells: [StoredCell]
  ) throws {
    let statement = try inserter(shape)
    try statement.bind(key, at: 0)
    try statement.bind(lock, at: 1)
    for (index, cell) in cells.enumerated() { try statement.bind(cell, at: index + 2) }
    try run(statement, for: shape, key)
  }

  /// Inserts an object that has its cells from the row at which a cursor stands; texts and blobs go from page to page.
  ///
  /// - Parameter changes: cells by slot that are others.
  package func insert(
    _ plan: RowPlan, _ key: Int64, from cursor: ObjectCursor, changes: [(slot: Int, cell: StoredCell)]
  ) throws {
    let statement = try inserter(plan.shape)
    try statement.bind(key, at: 0)
    try cursor.bindLock(to: 1, of: statement)
    for slot in plan.origins.indices {
      switch plan.origins[slot] {
      case .column(let from): try cursor.bindColumn(from, to: slot + 2, of: statement)
      case .cell(let cell): try statement.bind(cell, at: slot + 2)
      }
    }
    for change in changes { try statement.bind(change.cell, at: change.slot + 2) }
    try run(statement, for: plan.shape, key)
  }

  private func inserter(_ shape: EntityShape) throws -> RowStatement {
    // Mostly one entity's objects follow one another.
    if lastInserter?.shape === shape, let known = lastInserter?.statement { return known }
    writtenTables.insert(shape.tableName)
    let made = try inserters[ObjectIdentifier(shape)] ?? RowStatement(inserting: shape, into: db)
    inserters[ObjectIdentifier(shape)] = made
    lastInserter = (shape, made)
    return made
  }

  /// - Parameter slots: those that changed.
  package func update(_ shape: EntityShape, _ key: Int64, _ cells: [StoredCell], slots: [Int]) throws {
    guard !slots.isEmpty else { return }
    let list = slots.map { shape.columnNames[$0].quotedIdentifier + " = ?" }.joined(separator: ", ")
    let statement = try writer(
      "UPDATE \(shape.tableName.quotedIdentifier) SET \(list) WHERE Z_PK = ?", to: shape.tableName)
    for (index, slot) in slots.enumerated() { try statement.bind(cells[slot], at: index) }
    try statement.bind(key, at: slots.count)
    try run(statement, for: shape, key)
  }

  /// Stores of frameworks up to 754 have their constraints in the tables, so that they are held at once.
  private func run(_ statement: RowStatement, for shape: EntityShape, _ key: Int64) throws {
    do { try statement.run() } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      throw DiagnosticsError(
        .constraintConflict,
        "object \(key) of '\(shape.name)' has the same values as another one, which a uniqueness constraint forbids",
        subject: ModelSubject(entity: shape.name, key: "uniquenessConstraints"),
        help: ["look for an existing object before you create one: 'context.findOrCreate(_:having:)'"],
        cocoaCode: 133021)
    }
  }

  /// Removes an object's row and its rows in join tables; references to it become nil.
  package func delete(_ shape: EntityShape, _ key: Int64) throws {
    for reference in references where reference.target.name == shape.tableName {
      let (table, column) = (reference.table.name, reference.column.name.quotedIdentifier)
      try run(
        "UPDATE \(table.quotedIdentifier) SET \(reference.emptying) WHERE \(column) = ?", in: table, key)
    }
    for join in schema.joinTables {
      for side in join.sides where schema.table(ofEntity: side.entity)?.name == shape.tableName {
        try run(
          "DELETE FROM \(join.name.quotedIdentifier) WHERE \(side.column.quotedIdentifier) = ?",
          in: join.name, key)
      }
    }
    try run("DELETE FROM \(shape.tableName.quotedIdentifier) WHERE Z_PK = ?", in: shape.tableName, key)
  }

  /// Removes the rows of an entity's objects with keys up to a last one; what refers to them stays as it is.
  package func deleteAll(_ shape: EntityShape, upTo lastKey: Int64) throws {
    try run(
      "DELETE FROM \(shape.tableName.quotedIdentifier) WHERE Z_ENT = ? AND Z_PK <= ?", in: shape.tableName,
      Int64(shape.number), lastKey)
  }

  /// Empties a relationship of all objects of an entity.
  package func clear(_ name: String, of shape: EntityShape) throws {
    switch shape.properties[name] {
    case .toOne(let toOne): try clear(toOne, of: shape, where: "Z_ENT = \(shape.number)")
    case .toMany(let toMany):
      switch toMany.storage {
      case .join(let join): try db.execute(sql: "DELETE FROM \(join.name.quotedIdentifier)")
      case .inverse: break
      case .owner:
        for kind in hierarchy.descendantNames(includingSelf: toMany.destinationEntityName) {
          guard let member = self.shape(named: kind), let slots = member.owners[toMany.reference] else {
            continue
          }
          try empty([slots.key, slots.order], of: member, where: "Z_ENT = \(member.number)")
        }
      }
    default: break
    }
  }

  /// Empties a to-one of the objects that fulfil a condition.
  func clear(_ toOne: ToOneShape, of shape: EntityShape, where rows: String) throws {
    try empty([toOne.keySlot, toOne.numberSlot, toOne.orderSlot], of: shape, where: rows)
  }

  private func empty(_ slots: [Int?], of shape: EntityShape, where rows: String) throws {
    let columns = slots.compactMap { $0.map { shape.columnNames[$0].quotedIdentifier } }
    let list = columns.map { $0 + " = NULL" }.joined(separator: ", ")
    try db.execute(
      sql: "UPDATE main.\(shape.tableName.quotedIdentifier) SET \(list) "
        + "WHERE \(columns[0]) IS NOT NULL AND \(rows)")
  }

  /// Lets go of statements: no function of a connection can be registered anew, and no index dropped, while one of them
  /// stands at a row.
  package func releaseStatements() {
    readers = [:]
    writers = [:]
    inserters = [:]
    lastInserter = nil
  }

  /// Makes an index over the columns where the store is ours to write and has none yet.
  package func ensureIndex(on table: String, _ columns: [String]) throws {
    guard isWritable, askedIndexes.insert([table] + columns).inserted else { return }
    let known = schema.tables.first { $0.name == table }?.indexes ?? []
    if known.contains(where: { $0.columnNames.starts(with: columns) }) { return }
    let name = "modelc_work_\(workIndexes.count)"
    let list = columns.map(\.quotedIdentifier).joined(separator: ", ")
    try db.execute(sql: "CREATE INDEX main.\(name) ON \(table.quotedIdentifier) (\(list))")
    workIndexes.append(name)
  }

  package func dropWorkIndexes() throws {
    releaseStatements()
    for name in workIndexes { try db.execute(sql: "DROP INDEX main.\(name)") }
    (askedIndexes, workIndexes) = ([], [])
  }

  package var isWritable = false
  /// Tables and columns that an index was asked for, and the temporary ones that were made.
  private var askedIndexes: Set<[String]> = []
  private var workIndexes: [String] = []

  func reader(_ sql: String, _ keys: Int64...) throws -> RowReader {
    if let known = readers[sql] {
      try known.restart(keys)
      return known
    }
    let made = try RowReader(db, sql: sql)
    try made.restart(keys)
    readers[sql] = made
    return made
  }

  func writer(_ sql: String, to table: String) throws -> RowStatement {
    if let known = writers[sql] { return known }
    writtenTables.insert(table)
    let made = try RowStatement(db, sql: sql)
    writers[sql] = made
    return made
  }

  func run(_ sql: String, in table: String, _ keys: Int64...) throws { try writer(sql, to: table).run(keys) }
}
