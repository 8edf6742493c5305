import Foundation
import GRDB
package import ManagedModel
import PersistentStore

extension PrivateStore {
  /// Copies what can be read of a damaged file, which nobody has open, into this empty one.
  ///
  /// Every table of Core Data's is recreated from its columns, and never from its text; its rows come page by page, around
  /// what makes no sense. The model's indexes and triggers are made later, those of the app's own here.
  ///
  /// - Returns: what was done, and the rows of tables that the schema no longer has; nil where it is whole.
  func salvageTables(of file: DamagedFile) throws -> (repairs: [StoreRepair], lost: LostRows?) {
    var file = file
    var schema: [SchemaRow] = []
    let walk = try file.readTable(root: 1) { row in
      guard let entry = SchemaRow(row.cells) else { return false }
      schema.append(entry)
      return true
    }
    var (tables, isWhole) = try schema.tables(isWhole: walk.damages == 0)
    return try write { db in
      // What the numbers of rows mean is known before the rows are read.
      tables.sort { $0.table.name == "Z_PRIMARYKEY" && $1.table.name != "Z_PRIMARYKEY" }
      let places = Dictionary(firstOf: tables.indices.map { (tables[$0].table.name.uppercased(), $0) })
      func owners() throws -> [Int64: Int] {
        try tablesByNumber(in: db).compactMapValues { places[$0] }.filter { tables[$0.value].isOfObjects }
      }
      var numbers: [Int64: Int] = [:]
      for place in tables.indices {
        let name = tables[place].table.name
        let entries = schema.filter { $0.tableName.caseInsensitivelyEquals(name) }
        // One of Core Data's own that the schema does not name is made for its first row.
        if entries.isEmpty { continue }
        try tables[place].create(in: db)
        for entry in entries where entry.type == "table" {
          let (table, numbers) = (tables[place], tables[place].isOfObjects ? numbers : [:])
          let walk = try file.readTable(root: entry.root, hasRowIDs: table.hasRowIDs) { row in
            // A page of another table may have been written over one of this table's.
            let owner = row.entityNumber.flatMap { numbers[$0] } ?? place
            return try owner == place && table.insert(row)
          }
          tables[place].damages += walk.damages
          tables[place].gaps += walk.gaps
        }
        if name == "Z_PRIMARYKEY" { numbers = try owners() }
        for entry in entries where entry.type == "index" {
          let walk = try file.readIndex(root: entry.root, counts: true) { _ in true }
          // A damaged one has fewer entries.
          if walk.damages == 0 { tables[place].entries = max(tables[place].entries ?? 0, walk.rows) }
        }
      }
      guard !isWhole || tables.contains(where: { $0.damages > 0 }) else {
        return (try tables.repairs(in: db) + schema.restoreOthers(in: db), nil)
      }
      let (pages, mayBeFree) = try file.takeLostPages()
      if !isWhole {
        _ = try file.read(pages) { row in
          guard let place = row.systemTable.flatMap({ places[$0] }) else { return false }
          if !tables[place].isMade { try tables[place].create(in: db) }
          return try tables[place].insert(row)
        }
        numbers = try owners()
      }
      _ = try file.read(mayBeFree ? [] : pages) { row in
        guard let table = row.entityNumber.flatMap({ numbers[$0] }).map({ tables[$0] }) else { return false }
        return try table.table.columns.count == row.cells.count && table.insert(row)
      }
      let lost = isWhole ? nil : LostRows(file: file, pages: pages, mayBeDeleted: mayBeFree)
      return (try tables.repairs(in: db) + schema.restoreOthers(in: db), lost)
    }
  }

  /// The tables of the entities, in upper case, by the numbers that `Z_PRIMARYKEY` gives them.
  private func tablesByNumber(in db: Database) throws -> [Int64: String] {
    var parents: [Int64: Int64] = [:]
    var names: [Int64: String] = [:]
    let rows = try? Row.fetchAll(db, sql: "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY")
    for row in rows ?? [] {
      guard let number = row.integer(0), let name = row.text(1) else { continue }
      names[number] = (number < firstSystemEntityNumber ? "Z" : "A") + name.uppercased()
      parents[number] = row.integer(2) ?? 0
    }
    return names.keys.reduce(into: [:]) { tables, number in
      var root = number
      // As many steps as there are entities: damaged parents may lead in circles.
      for _ in names { root = parents[root].flatMap { names[$0] == nil ? nil : $0 } ?? root }
      tables[number] = names[root]
    }
  }
}

