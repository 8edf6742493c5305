import GRDB
import ManagedModel
import PersistentStore

extension StoreRepairer {
  /// Rows with a key below 1 get the next free one, and what refers to them follows.
  func repairKeys() throws {
    for table in store.schema.tables where table.column(for: .primaryKey) != nil {
      let name = table.name.quotedIdentifier
      let keys: [Int64] = try db.values("SELECT Z_PK FROM \(name) WHERE Z_PK < 1 ORDER BY Z_PK DESC")
      guard !keys.isEmpty, var next = try db.greatestKey(table: table.name) else { continue }
      let recorded = try Int64.fetchOne(
        db, sql: "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ? AND typeof(Z_MAX) = 'integer'",
        arguments: [store.schema.entity(named: table.rootEntityName)?.number])
      next = max(next, CheckedKey(recorded ?? 0))
      for key in keys {
        guard let free = next.next else { return }
        next = free
        for (referrer, column) in referrers(to: table) {
          try prepare("UPDATE \(referrer) SET \(column) = \(free.value) WHERE \(column) = \(key)")
        }
        try prepare("UPDATE \(name) SET Z_PK = \(free.value) WHERE Z_PK = \(key)")
      }
      note(
        .primaryKey, of: table.rootEntityName, count: keys.count,
        "\(keys.count) \(verb(keys.count, "row", "rows")) of '\(table.name)' with a key below 1 "
          + "\(verb(keys.count, "gets", "get")) a new one; references follow")
    }
  }

  /// Quoted tables and columns that hold keys of the table.
  func referrers(to target: TableLayout) -> [(table: String, column: String)] {
    store.schema.keyColumns(store.hierarchy)
      .filter { store.schema.entity(named: $0.entity)?.rootEntityName == target.rootEntityName }
      .map { ($0.table.quotedIdentifier, $0.column.quotedIdentifier) }
  }

  /// A row whose number is none of its table's gets the one that others know it by, or the only one that its values fit;
  /// of several that fit the most general one, and that is a loss.
  func repairEntities() throws {
    for table in store.schema.tables where table.column(for: .entityNumber) != nil {
      let entities = concreteEntities(in: table)
      let stray = isStray("t", in: table)
      let name = table.name.quotedIdentifier
      guard try hasRows(in: table, where: stray) else { continue }
      for (referrer, column, number) in discriminators(to: table) {
        let known =
          "(SELECT r.\(number) FROM \(referrer) AS r WHERE r.\(column) = t.Z_PK "
          + "AND r.\(number) IN (\(entities.map(\.number).sqlList)) LIMIT 1)"
        try setEntity(of: table, to: known, where: "\(stray) AND \(known) IS NOT NULL")
      }
      let fits = entities.map { fit($0, in: table) }
      let sum = fits.map { "(\($0))" }.joined(separator: " + ")
      for (entity, fit) in zip(entities, fits) {
        try setEntity(of: table, to: "\(entity.number)", where: "\(stray) AND \(fit) AND \(sum) = 1")
      }
      for (entity, fit) in zip(entities, fits) {
        try change(
          .entityOfRow, entity: entity.name, isLoss: true,
          "UPDATE \(name) AS t SET Z_ENT = \(entity.number) WHERE \(stray) AND \(fit)"
        ) {
          "\($0) \(verb($0, "row", "rows")) of '\(table.name)' \(verb($0, "becomes", "become")) "
            + "'\(entity.name)'; \(verb($0, "its", "their")) original entity is unknown"
        }
      }
    }
  }

  /// Whether the condition holds for a row, which it calls `t`.
  func hasRows(in table: TableLayout, where condition: String) throws -> Bool {
    try db.hasRows("\(table.name.quotedIdentifier) AS t WHERE \(condition)")
  }

  /// That a row's number is none of its table's.
  func isStray(_ row: String, in table: TableLayout) -> String {
    "(\(row).Z_ENT IS NULL OR \(row).Z_ENT NOT IN (\(concreteEntities(in: table).map(\.number).sqlList)))"
  }

  private func setEntity(of table: TableLayout, to number: String, where condition: String) throws {
    try change(
      .entityOfRow, entity: table.rootEntityName,
      "UPDATE \(table.name.quotedIdentifier) AS t SET Z_ENT = \(number) WHERE \(condition)"
    ) {
      "\($0) \(verb($0, "row", "rows")) of '\(table.name)' \(verb($0, "gets", "get")) the entity that fits"
    }
  }

  private func concreteEntities(in table: TableLayout) -> [EntityLayout] {
    store.schema.entities(in: table).filter { store.hierarchy.entity(named: $0.name)?.isAbstract != true }
  }

  /// That a row has values for what the entity requires and none for what it has not.
  private func fit(_ entity: EntityLayout, in table: TableLayout) -> String {
    var conditions = ["1"]
    for column in table.columns {
      let value = "t.\(column.name.quotedIdentifier)"
      let reference: PropertyReference
      switch column.role {
      case .attribute(let found), .toOne(let found): reference = found
      default: continue
      }
      guard store.hierarchy.isKind(entity.name, of: reference.entity) else {
        conditions.append("\(value) IS NULL")
        continue
      }
      if let leaf = store.leaves[reference], !leaf.isOptional, !leaf.attribute.isDerived {
        conditions.append("\(value) IS NOT NULL")
      }
    }
    return "(\(conditions.balanced(" AND ")))"
  }

  /// Quoted tables that refer to the table, with the columns of the key and of the entity's number.
  private func discriminators(to target: TableLayout) -> [(table: String, key: String, number: String)] {
    store.schema.referenceColumns(store.hierarchy).compactMap { key in
      guard key.target.rootEntityName == target.rootEntityName,
        let number = key.table.column(for: .discriminator(key.reference))
      else { return nil }
      return (key.table.name.quotedIdentifier, key.column.name.quotedIdentifier, number.name.quotedIdentifier)
    }
  }
}
