import Foundation
import ManagedModel
import TestSupport
import Testing

/// An expression over the first city of ``Town``, and what it gives.
struct ValueCase: Sendable, CustomTestStringConvertible {
  var expression: String
  var result: String

  var testDescription: String { expression }

  init(_ expression: String, _ result: String) {
    self.expression = expression
    self.result = result
  }
}

private let paths: [ValueCase] = [
  ValueCase("name", "'Kapstadt'"), ValueCase("$source.name", "'Kapstadt'"), ValueCase("SELF", "City1"),
  ValueCase("mayor.age", "32"), ValueCase("mayor.self.age", "32"),
  ValueCase("mayor.home.mayor.name", "'Ann'"),
  // Through nil to nil, through many to as many.
  ValueCase("mayor.governs.mayor.carsOwnedCount", "2"), ValueCase("$none := nil", "nil"),
  ValueCase("residents.age", "[32, 20, 24]"),
  ValueCase("residents.home.name", "['Kapstadt', 'Kapstadt', 'Kapstadt']"),
  ValueCase("visitors", "{Person4, Person1}"), ValueCase("visitors.name", "['Bo', 'Ann']"),
  ValueCase("residents.carsOwnedCount", "[2, nil, 1]"),
  ValueCase("visitors.visited.name", "[['Kapstadt'], ['Kapstadt']]"),
  ValueCase("residents.@count", "3"), ValueCase("residents.@sum.carsOwnedCount", "3"),
  ValueCase("residents.@avg.age", "25.333333333333332 double"), ValueCase("residents.@min.age", "20"),
  ValueCase("residents.@max.name", "'ánn'"),
  ValueCase("residents.@unionOfObjects.carsOwnedCount", "[2, 1]"),
  ValueCase("residents.@distinctUnionOfObjects.home", "[City1]"),
  ValueCase("visitors.@unionOfArrays.visited", "[City1, City1]"),
  ValueCase("visitors.@distinctUnionOfArrays.visited", "[City1]"),
  ValueCase("visitors.@distinctUnionOfSets.visited", "{City1}"),
  ValueCase("mayor.@self", "error"),
  ValueCase("visitors[0]", "Person4"), ValueCase("visitors[FIRST].name", "'Bo'"),
  ValueCase("visitors[LAST]", "Person1"), ValueCase("visitors[SIZE]", "2"), ValueCase("visitors[2]", "error"),
  ValueCase("{1, 2} UNION {2, 3}", "{1, 2, 3}"), ValueCase("visitors INTERSECT residents", "{Person1}"),
  ValueCase("residents MINUS visitors", "{Person2, Person3}"),
  ValueCase("visitors UNION nil", "{Person4, Person1}"),
  ValueCase("SUBQUERY(residents, $x, $x.age < 30)", "{Person2, Person3}"),
  ValueCase("SUBQUERY(residents, $x, $x.age < 30).@count", "2"),
  ValueCase("SUBQUERY(residents, $x, $x.age < mayor.age).name", "['ánn', nil]"),
  ValueCase("name.length", "8"), ValueCase("name.uppercaseString", "'KAPSTADT'"),
  ValueCase("founded.timeIntervalSince1970", "978393600.0 double"), ValueCase("site.host", "'example.org'"),
  ValueCase("site.lastPathComponent", "'b.html'"),
  ValueCase("id.UUIDString", "'6BA7B810-9DAD-11D1-80B4-00C04FD430C8'"),
  ValueCase("name.nothing", "error"), ValueCase("nothing", "error"), ValueCase("$nothing", "error"),
]

