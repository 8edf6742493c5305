import GRDB
import ManagedModel

/// The tables of a clone that stay, until it is their turn: nobody is to find rows before the mapping that makes them.
package final class KeptTables {
  private let db: StoreDatabase
  private var waiting: [String: (table: KeptTable, hiddenName: String)] = [:]
  /// Join tables by the name that they have in the store.
  private var waitingJoins: [String: String] = [:]
  /// Join tables that were held against the objects on their way.
  package private(set) var soundJoins: Set<String> = []
  /// Those that took their place, by name.
  package private(set) var adopted: [String: KeptTable] = [:]
  /// What is known of the source's cells.
  package var checkedCells: () -> CheckedCells = { CheckedCells() }
  /// Of tables whose rows a policy makes.
  package let indexes: KeptIndexes

  /// Removes everything else from the clone and hides the tables.
  ///
  /// - Parameter joins: join tables that stay where all their pairs do.
  package init(_ tables: [KeptTable], joins: [String], in db: StoreDatabase) throws {
    self.db = db
    indexes = KeptIndexes(db)
    if tables.isEmpty { return }
    let physical = try readPhysicalSchema(db)
    for table in tables where table.isMadeByPolicy { try indexes.take(table) }
    let tables = tables.filter { !$0.isMadeByPolicy }
    for trigger in physical.triggers {
      try execute(.dropTrigger(trigger.name), in: db)
    }
    let names = Set(tables.map(\.name))
    for (number, join) in joins.enumerated() {
      waitingJoins[join] = "modelc_kept_pairs_\(number)"
    }
    for table in physical.tables where !names.contains(table.name) && waitingJoins[table.name] == nil {
      try execute(.dropTable(table.name), in: db)
    }
    for name in try statisticsTables() { try execute(.dropTable(name), in: db) }
    let indexes = Set(tables.flatMap(\.indexNames))
    for index in physical.indexes where names.contains(index.tableName) && !indexes.contains(index.name) {
      try execute(.dropIndex(index.name), in: db)
    }
    for (number, table) in tables.enumerated() {
      let hiddenName = "modelc_kept_\(number)"
      try execute(.renameTable(table.name, to: hiddenName), in: db)
      waiting[table.entityName] = (table, hiddenName)
    }
    for (name, hiddenName) in waitingJoins { try execute(.renameTable(name, to: hiddenName), in: db) }
  }

  package func table(of entityName: String) -> KeptTable? { waiting[entityName]?.table }

  /// Puts the table of an entity in the place of the empty one that was made for it.
  ///
  /// - Parameters:
  ///   - constants: SQL for the columns that the table gets.
  ///   - insert: makes the rows, where they do not stay.
  /// - Returns: false where none was kept, or the other one has rows already: then they are to be made.
  package func adopt(
    _ entityName: String, adding constants: [String: String], inserting insert: () throws -> Void
  ) throws -> Bool {
    guard let (table, hiddenName) = waiting[entityName] else { return false }
    let name = quotedIdentifier(table.name)
    guard try Row.fetchOne(db, sql: "SELECT 1 FROM main.\(name) LIMIT 1") == nil else { return false }
    try execute(.dropTable(table.name), in: db)
    try execute(.renameTable(hiddenName, to: table.name), in: db)
    waiting[entityName] = nil
    adopted[table.name] = table
    if let text = table.newText {
      try refill(table, text, insert)
    } else {
      try alter(table, constants)
    }
    return true
  }

  private func alter(_ table: KeptTable, _ constants: [String: String]) throws {
    for column in table.addedColumns {
      let type = column.declaredType
      try execute(.addColumn(table: table.name, column: column.name, declaredType: type), in: db)
    }
    var assignments = table.addedColumns.compactMap { column in
      constants[column.name].flatMap { $0 == "NULL" ? nil : "\(quotedIdentifier(column.name)) = \($0)" }
    }
    if table.number != table.formerNumber { assignments.append("Z_ENT = \(table.number)") }
    if assignments.isEmpty { return }
    try db.execute(
      sql: "UPDATE main.\(quotedIdentifier(table.name)) SET \(assignments.joined(separator: ", "))")
  }

  /// Replaces all rows by others with the same keys and the same cells in every column that has an index: these stay as
  /// they are, and SQLite is not to know of them meanwhile. No table may come or go before they are back: an index that
  /// SQLite does not know of would not be moved out of the way.
  private func refill(_ table: KeptTable, _ text: String, _ insert: () throws -> Void) throws {
    let name = sqlText(table.name)
    let indexes = try schemaIndexes(of: table.name, in: db)
    try editSchema(of: db) {
      try db.execute(sql: "DELETE FROM main.sqlite_master WHERE type = 'index' AND tbl_name = \(name)")
      try db.execute(
        sql: "UPDATE main.sqlite_master SET sql = \(sqlText(text)) WHERE type = 'table' AND name = \(name)"
      )
    }
    try db.execute(sql: "DELETE FROM main.\(quotedIdentifier(table.name))")
    try insert()
    try editSchema(of: db) { try insertSchemaIndexes(indexes, of: table.name, in: db) }
  }

  /// Puts the join table of a relationship in the place of the empty one that was made for it, where both objects of
  /// every pair are there.
  ///
  /// - Returns: false where it was not kept, or not all of it stays.
  func adopt(
    _ old: JoinShape, as new: JoinShape, owners: ReferenceTargets, targets: ReferenceTargets,
    _ indexes: [IndexLayout]
  ) throws -> Bool {
    guard let hiddenName = waitingJoins[old.table] else { return false }
    guard try isSound(old, owners: owners, targets: targets) || hasNoStray(old, hiddenName, owners, targets)
    else { return false }
    try execute(.dropTable(new.table), in: db)
    waitingJoins[old.table] = nil
    try execute(.renameTable(hiddenName, to: new.table), in: db)
    // One of the new names may be the other's old one.
    let renames = [(old.near, new.near, "modelc_near"), (old.far, new.far, "modelc_far")].filter {
      $0.0 != $0.1
    }
    for (name, _, hidden) in renames {
      try execute(.renameColumn(table: new.table, column: name, to: hidden), in: db)
    }
    for (_, name, hidden) in renames {
      try execute(.renameColumn(table: new.table, column: hidden, to: name), in: db)
    }
    try settleIndexes(of: new.table, as: indexes)
    soundJoins.insert(new.table)
    return true
  }

  /// Whether every pair was found to be one of objects of two tables that have taken their place, with all rows.
  private func isSound(_ join: JoinShape, owners: ReferenceTargets, targets: ReferenceTargets) throws -> Bool
  {
    let ends = [owners, targets]
    guard ends.allSatisfy({ end in adopted[end.tableName].map { end.numbers == [$0.number] } ?? false })
    else {
      return false
    }
    return checkedCells().joinTables.contains(join.table)
  }

  private func hasNoStray(
    _ old: JoinShape, _ hiddenName: String, _ owners: ReferenceTargets, _ targets: ReferenceTargets
  ) throws -> Bool {
    let (near, far) = (quotedIdentifier(old.near), quotedIdentifier(old.far))
    return try Row.fetchOne(
      db,
      sql: """
        SELECT 1 FROM main.\(quotedIdentifier(hiddenName)) AS s \
        LEFT JOIN main.\(quotedIdentifier(owners.tableName)) AS o ON o.Z_PK = s.\(near) \
        LEFT JOIN main.\(quotedIdentifier(targets.tableName)) AS t ON t.Z_PK = s.\(far) \
        WHERE (o.Z_ENT IN (\(owners.numberList)) AND t.Z_ENT IN (\(targets.numberList))) IS NOT TRUE LIMIT 1
        """) == nil
  }

  /// Gives indexes their new names; those that the next version does not have go.
  private func settleIndexes(of table: String, as layouts: [IndexLayout]) throws {
    var renames: [StoreStatement.IndexRename] = []
    for index in try readPhysicalSchema(db).indexes where index.tableName == table {
      let end = bareText(index.sql).drop { $0 != "(" }
      let kind = index.sql.uppercased().hasPrefix("CREATE INDEX")
      let match = layouts.first { layout in
        kind && layout.sql.uppercased().hasPrefix("CREATE INDEX")
          && bareText(layout.sql).drop { $0 != "(" } == end
          && !renames.contains { $0.index.name == layout.name }
      }
      if let match {
        renames.append(.init(index.name, to: match))
      } else {
        try execute(.dropIndex(index.name), in: db)
      }
    }
    if !renames.isEmpty { try execute(.renameIndexes(renames), in: db) }
  }

  /// Removes what was not adopted.
  package func dropOthers() throws {
    for (_, hiddenName) in waiting.values { try execute(.dropTable(hiddenName), in: db) }
    waiting = [:]
  }

  package func dropOtherJoins() throws {
    for hiddenName in waitingJoins.values { try execute(.dropTable(hiddenName), in: db) }
    waitingJoins = [:]
  }

  private func statisticsTables() throws -> [String] {
    let rows = try Row.fetchAll(
      db, sql: "SELECT name FROM main.sqlite_master WHERE type = 'table' AND name GLOB 'sqlite_stat[0-9]*'")
    return rows.compactMap { String.fromDatabaseValue($0[0]) }
  }
}

/// Gives the file system back what a clone no longer fills, where its form allows that and it is much.
package func releaseFreePages(of db: StoreDatabase) throws {
  func number(_ name: String) throws -> Int {
    try Row.fetchOne(db, sql: "PRAGMA main.\(name)").flatMap { Int.fromDatabaseValue($0[0]) } ?? 0
  }
  guard try number("freelist_count") > number("page_count") / 10 else { return }
  try db.execute(sql: "PRAGMA main.incremental_vacuum")
}
