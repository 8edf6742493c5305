import ManagedModel

extension ValueCompiler {
  mutating func function(_ call: FunctionCall, _ row: Row) throws(NotExpressibleInSQL) -> TypedSQL {
    guard call.receiver == nil else {
      throw NotExpressibleInSQL("'\(call.selector)' is a method of an object")
    }
    let function = PredefinedFunction.named(call.selector)
    if let function, let result = try aggregate(function, call.arguments, row) { return result }
    var arguments: [TypedSQL] = []
    for argument in call.arguments { arguments.append(try value(argument, row)) }
    guard arguments.allSatisfy({ $0.kind != .object }) else {
      throw NotExpressibleInSQL("'\(call.selector)' of an object")
    }
    let place = "\(Expression.function(call))"
    guard let function, function.argumentCounts.contains(arguments.count) else {
      throw NotExpressibleInSQL("the function '\(call.selector)'")
    }
    switch function.rowForm {
    case .arithmetic(let sign): return try arithmetic(sign, arguments[0], arguments[1], place)
    case .now: return TypedSQL(sql: joins.parameter("now"), kind: .date, isPlain: true)
    case .firstValue:
      let kind = try arguments.joinedKind(place)
      if arguments.count == 1 { return arguments[0] }
      let values = arguments.map { $0.as(kind) }.joined(separator: ", ")
      return TypedSQL(sql: "COALESCE(\(values))", kind: kind, bits: arguments.map(\.bits).max() ?? 64)
    case .firstArgument: return arguments[0]
    case .secondArgument: return arguments[1]
    case .concatenation: if let native = nativeConcatenation(arguments) { return native }
    case .cast:
      guard case .string(let name)? = arguments[1].constant, let type = Expression.CastType(rawValue: name)
      else { throw NotExpressibleInSQL("'\(place)' casts to a type that differs by row") }
      return try cast(arguments[0], to: type)
    case .none: throw NotExpressibleInSQL("the function '\(call.selector)'")
    case .call, .aggregate, .collection: break
    }
    // What differs row by row is never called once for all.
    let caller = function.isDeterministic ? "modelc_call" : "modelc_random"
    let parts = [StoredCell.text(call.selector).sql, arguments.kinds] + arguments.map(\.argument)
    let (kind, bits) = try function.result.kind(of: arguments, place)
    return .call(caller, parts, kind, bits: bits)
  }

  /// `sum:(songs.length)`, `count:(songs)`: over a to-many, they are aggregates of it.
  private mutating func aggregate(
    _ function: PredefinedFunction, _ arguments: [Expression], _ row: Row
  ) throws(NotExpressibleInSQL) -> TypedSQL? {
    let aggregate: Aggregate
    switch function.rowForm {
    case .aggregate: aggregate = .called(function)
    case .collection(let collectionOperator): aggregate = .keyed(collectionOperator)
    default: return nil
    }
    guard arguments.count == 1, case .keyPath(let keys, let base) = arguments[0],
      CollectionKeyPath(keys) == nil,
      case .collection(var path) = try target(keys[...], from: joins.row(of: base, from: row))
    else { return nil }
    let operand = aggregate == .keyed(.count) ? [] : Array(path.rest)
    path.rest = []
    return try self.aggregate(aggregate, over: path, operand: operand)
  }

  /// SQLite's own functions where they cannot but agree: its sums of doubles are not exact ones, and its mean is a
  /// double always.
  func aggregated(_ value: TypedSQL, by aggregate: Aggregate) throws(NotExpressibleInSQL) -> TypedSQL {
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
    throw NotExpressibleInSQL("'\(aggregate.name)' of values that are not numbers in a column")
  }

  private func aggregateCall(_ selector: String, _ value: TypedSQL, _ kind: ValueKind) -> TypedSQL {
    .call("modelc_aggregate", ["'\(selector)'", [value].kinds, value.argument], kind)
  }
}

/// Texts and whole numbers one after another, by SQLite's own operator; nil adds nothing, and where all are nil so is
/// the result.
///
/// - Returns: nil if a value is to be spelled, or computed twice to learn whether all are nil.
private func nativeConcatenation(_ arguments: [TypedSQL]) -> TypedSQL? {
  let parts = arguments.filter { $0.kind != .null || $0.mayFail }
  guard !parts.isEmpty, parts.allSatisfy({ $0.kind.isText || $0.kind == .integer || $0.kind == .boolean })
  else { return nil }
  let isText = parts.contains { $0.constant != nil }
  guard isText || parts.allSatisfy(\.isPlain) else { return nil }
  let texts = parts.map { part in
    let text = part.kind.isText ? part.sql : "CAST(\(part.sql) AS TEXT)"
    return part.constant == nil ? "IFNULL(\(text), '')" : text
  }
  // One value alone keeps its type by being joined to nothing.
  let sql = "(\((texts + (texts.count == 1 ? ["''"] : [])).balanced(" || ")))"
  if isText { return TypedSQL(sql: sql, kind: .string) }
  let isEmpty = parts.map { "\($0.sql) IS NULL" }.balanced(" AND ")
  return TypedSQL(sql: "CASE WHEN \(isEmpty) THEN NULL ELSE \(sql) END", kind: .string)
}

extension PredefinedFunction.ResultType {
  /// The kind and the most bits of what a function gives for the arguments.
  fileprivate func kind(of arguments: [TypedSQL], _ place: String) throws(NotExpressibleInSQL) -> (
    ValueKind, bits: Int
  ) {
    switch self {
    case .value(let type, let bits):
      guard let kind = ValueKind(type) else { throw NotExpressibleInSQL("the function of '\(place)'") }
      return (kind, bits)
    case .number:
      guard arguments.allSatisfy({ $0.kind.isNumber || $0.kind == .null }) else {
        throw NotExpressibleInSQL("'\(place)' calculates with a value that is not a number")
      }
      return (.number, 64)
    case .element, .first, .any: return (try arguments.joinedKind(place), 64)
    case .unknown: throw NotExpressibleInSQL("the function of '\(place)'")
    }
  }
}
