import Expressions
import ManagedModel

extension FetchCompiler {
  mutating func condition(_ predicate: Predicate, _ row: Row) throws(NotExpressibleInSQL) -> String {
    switch predicate {
    case .constant(let value): return value ? "1" : "0"
    case .not(let operand): return "NOT (\(try condition(operand, row)))"
    case .and(let operands): return try joined(operands, " AND ", none: "1", row)
    case .or(let operands): return try joined(operands, " OR ", none: "0", row)
    case .comparison(let comparison): return try condition(comparison, row)
    }
  }

  private mutating func joined(
    _ operands: [Predicate], _ separator: String, none: String, _ row: Row
  ) throws(NotExpressibleInSQL) -> String {
    var parts: [String] = []
    for operand in operands { parts.append("(\(try condition(operand, row)))") }
    return parts.isEmpty ? none : parts.balanced(separator)
  }

  private mutating func condition(
    _ comparison: ComparisonPredicate, _ row: Row
  ) throws(NotExpressibleInSQL) -> String {
    if comparison.options.contains(.localeSensitive) {
      throw NotExpressibleInSQL("a comparison in the order of the user's locale")
    }
    if case .keyPath(let keys, let base) = comparison.left, CollectionKeyPath(keys) == nil,
      case .collection(let path) = try joins.follow(keys[...], from: joins.row(of: base, from: row))
    {
      if comparison.operator == .contains, comparison.modifier == .direct {
        return try membership(comparison.right, in: path, row)
      }
      guard comparison.modifier != .direct else {
        throw NotExpressibleInSQL(
          "'\(keys.joined(separator: "."))' is a to-many key path where one value is expected")
      }
      return try quantified(comparison, over: path, row)
    }
    if case .keyPath(let keys, let base) = comparison.right, comparison.operator == .in,
      CollectionKeyPath(keys) == nil,
      case .collection(let path) = try joins.follow(keys[...], from: joins.row(of: base, from: row))
    {
      return try membership(comparison.left, in: path, row)
    }
    // One object or value is any, all, and unless negated each of itself.
    let direct = try compare(comparison, left: nil, row)
    return comparison.modifier == .none ? "NOT (\(direct))" : direct
  }

  /// `ANY`: there is one; `ALL`: there is none that does not; `NONE`: there is none.
  private mutating func quantified(
    _ comparison: ComparisonPredicate, over path: ToManyPath, _ row: Row
  ) throws(NotExpressibleInSQL) -> String {
    let (element, isElement) = try joins.elements(of: path)
    let inner: String
    switch try joins.follow(path.rest, from: element) {
    case .value(let value):
      let compared = try compare(comparison, left: value, row)
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

  /// Whether an object, or a value, is among those that a path leads to.
  private mutating func membership(
    _ candidate: Expression, in path: ToManyPath, _ row: Row
  ) throws(NotExpressibleInSQL) -> String {
    let (element, isElement) = try joins.elements(of: path)
    guard case .value(let value) = try joins.follow(path.rest, from: element) else {
      throw NotExpressibleInSQL("membership along more than one to-many relationship")
    }
    let sought = try self.value(candidate, row, comparedWith: value.type)
    return "\(sought.sql) IN (SELECT \(value.sql) FROM \(joins.from(element)) WHERE \(isElement))"
  }

  /// - Parameter left: the left side, where it was found on the way; else it is the comparison's own.
  private mutating func compare(
    _ comparison: ComparisonPredicate, left given: SQLValue?, _ row: Row
  ) throws(NotExpressibleInSQL) -> String {
    // The side that is not a constant tells in which form the other one stands.
    var left: SQLValue
    if let given {
      left = given
    } else if case .constant = comparison.left {
      let type = comparison.right.isList ? nil : try value(comparison.right, row).type
      left = try value(comparison.left, row, comparedWith: type)
    } else {
      left = try value(comparison.left, row)
    }
    switch comparison.operator {
    case .between: return try between(left, comparison.right, row)
    case .in: return try isIn(left, comparison, row)
    default: break
    }
    let right = try value(comparison.right, row, comparedWith: left.type)
    if left.type == nil, case .variable = comparison.left { left.type = right.type }
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
    if comparison.options.isFolding {
      return "modelc_fold('\(comparison.options.foldName)', \(left)) \(sign) "
        + "modelc_fold('\(comparison.options.foldName)', \(right))"
    }
    return "\(left) \(sign) \(right)"
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
    let options = comparison.options
    func folded(_ sql: String) -> String {
      options.isFolding ? "modelc_fold('\(options.foldName)', \(sql))" : sql
    }
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

  /// What `modelc_fold` is to take away.
  var foldName: String {
    (contains(.caseInsensitive) ? "c" : "") + (contains(.diacriticInsensitive) ? "d" : "")
  }
}
