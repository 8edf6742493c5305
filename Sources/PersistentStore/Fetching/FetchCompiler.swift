import Expressions
import ManagedModel

/// Turns predicates into SQL over the tables of a store.
///
/// Each object that an expression speaks of is a row under an alias: the fetched one `t0`, others as paths lead to
/// them. To-one relationships are joined where their object's row is read; to-many ones become subqueries.
struct FetchCompiler {
  /// The object that key paths begin at.
  struct Scope {
    /// Empty where the object's row is the only one that there is.
    var alias: String
    var entity: String
    /// The query whose rows the alias stands for, so that joins are added there.
    var level: Int
    /// Where the predicate is about one value of the object, as a validation rule is: `SELF` is that value.
    var value: SQLValue?
    /// Objects that subqueries bind to variables.
    var variables: [String: Bound] = [:]

    /// What stands before a column of the object's row.
    var prefix: String { alias.isEmpty ? "" : alias + "." }

    /// A variable's object, without the variables around it.
    struct Bound {
      var alias: String
      var entity: String
      var level: Int
    }
  }

  /// The row that a reference leads to, beside each row of a query.
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
  let root: Scope
  private(set) var parameters: [String] = []
  /// The attributes' columns that were read so far: whoever relies on their types may have to look first.
  private(set) var columnsRead: Set<ColumnRead> = []
  private var levels: [Level]
  private var aliasCount = 1
  /// The name that the store's database has on the connection, with a period; empty for the main one.
  private let qualifier: String

  /// - Parameters:
  ///   - schemaName: the name under which the store is attached; nil where it is the connection's own.
  ///   - variables: those that stand for the object itself, such as `source`.
  ///   - alias: of the object's row; empty for what stands in the table's own schema, where columns are bare.
  init(
    _ entity: String, schema: StoreSchema, hierarchy: EntityHierarchy, schemaName: String? = nil,
    variables: [String] = [], alias: String = "t0"
  ) throws(NoSQLForm) {
    guard let table = schema.table(ofEntity: entity) else {
      throw NoSQLForm("the store has no table for '\(entity)'")
    }
    self.schema = schema
    self.hierarchy = hierarchy
    qualifier = schemaName.map { quotedIdentifier($0) + "." } ?? ""
    let object = Scope.Bound(alias: alias, entity: entity, level: 0)
    root = Scope(
      alias: alias, entity: entity, level: 0,
      variables: Dictionary(variables.map { ($0, object) }, uniquingKeysWith: { first, _ in first }))
    levels = [Level(from: "\(qualifier)\(quotedIdentifier(table.name)) \(alias)")]
  }

  /// A table's name as a statement says it.
  func qualified(_ table: String) -> String { qualifier + quotedIdentifier(table) }

  mutating func compile(
    _ request: FetchRequestDescription, predicate: Predicate?
  ) throws(NoSQLForm) -> CompiledFetch {
    var conditions: [String] = []
    if let kind = kindCondition(request.entityName, includesSubentities: request.includesSubentities) {
      conditions.append(kind)
    }
    if let predicate { conditions.append(try condition(predicate, root)) }
    var order: [String] = []
    for sort in request.sortDescriptors {
      let keys = sort.keyPath.split(separator: ".").map(String.init)
      guard case .value(let value) = try follow(keys[...], from: root) else {
        throw NoSQLForm("'\(sort.keyPath)' is no value to sort by")
      }
      order.append("\(value.sql) \(sort.isAscending ? "ASC" : "DESC")")
    }
    let distinct = request.returnsDistinctResults ? "DISTINCT " : ""
    var sql = "SELECT \(distinct)\(columns(request)) FROM \(from(root))"
    if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
    if !order.isEmpty { sql += " ORDER BY " + order.joined(separator: ", ") }
    if request.fetchLimit > 0 { sql += " LIMIT \(request.fetchLimit)" }
    return CompiledFetch(sql: sql, parameters: parameters)
  }

  /// The raw values of `NSFetchRequestResultType` are 0 objects, 1 identifiers, 2 dictionaries, 4 a count.
  private func columns(_ request: FetchRequestDescription) -> String {
    if request.resultType == 4 { return "COUNT(*)" }
    let identity = ["Z_ENT", "Z_PK"]
    if request.resultType == 1 || !request.includesPropertyValues {
      return identity.map { "t0.\($0)" }.joined(separator: ", ")
    }
    let kinds =
      hierarchy.lineage(of: request.entityName).map(\.name)
      + hierarchy.descendantNames(includingSelf: request.entityName)
    let own = (schema.table(ofEntity: request.entityName)?.columns ?? []).filter { column in
      switch column.role {
      case .attribute(let property), .toOne(let property): kinds.contains(property.entity)
      case .optimisticLock: request.resultType == 0
      default: false
      }
    }
    return (identity + own.map { quotedIdentifier($0.name) }).map { "t0.\($0)" }.joined(separator: ", ")
  }

  /// That a row is of the entity, where its table holds others too.
  func kindCondition(_ entity: String, includesSubentities: Bool) -> String? {
    let names = includesSubentities ? hierarchy.descendantNames(includingSelf: entity) : [entity]
    let numbers = names.compactMap { schema.entity(named: $0)?.number }
    let all = schema.entities.filter { $0.rootEntityName == hierarchy.rootName(of: entity) }
    if numbers.count == all.count { return nil }
    return numbers.count == 1
      ? "t0.Z_ENT = \(numbers[0])" : "t0.Z_ENT IN (\(numbers.map(String.init).joined(separator: ", ")))"
  }

  /// The tables of the scope's query.
  func from(_ scope: Scope) -> String {
    let joins = joinedRows(of: scope).map { join in
      " LEFT JOIN \(qualified(join.table)) \(join.alias) ON \(join.alias).Z_PK = \(join.reference)"
    }
    return levels[scope.level].from + joins.joined()
  }

  func joinedRows(of scope: Scope) -> [JoinedRow] { levels[scope.level].joins }

  mutating func noteRead(_ column: ColumnRead) { columnsRead.insert(column) }

  mutating func parameter(_ name: String) -> String {
    if !parameters.contains(name) { parameters.append(name) }
    return ":\(name)"
  }

  mutating func newAlias() -> String {
    defer { aliasCount += 1 }
    return "t\(aliasCount)"
  }

  /// The row that a reference leads to, beside the row of the scope; each reference is joined once.
  mutating func joined(_ reference: String, to entity: String, from scope: Scope) throws(NoSQLForm) -> Scope {
    guard let table = schema.table(ofEntity: entity) else {
      throw NoSQLForm("the store has no table for '\(entity)'")
    }
    if let known = levels[scope.level].joins.first(where: { $0.reference == reference }) {
      return Scope(alias: known.alias, entity: entity, level: scope.level, variables: scope.variables)
    }
    let alias = newAlias()
    levels[scope.level].joins.append(JoinedRow(alias: alias, table: table.name, reference: reference))
    return Scope(alias: alias, entity: entity, level: scope.level, variables: scope.variables)
  }

  /// Begins a subquery over the table.
  mutating func openLevel(_ from: String, alias: String, entity: String, inside scope: Scope) -> Scope {
    levels.append(Level(from: from))
    return Scope(alias: alias, entity: entity, level: levels.count - 1, variables: scope.variables)
  }
}

/// A column that a compiled expression reads as values of an attribute.
struct ColumnRead: Hashable {
  var table: String
  var column: String
  var type: AttributeType
  var usesExternalStorage: Bool
}