/// Rows of tables that are missing in a damaged schema: only a model says which columns they had.
struct LostRows {
  var file: DamagedFile
  /// In which they stand.
  var pages: [Int]
  /// Whether they cannot be told from those that were deleted.
  var mayBeDeleted: Bool
}

/// A row of `sqlite_master`.
private struct SchemaRow {
  var type: String
  /// Nil where it is damaged.
  var name: String?
  var tableName: String
  var root: Int
  var sql: String?

  init?(_ cells: [StoredCell]) {
    guard cells.count == 5, case .text(let type) = cells[0],
      ["table", "index", "trigger", "view"].contains(type), case .text(let table) = cells[2],
      case .integer(let root) = cells[3]
    else { return nil }
    (self.type, name, tableName, self.root, sql) = (type, cells[1].text, table, Int(root), cells[4].text)
  }
}

extension [SchemaRow] {
  /// The tables that SQLite makes of the texts, in memory, where there are no rows and nothing runs.
  ///
  /// - Parameter isWhole: whether all of it could be read.
  /// - Returns: whether each entry is a table too; of a schema that is not whole, Core Data's own tables are there all the same.
  fileprivate func tables(isWhole: Bool) throws -> ([SalvagedTable], isWhole: Bool) {
    var isWhole = isWhole
    return try DatabaseQueue().write { db in
      for entry in self where entry.type == "table" && !entry.tableName.hasPrefix("sqlite_") {
        // What Core Data's own tables are is known, however their text is damaged.
        guard let sql = systemStatements[entry.tableName] ?? entry.sql, let text = SchemaText(sql),
          !text.isVirtual, text.name.caseInsensitivelyEquals(entry.tableName),
          (try? db.execute(sql: sql)) != nil
        else {
          if entry.sql.flatMap(SchemaText.init)?.isVirtual != true { isWhole = false }
          continue
        }
      }
      if !isWhole { for sql in systemStatements.values { try? db.execute(sql: sql) } }
      let tables = try db.readPhysicalSchema(readsEntityRows: false).tables.filter { !$0.columns.isEmpty }
      return (try tables.map { try SalvagedTable(db, $0) }, isWhole)
    }
  }

  /// Makes what the app has beside the model: virtual tables over those that are copied, indexes, views, triggers.
  fileprivate func restoreOthers(in db: Database) throws -> [StoreRepair] {
    var lost: [String] = []
    for type in ["table", "index", "view", "trigger"] {
      for entry in self where entry.type == type && !entry.tableName.isSystemTable {
        guard let sql = entry.sql, let text = SchemaText(sql), text.isVirtual == (type == "table"),
          type == "view" || text.isVirtual
            || ![text.name, entry.tableName].allSatisfy({ $0.uppercased().hasPrefix("Z") })
        else { continue }
        if !text.isVirtual {
          if (try? db.executeStatement(sql)) == nil { lost.append("\(type) '\(entry.name ?? text.name)'") }
          continue
        }
        // Its module may be the app's, and would make the tables anew.
        try db.execute(sql: "PRAGMA writable_schema = ON")
        try db.execute(
          sql: "INSERT INTO sqlite_master VALUES ('table', ?1, ?1, 0, ?2)", arguments: [entry.tableName, sql])
        try db.execute(sql: "PRAGMA writable_schema = RESET")
        db.clearSchemaCache()
      }
    }
    if lost.isEmpty { return [] }
    return [
      StoreRepair(
        kind: .pages, count: lost.count, lost: lost.count,
        summary: "the app's own \(lost.joined(separator: ", ")) cannot be recreated")
    ]
  }
}

/// A table of the new file, with what was met in the old one.
struct SalvagedTable {
  private(set) var table: PhysicalSchema.Table
  /// Pages and cells that make no sense.
  var damages = 0
  /// The keys of rows that should be in such pages.
  var gaps: [ClosedRange<Int64>] = []
  /// How many entries an index that is whole has.
  var entries: Int?
  /// The column that is the key of the row.
  private var keyColumn: Int?
  /// Where a record of a table without row IDs has each column: its key comes first.
  private var places: [Int]?
  /// What an old row holds in columns that came after it.
  private var defaults: [StoredCell] = []
  private var statement: RowStatement?

