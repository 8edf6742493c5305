import ManagedModel
import TestSupport
import Testing

@testable import ManagedModel

@Suite("Lookups in mappings") struct LookupTests {
  private func written(
    _ text: String, _ tables: [String: [String: String]], _ type: ExpressionType = .string
  ) throws -> Expression {
    let written = try parseExpression(text).withoutLookups(tables) { _ in type }
    // The value beside its key.
    return written.rewritten { part in
      guard case .function(let call) = part, call.selector == PredefinedFunction.found.selector else {
        return part
      }
      return call.arguments[1]
    }
  }

  static let tables: [String: [String: String]] = [
    "none": [:], "one": ["a": "x"], "numbers": ["1": "10", "2": "2.5"], "mixed": ["1": "10", "b": "20"],
    "flags": ["true": "on", "false": "off"],
  ]

  static let texts: [(String, ExpressionType, String)] = [
    ("lookup('one', $source.k)", .string, #"TERNARY($source.k == "a", "x", NULL)"#),
    ("lookup('none', $source.k)", .string, "NULL"),
    (
      "lookup('numbers', $source.k)", .string,
      #"TERNARY($source.k IN {"1"}, TERNARY($source.k == "1", 10, NULL), TERNARY($source.k == "2", 2.5, NULL))"#
    ),
    (
      "lookup('numbers', $source.k)", .number,
      "TERNARY($source.k IN {1}, TERNARY($source.k == 1, 10, NULL), TERNARY($source.k == 2, 2.5, NULL))"
    ),
    ("lookup('mixed', $source.k)", .number, "TERNARY($source.k == 1, 10, NULL)"),
    (
      "lookup('mixed', $source.k)", .unknown,
      #"TERNARY($source.k IN {"1"}, TERNARY($source.k == "1", 10, NULL), TERNARY($source.k == "b", 20, NULL))"#
    ),
    (
      "lookup('flags', $source.k)", .boolean,
      #"TERNARY($source.k IN {FALSE}, TERNARY($source.k == FALSE, "off", NULL), TERNARY($source.k == TRUE, "on", NULL))"#
    ),
    // Not a table, not a name, not two arguments: left to the checks.
    ("lookup('other', $source.k)", .string, "lookup('other', $source.k)"),
    ("lookup($source.t, $source.k)", .string, "lookup($source.t, $source.k)"),
    ("concat('a', lookup('one', 'a'))", .string, #"concat("a", TERNARY("a" == "a", "x", NULL))"#),
  ]

  @Test(arguments: texts)
  func `a table becomes conditions`(text: String, type: ExpressionType, expected: String) throws {
    #expect(try written(text, Self.tables, type) == parseExpression(expected))
  }

  @Test(arguments: [
    ([:], ExpressionType.string), (["a": "1", "b": "2.5"], .number), (["a": "1", "b": ""], .string),
    (["a": "0x1"], .string), (["a": "004", "b": "012"], .string), (["a": "1.50", "b": "0.5"], .number),
  ])
  func `values are numbers where all of them are`(table: [String: String], type: ExpressionType) {
    #expect(LookupTable(rows: table).valueType == type)
  }

  /// The depth of the conditions is the logarithm of the size, and every key finds its own value.
  @Test(arguments: [2, 3, 31, 200])
  func `large tables are trees in which each key is found`(count: Int) throws {
    let table = Dictionary(uniqueKeysWithValues: (0..<count).map { ("k\($0)", "v\($0)") })
    let expression = try written("lookup('t', $source.k)", ["t": table])
    let wrong = (table.keys + ["", "k", "k-1"]).filter { value(of: expression, key: $0) != table[$0] }
    var levels = 1
    while 1 << levels < count * 2 { levels += 1 }
    #expect(wrong == [] && depth(of: expression) <= levels)
  }

  private func depth(of expression: Expression) -> Int {
    guard case .conditional(_, let left, let right) = expression else { return 0 }
    return 1 + max(depth(of: left), depth(of: right))
  }

  /// Follows the conditions as they are written.
  private func value(of expression: Expression, key: String) -> String? {
    switch expression {
    case .constant(.string(let text)): return text
    case .conditional(.comparison(let test), let yes, let no):
      let known = Expression.constant(.string(key))
      let isTrue: Bool
      if case .aggregate(let keys) = test.right {
        isTrue = keys.contains(known)
      } else {
        isTrue = test.right == known
      }
      return value(of: isTrue ? yes : no, key: key)
    default: return nil
    }
  }

  static let calls: [(String, String?, String)] = [
    ("FUNCTION($manager, '\(relationshipLookupSelector)', 'huts', $source.huts)", "huts", "FUNCTION"),
    ("FUNCTION($manager, '\(relationshipLookupSelector)', 'huts', $source.others)", nil, "FUNCTION"),
    ("FUNCTION($policy, '\(relationshipLookupSelector)', 'huts', $source.huts)", nil, "FUNCTION"),
    ("FUNCTION($manager, '\(lookupSelector)', 'AToA', $source.a)", nil, "destinationInstances("),
    ("$source.huts", nil, "$source"),
    ("FUNCTION($policy, '\(lookupSelector)', 'AToA', $source.a)", nil, "FUNCTION"),
  ]

  @Test(arguments: calls)
  func `the manager's lookups are read`(text: String, followed: String?, begin: String) throws {
    let expression = try parseExpression(text)
    #expect(
      expression.followedRelationship == followed && "\(expression.withReadableLookups)".hasPrefix(begin))
  }

  @Test func `a path from the source`() throws {
    let texts = ["$source.a.b", "$source", "a.b", "$destination.a", "$source.a + 1"]
    #expect(try texts.map { try parseExpression($0).sourcePath } == [["a", "b"], nil, nil, nil, nil])
  }
}