private let numbers: [ValueCase] = [
  ValueCase("1 + 2 * 3", "7"), ValueCase("7 / 2", "3"), ValueCase("-7 / 2", "-3"),
  ValueCase("7 / 2.0", "3.5 decimal"),
  ValueCase("area * 2", "5.0 double"), ValueCase("budget * 3", "30.33 decimal"),
  ValueCase("0.1 + 0.2", "0.3 decimal"),
  ValueCase("1 / 3.0", "0.33333333333333333333333333333333333333 decimal"),
  ValueCase("2 ** 10", "1024"), ValueCase("2 ** -1", "0.5 double"), ValueCase("-area", "-2.5 double"),
  ValueCase("1 + nil", "nil"), ValueCase("hidden + 1", "2"), ValueCase("name + 1", "error"),
  ValueCase("1 / 0", "error"), ValueCase("1.0 / 0", "error"), ValueCase("area / 0", "error"),
  ValueCase("9223372036854775807 + 1", "error"), ValueCase("-9223372036854775807 - 2", "error"),
  ValueCase("9223372036854775807 * 2", "error"), ValueCase("(-9223372036854775807 - 1) / -1", "error"),
  ValueCase("2 ** 63", "error"), ValueCase("10.0 ** 400", "error"), ValueCase("0.1 ** 2", "0.01 decimal"),
  ValueCase("1.1 ** 3", "1.331 decimal"), ValueCase("0.5 ** 1000", "9.332636185032189e-302 double"),
  ValueCase("area * 1e120 * 1e120 * 1e120", "error"),
  ValueCase("1e120 * 1e120", "1e+240 double"),
  ValueCase("add:to:(1, 2)", "3"), ValueCase("from:subtract:(5, 2)", "3"),
  ValueCase("multiply:by:(2, 3)", "6"),
  ValueCase("divide:by:(7, 2)", "3"), ValueCase("modulus:by:(-7, 3)", "-1"),
  ValueCase("modulus:by:(7.5, 2)", "1.5 decimal"),
  ValueCase("modulus:by:(7, 0)", "error"), ValueCase("raise:toPower:(3, 4)", "81"),
  ValueCase("abs:(-3)", "3"), ValueCase("abs:(-9223372036854775807 - 1)", "error"),
  ValueCase("sqrt:(9)", "3.0 double"), ValueCase("sqrt:(-1)", "error"), ValueCase("log:(1000)", "3.0 double"),
  ValueCase("ln:(0)", "error"), ValueCase("exp:(0)", "1.0 double"), ValueCase("exp:(1000)", "error"),
  ValueCase("ceiling:(2.1)", "3 decimal"), ValueCase("floor:(-2.1)", "-3 decimal"),
  ValueCase("trunc:(-2.9)", "-2 decimal"),
  ValueCase("floor:(area)", "2.0 double"), ValueCase("floor:(nil)", "nil"),
  ValueCase("bitwiseAnd:with:(6, 3)", "2"), ValueCase("bitwiseOr:with:(6, 3)", "7"),
  ValueCase("bitwiseXor:with:(6, 3)", "5"),
  ValueCase("leftshift:by:(1, 4)", "16"), ValueCase("rightshift:by:(-16, 2)", "-4"),
  ValueCase("leftshift:by:(1, 64)", "error"),
  ValueCase("onesComplement:(0)", "-1"), ValueCase("bitwiseAnd:with:(1.5, 1)", "error"),
  ValueCase("sum:(1, 2, nil)", "3"), ValueCase("sum:({})", "0"), ValueCase("sum:({0.1, 0.2})", "0.3 decimal"),
  ValueCase("count:({1, nil})", "2"), ValueCase("min:({3, 1, 2})", "1"), ValueCase("max:('a', 'b')", "'b'"),
  ValueCase("min:({})", "nil"), ValueCase("average:({1, 2})", "1.5 double"), ValueCase("average:({})", "nil"),
  ValueCase("median:({3, 1, 2})", "2"), ValueCase("median:({4, 1, 2, 3})", "2.5 double"),
  ValueCase("mode:({1, 2, 2})", "[2]"),
  ValueCase("stddev:({2, 4})", "1.0 double"), ValueCase("sum:({'a'})", "error"),
  ValueCase("sum:({9223372036854775807, 1})", "error"), ValueCase("sum:(residents.age)", "76"),
  ValueCase("clamp(12, 1, 10)", "10"), ValueCase("clamp(-1, 1, nil)", "1"),
  ValueCase("clamp(5, 6, 1)", "error"),
]

