import ManagedModel

extension FetchCompiler {
  func joined(_ conditions: [String], _ sign: String) -> String { conditions.balanced(" \(sign) ") }

  mutating func condition(
    ofOne comparison: ComparisonPredicate, _ row: Row
  ) throws(NotExpressibleInSQL) -> String {
    if comparison.operator == .in, let path = try toManyPath(comparison.right, row) {
      return try membership(comparison.left, in: path, comparison.options, row)
    }
    // The side that is not a constant tells in which form the other one stands.
    var type: AttributeType?
    if case .constant = comparison.left, !comparison.right.isList {
      type = try value(comparison.right, row).type
    }
    let left = try value(comparison.left, row, comparedWith: type)
    // One object or value is any, all, and unless negated each of itself.
    let direct = try compare(left, comparison, row)
    return comparison.modifier == .none ? "NOT (\(direct))" : direct
  }

  mutating func membership(
    _ candidate: Expression, in path: ToManyPath, _ options: ComparisonPredicate.Options, _ row: Row
  ) throws(NotExpressibleInSQL) -> String {
    let (element, isElement) = try joins.elements(of: path)
    guard case .value(let value) = try target(path.rest, from: element) else {
      throw NotExpressibleInSQL("membership along more than one to-many relationship")
    }
    let sought = try self.value(candidate, row, comparedWith: value.type)
    return "\(sought.sql) IN (SELECT \(value.sql) FROM \(joins.from(element)) WHERE \(isElement))"
  }

  mutating func compare(
    _ left: SQLValue, _ comparison: ComparisonPredicate, _ row: Row
  ) throws(NotExpressibleInSQL) -> String {
    switch comparison.operator {
    case .between: return try between(left, comparison.right, row)
    case .in: return try isIn(left, comparison, row)
    default: break
    }
    let right = try value(comparison.right, row, comparedWith: left.type)
    switch comparison.operator {
    case .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
      return ordered(comparison, left.sql, right.sql)
    default: return try textual(comparison, left.sql, right.sql)
    }
  }

  private func ordered(_ comparison: ComparisonPredicate, _ left: String, _ right: String) -> String {
    let isEqual = comparison.operator == .equalTo
    if isEqual || comparison.operator == .notEqualTo {
      let suffix = isEqual ? "IS NULL" : "IS NOT NULL"
      if comparison.right == .constant(.null) { return "\(left) \(suffix)" }
      if comparison.left == .constant(.null) { return "\(right) \(suffix)" }
    }
    let sign = isEqual ? "=" : comparison.operator == .notEqualTo ? "<>" : comparison.operator.rawValue
    return "\(comparison.options.folded(left)) \(sign) \(comparison.options.folded(right))"
  }

  private mutating func between(
    _ left: SQLValue, _ bounds: Expression, _ row: Row
  ) throws(NotExpressibleInSQL) -> String {
    guard case .aggregate(let elements) = bounds, elements.count == 2 else {
      throw NotExpressibleInSQL("BETWEEN needs its two bounds in braces")
    }
    let least = try value(elements[0], row, comparedWith: left.type)
    let greatest = try value(elements[1], row, comparedWith: left.type)
    return "\(left.sql) BETWEEN \(least.sql) AND \(greatest.sql)"
  }

  private mutating func isIn(
    _ left: SQLValue, _ comparison: ComparisonPredicate, _ row: Row
  ) throws(NotExpressibleInSQL) -> String {
    func folded(_ sql: String) -> String { comparison.options.folded(sql) }
    switch comparison.right {
    case .aggregate(let elements):
      var list: [String] = []
      for element in elements { list.append(folded(try value(element, row, comparedWith: left.type).sql)) }
      return "\(folded(left.sql)) IN (\(list.joined(separator: ", ")))"
    // A list is bound as the text of a JSON array.
    case .variable(let name) where row.variables[name] == nil:
      return "\(folded(left.sql)) IN (SELECT \(folded("value")) FROM json_each(\(joins.parameter(name))))"
    default:
      // A part of a text: the same as the text's CONTAINS.
      let whole = try value(comparison.right, row, comparedWith: .string)
      var turned = comparison
      turned.operator = .contains
      turned.right = comparison.left
      return try textual(turned, whole.sql, left.sql)
    }
  }
}

extension Expression {
  /// Whether it stands for several values as it is written.
  fileprivate var isList: Bool {
    switch self {
    case .aggregate, .variable: true
    default: false
    }
  }
}

extension ComparisonPredicate.Options {
  /// Whether letters that differ in case or accents alone are to count as equal.
  var isFolding: Bool { contains(.caseInsensitive) || contains(.diacriticInsensitive) }

  func folded(_ sql: String) -> String { isFolding ? "modelc_fold('\(foldName)', \(sql))" : sql }

  /// What `modelc_fold` is to take away.
  var foldName: String {
    (contains(.caseInsensitive) ? "c" : "") + (contains(.diacriticInsensitive) ? "d" : "")
  }
}
