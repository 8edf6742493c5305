import Foundation
package import ManagedModel

/// A query as the statement that carries it out, with what its columns hold.
package struct CompiledQuery: Sendable {
  package var sql: String
  package var columns: [Column]
  /// What is worth knowing of a query that can be carried out, such as that `!=` drops rows without a value.
  package var findings: [Diagnostic]

  package struct Column: Sendable {
    package var name: String
    var content: Content
  }

  enum Content: Sendable {
    /// A cell as the attribute's type has it.
    case attribute(AttributeDescription)
    /// The key of an object, and in a second cell the number of its entity; the entity's name if there is none.
    case object(entityName: String)
    /// A number, text or bytes that SQLite computed.
    case computed
  }
}

/// Compiles a query over the store's own tables, with the meaning of a fetch: see `compiled(schema:model:)`.
///
/// `City/p1`, as rows print an object, stands for that object.
///
/// - Throws: ``DiagnosticsError``: MC1601–MC1606 where it does not fit the model, MC1607 for what has no form in SQL.
package func compileObjectQuery(
  _ query: ObjectQuery, schema: StoreSchema, model: ManagedObjectModel
) throws(DiagnosticsError) -> CompiledQuery {
  let hierarchy = EntityHierarchy(model)
  let (query, objects) = namingObjects(in: query, hierarchy)
  let findings = check(query, objects, hierarchy)
  try findings.filter { $0.severity == .error }.refuse()
  do throws(NotExpressibleInSQL) {
    var compiler = QueryCompiler(
      query: query,
      fetch: FetchCompiler(try JoinScope(query.entityName, schema: schema, hierarchy: hierarchy)))
    compiler.fetch.joins.knownParameters = objects.mapValues { "\($0.primaryKey)" }
    compiler.fetch.joins.now = Date().timeIntervalSinceReferenceDate
    return try compiler.compile(findings)
  } catch {
    throw DiagnosticsError(
      .noSQLForm, "the query cannot be expressed in SQL: \(error.reason)",
      help: ["select stored properties, and compute the rest from the rows"])
  }
}

/// The query with a variable for each object that it names: `City/p1` reads as a division.
private func namingObjects(
  in query: ObjectQuery, _ hierarchy: EntityHierarchy
) -> (query: ObjectQuery, objects: [String: ManagedObject.ID]) {
  var objects: [String: ManagedObject.ID] = [:]
  var query = query
  query.predicate = query.predicate?.rewritten { part in
    guard case .arithmetic(.divide, .keyPath(let entity, nil), .keyPath(let key, nil)) = part,
      entity.count == 1, key.count == 1, key[0].first == "p", let number = Int64(key[0].dropFirst()),
      hierarchy.members(of: query.entityName).allSatisfy({ $0.name != entity[0] })
    else { return part }
    let id = ManagedObject.ID(entityName: entity[0], primaryKey: number)
    let name = "\(entity[0])/\(key[0])"
    objects[name] = id
    return .variable(name)
  }
  return (query, objects)
}

private func check(
  _ query: ObjectQuery, _ objects: [String: ManagedObject.ID], _ hierarchy: EntityHierarchy
) -> [Diagnostic] {
  let findings = checkPredicate(
    query.predicate ?? .constant(true), forEntity: query.entityName, in: hierarchy,
    variables: objects.mapValues(\.entityName))
  if findings.hasErrors { return findings }
  let columns = (query.columns ?? []) + query.groups + query.order.map(\.column)
  return
    (findings
    + columns.flatMap { column -> [Diagnostic] in
      let operand = column.aggregate.map { Expression.keyPath($0.operand, of: nil) }
      if column.aggregate?.operand.isEmpty == true { return [] }
      return checkExpression(
        operand ?? column.expression, forEntity: query.entityName, in: hierarchy, mode: .store
      ).diagnostics
    }).ordered
}

private struct QueryCompiler {
  let query: ObjectQuery
  var fetch: FetchCompiler

  private var joins: JoinScope { fetch.joins }

