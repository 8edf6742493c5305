import Foundation
package import GRDB
import ManagedModel

extension Database {
  /// Registers the functions for texts that compiled predicates call. SQLite's own know ASCII only.
  ///
  /// - `modelc_fold(what, text)`: without case (`c`), without accents (`d`), or `uppercase`, `lowercase`, `canonical`
  ///   (neither case nor accents), `loose` (nor width, nor how a letter is composed)
  /// - `modelc_like(text, pattern)`, `modelc_matches(text, pattern, fold)`: `LIKE` and `MATCHES`
  package func registerFetchFunctions() {
    registerTextLength()
    registerTextCheck()
    let patterns = PatternCache()
    add(
      function: DatabaseFunction("modelc_fold", argumentCount: 2, pure: true) { values in
        guard let (what, text) = twoTexts(values) else { return values[1] }
        return fold(text, what)
      })
    add(
      function: DatabaseFunction("modelc_like", argumentCount: 2, pure: true) { values in
        guard let (text, pattern) = twoTexts(values) else { return nil }
        return text.isLike(pattern)
      })
    add(
      function: DatabaseFunction("modelc_matches", argumentCount: 3, pure: true) { values in
        guard let (text, pattern) = twoTexts(values) else { return nil }
        let options = String.fromDatabaseValue(values[2]) ?? ""
        let plain = options.contains("d") ? fold(text, "d") : text
        return try refusing {
          try patterns.matches(plain, pattern, options.contains("c") ? [.caseInsensitive] : [])
        }
      })
  }
}

/// Gives what an expression cannot take its own result code, by which it is told from a fault of ours.
func refusing<Result>(_ body: () throws -> Result) throws -> Result {
  do { return try body() } catch let error as EvaluationError {
    throw DatabaseError(
      resultCode: .expressionRefusesValue, message: ([error.description] + error.help).joined(separator: "; ")
    )
  }
}

/// The first two arguments, if they are texts.
private func twoTexts(_ values: [DatabaseValue]) -> (String, String)? {
  guard let first = String.fromDatabaseValue(values[0]), let second = String.fromDatabaseValue(values[1])
  else { return nil }
  return (first, second)
}

private func fold(_ text: String, _ what: String) -> String {
  switch what {
  case "uppercase": return text.uppercased()
  case "lowercase": return text.lowercased()
  case "c": return text.folded(.caseInsensitive)
  case "d": return text.folded(.diacriticInsensitive)
  case "loose":
    let folded = text.folding(
      options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    return folded.decomposedStringWithCompatibilityMapping.uppercased().lowercased()
  default: return text.folded([.caseInsensitive, .diacriticInsensitive])
  }
}
