import Foundation
import GRDB

extension Database {
  /// Looks at every row of a file's `sqlite_master` before anything is made of it.
  ///
  /// SQLite reads the first statement of a row and does not ask what the row says of itself. A row must therefore be what
  /// SQLite writes: one statement, of the kind, with the name and about the table that the row names. Tables and indexes
  /// that compute something are watched more closely; Core Data's compute nothing. What no limit ends is refused.
  ///
  /// - Parameter schema: `main`, or the name under which the file is attached.
  /// - Throws: ``ForgedSchema`` for the first row that is something else.
  func examineSchema(schema: String = "main", byteCount: Int64) throws {
    var computes = false
    var roots: Set<Int64> = []
    // A zero byte ends a text where SQLite reads it, and nowhere else.
    let rows = try Row.fetchCursor(
      self,
      sql: """
        SELECT type, name, tbl_name, rootpage, sql, typeof(type) || typeof(name) || typeof(tbl_name) || typeof(sql),
          instr(type || name || tbl_name || ifnull(sql, ''), char(0)), length(sql)
        FROM \(schema.quotedIdentifier).sqlite_master
        """)
    while let row = try rows.next() {
      let name = row.text(1) ?? ""
      guard let entry = SchemaEntry(row) else {
        throw ForgedSchema(name, "it is not a row that SQLite writes")
      }
      if let root = entry.root, !roots.insert(root).inserted {
        throw ForgedSchema(name, "it shares its pages with another")
      }
      guard let sql = entry.sql else { continue }
      guard let text = SchemaText(sql) else {
        throw ForgedSchema(name, "its text is not one statement that creates a table, index, trigger or view")
      }
      guard entry.isDescribed(by: text) else { throw ForgedSchema(name, "its text creates something else") }
      guard text.kind == .table || text.kind == .index, !text.isVirtual else { continue }
      if let operation = text.unboundedOperation {
        throw ForgedSchema(name, "it computes values with '\(operation)', which no store does")
      }
      computes = computes || text.computes
    }
    if computes {
      let connection = unsafe UInt(bitPattern: self.sqliteConnection)
      GuardRegister.shared[connection]?.watchClosely(self, byteCount: byteCount)
    }
  }
}

/// A row of `sqlite_master` whose cells have the types that SQLite gives them.
private struct SchemaEntry {
  var type: SchemaText.Kind
  var name: String
  var tableName: String
  /// Where its tree begins; nil for what has none.
  var root: Int64?
  var sql: String?

  /// Longer than the longest statement about 2,000 columns.
  private static let longestText = 1_000_000

  init?(_ row: Row) {
    guard let type = row.text(0).flatMap(SchemaText.Kind.init), let name = row.text(1),
      let tableName = row.text(2), let root = row.integer(3), root >= 0, let types = row.text(5),
      row.number(6) == 0
    else { return nil }
    switch types {
    case "texttexttexttext":
      guard let length = row.number(7), length <= Self.longestText, let sql = row.text(4) else { return nil }
      self.sql = sql
    case "texttexttextnull":
      // The index of a constraint within a table.
      guard type == .index, name.lowercased().hasPrefix("sqlite_autoindex_") else { return nil }
    default: return nil
    }
    (self.type, self.name, self.tableName) = (type, name, tableName)
    self.root = root == 0 ? nil : root
  }

  func isDescribed(by text: SchemaText) -> Bool {
    type == text.kind && name.caseInsensitivelyEquals(text.name)
      && tableName.caseInsensitivelyEquals(text.tableName)
      && (root == nil) == (text.isVirtual || type == .trigger || type == .view)
  }
}

/// A row of a store's `sqlite_master` that SQLite did not write.
struct ForgedSchema: Error {
  var name: String
  var reason: String

  init(_ name: String, _ reason: String) { (self.name, self.reason) = (name, reason) }
}
