import GRDB

/// A table whose rows go on as they lie, but for the number of their entity: in a clone of the store it stays.
package struct KeptTable: Hashable, Sendable {
  /// The only entity of the destination whose objects it holds.
  package var entityName: String
  /// In both stores.
  package var name: String
  /// `Z_ENT` in the store, and in the next version.
  package var formerNumber: Int
  package var number: Int
  /// Those of its indexes that the next version has as they are.
  package var indexNames: Set<String>

  package init(entityName: String, name: String, formerNumber: Int, number: Int, indexNames: Set<String>) {
    self.entityName = entityName
    self.name = name
    self.formerNumber = formerNumber
    self.number = number
    self.indexNames = indexNames
  }
}

/// The tables of a clone that stay, until it is their turn: nobody is to find rows before the mapping that makes them.
package final class KeptTables {
  private let db: StoreDatabase
  private var waiting: [String: (table: KeptTable, hiddenName: String)] = [:]

  /// Removes everything else from the clone and hides the tables.
  package init(_ tables: [KeptTable], in db: StoreDatabase) throws {
    self.db = db
    if tables.isEmpty { return }
    let physical = try readPhysicalSchema(db)
    for trigger in physical.triggers { try db.execute(sql: "DROP TRIGGER main.\(quotedIdentifier(trigger.name))") }
    let names = Set(tables.map(\.name))
    for table in physical.tables where !names.contains(table.name) { try drop(table.name) }
    for name in try statisticsTables() { try drop(name) }
    let indexes = Set(tables.flatMap(\.indexNames))
    for index in physical.indexes where names.contains(index.tableName) && !indexes.contains(index.name) {
      try db.execute(sql: "DROP INDEX main.\(quotedIdentifier(index.name))")
    }
    for (number, table) in tables.enumerated() {
      let hiddenName = "modelc_kept_\(number)"
      try rename(table.name, to: hiddenName)
      waiting[table.entityName] = (table, hiddenName)
    }
  }

  /// Puts the table of an entity in the place of the empty one that was made for it.
  ///
  /// - Returns: nil where none was kept, or the other one has rows already: then they are to be made.
  package func adopt(_ entityName: String) throws -> KeptTable? {
    guard let (table, hiddenName) = waiting[entityName] else { return nil }
    let name = quotedIdentifier(table.name)
    guard try Row.fetchOne(db, sql: "SELECT 1 FROM main.\(name) LIMIT 1") == nil else { return nil }
    try drop(table.name)
    try rename(hiddenName, to: table.name)
    waiting[entityName] = nil
    if table.number != table.formerNumber {
      try db.execute(sql: "UPDATE main.\(name) SET Z_ENT = \(table.number)")
    }
    return table
  }

  /// Removes what was not adopted.
  package func dropOthers() throws {
    for (_, hiddenName) in waiting.values { try drop(hiddenName) }
    waiting = [:]
  }

  private func drop(_ name: String) throws { try db.execute(sql: "DROP TABLE main.\(quotedIdentifier(name))") }

  private func rename(_ name: String, to newName: String) throws {
    try db.execute(sql: "ALTER TABLE main.\(quotedIdentifier(name)) RENAME TO \(quotedIdentifier(newName))")
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
