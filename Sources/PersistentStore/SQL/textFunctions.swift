import CSQLite
import Foundation
package import GRDB

/// The name of the function that tells whether a text is one: SQLite keeps whatever bytes it is given as text.
package let textFunction = "modelc_is_text"

/// Makes `modelc_is_text(value)` known: whether the bytes of a text are UTF-8, a lone half of a surrogate pair being none.
///
/// It is asked of every text of a store, and so goes by SQLite's C interface.
func registerTextCheck(_ db: Database) {
  _ = unsafe sqlite3_create_function_v2(
    db.sqliteConnection, textFunction, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
    { context, _, values in
      guard let value = unsafe values?[0], let text = unsafe sqlite3_value_text(value) else {
        return unsafe sqlite3_result_int(context, 1)
      }
      let bytes = unsafe UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(value)))
      let isText = unsafe bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) != nil
      unsafe sqlite3_result_int(context, isText ? 1 : 0)
    }, nil, nil, nil)
}

/// Makes `modelc_utf16_length(blob)` known: a text's length as `NSString.length` counts it, from its UTF-8 bytes.
package func registerTextLength(_ db: Database) {
  db.add(
    function: DatabaseFunction("modelc_utf16_length", argumentCount: 1, pure: true) { values in
      guard let bytes = values.first.flatMap(Data.fromDatabaseValue) else { return nil }
      return bytes.reduce(into: 0) { length, byte in
        // Every byte that begins a character counts; four bytes stand for two units.
        if byte & 0xC0 != 0x80 { length += byte >= 0xF0 ? 2 : 1 }
      }
    })
}

/// Makes a function known that tells whether a whole text matches the pattern, as `MATCHES` does.
///
/// - Returns: its name; nil where the pattern does not compile, which the model's own rules report (MC1206).
package func registerPattern(_ pattern: String, _ db: Database) -> String? {
  guard let expression = try? NSRegularExpression(pattern: "\\A(?:\(pattern))\\z") else { return nil }
  let name =
    "modelc_matches_" + pattern.utf8.map { String($0, radix: 16) }.joined(separator: "_").prefix(200)
    + "_\(UInt(bitPattern: pattern.hashValue))"
  db.add(
    function: DatabaseFunction(name, argumentCount: 1, pure: true) { values in
      guard let text = values.first.flatMap(String.fromDatabaseValue) else { return nil }
      let whole = NSRange(text.startIndex..<text.endIndex, in: text)
      return expression.firstMatch(in: text, range: whole) != nil
    })
  return name
}