private let texts: [ValueCase] = [
  ValueCase("uppercase:('straße')", "'STRASSE'"), ValueCase("lowercase:('ÄB')", "'äb'"),
  ValueCase("canonical:('Éa')", "'ea'"), ValueCase("length:('é👩‍👩‍👧')", "9"), ValueCase("length:(nil)", "nil"),
  ValueCase("uppercase:(1)", "error"),
  ValueCase("concat('a', 1, nil, TRUE, 1.50)", "'a111.5'"), ValueCase("concat(nil, nil)", "nil"),
  ValueCase("concat('', nil)", "''"), ValueCase("concat(founded)", "'2001-01-02T00:00:00Z'"),
  ValueCase("concat(SELF)", "error"), ValueCase("trim('  a\\n')", "'a'"),
  ValueCase("replace('aXbX', 'X', '')", "'ab'"),
  ValueCase("replace('abc', '', 'x')", "'abc'"), ValueCase("substr('Zürich', 1, 2)", "'Zü'"),
  ValueCase("substr('Zürich', 2)", "'ürich'"), ValueCase("substr('Zürich', -3)", "'ich'"),
  ValueCase("substr('ab', 1, 80)", "'ab'"), ValueCase("substr('ab', 9)", "''"),
  ValueCase("substr('ab', 0)", "error"),
  ValueCase("substr(nil, 1)", "nil"), ValueCase("substr('👩‍👩‍👧b', 1, 1)", "'👩‍👩‍👧'"),
  ValueCase("transform('Ærø Żółć Москва', 'Any-Latin; Latin-ASCII; Lower')", "'aero zolc moskva'"),
  ValueCase("transform('a', 'No-Such')", "error"),
  ValueCase("hash('')", "'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'"),
  ValueCase("parseInt(' 12 ')", "12"), ValueCase("parseInt('1.5')", "nil"),
  ValueCase("parseInt('99999999999999999999')", "nil"),
  ValueCase("parseDouble('1.5e2')", "150.0 double"), ValueCase("parseDouble('x')", "nil"),
  ValueCase("parseDate('31.12.2000', 'dd.MM.yyyy')", "date -86400.0"),
  ValueCase("parseDate('32.12.2000', 'dd.MM.yyyy')", "nil"),
  ValueCase("parseDate('2001-01-02T00:00:00Z', 'iso8601')", "date 86400.0"),
  ValueCase("formatDate(founded, 'yyyy-MM-dd HH:mm')", "'2001-01-02 00:00'"),
  ValueCase("formatDate(founded, 'iso8601')", "'2001-01-02T00:00:00Z'"),
  ValueCase("formatNumber(7, '000')", "'007'"),
  ValueCase("formatNumber(-1234567.125, '#,##0.00')", "'-1,234,567.12'"),
  ValueCase("formatNumber(0, '#')", "'0'"), ValueCase("formatNumber(0.5, '#.00')", "'.50'"),
  ValueCase("formatNumber(2.5, 'CHF 0')", "'CHF 2'"), ValueCase("formatNumber(-0.001, '0.00')", "'0.00'"),
  ValueCase("formatNumber(area, '0.###')", "'2.5'"), ValueCase("formatNumber(nil, '0')", "nil"),
  ValueCase("formatNumber(0.256, '0.0%')", "'25.6%'"), ValueCase("formatNumber(0.256, '0‰')", "'256‰'"),
  ValueCase("formatNumber(1, '¤0')", "error"), ValueCase("formatNumber(1, '#,##,##0')", "error"),
  ValueCase("formatNumber(1, '0.05')", "error"), ValueCase("formatNumber(1, '#,###,##0')", "'1'"),
  ValueCase("formatNumber(1, 'none')", "error"), ValueCase("formatNumber(1, '0#')", "error"),
  ValueCase("formatNumber('1', '0')", "error"), ValueCase("formatDate(1, 'yyyy')", "error"),
  ValueCase("coalesce(nil, 1, 1 / 0)", "1"),
  ValueCase("coalesce(nil)", "nil"),
  ValueCase("CAST('12', 'NSNumber')", "12"), ValueCase("CAST('1.5', 'NSNumber')", "1.5 double"),
  ValueCase("CAST('1.50', 'NSDecimalNumber')", "1.5 decimal"), ValueCase("CAST('x', 'NSNumber')", "error"),
  ValueCase("CAST(0, 'NSDate')", "date 0.0"), ValueCase("CAST(founded, 'NSNumber')", "86400.0 double"),
  ValueCase("CAST(TRUE, 'NSString')", "'1'"), ValueCase("CAST(nil, 'NSDate')", "nil"),
  ValueCase("castObject:toType:(1, 'NSString')", "'1'"),
  ValueCase("now()", "date 1000.0"), ValueCase("noindex:(name)", "'Kapstadt'"),
  ValueCase("objectFrom:withIndex:({5, 6}, 1)", "6"),
  ValueCase("TERNARY(hidden, 'yes', 'no')", "'yes'"), ValueCase("TERNARY(mayor.age > 40, 1, 2)", "2"),
  ValueCase("$x := 2", "2"), ValueCase("($x := 2) + $x", "4"),
  ValueCase("FUNCTION(nil, 'anything:', 1)", "nil"),
  ValueCase("FUNCTION($manager, 'sourceContext')", "'source context'"),
  ValueCase("$manager.sourceContext", "'source context'"), ValueCase("FUNCTION($manager, 'other')", "error"),
  ValueCase("destinationInstances('CityToCity')", "['CityToCity', City1]"),
  ValueCase(
    "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'A', mayor)",
    "['A', Person1]"),
  ValueCase("FUNCTION(name, 'stringByAppendingString:', '!')", "'Kapstadt!'"),
  ValueCase("FUNCTION(visitors.name, 'componentsJoinedByString:', ', ')", "'Bo, Ann'"),
  ValueCase("distanceToLocation:fromLocation:(1, 2)", "error"), ValueCase("lookup('a', 'b')", "error"),
  ValueCase("FETCH(1, 2, NO)", "error"),
  ValueCase("ANYKEY", "error"),
]

