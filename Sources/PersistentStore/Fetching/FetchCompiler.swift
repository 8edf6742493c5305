import ManagedModel

/// Turns predicates into SQL with the meaning of a fetch: a comparison with a null is neither true nor false.
struct FetchCompiler: PredicateCompiler {
  var joins: JoinScope

  init(_ joins: JoinScope) { self.joins = joins }

  mutating func compile(
    _ request: FetchRequestDescription, predicate: Predicate?
  ) throws(NotExpressibleInSQL) -> CompiledFetch {
    var conditions: [String] = []
    if let kind = joins.kindCondition(request.entityName, includesSubentities: request.includesSubentities) {
      conditions.append(kind)
    }
    if let predicate { conditions.append(try condition(predicate, joins.root)) }
    var order: [String] = []
    for sort in request.sortDescriptors {
      let keys = sort.keyPath.split(separator: ".").map(String.init)
      guard case .value(let value) = try joins.follow(keys[...], from: joins.root) else {
        throw NotExpressibleInSQL("'\(sort.keyPath)' is not a value to sort by")
      }
      order.append("\(value.sql) \(sort.isAscending ? "ASC" : "DESC")")
    }
    let distinct = request.returnsDistinctResults ? "DISTINCT " : ""
    var sql = "SELECT \(distinct)\(columns(request)) FROM \(joins.from(joins.root))"
    if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
    if !order.isEmpty { sql += " ORDER BY " + order.joined(separator: ", ") }
    if request.fetchLimit > 0 { sql += " LIMIT \(request.fetchLimit)" }
    return CompiledFetch(sql: sql, parameters: joins.parameters)
  }

  /// The raw values of `NSFetchRequestResultType` are 0 objects, 1 identifiers, 2 dictionaries, 4 a count.
  private func columns(_ request: FetchRequestDescription) -> String {
    if request.resultType == 4 { return "COUNT(*)" }
    let identity = ["Z_ENT", "Z_PK"]
    if request.resultType == 1 || !request.includesPropertyValues {
      return identity.map { "t0.\($0)" }.joined(separator: ", ")
    }
    let kinds =
      joins.hierarchy.lineage(of: request.entityName).map(\.name)
      + joins.hierarchy.descendantNames(includingSelf: request.entityName)
    let own = (joins.schema.table(ofEntity: request.entityName)?.columns ?? []).filter { column in
      switch column.role {
      case .attribute(let property), .toOne(let property): kinds.contains(property.entity)
      case .optimisticLock: request.resultType == 0
      default: false
      }
    }
    return (identity + own.map { quotedIdentifier($0.name) }).map { "t0.\($0)" }.joined(separator: ", ")
  }
}
