package import Foundation

/// Compiled regular expressions. The rows of a table use the same few.
package final class PatternCache: Sendable {
  private struct Key: Hashable {
    var pattern: String
    var options: UInt
  }

  private static let countLimit = 64
  /// A pattern such as `(a+)+b` can take as many steps as there are subsets of a text. ICU reports every some
  /// thousand steps; so many reports are about a second.
  package static let reportLimit = 2_000

  private let expressions = Locked<[Key: NSRegularExpression]>([:])

  package init() {}

  /// Whether ICU compiles it, within what ICU compiles in no time.
  package static func isPattern(_ text: String) -> Bool { compiled(text) != nil }

  /// In bytes of UTF-8. The time to compile an expression grows faster than its length.
  private static let longestPattern = 10_000

  private static func compiled(
    _ pattern: String, _ options: NSRegularExpression.Options = []
  ) -> NSRegularExpression? {
    guard pattern.utf8.count <= longestPattern else { return nil }
    return try? NSRegularExpression(pattern: "\\A(?:\(pattern))\\z", options: options)
  }

  /// Whether the whole text matches the ICU pattern.
  ///
  /// - Throws: ``EvaluationError`` where the pattern is invalid or takes too many steps.
  package func matches(
    _ text: String, _ pattern: String, _ options: NSRegularExpression.Options = []
  ) throws -> Bool {
    var left = Self.reportLimit
    return try matches(text, pattern, options, within: &left)
  }

  /// The same with a part of the steps that many texts may take together, so that a table of slow ones has an end.
  ///
  /// - Parameter left: how many reports are left; one is left to each text, whatever those before it took.
  package func matches(
    _ text: String, _ pattern: String, _ options: NSRegularExpression.Options = [], within left: inout Int
  ) throws -> Bool {
    let expression = try expression(pattern, options)
    var (isMatch, reports) = (false, 0)
    let limit = max(left, 1)
    unsafe expression.enumerateMatches(
      in: text, options: [.reportProgress], range: NSRange(text.startIndex..., in: text)
    ) { match, _, stop in
      // A report of progress has no match; Foundation on Linux leaves out the flag that says so.
      if match == nil { reports += 1 } else { isMatch = true }
      if match != nil || reports > limit { unsafe stop.pointee = true }
    }
    left = max(left - reports, 0)
    if !isMatch, reports > limit { throw EvaluationError.tooManySteps }
    return isMatch
  }

  private func expression(
    _ pattern: String, _ options: NSRegularExpression.Options
  ) throws -> NSRegularExpression {
    let key = Key(pattern: pattern, options: options.rawValue)
    return try expressions.withLock { expressions in
      if let known = expressions[key] { return known }
      guard let compiled = Self.compiled(pattern, options) else { throw EvaluationError.notAPattern }
      if expressions.count >= Self.countLimit { expressions.removeAll() }
      expressions[key] = compiled
      return compiled
    }
  }
}

extension EvaluationError {
  fileprivate static let notAPattern = EvaluationError(
    "the right side of 'MATCHES' is not a regular expression")

  fileprivate static let tooManySteps = EvaluationError(
    "the regular expression takes too many steps to match a text",
    help: ["avoid repetitions within repetitions, such as '(a+)+'"])
}