  mutating func compile(_ findings: [Diagnostic]) throws(NotExpressibleInSQL) -> CompiledQuery {
    var conditions: [String] = []
    if let kind = joins.kindCondition(query.entityName, includesSubentities: true) { conditions.append(kind) }
    if let predicate = query.predicate {
      conditions.append("(\(try fetch.condition(predicate, joins.root)))")
    }
    var (selected, columns) = ([String](), [CompiledQuery.Column]())
    for column in query.columns ?? defaultColumns {
      let value = try value(of: column)
      let content = content(of: value, column)
      selected.append(value.sql)
      if case .object(let entity) = content { selected.append(entityNumber(of: value.sql, entity)) }
      columns.append(.init(name: column.name, content: content))
    }
    var (groups, order) = ([String](), [String]())
    for group in query.groups { groups.append(try value(of: group).sql) }
    for sort in query.order {
      order.append("\(try value(of: sort.column).sql) \(sort.isAscending ? "ASC" : "DESC")")
    }
    // The same query gives the same rows in the same order.
    order += query.isGrouped ? groups : ["t0.Z_PK"]
    if joins.parameters.first != nil {
      throw NotExpressibleInSQL("'$\(joins.parameters[0])' has no value here")
    }
    var sql = "SELECT \(selected.joined(separator: ", ")) FROM \(joins.from(joins.root))"
    if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
    if !groups.isEmpty { sql += " GROUP BY " + groups.joined(separator: ", ") }
    if !order.isEmpty { sql += " ORDER BY " + order.joined(separator: ", ") }
    if let limit = query.limit { sql += " LIMIT \(limit)" }
    return CompiledQuery(sql: sql, columns: columns, findings: findings)
  }

  /// Groups with their count; or the object, its attributes and its to-one relationships, as files of objects have them.
  private var defaultColumns: [ObjectQuery.Column] {
    if query.isGrouped { return query.groups + [.init(name: "@count", expression: .keyPath("@count"))] }
    let hierarchy = joins.hierarchy
    let paths = hierarchy.lineage(of: query.entityName).flatMap { entity in
      entity.attributes.storedLeaves(composites: hierarchy.model.composites).map(\.path)
        + entity.relationships.filter { !$0.isToMany && !$0.isTransient }.map { [$0.name] }
    }
    // Of two members of one name, readers of JSON keep the last.
    return [.init(name: paths.contains(["object"]) ? "SELF" : "object", expression: .evaluatedObject)]
      + paths.map { .init(name: $0.joined(separator: "."), expression: .keyPath($0, of: nil)) }
  }

  private mutating func value(of column: ObjectQuery.Column) throws(NotExpressibleInSQL) -> SQLValue {
    guard let aggregate = column.aggregate else {
      if query.isGrouped, !query.groups.contains(where: { $0.expression == column.expression }) {
        throw NotExpressibleInSQL(
          "'\(column.name)' differs within a group: group by it, or take its @min or @max")
      }
      return try fetch.value(column.expression, joins.root)
    }
    if aggregate.operator == .count { return .rowCount }
    guard let function = aggregate.operator.sqlFunction else {
      throw NotExpressibleInSQL("'\(aggregate.operator.rawValue)' yields a collection")
    }
    guard case .value(var value) = try fetch.joins.follow(aggregate.operand[...], from: joins.root),
      !value.isObject
    else { throw NotExpressibleInSQL.notOneValue(aggregate.operator.rawValue) }
    value.sql = "\(function)(\(value.sql))"
    return value
  }

  private func content(of value: SQLValue, _ column: ObjectQuery.Column) -> CompiledQuery.Content {
    if value.isObject { return .object(entityName: value.entity ?? query.entityName) }
    guard let type = value.type else { return .computed }
    switch column.expression {
    case .keyPath(let keys, _):
      switch CollectionKeyPath(keys)?.operator {
      case nil, .minimum, .maximum: break
      case .average where type == .date: break
      default: return .computed
      }
    case .cast: break
    case .function where type == .date: break
    default: return .computed
    }
    return .attribute(
      AttributeDescription(
        name: column.name, type: type, allowsExternalBinaryDataStorage: value.usesExternalStorage))
  }

  private func entityNumber(of key: String, _ entity: String) -> String {
    guard let table = joins.schema.table(ofEntity: entity) else { return "NULL" }
    return "(SELECT z.Z_ENT FROM \(joins.qualified(table.name)) z WHERE z.Z_PK = \(key))"
  }
}
