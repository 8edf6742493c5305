import ManagedModel

/// A compiled value of either meaning.
protocol CompiledValue {
  var sql: String { get set }
  static var rowCount: Self { get }
}

/// What the meaning of a fetch and the in-memory one have in common: how conditions are joined, and how a to-many
/// relationship is asked.
///
/// They differ in what a comparison with a null is, and with that in every value and every comparison.
protocol PredicateCompiler {
  associatedtype Value: CompiledValue
  typealias Row = JoinScope.Row

  var joins: JoinScope { get set }

  mutating func target(
    _ keys: ArraySlice<String>, from start: Row
  ) throws(NotExpressibleInSQL) -> PathTarget<Value>
  /// Several conditions as one; `sign` is `AND` or `OR`.
  func joined(_ conditions: [String], _ sign: String) -> String
  /// A comparison of one value, or of an object, with another.
  mutating func condition(
    ofOne comparison: ComparisonPredicate, _ row: Row
  ) throws(NotExpressibleInSQL) -> String
  /// Whether an operand, found already, and the right side of the comparison are as it says.
  mutating func compare(
    _ left: Value, _ comparison: ComparisonPredicate, _ row: Row
  ) throws(NotExpressibleInSQL) -> String
  /// Whether an object, or a value, is among those that a path leads to.
  mutating func membership(
    _ candidate: Expression, in path: ToManyPath, _ options: ComparisonPredicate.Options, _ row: Row
  ) throws(NotExpressibleInSQL) -> String
  /// An aggregate of a value that each row has.
  func aggregated(_ value: Value, by aggregate: Aggregate) throws(NotExpressibleInSQL) -> Value
}

extension PredicateCompiler {
  mutating func condition(_ predicate: Predicate, _ row: Row) throws(NotExpressibleInSQL) -> String {
    switch predicate {
    case .constant(let value): return value ? "1" : "0"
    case .not(let operand): return "NOT (\(try condition(operand, row)))"
    case .and(let operands): return try condition(operands, "AND", none: "1", row)
    case .or(let operands): return try condition(operands, "OR", none: "0", row)
    case .comparison(let comparison): return try condition(comparison, row)
    }
  }

  private mutating func condition(
    _ operands: [Predicate], _ sign: String, none: String, _ row: Row
  ) throws(NotExpressibleInSQL) -> String {
    var parts: [String] = []
    for operand in operands { parts.append("(\(try condition(operand, row)))") }
    return parts.isEmpty ? none : joined(parts, sign)
  }

  private mutating func condition(
    _ comparison: ComparisonPredicate, _ row: Row
  ) throws(NotExpressibleInSQL) -> String {
    if comparison.options.contains(.localeSensitive) {
      throw NotExpressibleInSQL("a comparison in the order of the user's locale")
    }
    guard let path = try toManyPath(comparison.left, row) else {
      return try condition(ofOne: comparison, row)
    }
    if comparison.operator == .contains, comparison.modifier == .direct {
      return try membership(comparison.right, in: path, comparison.options, row)
    }
    if comparison.modifier == .direct, case .keyPath(let keys, _) = comparison.left {
      throw .manyValues(keys)
    }
    return try quantified(comparison, over: path, row)
  }

  mutating func toManyPath(_ side: Expression, _ row: Row) throws(NotExpressibleInSQL) -> ToManyPath? {
    guard case .keyPath(let keys, let base) = side, CollectionKeyPath(keys) == nil,
      case .collection(let path) = try target(keys[...], from: joins.row(of: base, from: row))
    else { return nil }
    return path
  }

  /// `ANY`: there is one; `ALL`: there is none that does not; `NONE`: there is none.
  private mutating func quantified(
    _ comparison: ComparisonPredicate, over path: ToManyPath, _ row: Row
  ) throws(NotExpressibleInSQL) -> String {
    let (element, isElement) = try joins.elements(of: path)
    let compared: String
    switch try target(path.rest, from: element) {
    case .value(let value): compared = try compare(value, comparison, row)
    case .collection(let further):
      var nested = comparison
      if comparison.modifier == .none { nested.modifier = .any }
      compared = try quantified(nested, over: further, row)
    }
    let inner = comparison.modifier == .all ? "NOT (\(compared))" : compared
    let exists = "EXISTS (SELECT 1 FROM \(joins.from(element)) WHERE \(isElement) AND (\(inner)))"
    return comparison.modifier == .any ? exists : "NOT \(exists)"
  }

