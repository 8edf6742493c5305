import Expressions
import ManagedModel

extension FetchCompiler {
  mutating func memoryCount(_ collection: Expression, _ scope: Scope) throws(NoSQLForm) -> TypedSQL {
    switch collection {
    case .keyPath(let keys, let base): return try memoryValue(.keyPath(keys + ["@count"], of: base), scope)
    case .subquery: return try memoryValue(.keyPath(["@count"], of: collection), scope)
    default: throw NoSQLForm("'\(collection)' is no to-many relationship to count")
    }
  }

  mutating func memoryAggregate(
    _ aggregate: CollectionOperator, operand: [String], overSubquery collection: Expression,
    _ variable: String, _ predicate: Predicate, _ scope: Scope
  ) throws(NoSQLForm) -> TypedSQL {
    guard case .keyPath(let keys, let base) = collection,
      case .collection(let path) = try follow(keys[...], from: self.scope(of: base, scope))
    else { throw NoSQLForm("a subquery over '\(collection)', which is no to-many relationship") }
    return try memoryAggregate(aggregate, over: path, operand: operand) {
      (compiler, element) throws(NoSQLForm) in
      var inner = scope
      inner.variables[variable] = Scope.Bound(
        alias: element.alias, entity: element.entity, level: element.level)
      return "(\(try compiler.memoryCondition(predicate, inner)))"
    }
  }

  /// An aggregate over a to-many: a correlated subquery.
  mutating func memoryAggregate(
    _ aggregate: CollectionOperator, over path: ToManyPath, operand: [String], selector: String? = nil,
    where condition: ((inout FetchCompiler, Scope) throws(NoSQLForm) -> String)? = nil
  ) throws(NoSQLForm) -> TypedSQL {
    guard path.rest.isEmpty else { throw NoSQLForm("an aggregate over more than one relationship") }
    let (element, isElement) = try elements(of: path)
    var conditions = [isElement]
    if let condition { conditions.append(try condition(&self, element)) }
    var result = TypedSQL(sql: "COUNT(*)", kind: .integer, bits: 40)
    if aggregate != .count || selector != nil {
      guard case .value(let value) = try memoryTarget(operand[...], from: element) else {
        throw NoSQLForm("'\(aggregate.rawValue)' needs one value of each object")
      }
      result = try self.aggregate(selector ?? aggregate.rawValue, of: value)
    }
    result.sql = "(SELECT \(result.sql) FROM \(from(element)) WHERE \(conditions.joined(separator: " AND ")))"
    return result
  }

  /// SQLite's own functions where they cannot but agree: its sums of doubles are no exact ones, and its mean is a
  /// double always.
  private func aggregate(_ name: String, of value: TypedSQL) throws(NoSQLForm) -> TypedSQL {
    switch name {
    case "@min", "@max":
      guard value.kind != .object, value.kind != .binary, value.isPlain else { break }
      return TypedSQL(
        sql: "\(name.dropFirst().uppercased())(\(value.sql))", kind: value.kind,
        isPlain: value.kind != .string,
        bits: value.bits)
    case "@sum", "sum:":
      guard value.kind.isNumber else { break }
      // A sum beyond 64 bits is an error of SQLite's too.
      if value.kind == .integer || value.kind == .boolean {
        return TypedSQL(sql: "IFNULL(SUM(\(value.sql)), 0)", kind: .integer)
      }
      let sum = aggregateCall("sum:", value, .number)
      return TypedSQL(sql: "IFNULL(\(sum.sql), 0)", kind: .number)
    case "@avg", "average:":
      guard value.kind.isNumber else { break }
      let kind: ValueKind = value.kind == .decimal || value.kind == .number ? value.kind : .double
      return aggregateCall("average:", value, kind)
    case "median:":
      guard value.kind.isNumber else { break }
      return aggregateCall("median:", value, .number)
    case "stddev:":
      guard value.kind.isNumber else { break }
      return aggregateCall("stddev:", value, .double)
    default: throw NoSQLForm("'\(name)' yields a collection")
    }
    throw NoSQLForm("'\(name)' of values that are no numbers of a column")
  }

  private func aggregateCall(_ selector: String, _ value: TypedSQL, _ kind: ValueKind) -> TypedSQL {
    .call("modelc_aggregate", ["'\(selector)'", [value].kinds, value.argument], kind)
  }
}
