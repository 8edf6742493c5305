import Expressions

extension ValueCompiler {
  mutating func count(_ collection: Expression, _ row: Row) throws(NotExpressibleInSQL) -> TypedSQL {
    switch collection {
    case .keyPath(let keys, let base): return try value(.keyPath(keys + ["@count"], of: base), row)
    case .subquery: return try value(.keyPath(["@count"], of: collection), row)
    default: throw NotExpressibleInSQL("'\(collection)' is not a to-many relationship to count")
    }
  }

  mutating func aggregate(
    _ aggregate: Aggregate, operand: [String], overSubquery collection: Expression,
    _ variable: String, _ predicate: Predicate, _ row: Row
  ) throws(NotExpressibleInSQL) -> TypedSQL {
    guard case .keyPath(let keys, let base) = collection,
      case .collection(let path) = try joins.follow(keys[...], from: joins.row(of: base, from: row))
    else { throw NotExpressibleInSQL("a subquery over '\(collection)', which is not a to-many relationship") }
    return try self.aggregate(aggregate, over: path, operand: operand) {
      (compiler, element) throws(NotExpressibleInSQL) in
      var inner = row
      inner.variables[variable] = Row.Bound(
        alias: element.alias, entity: element.entity, level: element.level)
      return "(\(try compiler.condition(predicate, inner)))"
    }
  }

  /// An aggregate over a to-many: a correlated subquery.
  mutating func aggregate(
    _ aggregate: Aggregate, over path: ToManyPath, operand: [String],
    where condition: ((inout Self, Row) throws(NotExpressibleInSQL) -> String)? = nil
  ) throws(NotExpressibleInSQL) -> TypedSQL {
    guard path.rest.isEmpty else { throw NotExpressibleInSQL("an aggregate over more than one relationship") }
    let (element, isElement) = try joins.elements(of: path)
    var conditions = [isElement]
    if let condition { conditions.append(try condition(&self, element)) }
    var result = TypedSQL(sql: "COUNT(*)", kind: .integer, bits: 40)
    if aggregate != .keyed(.count) {
      guard case .value(let value) = try target(operand[...], from: element) else {
        throw NotExpressibleInSQL("'\(aggregate.name)' needs one value of each object")
      }
      result = try aggregated(value, by: aggregate)
    }
    result.sql =
      "(SELECT \(result.sql) FROM \(joins.from(element)) WHERE \(conditions.joined(separator: " AND ")))"
    return result
  }

  /// SQLite's own functions where they cannot but agree: its sums of doubles are not exact ones, and its mean is a
  /// double always.
  private func aggregated(_ value: TypedSQL, by aggregate: Aggregate) throws(NotExpressibleInSQL) -> TypedSQL
  {
    switch aggregate {
    case .keyed(.minimum), .keyed(.maximum):
      guard value.kind != .object, value.kind != .binary, value.isPlain else { break }
      return TypedSQL(
        sql: "\(aggregate.name.dropFirst().uppercased())(\(value.sql))", kind: value.kind,
        isPlain: value.kind != .string, bits: value.bits)
    case .keyed(.sum):
      guard value.kind.isNumber else { break }
      // A sum beyond 64 bits is an error of SQLite's too.
      if value.kind == .integer || value.kind == .boolean {
        return TypedSQL(sql: "IFNULL(SUM(\(value.sql)), 0)", kind: .integer)
      }
      return TypedSQL(sql: "IFNULL(\(aggregateCall("sum:", value, .number).sql), 0)", kind: .number)
    case .keyed(.average):
      guard value.kind.isNumber else { break }
      let kind: ValueKind = value.kind == .decimal || value.kind == .number ? value.kind : .double
      return aggregateCall("average:", value, kind)
    case .called(let function):
      guard value.kind.isNumber else { break }
      return aggregateCall(function.selector, value, function.result == .double ? .double : .number)
    case .keyed: throw NotExpressibleInSQL("'\(aggregate.name)' yields a collection")
    }
    throw NotExpressibleInSQL("'\(aggregate.name)' of values that are not numbers of a column")
  }

  private func aggregateCall(_ selector: String, _ value: TypedSQL, _ kind: ValueKind) -> TypedSQL {
    .call("modelc_aggregate", ["'\(selector)'", [value].kinds, value.argument], kind)
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
}
