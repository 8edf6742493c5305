import ManagedModel

/// Turns value expressions and conditions into SQL with the in-memory meaning: `Sources/Expressions/Evaluation` in SQL.
/// Where no SQL gives the same answer for every row, it refuses, and objects are evaluated instead.
struct ValueCompiler: PredicateCompiler {
  var joins: JoinScope

  init(_ joins: JoinScope) { self.joins = joins }

  mutating func value(_ expression: Expression, _ row: Row) throws(NotExpressibleInSQL) -> TypedSQL {
    switch expression {
    case .constant(let constant): return try typed(constant)
    case .evaluatedObject, .variable: return try value(ofKeys: [], expression, row)
    case .keyPath(let keys, let base): return try value(ofKeys: keys, base, row)
    case .index(let base, .size): return try count(base, row)
    case .arithmetic(let sign, let left, let right):
      return try arithmetic(sign, try value(left, row), try value(right, row), "\(expression)")
    case .negation(let operand):
      return try arithmetic(
        .subtract, TypedSQL(sql: "0", kind: .integer, isPlain: true, bits: 0, constant: .integer(0)),
        try value(operand, row), "\(expression)", isNegation: true)
    case .conditional(let test, let value, let otherwise):
      let condition = try self.condition(test, row)
      let values = [try self.value(value, row), try self.value(otherwise, row)]
      let kind = try values.joinedKind("\(expression)")
      let branches = values.map { $0.as(kind) }
      return TypedSQL(
        sql: "CASE WHEN \(condition) THEN \(branches[0]) ELSE \(branches[1]) END", kind: kind,
        bits: values.map(\.bits).max() ?? 64, entity: values.compactMap(\.entity).first)
    case .cast(let operand, let type):
      return try cast(try value(operand, row), to: type)
    case .function(let call): return try function(call, row)
    case .anyKey, .index, .set, .assignment, .subquery, .fetch, .aggregate:
      throw NotExpressibleInSQL("'\(expression)' is not a value of a row")
    }
  }

  func typed(_ constant: ConstantValue) throws(NotExpressibleInSQL) -> TypedSQL {
    switch constant {
    case .null: return .null
    case .boolean(let value):
      return TypedSQL(sql: value ? "1" : "0", kind: .boolean, isPlain: true, bits: 1, constant: constant)
    case .integer(let value):
      let bits = 64 - value.magnitude.leadingZeroBitCount
      return TypedSQL(
        sql: StoredCell.integer(value).sql, kind: .integer, isPlain: true, bits: bits, constant: constant)
    case .string(let text):
      return TypedSQL(sql: StoredCell.text(text).sql, kind: .string, isPlain: true, constant: constant)
    case .decimal(let text):
      // A cell holds no more digits than a double.
      guard text.isExactAsDouble else { throw NotExpressibleInSQL("'\(text)' has more digits than a column") }
      let sql = StoredCell.real(text.doubleValue).sql
      return TypedSQL(sql: sql, kind: .decimal, isPlain: true, constant: constant)
    }
  }

  /// Follows keys, also into plain values, as key-value coding does: `title.length`.
  mutating func target(
    _ keys: ArraySlice<String>, from start: Row
  ) throws(NotExpressibleInSQL) -> PathTarget<TypedSQL> {
    let length = lengthOfStoredPath(keys, start)
    switch try joins.follow(keys.prefix(length), from: start) {
    case .collection(let path):
      // Keys that reach into values stay with the path, for whoever follows it on.
      var whole = path
      whole.rest += keys.dropFirst(length)
      return .collection(whole)
    case .value(let value):
      var result = try typed(value)
      for key in keys.dropFirst(length) { result = try part(of: result, key) }
      return .value(result)
    }
  }

  /// How many keys lead along relationships to an attribute, itself included.
  private func lengthOfStoredPath(_ keys: ArraySlice<String>, _ start: Row) -> Int {
    var entity = start.entity
    for (count, key) in keys.enumerated() {
      if let attribute = joins.hierarchy.attribute(named: key, of: entity) {
        guard attribute.type == .composite else { return count + 1 }
        let path = keys.dropFirst(count)
        let leaves = [attribute].storedLeaves(composites: joins.hierarchy.model.composites)
        return (1...path.count).first { length in
          leaves.contains { $0.keyPath == path.prefix(length).joined(separator: ".") }
        }.map { count + $0 } ?? keys.count
      }
      guard let relationship = joins.hierarchy.relationship(named: key, of: entity) else { continue }
      entity = relationship.destinationEntityName
    }
    return keys.count
  }

