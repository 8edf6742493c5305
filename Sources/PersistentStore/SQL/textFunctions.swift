import CSQLite
import Foundation
package import GRDB
import ManagedModel

/// The name of the function that tells whether a text is one: SQLite keeps whatever bytes it is given as text.
package let textFunction = "modelc_is_text"

extension Database {
  /// Makes `modelc_is_text(value)` known: whether the bytes of a text are UTF-8, a lone half of a surrogate pair being none.
  ///
  /// It is asked of every text of a store, and so goes by SQLite's C interface.
  func registerTextCheck() {
    _ = unsafe sqlite3_create_function_v2(
      sqliteConnection, textFunction, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
      { context, _, values in
        guard let value = unsafe values?[0], let text = unsafe sqlite3_value_text(value) else {
          return unsafe sqlite3_result_int(context, 1)
        }
        let bytes = unsafe UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(value)))
        unsafe sqlite3_result_int(context, isUTF8(bytes) ? 1 : 0)
      }, nil, nil, nil)
  }

  /// Makes `modelc_utf16_length(blob)` known: a text's length as `NSString.length` counts it, from its bytes in the
  /// store's encoding.
  package func registerTextLength() {
    let isUTF8 = (try? holdsUTF8()) ?? true
    add(
      function: DatabaseFunction("modelc_utf16_length", argumentCount: 1, pure: true) { values in
        guard let bytes = values.first.flatMap(Data.fromDatabaseValue) else { return nil }
        if !isUTF8 { return bytes.count / 2 }
        return bytes.reduce(into: 0) { length, byte in
          // Every byte that begins a character counts; four bytes stand for two units.
          if byte & 0xC0 != 0x80 { length += byte >= 0xF0 ? 2 : 1 }
        }
      })
  }
}

/// Whether bytes are UTF-8, by the table of well-formed sequences of the Unicode standard (3-7); allocates nothing.
private func isUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
  var index = 0
  while index < bytes.count {
    let byte = unsafe bytes[index]
    index += 1
    if byte < 0x80 { continue }
    let length = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : 1
    guard byte >= 0xC2, byte <= 0xF4, index + length <= bytes.count else { return false }
    // No longer form than needed, no half of a surrogate pair, nothing above U+10FFFF.
    let second: ClosedRange<UInt8> =
      switch byte {
      case 0xE0: 0xA0...0xBF
      case 0xED: 0x80...0x9F
      case 0xF0: 0x90...0xBF
      case 0xF4: 0x80...0x8F
      default: 0x80...0xBF
      }
    guard unsafe second.contains(bytes[index]) else { return false }
    for next in (index + 1)..<(index + length) where unsafe bytes[next] & 0xC0 != 0x80 { return false }
    index += length
  }
  return true
}

/// A function that tells whether a whole text matches a pattern, as `MATCHES` does; a text that takes too many steps does
/// not.
///
/// A connection calls its functions one after the other.
package final class RegisteredPattern: @unchecked Sendable {
  package let function: String
  /// Whether the pattern took too many steps for a text.
  package var isSlow: Bool { !undecided.isEmpty }
  private let pattern: String
  private let patterns = PatternCache()
  /// What is left for all texts together.
  private var reports = PatternCache.reportLimit
  private var undecided: Set<String> = []

  /// - Returns: nil if the pattern does not compile, which the model's own rules report (MC1206).
  package init?(_ pattern: String, _ db: Database) {
    guard PatternCache.isPattern(pattern) else { return nil }
    self.pattern = pattern
    function =
      "modelc_matches_" + pattern.utf8.map { String($0, radix: 16) }.joined(separator: "_").prefix(200)
      + "_\(UInt(bitPattern: pattern.hashValue))"
    db.add(
      function: DatabaseFunction(function, argumentCount: 1, pure: true) { [self] values in
        values.first.flatMap(String.fromDatabaseValue).map(matches)
      })
  }

  private func matches(_ text: String) -> Bool {
    if undecided.contains(text) { return false }
    do { return try patterns.matches(text, pattern, within: &reports) } catch {
      if undecided.count < 10_000 { undecided.insert(text) }
      return false
    }
  }
}
