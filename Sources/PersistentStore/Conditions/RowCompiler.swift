package import ManagedModel

/// Compiles what is computed row by row: the value expressions of an entity mapping and its filter, over a store that may
/// be attached under a name.
///
/// The rows stand under the alias `t0`; `SELF`, keys without a variable and the named variables mean that row. Rows
/// of to-one relationships are joined once, however many expressions read them:
///
///     INSERT INTO main.ZLAND (…) SELECT t0.Z_PK, \(value), … FROM \(from) WHERE \(isOfEntity) AND \(filter)
///
/// The connection needs `registerExpressionFunctions()`.
package struct RowCompiler {
  private var joins: JoinScope

  /// - Parameters:
  ///   - schemaName: the name under which the store is attached; nil if it is the connection's own.
  ///   - variables: those that stand for the row's object.
  ///   - now: what `now()` gives, in seconds since 2001; nil if the statement's caller binds it.
  /// - Throws: where the store has no table for the entity.
  package init(
    _ entity: String, schema: StoreSchema, model: ManagedObjectModel, schemaName: String? = nil,
    variables: [String] = ["source"], now: Double? = nil
  ) throws(NotExpressibleInSQL) {
    joins = try JoinScope(
      entity, schema: schema, hierarchy: EntityHierarchy(model), schemaName: schemaName, variables: variables)
    joins.now = now
  }

  /// What the rows are read from: the entity's table as `t0`, and what the expressions so far joined to it.
  package var from: String { joins.from(joins.root) }

  /// The same for a statement whose own row is `t0`: what is joined to it, nil if that is nothing.
  package var joinedToRow: String? {
    let joined = joins.joined(to: joins.root)
    return joined.isEmpty ? nil : "(SELECT 1)" + joined
  }

  /// The one reference of the row by which the expressions so far join others, and the table that it leads to.
  package var onlyReference: (column: String, table: String)? {
    let own = joins.joinedRows(of: joins.root).filter { $0.reference.hasPrefix("t0.") }
    return own.count == 1 ? (own[0].reference, joins.qualified(own[0].table)) : nil
  }

  /// Names of what the statement's caller binds, without the colon: `now`, the moment of the run in seconds since
  /// 2001.
  package var parameters: [String] { joins.parameters }

  /// The attributes' columns that the expressions so far read, in whichever tables.
  package var columnsRead: Set<ColumnRead> { joins.columnsRead }

  /// That a row is of the entity; `1` where its table holds no others.
  package func isOfEntity(includesSubentities: Bool) -> String {
    joins.kindCondition(joins.root.entity, includesSubentities: includesSubentities) ?? "1"
  }

  /// A value expression as a cell of a destination attribute, with the in-memory meaning.
  ///
  /// - Throws: where it has no form in SQL that gives the same answer, or a type that the attribute does not take;
  ///   the rows have then to be evaluated as objects, which tells the fault of the row.
  package mutating func value(
    _ expression: Expression, as attribute: AttributeDescription
  ) throws(NotExpressibleInSQL) -> String {
    try inMemory(expression) { (value) throws(NotExpressibleInSQL) in try storedSQL(value, as: attribute) }
  }

  /// A value expression of any plain type, as it compares with others.
  package mutating func plainValue(_ expression: Expression) throws(NotExpressibleInSQL) -> String {
    try inMemory(expression) { (value) throws(NotExpressibleInSQL) in
      guard value.kind != .object else { throw NotExpressibleInSQL("'\(expression)' is an object") }
      return value.sql
    }
  }

  /// An expression that gives one object, as its primary key, with the entity that it is of.
  package mutating func object(
    _ expression: Expression
  ) throws(NotExpressibleInSQL) -> (key: String, entityName: String) {
    try inMemory(expression) { (value) throws(NotExpressibleInSQL) in
      guard value.kind == .object, let entity = value.entity else {
        throw NotExpressibleInSQL("'\(expression)' is not an object")
      }
      return (value.sql, entity)
    }
  }

  /// The cell of a stored attribute as it is; nil for any other expression.
  package mutating func cell(_ expression: Expression) -> String? {
    guard let keys = expression.sourcePath,
      case .value(let value)? = try? joins.follow(keys[...], from: joins.root)
    else { return nil }
    return value.sql
  }

  /// A condition with the in-memory meaning: 1 or 0, never NULL.
  package mutating func condition(_ predicate: Predicate) throws(NotExpressibleInSQL) -> String {
    var compiler = ValueCompiler(joins)
    let condition = try compiler.condition(predicate, compiler.joins.root)
    joins = compiler.joins
    return condition
  }

  /// A filter with the meaning of a fetch: a comparison with NULL is neither true nor false.
  package mutating func filter(_ predicate: Predicate) throws(NotExpressibleInSQL) -> String {
    var compiler = FetchCompiler(ofRows: joins)
    let condition = try compiler.condition(predicate, joins.root)
    if let unbound = compiler.joins.parameters.first(where: { $0 != "now" }) {
      throw NotExpressibleInSQL("'$\(unbound)' has no value here")
    }
    joins = compiler.joins
    return "(\(condition))"
  }

  /// What a failed expression joined already is not joined.
  private mutating func inMemory<Result>(
    _ expression: Expression, _ body: (TypedSQL) throws(NotExpressibleInSQL) -> Result
  ) throws(NotExpressibleInSQL) -> Result {
    var compiler = ValueCompiler(joins)
    let result = try body(compiler.value(expression, compiler.joins.root))
    joins = compiler.joins
    return result
  }
}

