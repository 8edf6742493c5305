import ManagedModel
import Testing

@Suite("Reading expressions")
struct ParseExpressionTests {
  @Test(arguments: [
    ("$source.continent.numericISO3166Code", "$source.continent.numericISO3166Code"),
    ("$source.countries.@distinctUnionOfSets.moods", "$source.countries.@distinctUnionOfSets.moods"),
    ("uppercase:($source.name)", "uppercase:($source.name)"),
    ("fireballs.@count", "fireballs.@count"),
    ("canonical: ( name )", "canonical:(name)"),
    ("now()", "now()"),
    ("sum:(length)", "sum:(length)"),
    ("add:to:(1, raise:toPower:(2, 8))", "add:to:(1, raise:toPower:(2, 8))"),
    (
      "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"C\", $source.country)",
      "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"C\", $source.country)"
    ),
    (
      "FETCH(FUNCTION($manager, 'fetchRequestForSourceEntityNamed:predicateString:' , 'Person', 'TRUEPREDICATE'), $manager.sourceContext, NO)",
      "FETCH(FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\", \"Person\", \"TRUEPREDICATE\"), $manager.sourceContext, NO)"
    ),
    (
      "destinationInstances(\"MoodToMood\", $source.moods)",
      "destinationInstances(\"MoodToMood\", $source.moods)"
    ),
    ("coalesce(nickname, name, '')", "coalesce(nickname, name, \"\")"),
    ("ternary(age > 17, 'adult', 'child')", "TERNARY(age > 17, \"adult\", \"child\")"),
    ("CAST(seconds, 'NSDate')", "CAST(seconds, \"NSDate\")"),
    ("$x := a + 1", "$x := a + 1"),
    ("x[FIRST].name", "x[FIRST].name"),
    ("x[last][size]['key'][$i + 1]", "x[LAST][SIZE][\"key\"][$i + 1]"),
    ("{}", "{}"),
    ("{1, {2, 'a'}}", "{1, {2, \"a\"}}"),
    ("a UNION b INTERSECT c minus d", "a UNION b INTERSECT c MINUS d"),
    ("union UNION union", "union UNION union"),
    ("SELF.name", "SELF.name"),
    ("ANYKEY", "ANYKEY"),
    ("(a.@max.b).c", "(a.@max.b).c"),
    ("(a.b).c", "a.b.c"),
    ("@sum.price", "@sum.price"),
  ])
  func `every form is read and printed in canonical form`(_ text: String, _ canonical: String) throws {
    let expression = try parseExpression(text)
    #expect(expression.description == canonical)
    #expect(try parseExpression(canonical) == expression)
  }

  @Test(arguments: [
    ("a - b - c", "(a - b) - c"),
    ("a + b * c", "a + (b * c)"),
    ("a * b ** c", "a * (b ** c)"),
    ("a ** b ** c", "(a ** b) ** c"),
    ("-a ** b", "(-a) ** b"),
    ("-a.b[0]", "-(a.b[0])"),
    ("a -1", "a - 1"),
    ("a UNION b + c", "a UNION (b + c)"),
  ])
  func `operators bind as arithmetic does, each to the left`(_ text: String, _ explicit: String) throws {
    #expect(try parseExpression(text) == parseExpression(explicit))
  }

  @Test(arguments: [
    ("42", ConstantValue.integer(42)),
    ("-42", .integer(-42)),
    ("0x1F", .integer(31)),
    ("0o17", .integer(15)),
    ("0b101", .integer(5)),
    ("-9223372036854775808", .integer(.min)),
    ("TRUE", .boolean(true)),
    ("no", .boolean(false)),
    ("nil", .null),
    ("'it\\'s'", .string("it's")),
    ("\"it's\"", .string("it's")),
    ("'a\\n\\t\\\\\\\"'", .string("a\n\t\\\"")),
    ("'\\u00e9\\uD83D\\uDE00'", .string("é😀")),
    ("'$x %@ #'", .string("$x %@ #")),
  ])
  func `a literal is its value`(_ text: String, _ value: ConstantValue) throws {
    #expect(try parseExpression(text) == .constant(value))
  }

  @Test(arguments: [
    ("1.10", "1.10"), (".5", "0.5"), ("2E+9", "2e9"), ("-1.5", "-1.5"),
    ("9223372036854775808", "9223372036854775808"),
  ])
  func `a decimal number keeps its digits`(_ text: String, _ kept: String) throws {
    let decimal = try #require(DecimalText(kept))
    #expect(try parseExpression(text) == .constant(.decimal(decimal)))
  }

  @Test(arguments: PredefinedFunction.all)
  func `every predefined function is known with the arguments it takes`(
    _ function: PredefinedFunction
  ) throws {
    let counts = function.argumentCounts
    let arguments = Array(repeating: Expression.keyPath("x"), count: counts.lowerBound)
    let text = "\(function.selector)(\(arguments.map(\.description).joined(separator: ", ")))"
    #expect(try parseExpression(text) == .function(FunctionCall(function.selector, arguments)))
    let colons = function.selector.count { $0 == ":" }
    #expect(colons == 0 || counts.contains(colons))
  }
}
