import GRDB
import PersistentStore

/// The indexes of a store while it is filled: those of its schema, and temporary ones for the work.
package struct WorkIndexes {
  /// Tables and columns that were asked for.
  private var asked: Set<[String]> = []
  private var made: [String] = []

  /// Makes an index over the columns, once, if there is none.
  mutating func ensure(on table: String, _ columns: [String], _ schema: StoreSchema, _ db: Database) throws {
    guard asked.insert([table] + columns).inserted else { return }
    let known = schema.tables.first { $0.name == table }?.indexes ?? []
    if known.contains(where: { $0.columnNames.starts(with: columns) }) { return }
    let name = "modelc_work_\(made.count)"
    let list = columns.map(\.quotedIdentifier).joined(separator: ", ")
    try db.execute(sql: "CREATE INDEX main.\(name) ON \(table.quotedIdentifier) (\(list))")
    made.append(name)
  }

  mutating func dropWorkIndexes(_ db: Database) throws {
    for name in made { try db.execute(sql: "DROP INDEX main.\(name)") }
    made = []
    asked = []
  }
}