@Suite struct `Expressions in memory` {
  @Test(arguments: paths + numbers + texts)
  func `An expression gives its value`(_ value: ValueCase) throws {
    let expression: Result<String, any Error> = Result { try Town.evaluated(value.expression) }
    switch expression {
    case .success(let found): #expect(found == value.result)
    case .failure(let error):
      // What does not parse is not a case of an evaluation's error.
      let isExpected = error is EvaluationError || value.expression.contains("@self")
      #expect(value.result == "error" && isExpected, "\(error)")
    }
  }

  @Test func `Random values are within their bounds, and the bits are the caller's`() throws {
    var context = EvaluationContext(now: 0)
    context.randomBits = { .max }
    func value(_ text: String) throws -> String {
      Town.describe(try evaluate(parseExpression(text), in: context))
    }
    #expect(try value("random()") == "\(Int32.max)")
    #expect(try value("random:(10)") == "9")
    #expect(try value("uuid()") == "uuid FFFFFFFF-FFFF-4FFF-BFFF-FFFFFFFFFFFF")
    #expect(throws: EvaluationError.self) { try value("random:(0)") }
  }

  @Test func `A fetch is the caller's`() throws {
    var context = Town.context(["manager": .object(Manager())])
    context.fetch = { request, place, countOnly in
      .collection(ValueCollection([request, place, .boolean(countOnly)]))
    }
    let value = try evaluate(parseExpression("FETCH('all', $manager.sourceContext, YES)"), in: context)
    #expect(Town.describe(value) == "['all', 'source context', TRUE]")
  }

  @Test func `An error names the innermost expression, and the variables that there are`() throws {
    let error = #expect(throws: EvaluationError.self) { try Town.evaluated("1 + uppercase:(mayor.age / 0)") }
    #expect(error?.expression == "mayor.age / 0")
    #expect(error?.description == "'/' divides by zero (in 'mayor.age / 0')")
    let unknown = #expect(throws: EvaluationError.self) { try Town.evaluated("$sorce.name") }
    #expect(unknown?.help == ["known: $manager, $source"])
  }

  @Test func `Trees deeper than any text are refused, whatever they are of`() throws {
    var sum = ManagedModel.Expression.constant(.integer(1))
    var condition = ManagedModel.Predicate.constant(true)
    for _ in 0..<5_000 {
      sum = .arithmetic(.add, sum, .constant(.integer(1)))
      condition = .not(condition)
    }
    #expect(throws: EvaluationError.self) { try evaluate(sum, in: Town.context()) }
    #expect(throws: EvaluationError.self) { try evaluate(condition, in: Town.context()) }
  }

  @Test func `A text cannot grow without end`() throws {
    let long = String(repeating: "a", count: 40_000_000)
    let expression = try parseExpression("concat($long, $long)")
    let error = #expect(throws: EvaluationError.self) {
      try evaluate(expression, in: Town.context(["long": .string(long)]))
    }
    #expect(error?.message.contains("longer") == true)
  }
}
