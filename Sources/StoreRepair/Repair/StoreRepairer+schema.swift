import GRDB
import ManagedModel
import PersistentStore

extension StoreRepairer {
  /// `Z_PRIMARYKEY` first, since the names of columns and join tables hold its numbers; then what is missing.
  func repairSchema() throws {
    try repairEntityNumbers()
    try bind()
    let expected = layOutStore(
      entities: store.schema.entities, hierarchy: store.hierarchy, features: target.features)
    let present = Set(try db.readPhysicalSchema().tables.map(\.name))
    for table in expected.tables { try addMissing(of: table) }
    for join in expected.joinTables where store.schema.joinTable(of: join.source) == nil {
      try define(
        .schema, entity: join.source.entity, join.createStatement,
        "the join table of '\(join.source.path)' is created")
    }
    for table in store.schema.tables { try dropColumnsNotRead(of: table) }
    try bind()
    try placeLostRows(
      in: Set(try db.readPhysicalSchema().tables.map(\.name)).subtracting(present), expected: expected)
  }

  /// Of two columns of one relationship the one stays that Core Data reads; what the other one alone holds is lost.
  private func dropColumnsNotRead(of table: TableLayout) throws {
    let name = table.name.quotedIdentifier
    for (column, read) in table.columnsNotRead {
      let (goes, stays) = (column.quotedIdentifier, read.name.quotedIdentifier)
      let lost = try countRows(db, "FROM \(name) WHERE \(goes) IS NOT NULL AND \(goes) IS NOT \(stays)")
      for index in table.indexes
      where index.columnNames.contains(where: { $0.caseInsensitivelyEquals(column) }) {
        _ = try db.executeStatement("DROP INDEX \(index.name.quotedIdentifier)")
      }
      let words =
        lost == 0 ? "which holds nothing else" : "with \(lost) other \(verb(lost, "reference", "references"))"
      try define(
        .schema, entity: read.role.property?.entity, lost: lost, "ALTER TABLE \(name) DROP COLUMN \(goes)",
        "column '\(column)' of '\(table.name)' is dropped, \(words); Core Data reads '\(read.name)'")
    }
  }

  private func bind() throws {
    store = VerifiedStore(
      schema: try db.readPhysicalSchema().bound(to: target.model).schema, model: target.model)
  }

  private func addMissing(of table: TableLayout) throws {
    let entity = table.rootEntityName
    guard let real = store.schema.table(ofEntity: entity) else {
      return try define(.schema, entity: entity, table.createStatement, "the table of '\(entity)' is created")
    }
    let names = Set(real.columns.map { $0.name.uppercased() })
    for (place, column) in table.columns.enumerated() where real.column(for: column.role) == nil {
      guard !names.contains(column.name.uppercased()), column.role != .primaryKey else { continue }
      let found = real.columns.count == table.columns.count ? real.columns[place] : column
      // What stands in its place, of its type or of none, is the column: a byte of its name, or behind it, is damaged.
      if found.role == .unknown, ["", column.declaredType].contains(found.declaredType) {
        try define(
          .schema, entity: entity,
          StoreStatement.renameColumn(table: real.name, column: found.name, to: column.name).sql,
          "column '\(found.name)' of '\(real.name)' becomes '\(column.name)'")
        continue
      }
      try define(
        .schema, entity: entity,
        StoreStatement.addColumn(table: real.name, column: column.name, declaredType: column.declaredType)
          .sql,
        "column '\(column.name)' of '\(real.name)' is created, without values")
      try fill(column, of: real)
    }
  }

  /// A row that is there is of some entity and was saved once.
  private func fill(_ column: ColumnLayout, of table: TableLayout) throws {
    let entities = store.schema.entities(in: table)
    let value: Int? =
      switch column.role {
      case .entityNumber: entities.count == 1 ? entities[0].number : nil
      case .optimisticLock: 1
      default: nil
      }
    guard let value else { return }
    _ = try db.executeStatement(
      "UPDATE \(table.name.quotedIdentifier) SET \(column.name.quotedIdentifier) = \(value)")
  }

  /// Writes the rows of `Z_PRIMARYKEY` that are missing or differ from what the tables show.
  private func repairEntityNumbers() throws {
    var physical = try db.readPhysicalSchema()
    if physical.table(named: "Z_PRIMARYKEY") == nil {
      try define(.entityNumbers, SystemTable.primaryKey, "table Z_PRIMARYKEY is created")
      physical = try db.readPhysicalSchema()
    }
    let rows = try db.expectedEntityRows(physical, hierarchy: store.hierarchy)
    let known = Set(physical.entityRows)
    let wrong = rows.filter { !known.contains($0) }
    guard !wrong.isEmpty || physical.entityRows.count > Set(physical.entityRows.map(\.name)).count else {
      return
    }
    let numbers = rows.map(\.number).sqlList
    let names = rows.map { $0.name.sqlText }.joined(separator: ", ")
    _ = try db.executeStatement(
      "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT IN (\(numbers)) OR (Z_ENT < \(firstSystemEntityNumber) "
        + "AND Z_NAME IN (\(names)))")
    let values = rows.map { "(\($0.number), \($0.name.sqlText), \($0.superNumber), \($0.maximum.value))" }
    try change(
      .entityNumbers,
      "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES \(values.joined(separator: ", "))"
    ) { _ in
      "Z_PRIMARYKEY gets \(wrong.count) \(wrong.count == 1 ? "row" : "rows") that match the tables"
    }
  }

  /// Indexes and triggers come last: a unique index asks for rows without duplicates.
  func repairIndexes() throws {
    let physical = try db.readPhysicalSchema()
    let missing = physical.missingObjects(in: store, features: target.features)
    let objects: [(sql: String, summary: String)] =
      missing.indexes.map { ($0.sql, "index '\($0.name)' is created") }
      + missing.triggers.map { ($0.sql, "trigger '\($0.name)' of a derived attribute is created") }
    guard objects.count <= 5 else {
      for object in objects { _ = try db.executeStatement(object.sql) }
      return note(
        .schema, count: objects.count, "\(objects.count) indexes and triggers of the model are created")
    }
    for object in objects { try define(.schema, object.sql, object.summary) }
  }

  func repairDerivedValues() throws {
    guard try !db.findWrongDerivations(in: store).isEmpty else { return }
    for sql in store.schema.derivedValueStatements(for: target.model) {
      try change(.derivedValue, sql) { _ in "a derived attribute is recomputed" }
    }
  }

  /// A key that was used may not be used again.
  func repairHighestKeys() throws {
    for table in store.schema.tables where table.column(for: .primaryKey) != nil {
      guard let entity = store.schema.entity(named: table.rootEntityName),
        let greatest = try db.greatestKey(table: table.name)
      else { continue }
      try change(
        .highestKey, entity: entity.name,
        "UPDATE Z_PRIMARYKEY SET Z_MAX = \(greatest.value) WHERE Z_ENT = \(entity.number) "
          + "AND (Z_MAX IS NULL OR typeof(Z_MAX) <> 'integer' OR Z_MAX < \(greatest.value))"
      ) { _ in "Z_MAX of '\(entity.name)' becomes \(greatest.value), its highest key" }
    }
  }
}