  mutating func value(
    ofKeys keys: [String], _ base: Expression?, _ row: Row
  ) throws(NotExpressibleInSQL) -> Value {
    guard let path = CollectionKeyPath(keys) else {
      guard case .value(let value) = try target(keys[...], from: joins.row(of: base, from: row)) else {
        throw .manyValues(keys)
      }
      return value
    }
    if case .subquery(let collection, let variable, let predicate)? = base, path.collection.isEmpty {
      return try aggregate(path, overSubquery: collection, variable, predicate, row)
    }
    let start = try joins.row(of: base, from: row)
    guard case .collection(let toMany) = try joins.follow(path.collection[...], from: start) else {
      throw NotExpressibleInSQL("'\(path.operator.rawValue)' needs a to-many relationship before it")
    }
    return try aggregate(.keyed(path.operator), over: toMany, operand: path.operand)
  }

  mutating func count(_ collection: Expression, _ row: Row) throws(NotExpressibleInSQL) -> Value {
    switch collection {
    case .keyPath(let keys, let base): return try value(ofKeys: keys + ["@count"], base, row)
    case .subquery: return try value(ofKeys: ["@count"], collection, row)
    default: throw NotExpressibleInSQL("'\(collection)' is not a to-many relationship to count")
    }
  }

  private mutating func aggregate(
    _ path: CollectionKeyPath, overSubquery collection: Expression, _ variable: String,
    _ predicate: Predicate, _ row: Row
  ) throws(NotExpressibleInSQL) -> Value {
    guard case .keyPath(let keys, let base) = collection,
      case .collection(let toMany) = try joins.follow(keys[...], from: joins.row(of: base, from: row))
    else { throw NotExpressibleInSQL("a subquery over '\(collection)', which is not a to-many relationship") }
    return try aggregate(.keyed(path.operator), over: toMany, operand: path.operand) {
      (compiler, element) throws(NotExpressibleInSQL) in
      // Within a subquery, keys without a variable still begin at the object outside.
      var inner = row
      inner.variables[variable] = element
      return "(\(try compiler.condition(predicate, inner)))"
    }
  }

  /// An aggregate over a to-many: a correlated subquery.
  mutating func aggregate(
    _ aggregate: Aggregate, over path: ToManyPath, operand: [String],
    where condition: ((inout Self, Row) throws(NotExpressibleInSQL) -> String)? = nil
  ) throws(NotExpressibleInSQL) -> Value {
    guard path.rest.isEmpty else {
      throw NotExpressibleInSQL("an aggregate over more than one to-many relationship")
    }
    let (element, isElement) = try joins.elements(of: path)
    var conditions = [isElement]
    if let condition { conditions.append(try condition(&self, element)) }
    var result = Value.rowCount
    if aggregate != .keyed(.count) {
      guard case .value(let value) = try target(operand[...], from: element) else {
        throw .notOneValue(aggregate.name)
      }
      result = try aggregated(value, by: aggregate)
    }
    result.sql =
      "(SELECT \(result.sql) FROM \(joins.from(element)) WHERE \(conditions.joined(separator: " AND ")))"
    return result
  }
}

/// What is computed over the objects of a to-many.
enum Aggregate: Equatable {
  case keyed(CollectionOperator)
  case called(PredefinedFunction)

  var name: String {
    switch self {
    case .keyed(let collectionOperator): collectionOperator.rawValue
    case .called(let function): function.selector
    }
  }
}

extension CollectionOperator {
  /// SQLite's function of one value of each row; nil for the count and for what yields a collection.
  var sqlFunction: String? {
    [.sum, .average, .minimum, .maximum].contains(self) ? rawValue.dropFirst().uppercased() : nil
  }
}

extension NotExpressibleInSQL {
  fileprivate static func manyValues(_ keys: [String]) -> Self {
    Self("'\(keys.joined(separator: "."))' is a to-many key path where one value is expected")
  }

  static func notOneValue(_ aggregate: String) -> Self {
    Self("'\(aggregate)' needs one value of each object")
  }
}
