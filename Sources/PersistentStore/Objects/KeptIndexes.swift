import GRDB

/// Indexes of tables whose rows a policy makes anew, in a clone of the store: their entries stay where it turns out that
/// every object kept its key and the cells that they are over.
///
/// Until that is known they belong to an empty table of their own: SQLite knows of their pages, and nobody finds or writes
/// an entry.
package final class KeptIndexes {
  private struct Waiting {
    var table: KeptTable
    var holder: String
    /// The indexes' texts by name.
    var texts: [String: String]
  }

  private let db: Database
  private var waiting: [Waiting] = []

  init(_ db: Database) { self.db = db }

  /// Takes a table's indexes away from it, so that they stay when it goes.
  func take(_ table: KeptTable) throws {
    let holder = "modelc_kept_indexes_\(waiting.count)"
    let kept = try schemaIndexes(of: table.name, in: db).filter { table.indexNames.contains($0.name) }
    if kept.isEmpty { return }
    try db.execute(sql: "CREATE TABLE main.\(holder) (k)")
    try move(kept, to: holder) { "CREATE INDEX \(quotedIdentifier($0.name)) ON \(holder) (k)" }
    let texts = Dictionary(kept.map { ($0.name, $0.sql) }, uniquingKeysWith: { first, _ in first })
    waiting.append(Waiting(table: table, holder: holder, texts: texts))
  }

  /// Gives the indexes to the tables of which every entry is still right, and removes the others.
  package func giveBack(where isRight: (KeptTable) throws -> Bool) throws {
    for entry in waiting {
      if try isRight(entry.table) {
        try move(schemaIndexes(of: entry.holder, in: db), to: entry.table.name) {
          entry.texts[$0.name] ?? $0.sql
        }
      }
      try execute(.dropTable(entry.holder), in: db)
    }
    waiting = []
  }

  private func move(
    _ indexes: [SchemaIndex], to table: String, _ text: (SchemaIndex) -> String
  ) throws {
    try editSchema(of: db) {
      for var index in indexes {
        try db.execute(
          sql: "DELETE FROM main.sqlite_master WHERE type = 'index' AND name = ?", arguments: [index.name])
        index.sql = text(index)
        try insertSchemaIndexes([index], of: table, in: db)
      }
    }
  }
}
