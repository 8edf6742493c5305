import Foundation
import GRDB

/// Functions of SQLite whose time grows faster than their values, so that a few bytes keep a single step busy for
/// hours: no limit and no question in between ends that.
private let unboundedFunctions: Set<String> = [
  "printf", "format", "instr", "replace", "trim", "ltrim", "rtrim",
]

/// Looks at what the tables and indexes of a file compute by themselves: columns, checks, expressions in indexes. Core
/// Data's tables compute nothing.
///
/// Where they compute, the connection's statements are watched more closely. What SQLite itself cannot bound is refused
/// as malformed.
///
/// - Parameter schema: `main`, or the name under which the file is attached.
func examineComputations(_ db: Database, schema: String = "main", byteCount: Int64) throws {
  var computes = false
  let rows = try Row.fetchCursor(
    db,
    sql: "SELECT type, name, sql FROM \(quotedIdentifier(schema)).sqlite_master "
      + "WHERE type IN ('table', 'index') AND typeof(sql) = 'text'")
  while let row = try rows.next() {
    guard let type = String.fromDatabaseValue(row[0]), let sql = String.fromDatabaseValue(row[2]) else {
      continue
    }
    let text = SchemaText(sql)
    if let function = text.called.first(where: unboundedFunctions.contains) {
      let name = String.fromDatabaseValue(row[1]) ?? ""
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT,
        message: "'\(name)' computes values with '\(function)', which no store does")
    }
    computes = computes || (type == "index" ? text.parentheses > 1 : text.computes)
  }
  if computes {
    let connection = unsafe UInt(bitPattern: db.sqliteConnection)
    GuardRegister.shared[connection]?.watchClosely(db, byteCount: byteCount)
  }
}

/// A statement of a schema, as far as it tells whether something is computed: words, and what is called like a function.
private struct SchemaText {
  /// In lower case, after the first parenthesis, before which the table's own name stands; names of types with a length
  /// are among them.
  private(set) var called: Set<String> = []
  private(set) var parentheses = 0
  private(set) var computes = false

  init(_ sql: String) {
    let bytes = Array(sql.utf8)
    var index = 0
    var word = ""
    while index < bytes.count {
      let byte = bytes[index]
      if Self.isLetter(byte) {
        let start = index
        while index < bytes.count, Self.isLetter(bytes[index]) { index += 1 }
        word = String(decoding: bytes[start..<index], as: UTF8.self).lowercased()
        if ["as", "check", "default", "generated"].contains(word) { computes = true }
        continue
      }
      if byte == UInt8(ascii: "(") {
        parentheses += 1
        if parentheses > 1, !word.isEmpty { called.insert(word) }
      }
      if byte == UInt8(ascii: "/"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "*") {
        index += 2
        while index + 1 < bytes.count,
          bytes[index] != UInt8(ascii: "*") || bytes[index + 1] != UInt8(ascii: "/")
        {
          index += 1
        }
        index += 1
      } else if byte == UInt8(ascii: "-"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "-") {
        while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
      } else if !Self.mayStandBeforeParenthesis(byte) {
        word = ""
      }
      index += 1
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  /// Space, and the quotation marks that may end a name.
  private static func mayStandBeforeParenthesis(_ byte: UInt8) -> Bool {
    byte <= 0x20
      || [UInt8(ascii: "\""), UInt8(ascii: "]"), UInt8(ascii: "`"), UInt8(ascii: "'")].contains(byte)
  }
}
