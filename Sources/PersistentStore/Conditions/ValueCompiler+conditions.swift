import Expressions
import ManagedModel

/// Conditions with their in-memory meaning: true or false for every row, also where a value is nil.
extension ValueCompiler {
  /// - Returns: SQL that is 1 or 0, never NULL.
  mutating func condition(_ predicate: Predicate, _ row: Row) throws(NotExpressibleInSQL) -> String {
    switch predicate {
    case .constant(let value): return value ? "1" : "0"
    case .not(let operand): return "NOT (\(try condition(operand, row)))"
    case .and(let operands): return try joined(operands, "AND", none: "1", row)
    case .or(let operands): return try joined(operands, "OR", none: "0", row)
    case .comparison(let comparison): return try condition(comparison, row)
    }
  }

  /// SQLite computes both sides of `AND`, and a function may refuse what the left side has ruled out:
  /// `b != 0 AND a / b > 2`. `CASE` keeps the order.
  private mutating func joined(
    _ operands: [Predicate], _ sign: String, none: String, _ row: Row
  ) throws(NotExpressibleInSQL) -> String {
    var parts: [String] = []
    for operand in operands { parts.append("(\(try condition(operand, row)))") }
    guard let last = parts.last else { return none }
    guard parts.dropFirst().contains(where: { $0.contains("modelc_") }) else {
      return parts.balanced(" \(sign) ")
    }
    let decided = sign == "AND" ? ("NOT ", "0") : ("", "1")
    let cases = parts.dropLast().map { "WHEN \(decided.0)\($0) THEN \(decided.1)" }.joined(separator: " ")
    return "CASE \(cases) ELSE \(last) END"
  }

  private mutating func condition(
    _ comparison: ComparisonPredicate, _ row: Row
  ) throws(NotExpressibleInSQL) -> String {
    if comparison.options.contains(.localeSensitive) {
      throw NotExpressibleInSQL("a comparison in the order of the user's locale")
    }
    if let path = try toManyPath(comparison.left, row) {
      if comparison.operator == .contains, comparison.modifier == .direct {
        return try membership(comparison.right, in: path, comparison.options, row)
      }
      guard comparison.modifier != .direct else {
        throw NotExpressibleInSQL("'\(comparison.left)' is a to-many key path where one value is expected")
      }
      return try quantified(comparison, over: path, row)
    }
    let left = try value(comparison.left, row)
    let direct: String
    if comparison.operator == .in, let path = try toManyPath(comparison.right, row) {
      direct = try membership(comparison.left, in: path, comparison.options, row)
    } else {
      direct = try compare(left, comparison, row)
    }
    // One value is any and all of itself; of nil there is none.
    switch comparison.modifier {
    case .direct: return direct
    case .any: return "CASE WHEN \(left.sql) IS NULL THEN 0 ELSE \(direct) END"
    case .all: return "CASE WHEN \(left.sql) IS NULL THEN 1 ELSE \(direct) END"
    case .none: return "CASE WHEN \(left.sql) IS NULL THEN 1 ELSE NOT (\(direct)) END"
    }
  }

  private mutating func toManyPath(_ side: Expression, _ row: Row) throws(NotExpressibleInSQL) -> ToManyPath?
  {
    guard case .keyPath(let keys, let base) = side, CollectionKeyPath(keys) == nil,
      case .collection(let path) = try target(keys[...], from: joins.row(of: base, from: row))
    else { return nil }
    return path
  }

  private mutating func quantified(
    _ comparison: ComparisonPredicate, over path: ToManyPath, _ row: Row
  ) throws(NotExpressibleInSQL) -> String {
    let (element, isElement) = try joins.elements(of: path)
    let inner: String
    switch try target(path.rest, from: element) {
    case .value(let value):
      let compared = try compare(value, comparison, row)
      inner = comparison.modifier == .all ? "NOT (\(compared))" : compared
    case .collection(let further):
      var nested = comparison
      if comparison.modifier == .none { nested.modifier = .any }
      let compared = try quantified(nested, over: further, row)
      inner = comparison.modifier == .all ? "NOT (\(compared))" : compared
    }
    let exists = "EXISTS (SELECT 1 FROM \(joins.from(element)) WHERE \(isElement) AND (\(inner)))"
    return comparison.modifier == .any ? exists : "NOT \(exists)"
  }

  private mutating func membership(
    _ candidate: Expression, in path: ToManyPath, _ options: ComparisonPredicate.Options, _ row: Row
  ) throws(NotExpressibleInSQL) -> String {
    let sought = try value(candidate, row)
    let (element, isElement) = try joins.elements(of: path)
    guard case .value(let value) = try target(path.rest, from: element) else {
      throw NotExpressibleInSQL("membership along more than one to-many relationship")
    }
    let isSame = try equality(value, sought, options)
    return "EXISTS (SELECT 1 FROM \(joins.from(element)) WHERE \(isElement) AND \(isSame))"
  }