  /// - Parameter db: has the table as its text says.
  init(_ db: Database, _ table: PhysicalSchema.Table) throws {
    self.table = table
    let columns = try Row.fetchAll(
      db, sql: "SELECT dflt_value, pk, upper(type) FROM pragma_table_info(?)", arguments: [table.name])
    let keys = columns.indices.filter { (columns[$0].number(1) ?? 0) > 0 }
    let stored = try Int.fetchAll(
      db,
      sql: "SELECT x.cid FROM pragma_index_list(?) AS l, pragma_index_xinfo(l.name) AS x "
        + "WHERE l.origin = 'pk' ORDER BY x.seqno", arguments: [table.name])
    if Set(stored) == Set(columns.indices) {
      places = columns.indices.compactMap { stored.firstIndex(of: $0) }
    } else if keys.count == 1, columns[keys[0]].text(2) == "INTEGER" {
      keyColumn = keys[0]
    }
    defaults = columns.map { column in
      guard let text = column.text(0), text.wholeMatch(of: #/-?[0-9.]+|[xX]?'[^']*'/#) != nil,
        let value = try? DatabaseValue.fetchOne(db, sql: "SELECT \(text)")
      else { return .null }
      return StoredCell(value)
    }
    // What every table of objects begins with, though a name is damaged.
    let first = ["Z_PK", "Z_ENT", "Z_OPT"]
    if table.columns.count >= 3, zip(table.columns, first).contains(where: { $0.name == $1 }) {
      for (place, name) in first.enumerated() { self.table.columns[place].name = name }
      keyColumn = 0
    }
  }

  var isMade: Bool { statement != nil }

  var hasRowIDs: Bool { places == nil }

  var isOfObjects: Bool { table.columns.prefix(2).map(\.name) == ["Z_PK", "Z_ENT"] }

  /// Makes the table in the new file.
  mutating func create(in db: Database) throws {
    _ = try db.executeStatement(createStatement(of: table))
    try prepare(in: db)
  }

  mutating func prepare(in db: Database) throws {
    let columns = table.columns.map(\.name.quotedIdentifier).joined(separator: ", ")
    let places = table.columns.map { _ in "?" }.joined(separator: ", ")
    statement = try RowStatement(
      db,
      sql: "INSERT OR IGNORE INTO main.\(table.name.quotedIdentifier) (\(columns)) VALUES (\(places))")
  }

  /// Whether the row has a cell for each column, of its kind.
  func fits(_ row: DamagedFile.Row) -> Bool {
    row.cells.count == table.columns.count
      && zip(row.cells, table.columns).allSatisfy { cell, column in
        let type = column.declaredType.uppercased()
        switch cell {
        case .null: return true
        case .text: return type.hasPrefix("VARCHAR")
        case .blob: return type == "BLOB"
        case .real: return !["INTEGER", "BLOB"].contains(type) && !type.hasPrefix("VARCHAR")
        case .integer: return type != "BLOB" && !type.hasPrefix("VARCHAR")
        }
      }
  }

  /// Where the table has a row of that key, that one stays.
  ///
  /// - Returns: false where the row has more cells than the table.
  func insert(_ row: DamagedFile.Row) throws -> Bool {
    guard row.cells.count <= defaults.count else { return false }
    for (index, value) in defaults.enumerated() {
      let place = places?[index] ?? index
      let cell = row.cells.indices.contains(place) ? row.cells[place] : value
      try statement?.bind(index == keyColumn ? .integer(row.key) : cell, at: index)
    }
    try statement?.run()
    return true
  }

  /// How many rows are missing: by an index that is whole exactly, else as many as keys were given and are in no page that
  /// can be read.
  func missingRows(in db: Database, found: Int) throws -> Int {
    if let entries { return max(0, entries - found) }
    if !hasRowIDs { return damages }
    let name = table.name.quotedIdentifier
    // Of an entity's table, and of one of persistent history: ZHUT, ACHANGE.
    let given = try? Int64.fetchOne(
      db, sql: "SELECT max(Z_MAX) FROM Z_PRIMARYKEY WHERE upper(Z_NAME) = ?",
      arguments: [String(table.name.dropFirst()).uppercased()])
    let known =
      try given.flatMap(\.self)
      ?? Int64.fetchOne(db, sql: "SELECT max(rowid) FROM \(name)") ?? 0
    let missing = try gaps.reduce(0) { missing, gap in
      let keys = (max(1, gap.lowerBound), min(known, gap.upperBound))
      guard keys.0 <= keys.1 else { return missing }
      let present = try countRows(db, "FROM \(name) WHERE rowid BETWEEN \(keys.0) AND \(keys.1)")
      return missing + max(0, Int(min(keys.1 - keys.0, 1_000_000_000)) + 1 - present)
    }
    return max(missing, damages == 0 ? 0 : 1)
  }
}

extension [SalvagedTable] {
  /// What was copied, and what is known to be missing.
  fileprivate func repairs(in db: Database) throws -> [StoreRepair] {
    var lost: [StoreRepair] = []
    var rows = 0
    for salvaged in self where salvaged.isMade {
      let name = salvaged.table.name
      let found = try db.countAllRows(table: name)
      rows += found
      guard salvaged.damages > 0 else { continue }
      let missing = try salvaged.missingRows(in: db, found: found)
      guard missing > 0 else { continue }
      // These are written anew from the model and the tables.
      let isRemade = systemStatements[name] != nil
      lost.append(
        StoreRepair(
          kind: .pages, count: missing, lost: isRemade ? 0 : missing,
          summary: "\(missing) \(verb(missing, "row", "rows")) of '\(name)' \(verb(missing, "is", "are")) "
            + "in pages that cannot be read"))
    }
    return [
      StoreRepair(
        kind: .pages, count: rows,
        summary: "\(rows) \(verb(rows, "row", "rows")) are copied from the damaged file into a new one")
    ] + lost
  }
}

extension DamagedFile.Row {
  /// Of an object's row, `Z_ENT`.
  var entityNumber: Int64? {
    if cells.count > 2, case .integer(let number) = cells[1] { number } else { nil }
  }

