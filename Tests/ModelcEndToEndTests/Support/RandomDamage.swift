import Foundation
import GRDB
import TestSupport

/// Damages of one kind, at a place of the store that the generator picks.
struct RandomDamage {
  var store: DatabaseQueue
  var random: SeededGenerator

  static let kinds = [
    "metadata", "entityNumbers", "highestKey", "schema", "primaryKey", "entityOfRow", "cellType", "reference",
    "order", "joinRow", "duplicates", "discriminator", "derivedValue", "indexContent", "requiredValue",
  ]

  /// Whether a damage of the kind was done: not every store has what it takes.
  mutating func damage(_ kind: String) throws -> Bool {
    guard let sql = try statements(for: kind) else { return false }
    let before = try dump()
    // A statement can break a constraint; then this damage cannot happen.
    let isDone: Void? = try? store.writeWithoutTransaction { db in
      try withTriggersDisabled(on: db) { try db.execute(sql: sql) }
    }
    guard isDone != nil else { return false }
    return try dump() != before
  }

  private mutating func statements(for kind: String) throws -> String? {
    switch kind {
    case "metadata":
      random.pick([
        "DELETE FROM Z_METADATA", "UPDATE Z_METADATA SET Z_UUID = NULL",
        "UPDATE Z_METADATA SET Z_PLIST = X'0011'", "UPDATE Z_METADATA SET Z_PLIST = substr(Z_PLIST, 1, 90)",
      ])
    case "entityNumbers":
      random.pick([
        "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT < 16000",
        "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = \(Int.random(in: 1...4, using: &random))",
        "UPDATE Z_PRIMARYKEY SET Z_ENT = 70 WHERE Z_ENT = \(Int.random(in: 1...4, using: &random))",
      ])
    case "highestKey":
      "UPDATE Z_PRIMARYKEY SET Z_MAX = \(random.pick(["0", "1", "-4", "NULL", "'x'"])) WHERE Z_MAX > 1"
    case "schema": try dropped()
    case "indexContent": try staleIndex()
    case "order": try column { $0.hasPrefix("Z_FOK") }.map { "UPDATE \($0) SET \($1) = NULL" }
    case "joinRow": try joinRow()
    case "duplicates": try duplicate()
    default: try cell(kind)
    }
  }

  private mutating func cell(_ kind: String) throws -> String? {
    let change: ((table: String, column: String), String)? =
      switch kind {
      case "primaryKey": try column { $0 == "Z_PK" }.map { ($0, random.pick(["-3", "0", "-70000"])) }
      case "entityOfRow": try column { $0 == "Z_ENT" }.map { ($0, random.pick(["99", "0", "-1", "NULL"])) }
      case "cellType":
        try column { !$0.hasPrefix("Z_") && !Self.references.contains($0) }
          .map { ($0, random.pick(["X'FF00FE'", "'not it'", "3.75", "X'00'"])) }
      case "reference":
        try column(where: Self.references.contains).map { ($0, random.pick(["4711", "-2", "'x'"])) }
      case "discriminator":
        try column { $0.hasPrefix("Z1_") }.map { ($0, random.pick(["77", "0", "NULL", "3"])) }
      case "derivedValue": try column { $0 == "ZPAGESCOUNT" }.map { ($0, random.pick(["400", "-1", "0"])) }
      case "requiredValue":
        try column { ["ZISFOLDER", "ZISBOOKMARKED", "ZISPENDINGDELETION"].contains($0) }.map { ($0, "NULL") }
      default: nil
      }
    guard let change, let key = try key(in: change.0.table) else { return nil }
    return "UPDATE \(change.0.table) SET \(change.0.column) = \(change.1) WHERE Z_PK = \(key)"
  }

  private mutating func dropped() throws -> String? {
    let names = try strings(
      "SELECT 'DROP ' || type || ' \"' || name || '\"' FROM sqlite_master WHERE type IN ('index', 'trigger') "
        + "AND sql NOT NULL AND name LIKE 'Z%' ORDER BY name")
    if Int.random(in: 0..<3, using: &random) > 0 { return names.isEmpty ? nil : random.pick(names) }
    return try column { !$0.hasPrefix("Z_") && !Self.references.contains($0) }
      .map { "ALTER TABLE \($0) DROP COLUMN \($1)" }
  }

