import Foundation
import GRDB

/// Makes `modelc_utf16_length(blob)` known: a text's length as `NSString.length` counts it, from its UTF-8 bytes.
func registerTextLength(_ db: Database) {
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
func registerPattern(_ pattern: String, _ db: Database) -> String? {
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
