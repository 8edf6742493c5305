import ManagedModel

/// Turns predicates into SQL with the meaning of a fetch: a comparison with a null is neither true nor false.
struct FetchCompiler: PredicateCompiler {
  var joins: JoinScope
  /// Computes functions that no fetch of Core Data has; nil where there are to be none.
  let compileFunction: RowFunction?

  typealias RowFunction = (FunctionCall, Row, inout JoinScope) throws(NotExpressibleInSQL) -> SQLValue

  init(_ joins: JoinScope, compileFunction: RowFunction? = nil) {
    (self.joins, self.compileFunction) = (joins, compileFunction)
  }

  mutating func compile(
    _ request: FetchRequestDescription, predicate: Predicate?
  ) throws(NotExpressibleInSQL) -> CompiledFetch {
    var conditions: [String] = []
    if let kind = joins.kindCondition(request.entityName, includesSubentities: request.includesSubentities) {
      conditions.append(kind)
    }
    if let predicate { conditions.append(try condition(predicate, joins.root)) }
    var order: [String] = []
    for sort in request.sortDescriptors {
      let keys = sort.keyPath.split(separator: ".").map(String.init)
      guard case .value(let value) = try joins.follow(keys[...], from: joins.root) else {
        throw NotExpressibleInSQL("'\(sort.keyPath)' is not a value to sort by")
      }
      order.append("\(value.sql) \(sort.isAscending ? "ASC" : "DESC")")
    }
    let distinct = request.returnsDistinctResults ? "DISTINCT " : ""
    var sql = "SELECT \(distinct)\(columns(request)) FROM \(joins.from(joins.root))"
    if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
    if !order.isEmpty { sql += " ORDER BY " + order.joined(separator: ", ") }
    if request.fetchLimit > 0 { sql += " LIMIT \(request.fetchLimit)" }
    return CompiledFetch(sql: sql, parameters: joins.parameters)
  }

  /// The raw values of `NSFetchRequestResultType` are 0 objects, 1 identifiers, 2 dictionaries, 4 a count.
  private func columns(_ request: FetchRequestDescription) -> String {
    if request.resultType == 4 { return "COUNT(*)" }
    let identity = ["Z_ENT", "Z_PK"]
    if request.resultType == 1 || !request.includesPropertyValues {
      return identity.map { "t0.\($0)" }.joined(separator: ", ")
    }
    let kinds =
      joins.hierarchy.lineage(of: request.entityName).map(\.name)
      + joins.hierarchy.descendantNames(includingSelf: request.entityName)
    let own = (joins.schema.table(ofEntity: request.entityName)?.columns ?? []).filter { column in
      switch column.role {
      case .attribute(let property), .toOne(let property): kinds.contains(property.entity)
      case .optimisticLock: request.resultType == 0
      default: false
      }
    }
    return (identity + own.map { $0.name.quotedIdentifier }).map { "t0.\($0)" }.joined(separator: ", ")
  }

  /// Comparisons of texts. Without options they are plain SQL, so that an index can serve `BEGINSWITH` and `LIKE`.
  func textual(
    _ comparison: ComparisonPredicate, _ left: String, _ right: String
  ) throws(NotExpressibleInSQL) -> String {
    let options = comparison.options
    if comparison.operator == .matches { return "modelc_matches(\(left), \(right), '\(options.foldName)')" }
    let constant: String? =
      if case .constant(.string(let text)) = comparison.right, !options.isFolding { text } else { nil }
    let (l, r) = (options.folded(left), options.folded(right))
    switch comparison.operator {
    case .beginsWith:
      if let constant, let range = left.prefixRange(constant) { return range }
      return "substr(\(l), 1, length(\(r))) = \(r)"
    case .endsWith: return "(length(\(r)) = 0 AND \(l) IS NOT NULL OR substr(\(l), -length(\(r))) = \(r))"
    case .contains: return "instr(\(l), \(r)) > 0"
    case .like:
      if let pattern = constant.map(\.globPattern), pattern.utf8.count <= longestGlobPattern {
        return "\(left) GLOB \(StoredCell.text(pattern).sql)"
      }
      return "modelc_like(\(l), \(r))"
    case .utiConformsTo, .utiEquals: throw NotExpressibleInSQL("'\(comparison.operator.rawValue)'")
    default: throw NotExpressibleInSQL("'\(comparison.operator.rawValue)' of texts")
    }
  }