  private func typed(_ value: SQLValue) throws(NotExpressibleInSQL) -> TypedSQL {
    if value.isObject { return TypedSQL(sql: value.sql, kind: .object, isPlain: true, entity: value.entity) }
    guard let type = value.type, let kind = ValueKind(type) else {
      throw NotExpressibleInSQL("a value of unknown type")
    }
    if value.usesExternalStorage { throw NotExpressibleInSQL("a value that may be outside the store's file") }
    return TypedSQL(sql: value.sql, kind: kind, isPlain: true, bits: type.bits)
  }

  /// A key of a plain value.
  private func part(of value: TypedSQL, _ key: String) throws(NotExpressibleInSQL) -> TypedSQL {
    if key == "self" { return value }
    let kind: ValueKind
    switch key {
    case "length", "intValue", "integerValue", "longLongValue": kind = .integer
    case "doubleValue", "floatValue", "timeIntervalSinceReferenceDate", "timeIntervalSince1970":
      kind = .double
    case "boolValue": kind = .boolean
    default: kind = .string
    }
    if value.kind == .object {
      throw NotExpressibleInSQL("an object of '\(value.entity ?? "")' has no stored '\(key)'")
    }
    let name = StoredCell.text(key).sql
    return .call("modelc_key", [name, [value].kinds, value.argument], kind, bits: key == "length" ? 32 : 64)
  }

  /// What 64 bits surely hold is SQLite's own arithmetic; the rest is a function that refuses what overflows.
  func arithmetic(
    _ sign: Expression.ArithmeticOperator, _ left: TypedSQL, _ right: TypedSQL, _ place: String,
    isNegation: Bool = false
  ) throws(NotExpressibleInSQL) -> TypedSQL {
    let operands = [left, right]
    guard operands.allSatisfy({ $0.kind.isNumber || $0.kind == .null }) else {
      throw NotExpressibleInSQL("'\(place)' calculates with a value that is not a number")
    }
    if operands.contains(where: { $0.kind == .null }), !operands.contains(where: \.mayFail) { return .null }
    let isWhole = operands.allSatisfy { $0.kind == .integer || $0.kind == .boolean }
    if isWhole, let native = nativeArithmetic(sign, left, right) { return native }
    let kind: ValueKind =
      if operands.contains(where: { $0.kind == .null }) {
        .null
      } else if operands.contains(where: { $0.kind == .number }) {
        .number
      } else if sign == .power {
        operands.contains(where: { $0.kind == .double }) ? .double : .number
      } else {
        isWhole ? .integer : operands.contains(where: { $0.kind == .double }) ? .double : .decimal
      }
    if isNegation { return .call("modelc_call", ["'-'", [right].kinds, right.argument], kind) }
    return .call("modelc_call", ["'\(sign.rawValue)'", operands.kinds, left.argument, right.argument], kind)
  }

  private func nativeArithmetic(
    _ sign: Expression.ArithmeticOperator, _ left: TypedSQL, _ right: TypedSQL
  ) -> TypedSQL? {
    let bits: Int
    switch sign {
    case .add, .subtract: bits = max(left.bits, right.bits) + 1
    case .multiply: bits = left.bits + right.bits
    // Without a divisor that may be zero.
    case .divide:
      guard case .integer(let divisor)? = right.constant, divisor != 0 else { return nil }
      bits = left.bits
    case .power: return nil
    }
    guard bits < 63 else { return nil }
    return TypedSQL(sql: "(\(left.sql) \(sign.rawValue) \(right.sql))", kind: .integer, bits: bits)
  }

  func cast(_ value: TypedSQL, to type: Expression.CastType) throws(NotExpressibleInSQL) -> TypedSQL {
    if value.kind == .null { return .null }
    if value.kind == .object { throw NotExpressibleInSQL("an object cannot be cast") }
    let kind = ValueKind(type)
    switch (value.kind, type) {
    case (.date, .date), (.string, .string), (.integer, .number), (.double, .number): return value
    // Both are seconds since 2001.
    case (.integer, .date), (.double, .date):
      return TypedSQL(sql: value.sql, kind: .date, isPlain: value.isPlain)
    case (.date, .number): return TypedSQL(sql: "CAST(\(value.sql) AS REAL)", kind: .double)
    case (.integer, .string), (.boolean, .string):
      return TypedSQL(sql: "CAST(\(value.sql) AS TEXT)", kind: .string)
    default: break
    }
    return .call(
      "modelc_call",
      [
        "'castObject:toType:'", [value, TypedSQL(sql: "", kind: .string)].kinds, value.argument,
        "'\(type.rawValue)'",
      ], kind)
  }
}

extension TypedSQL {
  /// The same value in the form that values of the kind have where several kinds meet.
  func `as`(_ kind: ValueKind) -> String {
    guard kind == .number, self.kind != .null else { return sql }
    switch self.kind {
    // A choice between cells and results may be either; a result is text already.
    case .decimal where !isCall: return "modelc_call('noindex:', 'm', \(sql))"
    case .double: return "CAST(\(sql) AS REAL)"
    default: return sql
    }
  }
}