  /// Core Data's own table that has such rows.
  fileprivate var systemTable: String? {
    switch (cells.count, cells.first, cells.dropFirst().first, cells.last) {
    case (4, .null, .text, .integer): "Z_PRIMARYKEY"
    case (3, .null, .text(let uuid), .blob) where UUID(uuidString: uuid) != nil: "Z_METADATA"
    case (1, .blob, _, _): "Z_MODELCACHE"
    default: nil
    }
  }
}

private let systemStatements = [
  "Z_PRIMARYKEY": SystemTable.primaryKey, "Z_METADATA": SystemTable.metadata,
  "Z_MODELCACHE": SystemTable.modelCache,
]

/// From the columns: the text of a damaged file is not run; but of a table of the app's own without computed columns, so that
/// it keeps its keys and rules.
private func createStatement(of table: PhysicalSchema.Table) -> String {
  if let sql = systemStatements[table.name] { return sql }
  let isObjects = table.columns.first?.name == "Z_PK"
  let isJoin = !isObjects && table.name.contains(#/^Z_[0-9]/#) && table.columns.count >= 2
  if !isObjects, !isJoin, !table.name.isSystemTable, let text = SchemaText(table.sql),
    text.namesInBody.isDisjoint(with: ["AS", "GENERATED"])
  {
    return table.sql
  }
  var parts = table.columns.enumerated().map { index, column in
    let type = column.declaredType.filter { $0.isLetter || $0.isNumber || "(), ".contains($0) }
    return "\(column.name.quotedIdentifier) \(type)" + (isObjects && index == 0 ? " PRIMARY KEY" : "")
  }
  if isJoin {
    let key = table.columns.prefix(2).map { $0.name.quotedIdentifier }.joined(separator: ", ")
    parts.append("PRIMARY KEY (\(key))")
  }
  parts += table.sql.inlineConstraints.map(\.sql)
  return "CREATE TABLE \(table.name.quotedIdentifier) ( \(parts.joined(separator: ", ")) )"
}

extension DatabaseError {
  /// Whether it says that the file's pages are not in order.
  var isDamage: Bool { [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_IOERR].contains(resultCode) }
}

extension Diagnostic.Code { package static let nothingToSave = Self("MC6503", exit: .store) }

extension Diagnostic {
  static func nothingToSave(_ name: String, _ lines: [String]) -> Self {
    Self(
      .nothingToSave, .error, "nothing of '\(name)' can be saved: its schema or all its pages are damaged",
      notes: lines.prefix(3).map { Note($0) } + ["the file was not changed"],
      help: ["restore it from a backup"])
  }
}