/// The cell of an attribute; a conversion is a call only where a value may not fit.
private func storedSQL(
  _ value: TypedSQL, as attribute: AttributeDescription
) throws(NotExpressibleInSQL) -> String {
  let type = attribute.type
  guard value.kind != .null else { return value.mayFail ? value.sql : "NULL" }
  guard let kind = ValueKind(type), attribute.type != .transformable || value.kind == .binary else {
    throw NotExpressibleInSQL("a value of type \(type.name)")
  }
  let marker = attribute.allowsExternalBinaryDataStorage
  switch (value.kind, kind) {
  case (.integer, .integer), (.boolean, .integer):
    if value.bits <= type.bits { return value.sql }
  case (.integer, .double), (.boolean, .double): return "CAST(\(value.sql) AS REAL)"
  case (.integer, .decimal), (.boolean, .decimal): return value.sql
  case (.decimal, .decimal) where value.isPlain: return value.sql
  case (.binary, .binary): if !marker { return value.sql }
  case (let from, let to) where from == to && from != .decimal: return value.sql
  case (.string, _) where kind.isSpelled: break
  default:
    guard value.kind.isNumber, kind.isNumber else {
      throw NotExpressibleInSQL("a value of another type than \(type.name)")
    }
  }
  let call = "modelc_store(\(type.rawValue), \(marker ? 1 : 0), \([value].kinds), \(value.argument))"
  return kind.isText ? "CAST(\(call) AS TEXT)" : call
}

extension FetchCompiler {
  /// With functions that no fetch has, as value expressions compute them.
  init(ofRows joins: JoinScope) {
    self.init(joins) { call, row, joins throws(NotExpressibleInSQL) in
      var compiler = ValueCompiler(joins)
      let value = try compiler.value(.function(call), row)
      joins = compiler.joins
      return SQLValue(sql: value.sql, type: value.kind.attributeType)
    }
  }
}

extension Predicate {
  /// Compiles a predicate to a condition on one table's rows, for statements that are not fetches: comparisons have the
  /// meaning of a fetch, and functions may be any that have a form in SQL. The connection needs those of ``RowCompiler``.
  ///
  /// - Parameter now: what `now()` gives, in seconds since 2001; nil if the caller binds it.
  /// - Returns: the tables to read from, the rows of `entity` under the alias `t0`, and the condition.
  /// - Throws: ``DiagnosticsError`` with MC1607 for what has no form in SQL.
  package func compiled(
    ofEntity entity: String, schema: StoreSchema, model: ManagedObjectModel, now: Double?
  ) throws(DiagnosticsError) -> (from: String, condition: String, parameters: [String]) {
    do throws(NotExpressibleInSQL) {
      var joins = try JoinScope(entity, schema: schema, hierarchy: EntityHierarchy(model))
      joins.now = now
      var compiler = FetchCompiler(ofRows: joins)
      let condition = try compiler.condition(self, compiler.joins.root)
      return (compiler.joins.from(compiler.joins.root), condition, compiler.joins.parameters)
    } catch {
      throw DiagnosticsError(.noSQLForm("predicate", error.reason))
    }
  }
}

extension SQLCondition {
  /// The objects of an entity that satisfy a predicate. The connection needs the functions of ``RowCompiler``.
  ///
  /// - Returns: nil if the predicate has no form in SQL.
  package init?(
    ofEntity entity: String, where filter: Predicate, schema: StoreSchema, model: ManagedObjectModel,
    now: Double
  ) {
    guard var compiler = try? RowCompiler(entity, schema: schema, model: model, now: now),
      let condition = try? compiler.filter(filter), compiler.parameters.isEmpty
    else { return nil }
    self = .satisfies("Z_PK IN (SELECT t0.Z_PK FROM \(compiler.from) WHERE \(condition))")
  }
}

extension AttributeType {
  /// How many bits a value has, sign apart; 64 for all that needs no bound.
  var bits: Int {
    switch self {
    case .boolean: 1
    case .integer16: 15
    case .integer32: 31
    default: 64
    }
  }
}
