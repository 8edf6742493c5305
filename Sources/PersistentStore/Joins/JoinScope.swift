package import ManagedModel

/// The tables that a compiled expression reads, which its key paths join: all that the two compilers share.
///
/// Each object that an expression speaks of is a row under an alias: the fetched one `t0`, others as paths lead to
/// them. To-one relationships are joined where their object's row is read; to-many ones become subqueries.
struct JoinScope {
  /// The object that key paths begin at.
  struct Row {
    /// Empty if the object's row is the only one that there is.
    var alias: String
    var entity: String
    /// The query whose rows the alias stands for, so that joins are added there.
    var level: Int
    /// Where the predicate is about one value of the object, as a validation rule is: `SELF` is that value.
    var value: SQLValue?
    /// Objects that subqueries bind to variables.
    var variables: [String: Row] = [:]

    /// What stands before a column of the object's row.
    var prefix: String { alias.isEmpty ? "" : alias + "." }
  }

  /// The row that a reference points to, beside each row of a query.
  struct JoinedRow {
    var alias: String
    var table: String
    /// The column that holds its key.
    var reference: String
  }

  /// One query, the fetch itself or a subquery: its tables.
  private struct Level {
    var from: String
    var joins: [JoinedRow] = []
  }

  let schema: StoreSchema
  let hierarchy: EntityHierarchy
  let root: Row
  private(set) var parameters: [String] = []
  /// Values that are known already, as SQL, by the names of parameters.
  var knownParameters: [String: String] = [:]
  /// What `now()` gives, in seconds since 2001; nil if it is to be bound.
  var now: Double? { didSet { knownParameters["now"] = now.map { AttributeValue.date($0).sql() } } }
  /// The attributes' columns that were read so far: whoever relies on their types may have to look first.
  var columnsRead: Set<ColumnRead> = []
  private var levels: [Level]
  private var aliasCount = 1
  /// The name that the store's database has on the connection, with a period; empty for the main one.
  private let qualifier: String

  /// - Parameters:
  ///   - schemaName: the name under which the store is attached; nil if it is the connection's own.
  ///   - variables: those that stand for the object itself, such as `source`.
  ///   - alias: of the object's row; empty for what stands in the table's own schema, where columns are bare.
  init(
    _ entity: String, schema: StoreSchema, hierarchy: EntityHierarchy, schemaName: String? = nil,
    variables: [String] = [], alias: String = "t0"
  ) throws(NotExpressibleInSQL) {
    guard let table = schema.table(ofEntity: entity) else {
      throw NotExpressibleInSQL("the store has no table for '\(entity)'")
    }
    self.schema = schema
    self.hierarchy = hierarchy
    qualifier = schemaName.map { $0.quotedIdentifier + "." } ?? ""
    let object = Row(alias: alias, entity: entity, level: 0)
    root = Row(
      alias: alias, entity: entity, level: 0,
      variables: Dictionary(firstOf: variables.map { ($0, object) }))
    levels = [Level(from: "\(qualifier)\(table.name.quotedIdentifier) \(alias)")]
  }

  /// A table's name as a statement says it.
  func qualified(_ table: String) -> String { qualifier + table.quotedIdentifier }

  /// That a row is of the entity, where its table holds others too.
  func kindCondition(_ entity: String, includesSubentities: Bool) -> String? {
    let names = includesSubentities ? hierarchy.descendantNames(includingSelf: entity) : [entity]
    let numbers = schema.numbers(of: names)
    let all = schema.entities.filter { $0.rootEntityName == hierarchy.rootName(of: entity) }
    if numbers.count == all.count { return nil }
    return numbers.count == 1
      ? "t0.Z_ENT = \(numbers[0])" : "t0.Z_ENT IN (\(numbers.sqlList))"
  }

  /// The tables of the row's query.
  func from(_ row: Row) -> String { levels[row.level].from + joined(to: row) }

  /// The rows that expressions so far read beside a row.
  func joined(to row: Row) -> String {
    joinedRows(of: row).map { join in
      " LEFT JOIN \(qualified(join.table)) \(join.alias) ON \(join.alias).Z_PK = \(join.reference)"
    }.joined()
  }

  func joinedRows(of row: Row) -> [JoinedRow] { levels[row.level].joins }

  mutating func parameter(_ name: String) -> String {
    if let known = knownParameters[name] { return known }
    if !parameters.contains(name) { parameters.append(name) }
    return ":\(name)"
  }

  mutating func newAlias() -> String {
    defer { aliasCount += 1 }
    return "t\(aliasCount)"
  }

  /// The row that a reference points to, beside the given one; each reference is joined once.
  mutating func joined(_ reference: String, to entity: String, from row: Row) throws(NotExpressibleInSQL)
    -> Row
  {
    guard let table = schema.table(ofEntity: entity) else {
      throw NotExpressibleInSQL("the store has no table for '\(entity)'")
    }
    if let known = levels[row.level].joins.first(where: { $0.reference == reference }) {
      return Row(alias: known.alias, entity: entity, level: row.level, variables: row.variables)
    }
    guard levels[row.level].joins.count < mostJoins else {
      throw NotExpressibleInSQL(
        "it follows more than \(mostJoins) to-one relationships, and SQLite joins 64 tables")
    }
    let alias = newAlias()
    levels[row.level].joins.append(JoinedRow(alias: alias, table: table.name, reference: reference))
    return Row(alias: alias, entity: entity, level: row.level, variables: row.variables)
  }

  /// Begins a subquery over the table.
  mutating func openLevel(_ from: String, alias: String, entity: String, inside row: Row) -> Row {
    levels.append(Level(from: from))
    return Row(alias: alias, entity: entity, level: levels.count - 1, variables: row.variables)
  }
}

/// SQLite joins 64 tables (sqlite.org/limits.html); one or two are the query's own.
private let mostJoins = 60

/// A column that a compiled expression reads as values of an attribute.
package struct ColumnRead: Hashable {
  package var table: String
  package var column: String
  package var type: AttributeType
  package var usesExternalStorage: Bool

  package init(table: String, column: String, type: AttributeType, usesExternalStorage: Bool) {
    (self.table, self.column, self.type) = (table, column, type)
    self.usesExternalStorage = usesExternalStorage
  }
}

/// Something that a SQL store cannot be asked.
package struct NotExpressibleInSQL: Error, Hashable {
  package var reason: String

  package init(_ reason: String) { self.reason = reason }
}
