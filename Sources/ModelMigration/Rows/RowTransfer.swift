package import GRDB
package import ManagedModel
package import PersistentStore

/// Makes the objects of one entity from those of another by one statement: an `INSERT … SELECT` over the attached
/// `source`.
///
/// A value for which no SQL gives the same answer is refused with ``NotExpressibleInSQL``.
package struct RowTransfer {
  package let source: EntityShape
  package let destination: EntityShape
  private let schema: StoreSchema
  private var compiler: RowCompiler
  /// SQL for each slot of the destination.
  private var values: [String]
  private var condition: String?
  /// Columns whose values a conversion relies on.
  private var columnsRead: Set<ColumnRead> = []

  package init(
    from source: EntityShape, to destination: EntityShape, in store: ObjectRows
  ) throws(NotExpressibleInSQL) {
    self.source = source
    self.destination = destination
    schema = store.schema
    compiler = try RowCompiler(
      source.name, schema: store.schema, model: store.hierarchy.model, schemaName: "source")
    values = destination.defaults.map(\.sql)
  }

  package mutating func copy(_ slot: Int, to destination: Int) { values[destination] = column(slot) }

  package mutating func set(_ cell: StoredCell, _ slot: Int) { values[slot] = cell.sql }

  package mutating func set(
    _ value: PropertyMappingValue, _ attribute: AttributeShape
  ) throws(NotExpressibleInSQL) {
    let (sql, type) =
      switch value {
      case .expression(let expression): (try compile(expression, attribute), attribute.type)
      case .source(let name):
        (try compile(.keyPath(keys(of: name), of: .variable("source")), attribute), attribute.type)
      case .constant, .converted, .defaulted: try convert(value, attribute)
      }
    guard type == attribute.type else { throw NotExpressibleInSQL("a value of another type") }
    values[attribute.slot] = sql
  }

  private mutating func compile(
    _ expression: Expression, _ attribute: AttributeShape
  ) throws(NotExpressibleInSQL) -> String {
    guard !attribute.attribute.allowsExternalBinaryDataStorage else {
      throw NotExpressibleInSQL("a value that may need its own file")
    }
    return try compiler.value(expression, as: attribute.attribute)
  }

  /// A number as another type of number, and another value in the place of null; with the type that it is of.
  private mutating func convert(
    _ value: PropertyMappingValue, _ attribute: AttributeShape
  ) throws(NotExpressibleInSQL) -> (sql: String, type: AttributeType) {
    switch value {
    case .source(let name):
      guard case .attribute(let old)? = source.properties[name] else {
        throw NotExpressibleInSQL("a value that SQL cannot read")
      }
      guard !old.attribute.allowsExternalBinaryDataStorage,
        !attribute.attribute.allowsExternalBinaryDataStorage
      else { throw NotExpressibleInSQL("a value that may be outside the store's file") }
      columnsRead.insert(
        ColumnRead(
          table: source.tableName, column: source.columnNames[old.slot], type: old.type,
          usesExternalStorage: false))
      return (column(old.slot), old.type)
    case .converted(let inner, _, let type):
      let (sql, from) = try convert(inner, attribute)
      guard from.converts(to: type), type != .float else {
        throw NotExpressibleInSQL("a conversion from \(from.name) to \(type.name)")
      }
      return (sql.convertedSQL(from: from, to: type), type)
    case .defaulted(let inner, let fallback):
      let (sql, type) = try convert(inner, attribute)
      guard type == attribute.type, let cell = storedCell(fallback, of: attribute.attribute) else {
        throw NotExpressibleInSQL("a value of another type")
      }
      return ("COALESCE(\(sql), \(cell.sql))", type)
    case .constant, .expression: throw NotExpressibleInSQL("a value that SQL cannot read")
    }
  }

  /// The key of the object that an expression gives, with the entity that it is of.
  package mutating func refer(by expression: Expression, _ toOne: ToOneShape) throws(NotExpressibleInSQL)
    -> String
  {
    let (key, entity) = try compiler.object(expression)
    values[toOne.keySlot] = key
    return entity
  }

  /// Takes only the rows that satisfy a condition with the meaning of a fetch.
  package mutating func filter(_ predicate: Predicate) throws(NotExpressibleInSQL) {
    condition = try compiler.filter(predicate)
  }

  private func column(_ slot: Int) -> String { "t0.\(source.columnNames[slot].quotedIdentifier)" }

  /// Whether a to-one leads to the object that has the same key.
  package func refersToOwnKey(_ toOne: ToOneShape) -> Bool { values[toOne.keySlot] == "t0.Z_PK" }

  /// Whether every cell of a store that a conversion reads is of its attribute's type: SQL takes others for something else,
  /// where an object tells them.
  package func readsProperValues(of db: Database) throws -> Bool {
    let tables = Dictionary(grouping: columnsRead.union(compiler.columnsRead), by: \.table)
    for (table, columns) in tables.sorted(by: { $0.key < $1.key }) {
      let declared = schema.tables.first { $0.name == table }?.columns ?? []
      let misfits = columns.map { column in
        let value = column.column.quotedIdentifier
        let type = declared.first { $0.name == column.column }?.declaredType ?? ""
        let misfit = value.misread(
          column.type, usesExternalStorage: column.usesExternalStorage, declaredType: type)
        return "(\(value) IS NOT NULL AND (\(misfit)))"
      }
      if try db.hasRows("\(table.quotedIdentifier) WHERE \(misfits.balanced(" OR "))") { return false }
    }
    return true
  }

  /// Makes the objects; each has the key of the one that it is made of.
  ///
  /// - Parameter now: what `now()` gives, in seconds since 2001.
  /// - Throws: ``ValueRefused`` where an expression cannot take a value of a row.
  package func insert(into db: Database, now: Double) throws -> Int {
    let columns = destination.columnNames.map { ", " + $0.quotedIdentifier }.joined()
    let cells = values.map { ", " + $0 }.joined()
    let filter = condition.map { " AND \($0)" } ?? ""
    return try run(
      """
      INSERT INTO main.\(destination.tableName.quotedIdentifier) (Z_PK, Z_ENT, Z_OPT\(columns)) \
      SELECT t0.Z_PK, \(destination.number), t0.Z_OPT\(cells) FROM \(compiler.from) \
      WHERE t0.Z_ENT = \(source.number)\(filter) ORDER BY t0.Z_PK
      """, in: db, now: now)
  }

  /// Gives the objects, which are there with the keys of those that they come from, new values in some slots. Others of the
  /// entity, which a policy may have made, have keys above `lastKey`.
  ///
  /// - Throws: ``ValueRefused`` where an expression cannot take a value of a row.
  ///
  /// - Parameters:
  ///   - formerNumber: the entity number that their rows have still; nil if they have the new one.
  ///   - ownRows: whether their rows still have all columns of the source's, under the same names.
  ///   - sortedFrom: how many rows a table has to have for lookups in it to be sorted first.
  package func update(
    _ slots: [Int], of formerNumber: Int?, upTo lastKey: Int64, in db: Database, ownRows: Bool, now: Double,
    sortedFrom: Int64
  ) throws {
    if slots.isEmpty, formerNumber == nil { return }
    let table = destination.tableName.quotedIdentifier
    let number = formerNumber.map { _ in "Z_ENT = \(destination.number)" }
    let columns = slots.map { destination.columnNames[$0].quotedIdentifier }
    let condition = "WHERE Z_ENT = \(formerNumber ?? destination.number) AND Z_PK <= \(lastKey)"
    guard let from = ownRows ? compiler.joinedToRow : compiler.from, !slots.isEmpty else {
      let changes = [number].compactMap(\.self) + zip(columns, slots).map { "\($0) = \(values[$1])" }
      _ = try run(
        "UPDATE main.\(table) AS t0 SET \(changes.joined(separator: ", ")) \(condition)", in: db, now: now)
      return
    }
    var cells = slots.map { values[$0] }.joined(separator: ", ")
    // Where the old row is another one, it is read in the order in which rows are written, so that each page comes once.
    var (name, rows) = ownRows ? ("AS t0 ", from) : ("", "\(from) WHERE t0.Z_PK = \(table).Z_PK")
    let order = try orderOfLookups(slots, sortedFrom, in: db)
    if let order {
      // Related rows in the order of their own table, then the values in that of the rows that get them.
      let names = slots.indices.map { "v\($0)" }.joined(separator: ", ")
      try db.execute(sql: "CREATE TEMP TABLE modelc_values (k INTEGER PRIMARY KEY, \(names))")
      // A forged table may have a key twice.
      _ = try run(
        """
        INSERT OR IGNORE INTO temp.modelc_values SELECT * FROM \
        (SELECT t0.Z_PK AS k, \(cells) FROM \(compiler.from) ORDER BY \(order) LIMIT -1) ORDER BY k
        """, in: db, now: now)
      (cells, name, rows) = (names, "", "temp.modelc_values WHERE k = \(table).Z_PK")
    }
    _ = try run(
      """
      UPDATE main.\(table) \(name)SET \(number.map { $0 + ", " } ?? "")(\(columns.joined(separator: ", "))) = \
      (SELECT \(cells) FROM \(rows)) \(condition)
      """, in: db, now: now)
    if order != nil { try db.execute(sql: "DROP TABLE temp.modelc_values") }
  }

  /// The reference by whose order related rows are read, where in the order of the rows they would come from anywhere in a
  /// table that no cache holds: 15 million lookups among 7 million customers take 22 s less. Nil where the values need more of
  /// the row than that reference.
  private func orderOfLookups(_ slots: [Int], _ least: Int64, in db: Database) throws -> String? {
    guard condition == nil, compiler.isOfEntity(includesSubentities: false) == "1",
      let (reference, table) = compiler.onlyReference, slots.allSatisfy({ !values[$0].contains("t0.") }),
      let last = try Row.fetchOne(db, sql: "SELECT MAX(Z_PK) FROM \(table)"),
      last.integer(0) ?? 0 >= least
    else { return nil }
    return reference
  }

  private func run(_ sql: String, in db: Database, now: Double) throws -> Int {
    var arguments = StatementArguments()
    for name in compiler.parameters { arguments += [name: name == "now" ? now.databaseValue : .null] }
    do { try db.execute(sql: sql, arguments: arguments) } catch let error as DatabaseError
      where error.resultCode == .SQLITE_ERROR
    {
      throw ValueRefused(message: error.message ?? "")
    }
    return db.changesCount
  }
}

/// A registered function refused a value. The object is not known.
package struct ValueRefused: Error, CustomStringConvertible {
  var message: String

  package var description: String { message }
}
