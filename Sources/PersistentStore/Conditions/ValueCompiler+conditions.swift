import ManagedModel

/// Conditions with their in-memory meaning: true or false for every row, also where a value is nil.
extension ValueCompiler {
  /// SQLite computes both sides of `AND`, and a function may refuse what the left side has ruled out:
  /// `b != 0 AND a / b > 2`. `CASE` keeps the order.
  func joined(_ conditions: [String], _ sign: String) -> String {
    guard let last = conditions.last, conditions.dropFirst().contains(where: { $0.contains("modelc_") })
    else { return conditions.balanced(" \(sign) ") }
    let decided = sign == "AND" ? ("NOT ", "0") : ("", "1")
    let cases = conditions.dropLast().map { "WHEN \(decided.0)\($0) THEN \(decided.1)" }.joined(
      separator: " ")
    return "CASE \(cases) ELSE \(last) END"
  }

  mutating func condition(
    ofOne comparison: ComparisonPredicate, _ row: Row
  ) throws(NotExpressibleInSQL) -> String {
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

  mutating func membership(
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

  mutating func compare(
    _ left: TypedSQL, _ comparison: ComparisonPredicate, _ row: Row
  ) throws(NotExpressibleInSQL) -> String {
    if case .aggregate(let elements) = comparison.right {
      var values: [TypedSQL] = []
      for element in elements { values.append(try value(element, row)) }
      switch comparison.operator {
      case .in: return try isAmong(values, left, comparison.options)
      case .between where values.count == 2:
        let low = try relation(left, .greaterThanOrEqualTo, values[0], comparison.options)
        let high = try relation(left, .lessThanOrEqualTo, values[1], comparison.options)
        return "(\(low) AND \(high))"
      default: throw NotExpressibleInSQL("'\(comparison.operator.rawValue)' of a list")
      }
    }
    let right = try value(comparison.right, row)
    switch comparison.operator {
    case .equalTo: return try equality(left, right, comparison.options)
    case .notEqualTo: return "NOT (\(try equality(left, right, comparison.options)))"
    case .in: return try relation(right, .contains, left, comparison.options)
    case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .contains, .beginsWith,
      .endsWith, .like, .matches:
      return try relation(left, comparison.operator, right, comparison.options)
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
      else { throw NotExpressibleInSQL("an object can be compared only with its own kind") }
      return "\(left.sql) IS \(right.sql)"
    }
    try requireComparable(left, right)
    if areNative(left, right), !(options.isFolding && left.kind.isText) {
      return "\(left.sql) IS \(right.sql)"
    }
    return compareCall(left, .equalTo, right, options)
  }

  /// An order, or what a text has in it. With nil there is none; what the other side refuses, it refuses there too.
  private func relation(
    _ left: TypedSQL, _ comparison: ComparisonPredicate.Operator, _ right: TypedSQL,
    _ options: ComparisonPredicate.Options
  ) throws(NotExpressibleInSQL) -> String {
    let call = compareCall(left, comparison, right, options)
    if left.kind == .null || right.kind == .null { return left.mayFail || right.mayFail ? call : "0" }
    switch comparison {
    case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
      try requireComparable(left, right)
      return areNative(left, right) && !(options.isFolding && left.kind.isText)
        ? "IFNULL(\(left.sql) \(comparison.rawValue) \(right.sql), 0)" : call
    default:
      guard left.kind.isSpelled, right.kind.isSpelled else {
        throw NotExpressibleInSQL("'\(comparison.rawValue)' of a value that is not text")
      }
      guard comparison == .beginsWith, left.kind.isText, left.isPlain, !options.isFolding,
        case .string(let prefix)? = right.constant, let range = left.sql.prefixRange(prefix)
      else { return call }
      return "IFNULL(\(range), 0)"
    }
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
