import ManagedModel
import Testing

/// Texts with a mark around the place of the finding: `age ⟦like⟧ 3`.
@Suite("What does not parse")
struct SyntaxFindingTests {
  @Test(arguments: [
    ("⟦⟧", "expected a value, found the end of the text"),
    ("age == ⟦⟧", "expected a value, found the end of the text"),
    ("age == ⟦)⟧", "expected a value, found ')'"),
    ("(age == 3⟦⟧", "expected 'AND', 'OR' or ')', found the end of the text"),
    ("(age⟦⟧", "expected an operator or ')', found the end of the text"),
    ("age == 3 ⟦4⟧", "expected 'AND', 'OR' or the end, found '4'"),
    ("age == 3 ⟦==⟧ 4", "expected 'AND', 'OR' or the end, found '=='"),
    ("3⟦⟧", "expected a comparison operator, found the end of the text"),
    ("age == ⟦NOT⟧ b", "expected a value, found 'NOT'"),
    ("age == ⟦ANY⟧ b.c", "expected a value, found 'ANY'"),
    ("ANY ⟦(a == 1)⟧", "expected a value, found a condition"),
    ("uppercase:(⟦a == 1⟧) == 'A'", "expected a value, found a condition"),
    ("a ⟦NOT⟧ IN {1}", "expected an operator, found 'NOT'"),
    ("a IN (1⟦,⟧ 2)", "expected an operator or ')', found ','"),
    ("a ⟦BETWEEN⟧ 1 AND 2", "expected two bounds in braces after 'BETWEEN'"),
    ("⟦size⟧ > 5", "expected a value, found the reserved word 'size'"),
    ("⟦subquery⟧ > 5", "expected '(' after the reserved word 'subquery'"),
    ("a.⟦5⟧ == 1", "expected a key after '.', found '5'"),
    ("a == ⟦'abc⟧", "the string has no closing quotation mark"),
    ("a MATCHES '⟦\\d⟧+'", "unknown escape '\\d' in a string"),
    ("a == '⟦\\uD83D⟧'", "'\\uD83D' is not a character: expected four hexadecimal digits after '\\u'"),
    ("a == ⟦12abc⟧", "'12abc' is not a number, or beyond 64 bits"),
    ("a == ⟦0xFFFFFFFFFFFFFFFFF⟧", "'0xFFFFFFFFFFFFFFFFF' is not a number, or beyond 64 bits"),
    ("a == ⟦$⟧", "expected a name after '$'"),
    ("a ⟦&⟧ b", "unexpected '&'"),
    ("a == ⟦“⟧b”", "unexpected '“'"),
    ("a ⟦%⟧ 2 == 0", "unexpected '%'"),
    ("SUBQUERY(a, ⟦x⟧, x == 1).@count == 0", "expected a variable such as '$x', found 'x'"),
    ("FETCH(a, b, ⟦c⟧) == 0", "expected 'YES' or 'NO', found 'c'"),
    ("CAST(a, ⟦NSDate⟧) == b", "expected a type in quotation marks, found 'NSDate'"),
    ("firstName +⟦+⟧ ' ' ++ lastName == 'a'", "expected a value, found '+'"),
    ("a[⟦]⟧ == 1", "expected a value, found ']'"),
    ("a ==[⟦3⟧] 1", "expected comparison options, found '3'"),
  ])
  func `a syntax error says what was found, what was expected, and where`(
    _ marked: String, _ message: String
  ) throws {
    try expect(marked, .expressionSyntax, message)
  }

  @Test(arguments: [
    ("⟦uppercse:⟧(a) == 'A'", "unknown function 'uppercse:'", "uppercase:"),
    ("⟦length⟧(a) == 2", "unknown function 'length'", "length:"),
    ("⟦count⟧(a) == 2", "unknown function 'count'", "count:"),
    ("a ⟦BEGINWITH⟧ 'A'", "unknown operator 'BEGINWITH'", "BEGINSWITH"),
    ("⟦SOM⟧ a.b == 1", "unknown modifier 'SOM'", "SOME"),
    ("a.⟦@cuont⟧ == 1", "unknown collection operator '@cuont'", "@count"),
    ("CAST(a, ⟦'NSDatte'⟧) == b", "unknown type 'NSDatte' in a cast", "\"NSDate\""),
    ("a ⟦IS⟧ NULL", "unknown operator 'IS'", nil),
    ("a ==[⟦cx⟧] 'b'", "unknown comparison option in 'cx'", nil),
    ("a ⟦isKindOfClass:⟧ b", "unknown operator 'isKindOfClass:'", nil),
  ])
  func `an unknown word is named, with the nearest known one`(
    _ marked: String, _ message: String, _ replacement: String?
  ) throws {
    let diagnostic = try expect(marked, .unknownExpressionWord, message)
    #expect(diagnostic.fixIts.first?.replacement == replacement)
  }

  @Test(arguments: [
    ("name == ⟦%@⟧", "the placeholder '%@' has no argument in a file"),
    ("⟦%K⟧ == 1", "the placeholder '%K' has no argument in a file"),
    ("age > ⟦%d⟧", "the placeholder '%d' has no argument in a file"),
  ])
  func `a placeholder is refused`(_ marked: String, _ message: String) throws {
    try expect(marked, .formatPlaceholder, message)
  }

  @Test(arguments: [
    ("⟦add:to:⟧(1) == 2", "'add:to:' takes 2 arguments, found 1"),
    ("⟦now⟧(1) > a", "'now' takes 0 arguments, found 1"),
    ("⟦substr⟧(a) == 'b'", "'substr' takes 2 to 3 arguments, found 1"),
    ("⟦coalesce⟧() == 'b'", "'coalesce' takes at least 1 argument, found 0"),
    ("FUNCTION($p, ⟦'a:b:'⟧, 1) == 2", "the selector 'a:b:' takes 2 arguments, found 1"),
    ("a ⟦BETWEEN⟧ {1, 2, 3}", "'BETWEEN' takes 2 bounds, found 3"),
  ])
  func `a wrong number of arguments is refused with the signature`(
    _ marked: String, _ message: String
  ) throws {
    #expect(try !expect(marked, .argumentCount, message).help.isEmpty)
  }

  @discardableResult
  private func expect(
    _ marked: String, _ code: Diagnostic.Code, _ message: String
  ) throws -> Diagnostic {
    let scalars = Array(marked.unicodeScalars)
    let start = try #require(scalars.firstIndex(of: "⟦"))
    let end = try #require(scalars.firstIndex(of: "⟧")) - 1
    let text = marked.filter { $0 != "⟦" && $0 != "⟧" }
    let beginning = SourceLocation(line: 7, column: 11)
    let place = SourceRange(file: "M.yaml", start: beginning, end: beginning)
    let diagnostic = try #require(try finding { _ = try parsePredicate(text, at: place) })
    #expect(diagnostic.code == code)
    #expect(diagnostic.message == message)
    #expect(diagnostic.place?.start == SourceLocation(line: 7, column: 11 + start))
    #expect(diagnostic.place?.end == SourceLocation(line: 7, column: 11 + end))
    return diagnostic
  }
}

/// The one finding that the body throws; nil if it throws none.
func finding(_ body: () throws -> Void) throws -> Diagnostic? {
  do {
    try body()
    return nil
  } catch let error as DiagnosticsError {
    #expect(error.diagnostics.count == 1)
    return error.diagnostics.first
  }
}