  /// Whether an operand, found already, and the right side of the comparison are as it says.
  private mutating func compare(
    _ left: TypedSQL, _ comparison: ComparisonPredicate, _ row: Row
  ) throws(NotExpressibleInSQL) -> String {
    if case .aggregate(let elements) = comparison.right {
      var values: [TypedSQL] = []
      for element in elements { values.append(try value(element, row)) }
      switch comparison.operator {
      case .in: return try isAmong(values, left, comparison.options)
      case .between where values.count == 2:
        let low = try order(left, .greaterThanOrEqualTo, values[0], comparison.options)
        let high = try order(left, .lessThanOrEqualTo, values[1], comparison.options)
        return "(\(low) AND \(high))"
      default: throw NotExpressibleInSQL("'\(comparison.operator.rawValue)' of a list")
      }
    }
    let right = try value(comparison.right, row)
    switch comparison.operator {
    case .equalTo: return try equality(left, right, comparison.options)
    case .notEqualTo: return "NOT (\(try equality(left, right, comparison.options)))"
    case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
      return try order(left, comparison.operator, right, comparison.options)
    case .in: return try text(right, .contains, left, comparison.options)
    case .contains, .beginsWith, .endsWith, .like, .matches:
      return try text(left, comparison.operator, right, comparison.options)
    case .between, .utiConformsTo, .utiEquals:
      throw NotExpressibleInSQL("'\(comparison.operator.rawValue)' of a value")
    }
  }

  /// Many constants that are not nil are a list that SQLite sorts once.
  private func isAmong(
    _ values: [TypedSQL], _ left: TypedSQL, _ options: ComparisonPredicate.Options
  ) throws(NotExpressibleInSQL) -> String {
    let isList =
      !options.isFolding && left.isPlain
      && values.allSatisfy { $0.constant != nil && $0.kind != .null && areNative(left, $0) }
    if isList { return "IFNULL(\(left.sql) IN (\(values.map(\.sql).joined(separator: ", "))), 0)" }
    var parts: [String] = []
    for value in values { parts.append(try equality(left, value, options)) }
    return parts.isEmpty ? "0" : "(\(parts.balanced(" OR ")))"
  }

  private func equality(
    _ left: TypedSQL, _ right: TypedSQL, _ options: ComparisonPredicate.Options
  ) throws(NotExpressibleInSQL) -> String {
    if left.kind == .null { return "\(right.sql) IS NULL" }
    if right.kind == .null { return "\(left.sql) IS NULL" }
    if left.kind == .object || right.kind == .object {
      guard left.kind == right.kind, let l = left.entity, let r = right.entity,
        joins.hierarchy.rootName(of: l) == joins.hierarchy.rootName(of: r)
      else { throw NotExpressibleInSQL("an object can be compared with one of its own kind only") }
      return "\(left.sql) IS \(right.sql)"
    }
    try requireComparable(left, right)
    if areNative(left, right), !(options.isFolding && left.kind.isText) {
      return "\(left.sql) IS \(right.sql)"
    }
    return compareCall(left, .equalTo, right, options)
  }

  private func order(
    _ left: TypedSQL, _ comparison: ComparisonPredicate.Operator, _ right: TypedSQL,
    _ options: ComparisonPredicate.Options
  ) throws(NotExpressibleInSQL) -> String {
    if left.kind == .null || right.kind == .null { return isNever(left, comparison, right, options) }
    try requireComparable(left, right)
    if areNative(left, right), !(options.isFolding && left.kind.isText) {
      return "IFNULL(\(left.sql) \(comparison.rawValue) \(right.sql), 0)"
    }
    return compareCall(left, comparison, right, options)
  }

  private func text(
    _ left: TypedSQL, _ comparison: ComparisonPredicate.Operator, _ right: TypedSQL,
    _ options: ComparisonPredicate.Options
  ) throws(NotExpressibleInSQL) -> String {
    if left.kind == .null || right.kind == .null { return isNever(left, comparison, right, options) }
    guard left.kind.isSpelled, right.kind.isSpelled else {
      throw NotExpressibleInSQL("'\(comparison.rawValue)' of what is no text")
    }
    if comparison == .beginsWith, left.kind.isText, left.isPlain, !options.isFolding,
      case .string(let prefix)? = right.constant, let range = prefixRange(left.sql, prefix)
    {
      return "IFNULL(\(range), 0)"
    }
    return compareCall(left, comparison, right, options)
  }

  /// A comparison with nil; what the other side refuses, it refuses here too.
  private func isNever(
    _ left: TypedSQL, _ comparison: ComparisonPredicate.Operator, _ right: TypedSQL,
    _ options: ComparisonPredicate.Options
  ) -> String {
    left.mayFail || right.mayFail ? compareCall(left, comparison, right, options) : "0"
  }

  private func compareCall(
    _ left: TypedSQL, _ comparison: ComparisonPredicate.Operator, _ right: TypedSQL,
    _ options: ComparisonPredicate.Options
  ) -> String {
    "modelc_compare('\(comparison.rawValue)', \(options.rawValue), \([left, right].kinds), \(left.argument), "
      + "\(right.argument))"
  }

  /// Whether SQLite compares the two cells as expressions do.
  private func areNative(_ left: TypedSQL, _ right: TypedSQL) -> Bool {
    if left.kind.isText, right.kind.isText { return true }
    if left.kind == right.kind, left.kind.isOpaque { return true }
    return switch (left.kind, right.kind) {
    case (.number, _), (_, .number): false
    case (.decimal, _), (_, .decimal):
      left.kind.isNumber && right.kind.isNumber && left.isPlain && right.isPlain
    default: left.kind.isNumber && right.kind.isNumber
    }
  }

  private func requireComparable(_ left: TypedSQL, _ right: TypedSQL) throws(NotExpressibleInSQL) {
    let (l, r) = (left.kind, right.kind)
    let isComparable =
      l == r || (l.isNumber && r.isNumber)
      || (l.isSpelled && r.isSpelled && (l == .string || r == .string))
    if !isComparable { throw NotExpressibleInSQL("a comparison of values of different types") }
  }
}
