import GRDB
package import ManagedModel
package import PersistentStore

/// A fetch of live objects: what a policy asks a context.
package struct ObjectFetch {
  package var entityName: String
  package var predicate: Predicate?
  /// By the name of the predicate's variables.
  package var arguments: [String: StoredCell] = [:]
  package var sortDescriptors: [SortDescription] = []
  /// 0 for all.
  package var limit = 0
  package var includesSubentities: Bool

  package init(entityName: String, predicate: Predicate? = nil, includesSubentities: Bool = true) {
    self.entityName = entityName
    self.predicate = predicate
    self.includesSubentities = includesSubentities
  }
}

extension ObjectRows {
  /// The identities of the objects that a fetch finds, by primary key unless it sorts otherwise.
  ///
  /// - Throws: ``DiagnosticsError``: MC1601–MC1607 for a predicate that does not fit the entity or has no SQL form.
  package func fetch(_ fetch: ObjectFetch) throws -> [ManagedObject.ID] {
    let (sql, arguments) = try statement(fetch, selecting: "t0.Z_PK, t0.Z_ENT")
    let rows = try Row.fetchCursor(db, sql: sql, arguments: arguments)
    var found: [ManagedObject.ID] = []
    while let row = try rows.next() {
      let name = row.integer(1).flatMap { namesByNumber[$0] }
      guard let key = row.integer(0), let name else { continue }
      found.append(ManagedObject.ID(entityName: name, primaryKey: key))
    }
    return found
  }

  package func count(_ fetch: ObjectFetch) throws -> Int {
    let (sql, arguments) = try statement(fetch, selecting: "t0.Z_PK")
    return try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM (\(sql))", arguments: arguments) ?? 0
  }

  private func statement(
    _ fetch: ObjectFetch, selecting columns: String
  ) throws -> (sql: String, arguments: StatementArguments) {
    guard let shape = shape(named: fetch.entityName) else {
      throw DiagnosticsError(.unknownEntity(fetch.entityName, among: schema.entities.map(\.name)))
    }
    var from = "\(shape.tableName.quotedIdentifier) t0"
    let kinds =
      fetch.includesSubentities
      ? hierarchy.descendantNames(includingSelf: fetch.entityName) : [fetch.entityName]
    let numbers = schema.numbers(of: kinds).sorted()
    var conditions = ["t0.Z_ENT IN (\(numbers.sqlList))"]
    for number in numbers {
      hiddenKeys[number].map { conditions.append("NOT (t0.Z_ENT = \(number) AND t0.Z_PK <= \($0))") }
    }
    var arguments: [String: DatabaseValue] = [:]
    if let predicate = fetch.predicate {
      let findings = checkPredicate(predicate, forEntity: fetch.entityName, in: hierarchy)
      try findings.filter { $0.severity == .error }.refuse()
      let compiled = try predicate.compiled(
        ofEntity: fetch.entityName, schema: schema, model: hierarchy.model,
        now: fetch.arguments["now"] == nil ? now : nil)
      from = compiled.from
      conditions.append("(\(compiled.condition))")
      for name in compiled.parameters {
        arguments[name] = fetch.arguments[name].map(\.databaseValue) ?? .null
      }
      try indexComparedColumns(of: predicate, shape)
    }
    var sql = "SELECT \(columns) FROM \(from) WHERE \(conditions.joined(separator: " AND "))"
    var order: [String] = []
    for sort in fetch.sortDescriptors {
      guard case .attribute(let attribute)? = shape.properties[sort.keyPath] else {
        throw DiagnosticsError(.unknownKey(sort.keyPath, of: fetch.entityName, among: shape))
      }
      order.append(
        "t0.\(shape.columnNames[attribute.slot].quotedIdentifier) \(sort.isAscending ? "ASC" : "DESC")")
    }
    sql += " ORDER BY \((order + ["t0.Z_PK"]).joined(separator: ", "))"
    if fetch.limit > 0 { sql += " LIMIT \(fetch.limit)" }
    return (sql, StatementArguments(arguments))
  }

  /// A policy that looks for an object before it makes one would else read the whole table each time.
  private func indexComparedColumns(of predicate: Predicate, _ shape: EntityShape) throws {
    guard isWritable else { return }
    let columns = comparedKeys(predicate).compactMap { key -> String? in
      switch shape.properties[key] {
      case .attribute(let attribute): shape.columnNames[attribute.slot]
      case .toOne(let toOne): shape.columnNames[toOne.keySlot]
      default: nil
      }
    }
    if !columns.isEmpty { try ensureIndex(on: shape.tableName, columns.sorted()) }
  }

  /// Rows of its entity that a mapping takes; nil if only objects can be asked, and were not yet.
  func rows(takenBy mapping: EntityMapping) -> SQLCondition? {
    guard let filter = mapping.filter, let entity = mapping.sourceEntityName else { return .all([]) }
    if let asked = asked[mapping.name] { return asked.rows }
    return SQLCondition(ofEntity: entity, where: filter, schema: schema, model: hierarchy.model, now: now)
  }

  /// See ``EntityMapping/keptKeysSQL(schema:model:now:ofAll:)``.
  func keptKeysSQL(_ mapping: EntityMapping, ofAll: Bool = false) -> String? {
    mapping.keptKeysSQL(schema: schema, model: hierarchy.model, now: now, ofAll: ofAll)
  }

  /// Rows that some mappings of an entity take and none of the others; nil if these take all, or only objects can be asked.
  func rows(takenBy some: [EntityMapping], andNotBy others: [EntityMapping]) -> SQLCondition? {
    guard others.allSatisfy({ $0.filter != nil }) else { return nil }
    let (taken, left) = (some.compactMap(rows(takenBy:)), others.compactMap(rows(takenBy:)))
    guard taken.count == some.count, left.count == others.count else { return nil }
    let isAll = some.contains { $0.filter == nil }
    return .all((isAll ? [] : [.any(taken)]) + (left.isEmpty ? [] : [.not(.any(left))]))
  }
}

/// Keys that every object that satisfies the predicate has equal to something.
private func comparedKeys(_ predicate: Predicate) -> [String] {
  switch predicate {
  case .comparison(let comparison):
    guard comparison.operator == .equalTo, comparison.modifier == .direct,
      comparison.options.isSubset(of: .normalized)
    else { return [] }
    for side in [comparison.left, comparison.right] {
      if case .keyPath(let keys, nil) = side, keys.count == 1 { return keys }
    }
    return []
  case .and(let parts): return Array(Set(parts.flatMap(comparedKeys)))
  default: return []
  }
}

extension Diagnostic {
  package static func unknownEntity(_ name: String, among names: [String]) -> Self {
    Self(
      .unknownKeyPath, .error, "the model has no entity '\(name)'",
      subject: ModelSubject(entity: name), help: .didYouMean(name, among: names))
  }

  package static func unknownKey(_ key: String, of entity: String, among shape: EntityShape) -> Self {
    Self(
      .unknownKeyPath, .error, "'\(entity)' has no property '\(key)'",
      subject: ModelSubject(entity: entity, property: key),
      help: .didYouMean(key, among: shape.properties.keys.sorted()))
  }
}
