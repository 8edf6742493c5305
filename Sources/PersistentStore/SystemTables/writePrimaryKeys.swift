package import GRDB
package import ManagedModel

extension StoreSchema {
  /// Writes `Z_PRIMARYKEY` anew for the entities of a migrated store; rows of Core Data's own tables stay.
  ///
  /// - Parameter formerMaxima: the highest key ever handed out, by root entity; the highest key in the table counts
  ///   where it is greater, because genuine stores fall behind.
  package func writePrimaryKeys(formerMaxima: [String: CheckedKey], in db: Database) throws {
    try db.execute(sql: "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT < ?", arguments: [firstSystemEntityNumber])
    let numbers = numbersByName
    for entity in entities {
      var maximum = CheckedKey.none
      if entity.name == entity.rootEntityName, let table = self.table(ofEntity: entity.name) {
        let highest = try db.greatestKey(table: table.name) ?? .none
        maximum = max(highest, formerMaxima[entity.name] ?? .none)
      }
      try db.execute(
        sql: "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, ?)",
        arguments: [
          entity.number, entity.name, entity.superentityName.flatMap { numbers[$0] } ?? 0, maximum.value,
        ])
    }
  }
}

extension Database {
  /// The tables of mirroring to CloudKit that have rows: it has begun.
  package func filledCloudKitTables() throws -> [String] {
    try readPhysicalSchema(readsEntityRows: false).tables.map(\.name)
      .filter { try $0.isCloudKitTable && rowBound(table: $0) > 0 }
  }

  /// Removes what mirroring to CloudKit keeps: its tables and their rows in `Z_PRIMARYKEY`, whose names are those of the
  /// tables without the first letter.
  package func dropCloudKitTables() throws {
    let tables = try readPhysicalSchema().tables.map(\.name).filter(\.isCloudKitTable)
    for table in tables { try self.execute(sql: "DROP TABLE \(table.quotedIdentifier)") }
    try execute(sql: "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT > 16003 AND upper(Z_NAME) LIKE 'NSCK%'")
  }
}
