import CSQLite
import Foundation
package import GRDB

/// The rows of a query, one after the other, read through SQLite's C interface: in bounded memory, and with texts
/// as long as they are stored, whatever they contain.
package final class RowReader {
  private let statement: Statement
  private let db: Database
  private var isAtEnd = false

  package init(_ db: Database, sql: String, _ keys: Int64...) throws {
    self.db = db
    self.statement = try db.makeStatement(sql: sql)
    try restart(keys)
  }

  package func restart(_ keys: [Int64]) throws {
    let handle = unsafe statement.sqliteStatement
    _ = unsafe sqlite3_reset(handle)
    for (index, key) in keys.enumerated() {
      guard unsafe sqlite3_bind_int64(handle, CInt(index + 1), key) == SQLITE_OK else {
        throw DatabaseError(resultCode: .SQLITE_RANGE, message: db.lastErrorMessage)
      }
    }
    isAtEnd = false
  }

  /// Lets go of the row that it stands at, which else keeps the schema from being changed.
  package func release() {
    _ = unsafe sqlite3_reset(statement.sqliteStatement)
    isAtEnd = true
  }

  /// Binds the cell of a column of the current row to a parameter of another statement, without a copy of a text or blob:
  /// the other statement has to run before this one goes on, and all of it is to be bound anew before it runs again.
  package func bindColumn(_ column: Int, to place: Int, of other: RowStatement) throws {
    try unsafe other.borrow(statement.sqliteStatement, CInt(column), at: place)
  }

  /// Goes to the next row; false after the last.
  package func step() throws -> Bool {
    guard !isAtEnd else { return false }
    switch unsafe sqlite3_step(statement.sqliteStatement) {
    case SQLITE_ROW: return true
    case SQLITE_DONE:
      isAtEnd = true
      return false
    case let code:
      isAtEnd = true
      throw DatabaseError(resultCode: ResultCode(rawValue: code), message: db.lastErrorMessage)
    }
  }

  package func integer(_ column: Int) -> Int64? {
    let handle = unsafe statement.sqliteStatement
    guard unsafe sqlite3_column_type(handle, CInt(column)) == SQLITE_INTEGER else { return nil }
    return unsafe sqlite3_column_int64(handle, CInt(column))
  }

  /// The key in the first column of the next row that has one.
  package func nextKey() throws -> Int64? {
    while try step() { if let key = integer(0) { return key } }
    return nil
  }

  package func forEachKey(_ body: (Int64) throws -> Void) throws {
    while let key = try nextKey() { try body(key) }
  }

  package func keys() throws -> [Int64] {
    var keys: [Int64] = []
    try forEachKey { keys.append($0) }
    return keys
  }

  /// Whether another reader stands at a row with the same cells, byte for byte.
  func isSameRow(as other: RowReader) -> Bool {
    let (own, others) = unsafe (statement.sqliteStatement, other.statement.sqliteStatement)
    let count = unsafe sqlite3_data_count(own)
    guard unsafe sqlite3_data_count(others) == count else { return false }
    return (0..<count).allSatisfy { place in
      let type = unsafe sqlite3_column_type(own, place)
      guard unsafe sqlite3_column_type(others, place) == type else { return false }
      switch type {
      case SQLITE_NULL: return true
      case SQLITE_INTEGER:
        return unsafe sqlite3_column_int64(own, place) == sqlite3_column_int64(others, place)
      case SQLITE_FLOAT:
        return unsafe sqlite3_column_double(own, place).bitPattern
          == sqlite3_column_double(others, place).bitPattern
      default:
        let (one, two) = unsafe (sqlite3_column_blob(own, place), sqlite3_column_blob(others, place))
        let length = unsafe sqlite3_column_bytes(own, place)
        guard unsafe sqlite3_column_bytes(others, place) == length else { return false }
        guard let one = unsafe one, let two = unsafe two else { return length == 0 }
        return unsafe memcmp(one, two, Int(length)) == 0
      }
    }
  }

  package func cell(_ column: Int) -> StoredCell {
    let (handle, place) = unsafe (statement.sqliteStatement, CInt(column))
    switch unsafe sqlite3_column_type(handle, place) {
    case SQLITE_NULL: return .null
    case SQLITE_INTEGER: return .integer(unsafe sqlite3_column_int64(handle, place))
    case SQLITE_FLOAT: return .real(unsafe sqlite3_column_double(handle, place))
    case SQLITE_TEXT:
      guard let text = unsafe sqlite3_column_text(handle, place) else { return .null }
      let bytes = unsafe UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(handle, place)))
      return unsafe String(validating: bytes, as: UTF8.self).map(StoredCell.text) ?? .blob(Data(bytes))
    default:
      // A blob of no bytes has no address.
      guard let bytes = unsafe sqlite3_column_blob(handle, place) else { return .blob(Data()) }
      return .blob(unsafe Data(bytes: bytes, count: Int(sqlite3_column_bytes(handle, place))))
    }
  }
}
