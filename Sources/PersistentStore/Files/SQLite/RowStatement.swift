import CSQLite
import Foundation
package import GRDB

/// A statement that runs once per row, its cells bound through SQLite's C interface: row objects cost more than
/// the insert itself.
package final class RowStatement {
  private let statement: Statement
  private let db: Database

  package init(_ db: Database, sql: String) throws {
    self.db = db
    self.statement = try db.makeStatement(sql: sql)
  }

  /// Binds a value to the parameter of that place, counted from 0. A text keeps what stands after a NUL.
  package func bind(_ cell: StoredCell, at index: Int) throws {
    let place = CInt(index + 1)
    let handle = unsafe statement.sqliteStatement
    let code: CInt
    switch cell {
    case .null: code = unsafe sqlite3_bind_null(handle, place)
    case .integer(let number): code = unsafe sqlite3_bind_int64(handle, place, number)
    case .real(let number): code = unsafe sqlite3_bind_double(handle, place, number)
    case .text(let text): code = unsafe bindText(text, handle, place)
    case .blob(let data): code = unsafe bindBlob(data, handle, place)
    }
    guard code == SQLITE_OK else { throw failure(code) }
  }

  package func bind(_ number: Int64, at index: Int) throws { try bind(.integer(number), at: index) }

  /// A cell of another statement's row, which stays where it is: a text or blob is not copied.
  func borrow(_ row: OpaquePointer, _ column: CInt, at index: Int) throws {
    let place = CInt(index + 1)
    let handle = unsafe statement.sqliteStatement
    let code: CInt
    switch unsafe sqlite3_column_type(row, column) {
    case SQLITE_NULL: code = unsafe sqlite3_bind_null(handle, place)
    case SQLITE_INTEGER: code = unsafe sqlite3_bind_int64(handle, place, sqlite3_column_int64(row, column))
    case SQLITE_FLOAT: code = unsafe sqlite3_bind_double(handle, place, sqlite3_column_double(row, column))
    case SQLITE_TEXT:
      guard let text = unsafe sqlite3_column_text(row, column) else { throw failure(SQLITE_NOMEM) }
      let count = unsafe sqlite3_uint64(sqlite3_column_bytes(row, column))
      let start = unsafe UnsafeRawPointer(text).assumingMemoryBound(to: CChar.self)
      code = unsafe sqlite3_bind_text64(handle, place, start, count, nil, UInt8(SQLITE_UTF8))
    default:
      // A blob of no bytes has no address.
      guard let bytes = unsafe sqlite3_column_blob(row, column) else {
        code = unsafe sqlite3_bind_zeroblob(handle, place, 0)
        break
      }
      let count = unsafe sqlite3_uint64(sqlite3_column_bytes(row, column))
      code = unsafe sqlite3_bind_blob64(handle, place, bytes, count, nil)
    }
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// Runs the statement to its end and makes it ready for the next row.
  package func run() throws {
    let handle = unsafe statement.sqliteStatement
    defer { _ = unsafe sqlite3_reset(handle) }
    let code = unsafe sqlite3_step(handle)
    guard code == SQLITE_DONE || code == SQLITE_ROW else { throw failure(code) }
  }

  /// The same with the cells of a row, one for each parameter.
  package func run(cells: [StoredCell]) throws {
    for (index, cell) in cells.enumerated() { try bind(cell, at: index) }
    try run()
  }

  package func run(_ numbers: [Int64]) throws {
    for (index, number) in numbers.enumerated() { try bind(number, at: index) }
    try run()
  }

  private func failure(_ code: CInt) -> DatabaseError {
    DatabaseError(resultCode: ResultCode(rawValue: code), message: db.lastErrorMessage)
  }
}

/// Tells SQLite to copy what it is given before the call returns.
private var transient: sqlite3_destructor_type {
  unsafe unsafeBitCast(OpaquePointer(bitPattern: -1), to: sqlite3_destructor_type.self)
}

private func bindText(_ text: String, _ handle: OpaquePointer, _ place: CInt) -> CInt {
  var text = text
  return text.withUTF8 { bytes in
    guard let start = bytes.baseAddress, !bytes.isEmpty else {
      return unsafe sqlite3_bind_text(handle, place, "", 0, transient)
    }
    return unsafe start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
      unsafe sqlite3_bind_text64(
        handle, place, $0, sqlite3_uint64(bytes.count), transient, UInt8(SQLITE_UTF8))
    }
  }
}

private func bindBlob(_ data: Data, _ handle: OpaquePointer, _ place: CInt) -> CInt {
  // A null pointer would bind NULL, not an empty value.
  guard !data.isEmpty else { return unsafe sqlite3_bind_zeroblob(handle, place, 0) }
  return unsafe data.withUnsafeBytes { bytes in
    unsafe sqlite3_bind_blob64(handle, place, bytes.baseAddress, sqlite3_uint64(bytes.count), transient)
  }
}