  /// A column is changed behind the back of its index.
  private mutating func staleIndex() throws -> String? {
    let indexes = try strings(
      "SELECT name FROM sqlite_master WHERE type = 'index' AND sql NOT NULL AND name LIKE 'Z%' ORDER BY name")
    guard !indexes.isEmpty else { return nil }
    let index = random.pick(indexes)
    let table = try strings("SELECT tbl_name FROM sqlite_master WHERE name = '\(index)'")[0]
    let indexed = try strings("SELECT name FROM pragma_index_info('\(index)') WHERE name <> 'Z_ENT'")
    guard let column = indexed.first, let key = try key(in: table) else { return nil }
    return """
      PRAGMA writable_schema = ON;
      CREATE TEMP TABLE kept AS SELECT * FROM sqlite_master WHERE name = '\(index)';
      DELETE FROM sqlite_master WHERE name = '\(index)';
      PRAGMA writable_schema = RESET;
      UPDATE \(table) SET \(column) = NULL WHERE Z_PK = \(key);
      PRAGMA writable_schema = ON;
      INSERT INTO sqlite_master SELECT * FROM kept;
      DROP TABLE kept;
      PRAGMA writable_schema = RESET;
      """
  }

  private mutating func joinRow() throws -> String? {
    let joins = try strings("SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*'")
    guard !joins.isEmpty else { return nil }
    let table = random.pick(joins)
    let columns = try strings("SELECT name FROM pragma_table_info('\(table)')")
    let ends = [random.pick(["NULL", "88888", "1"]), random.pick(["77777", "-1"])]
    return "INSERT INTO \(table) (\(columns[0]), \(columns[1])) VALUES (\(ends[0]), \(ends[1]))"
  }

  private mutating func duplicate() throws -> String? {
    let indexes = try strings(
      "SELECT name FROM sqlite_master WHERE type = 'index' AND name LIKE 'Z_%_UNIQUE_%' ORDER BY name")
    guard !indexes.isEmpty else { return nil }
    let index = random.pick(indexes)
    let table = try strings("SELECT tbl_name FROM sqlite_master WHERE name = '\(index)'")[0]
    let columns = try strings("SELECT name FROM pragma_index_info('\(index)')")
    guard columns.count == 1, let one = try key(in: table), let other = try key(in: table), one != other
    else { return nil }
    return "DROP INDEX \(index); UPDATE \(table) SET \(columns[0]) = "
      + "(SELECT \(columns[0]) FROM \(table) WHERE Z_PK = \(one)) WHERE Z_PK = \(other)"
  }

  /// The columns of to-one relationships in the stores that are damaged.
  static let references: Set<String> = [
    "ZOWNER", "ZPARENT", "ZFAVORITEFOLDER", "ZBOOK", "ZAUTHOR", "ZCONTINENT", "ZCOUNTRY",
  ]

  private mutating func column(where matches: (String) -> Bool) throws -> (table: String, column: String)? {
    let columns = try store.read { db in
      try Row.fetchAll(
        db,
        sql: "SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c "
          + "WHERE m.type = 'table' AND m.name LIKE 'Z%' AND m.sql LIKE '% Z_PK %' ORDER BY 1, 2")
    }.map { (table: $0[0] as String, column: $0[1] as String) }
    let rows = try columns.filter { try matches($0.column) && key(in: $0.table) != nil }
    return rows.isEmpty ? nil : random.pick(rows)
  }

  private mutating func key(in table: String) throws -> Int64? {
    let keys = try store.read { try Int64.fetchAll($0, sql: "SELECT Z_PK FROM \(table) ORDER BY Z_PK") }
    return keys.isEmpty ? nil : random.pick(keys)
  }

  private func strings(_ sql: String) throws -> [String] {
    try store.read { try String.fetchAll($0, sql: sql) }
  }

  private func dump() throws -> [Row] {
    try store.read { db in
      var rows = try Row.fetchAll(db, sql: "SELECT * FROM sqlite_master")
      for table in try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'") {
        rows += try Row.fetchAll(db, sql: "SELECT * FROM \"\(table)\" NOT INDEXED")
      }
      return rows
    }
  }
}
