import GRDB

/// Everything that a store holds, table by table, whatever the order of rows and columns: what two routes have to agree
/// on.
struct StoreCells: Equatable {
  /// By table, each row as `column = value` texts in the order of the columns' names.
  var rows: [String: [String]] = [:]
  /// By name, the `CREATE` texts without what says the same: quotes, and where a column stands.
  var schema: [String: String] = [:]
  var settings: [String: String] = [:]

  init(of db: Database) throws {
    let objects = try Row.fetchAll(
      db, sql: "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'")
    for object in objects {
      let (type, name, sql): (String, String, String) = (object[0], object[1], object[2])
      guard type == "table" else {
        schema[name] = sql.filter { $0 != "\"" }
        continue
      }
      let columns = try db.columns(in: name).sorted { $0.name < $1.name }
      schema[name] = columns.map { "\($0.name) \($0.type) \($0.primaryKeyIndex)" }.joined(separator: ", ")
      let list = columns.map { "quote(\"\($0.name)\")" }.joined(separator: ", ")
      rows[name] = try Row.fetchAll(db, sql: "SELECT \(list) FROM \"\(name)\"").map { row in
        columns.indices.map { "\(columns[$0].name) = \(row[$0] as String)" }.joined(separator: ", ")
      }.sorted()
    }
    for name in ["page_size", "auto_vacuum", "user_version", "application_id", "journal_mode"] {
      settings[name] = try String.fetchOne(db, sql: "PRAGMA \(name)")
    }
    let check = try String.fetchAll(db, sql: "PRAGMA integrity_check").joined(separator: "; ")
    settings["integrity_check"] = check
  }

  /// In words; empty if nothing differs.
  func differences(from other: StoreCells) -> [String] {
    var found: [String] = []
    for name in Set(rows.keys).union(other.rows.keys).sorted() where rows[name] != other.rows[name] {
      let (mine, theirs) = (Set(rows[name] ?? []), Set(other.rows[name] ?? []))
      found.append(
        "\(name) has \(mine.subtracting(theirs).sorted().prefix(3)), not \(theirs.subtracting(mine).sorted().prefix(3))"
      )
    }
    for name in Set(schema.keys).union(other.schema.keys).sorted() where schema[name] != other.schema[name] {
      found.append("\(name) is \(schema[name] ?? "absent"), not \(other.schema[name] ?? "absent")")
    }
    for name in settings.keys.sorted() where settings[name] != other.settings[name] {
      found.append("\(name) is \(settings[name] ?? ""), not \(other.settings[name] ?? "")")
    }
    return found
  }
}