  /// A comparison of texts by the evaluator, which takes them as bytes: most of SQLite's functions end a text at a zero byte,
  /// as it hands texts to ours. Nil for a fetch of Core Data's, and where SQLite compares whole texts itself.
  private func ofWholeTexts(_ comparison: ComparisonPredicate, _ left: SQLValue, _ right: SQLValue) -> String?
  {
    let (options, sides) = (comparison.options, [comparison.left, comparison.right])
    let areTexts = [left, right].compactMap(\.type?.isText)
    guard compileFunction != nil, !areTexts.isEmpty, !areTexts.contains(false),
      !sides.contains(.constant(.null))
    else { return nil }
    switch comparison.operator {
    case .endsWith, .like, .matches: break
    case .beginsWith: if !options.isFolding, case .constant = comparison.right { return nil }
    default: if !options.isFolding { return nil }
    }
    let bytes = [left, right].map { "CAST(\($0.sql) AS BLOB)" }.joined(separator: ", ")
    return "CASE WHEN \(left.sql) IS NOT NULL AND \(right.sql) IS NOT NULL THEN "
      + "modelc_compare('\(comparison.operator.rawValue)', \(options.rawValue), 'ss', \(bytes)) END"
  }

  func joined(_ conditions: [String], _ sign: String) -> String { conditions.balanced(" \(sign) ") }

  mutating func condition(
    ofOne comparison: ComparisonPredicate, _ row: Row
  ) throws(NotExpressibleInSQL) -> String {
    if comparison.operator == .in, let path = try toManyPath(comparison.right, row) {
      return try membership(comparison.left, in: path, comparison.options, row)
    }
    // The side that is not a constant tells in which form the other one stands.
    var type: AttributeType?
    if case .constant = comparison.left {
      switch comparison.right {
      case .aggregate, .variable: break
      default: type = try value(comparison.right, row).type
      }
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
    let native =
      switch comparison.operator {
      case .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
        ordered(comparison, left.sql, right.sql)
      default: try textual(comparison, left.sql, right.sql)
      }
    guard let whole = ofWholeTexts(comparison, left, right) else { return native }
    // Nearly no text has a zero byte, and the others are compared as ever.
    let havePlainTexts = [left, right].map { "instr(\($0.sql), char(0)) = 0" }.joined(separator: " AND ")
    return "CASE WHEN \(havePlainTexts) THEN \(native) ELSE \(whole) END"
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

extension String {
  /// `name >= 'ab' AND name < 'ac'`; nil if there is no text that follows all with the prefix.
  func prefixRange(_ prefix: String) -> String? {
    if prefix.isEmpty { return "\(self) IS NOT NULL" }
    guard !prefix.utf8.contains(0), let next = successor(of: prefix) else { return nil }
    return "(\(self) >= \(StoredCell.text(prefix).sql) AND \(self) < \(StoredCell.text(next).sql))"
  }

  /// `?` and `*` mean the same in both; a backslash makes them plain, which GLOB says with brackets.
  var globPattern: String {
    var glob = ""
    var isEscaped = false
    for character in self {
      switch character {
      case "\\" where !isEscaped:
        isEscaped = true
        continue
      case "[": glob += "[[]"
      case "*" where isEscaped, "?" where isEscaped: glob += "[\(character)]"
      default: glob.append(character)
      }
      isEscaped = false
    }
    return isEscaped ? glob + "\\" : glob
  }
}

/// The first text after all that begin with this one, in the order of bytes.
private func successor(of prefix: String) -> String? {
  var scalars = Array(prefix.unicodeScalars)
  while let last = scalars.popLast() {
    // The values between are not scalars.
    let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
    if let scalar = Unicode.Scalar(next) { return String(String.UnicodeScalarView(scalars + [scalar])) }
  }
  return nil
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
