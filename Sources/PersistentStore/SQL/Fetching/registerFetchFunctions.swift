import Foundation
package import GRDB

/// Makes the functions known that compiled predicates call for texts: SQLite's own know ASCII only.
///
/// - `modelc_fold(what, text)`: without case (`c`), without accents (`d`), or `uppercase`, `lowercase`, `canonical`
///   (neither case nor accents)
/// - `modelc_like(text, pattern)`, `modelc_matches(text, pattern, fold)`: `LIKE` and `MATCHES`
package func registerFetchFunctions(_ db: Database) {
  registerTextLength(db)
  let patterns = PatternCache()
  db.add(
    function: DatabaseFunction("modelc_fold", argumentCount: 2, pure: true) { values in
      guard let what = String.fromDatabaseValue(values[0]), let text = String.fromDatabaseValue(values[1])
      else {
        return values[1]
      }
      return fold(text, what)
    })
  db.add(
    function: DatabaseFunction("modelc_like", argumentCount: 2, pure: true) { values in
      guard let text = String.fromDatabaseValue(values[0]), let pattern = String.fromDatabaseValue(values[1])
      else { return nil }
      return patterns.matches(text, likeExpression(pattern), [])
    })
  db.add(
    function: DatabaseFunction("modelc_matches", argumentCount: 3, pure: true) { values in
      guard let text = String.fromDatabaseValue(values[0]), let pattern = String.fromDatabaseValue(values[1])
      else { return nil }
      let options = String.fromDatabaseValue(values[2]) ?? ""
      let plain = options.contains("d") ? fold(text, "d") : text
      return patterns.matches(plain, pattern, options.contains("c") ? [.caseInsensitive] : [])
    })
}

private func fold(_ text: String, _ what: String) -> String {
  switch what {
  case "uppercase": return text.uppercased()
  case "lowercase": return text.lowercased()
  case "c": return text.folding(options: .caseInsensitive, locale: nil)
  case "d": return text.folding(options: .diacriticInsensitive, locale: nil)
  default: return text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }
}

/// Keeps the last pattern compiled: a statement asks for the same one row after row.
private final class PatternCache: @unchecked Sendable {
  private struct Key: Equatable {
    var pattern: String
    var options: UInt
  }

  private let lock = NSLock()
  private var last: (key: Key, expression: NSRegularExpression?)?

  /// Whether the whole text matches; nil where the pattern is none.
  func matches(_ text: String, _ pattern: String, _ options: NSRegularExpression.Options) -> Bool? {
    lock.lock()
    defer { lock.unlock() }
    let key = Key(pattern: pattern, options: options.rawValue)
    if last?.key != key {
      last = (key, try? NSRegularExpression(pattern: "\\A(?:\(pattern))\\z", options: options))
    }
    guard let expression = last?.expression else { return nil }
    let whole = NSRange(text.startIndex..<text.endIndex, in: text)
    return expression.firstMatch(in: text, range: whole) != nil
  }
}

/// `?` is one character and `*` any number of them, unless a backslash stands before.
private func likeExpression(_ pattern: String) -> String {
  var expression = "(?s)"
  var isEscaped = false
  for character in pattern {
    switch character {
    case "\\" where !isEscaped:
      isEscaped = true
      continue
    case "?" where !isEscaped: expression += "."
    case "*" where !isEscaped: expression += ".*"
    default: expression += NSRegularExpression.escapedPattern(for: String(character))
    }
    isEscaped = false
  }
  return expression
}
