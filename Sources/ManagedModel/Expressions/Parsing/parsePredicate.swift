/// Reads a condition in the predicate syntax of Core Data: `age >= 18 AND ANY pets.name BEGINSWITH[c] "a"`.
///
/// Only the form is checked, as Core Data's own parser does. A check against an entity finds out what the keys mean.
///
/// - Parameter place: where the text stands in a file, without quotation marks; findings then have a place of
///   their own within it. Where its end equals its start, only the beginning is known. A place whose end does not
///   fit the text (because the file writes it with escapes) is given as a whole.
/// - Throws: one finding: MC0101 (syntax), MC0102 (unknown function, operator or modifier), MC0103 (a `%@` or
///   `%K`), MC0104 (argument count).
package func parsePredicate(
  _ text: String, at place: SourceRange? = nil
) throws(DiagnosticsError) -> Predicate {
  try parse(text, at: place) { (parser: inout Parser) throws(SyntaxFinding) in try parser.parsePredicate() }
}

/// Reads a value in the expression syntax of Core Data: `uppercase:($source.name)`, `songs.@count`.
///
/// For parameters and findings see ``parsePredicate(_:at:)``.
package func parseExpression(
  _ text: String, at place: SourceRange? = nil
) throws(DiagnosticsError) -> Expression {
  try parse(text, at: place) { (parser: inout Parser) throws(SyntaxFinding) in try parser.parseExpression() }
}

private func parse<Result: CustomStringConvertible>(
  _ text: String, at place: SourceRange?, _ body: (inout Parser) throws(SyntaxFinding) -> Result
) throws(DiagnosticsError) -> Result {
  let scalars = Array(text.unicodeScalars.prefix(textLimit + 1))
  do throws(SyntaxFinding) {
    guard scalars.count <= textLimit else { throw .tooLong }
    var parser = Parser(text: scalars, tokens: try Lexer.tokens(of: scalars))
    let result = try body(&parser)
    // Printing adds parentheses, around each of a row of NOTs for one, and what is printed has to be read again.
    if parser.greatestDepth > Parser.depthLimit / 3 {
      let printed = Array(result.description.unicodeScalars)
      var again = Parser(text: printed, tokens: try Lexer.tokens(of: printed))
      do throws(SyntaxFinding) { _ = try body(&again) } catch {
        throw .tooDeep(at: 0..<scalars.count, limit: Parser.depthLimit)
      }
    }
    return result
  } catch {
    throw DiagnosticsError(error.diagnostic(in: scalars, at: place))
  }
}

/// In Unicode scalars. SQLite takes statements of a million bytes; a longer condition could never be carried out.
private let textLimit = 1_000_000

extension SyntaxFinding {
  fileprivate static let tooLong = SyntaxFinding("the text has more than \(textLimit) characters", 0..<1)
}
