import GRDB

/// The indexes of a store that is filled: its schema's own, as far as they exist already, and those that are made for the
/// work and go with it.
package struct WorkIndexes {
  /// Whether the schema's own indexes exist already.
  package var schemaIsIndexed = true
  /// Of the schema's own indexes, those that exist where not all do.
  private var kept: Set<String> = []
  /// Tables and columns that were asked for.
  private var asked: Set<[String]> = []
  private var made: [String] = []

  /// Makes an index over the columns, once, where there is none.
  mutating func ensure(on table: String, _ columns: [String], _ schema: StoreSchema, _ db: Database) throws {
    guard asked.insert([table] + columns).inserted else { return }
    let known = schema.tables.first { $0.name == table }?.indexes ?? []
    let isThere = known.contains {
      (schemaIsIndexed || kept.contains($0.name)) && $0.columnNames.starts(with: columns)
    }
    if isThere { return }
    let name = "modelc_work_\(made.count)"
    let list = columns.map(quotedIdentifier).joined(separator: ", ")
    try db.execute(sql: "CREATE INDEX main.\(name) ON \(quotedIdentifier(table)) (\(list))")
    made.append(name)
  }

  /// A table that was kept comes with its own indexes, in the place of one whose indexes are gone.
  package mutating func note(_ table: KeptTable) {
    kept.formUnion(table.indexNames)
    asked = asked.filter { $0.first != table.name }
  }

  /// Those that went with a table are passed over.
  mutating func dropWorkIndexes(_ db: Database) throws {
    for name in made { try db.execute(sql: "DROP INDEX IF EXISTS main.\(name)") }
    made = []
    asked = []
  }
}
