import ManagedModel

extension FetchCompiler {
  /// A value.
  ///
  /// - Parameter other: the type of what it is compared with, which decides the form of a constant.
  mutating func value(
    _ expression: Expression, _ row: Row, comparedWith other: AttributeType? = nil
  ) throws(NotExpressibleInSQL) -> SQLValue {
    switch expression {
    case .constant(let constant): return SQLValue(sql: try literal(constant, other))
    case .evaluatedObject: return row.value ?? SQLValue(sql: "\(row.prefix)Z_PK", isObject: true)
    case .variable(let name):
      if let bound = row.variables[name] { return SQLValue(sql: "\(bound.alias).Z_PK", isObject: true) }
      return SQLValue(sql: joins.parameter(name), type: other)
    case .keyPath(let keys, let base): return try value(ofKeys: keys, base, row)
    case .index(let base, .size): return try count(base, row)
    case .arithmetic(let sign, let left, let right):
      let (l, r) = (try value(left, row).sql, try value(right, row).sql)
      return SQLValue(sql: sign == .power ? "pow(\(l), \(r))" : "(\(l) \(sign.rawValue) \(r))", type: .double)
    case .negation(let operand): return SQLValue(sql: "(- \(try value(operand, row).sql))", type: .double)
    case .conditional(let test, let first, let second):
      let (yes, no) = (
        try value(first, row, comparedWith: other), try value(second, row, comparedWith: other)
      )
      return SQLValue(
        sql: "CASE WHEN \(try condition(test, row)) THEN \(yes.sql) ELSE \(no.sql) END",
        type: yes.type ?? no.type)
    case .cast(let operand, let type): return try cast(operand, to: type, row)
    case .function(let call): return try function(call, row)
    case .anyKey, .index, .set, .assignment, .subquery, .fetch, .aggregate:
      throw NotExpressibleInSQL("'\(expression)' is not a value of a row")
    }
  }

  mutating func target(
    _ keys: ArraySlice<String>, from start: Row
  ) throws(NotExpressibleInSQL) -> PathTarget<SQLValue> {
    try joins.follow(keys, from: start)
  }

  func aggregated(_ value: SQLValue, by aggregate: Aggregate) throws(NotExpressibleInSQL) -> SQLValue {
    if value.isObject { throw .notOneValue(aggregate.name) }
    guard case .keyed(let collectionOperator) = aggregate, let function = collectionOperator.sqlFunction
    else { throw NotExpressibleInSQL("'\(aggregate.name)' yields a collection") }
    let sql = "\(function)(\(value.sql))"
    // The sum of nothing is zero for key-value coding, and null in SQL.
    return SQLValue(sql: collectionOperator == .sum ? "IFNULL(\(sql), 0)" : sql, type: value.type)
  }

  /// Dates are numbers in a store: seconds since 2001.
  private mutating func cast(
    _ operand: Expression, to type: Expression.CastType, _ row: Row
  ) throws(NotExpressibleInSQL) -> SQLValue {
    if type == .date, case .constant(.string(let text)) = operand {
      guard let date = AttributeValue(parsing: text, as: .date) else { throw .textCast(type) }
      return SQLValue(sql: date.sql(), type: .date)
    }
    let value = try value(operand, row)
    // SQLite would take digits at the beginning of a text for all of it, and 0 for text that has none.
    if type != .string, value.type?.isText ?? operand.isText { throw .textCast(type) }
    if type == .string, let from = value.type, !from.isText, !from.isInteger { throw .textCast(type) }
    let sql = value.sql
    switch type {
    case .date: return SQLValue(sql: sql, type: .date)
    case .number: return SQLValue(sql: "CAST(\(sql) AS NUMERIC)", type: .double)
    case .decimalNumber: return SQLValue(sql: "CAST(\(sql) AS NUMERIC)", type: .decimal)
    case .string: return SQLValue(sql: "CAST(\(sql) AS TEXT)", type: .string)
    }
  }

  private mutating func function(_ call: FunctionCall, _ row: Row) throws(NotExpressibleInSQL) -> SQLValue {
    guard call.receiver == nil else {
      throw NotExpressibleInSQL("'\(call.selector)' is a method of an object")
    }
    let function = PredefinedFunction.named(call.selector)
    if case .collection(let aggregate)? = function?.fetchForm, call.arguments.count == 1,
      case .keyPath(let keys, let base) = call.arguments[0]
    {
      return try value(ofKeys: collectionKeys(keys, aggregate, joins.row(of: base, from: row)), base, row)
    }
    var values: [SQLValue] = []
    for argument in call.arguments { values.append(try value(argument, row)) }
    let arguments = values.map(\.sql)
    if let function, function.argumentCounts.contains(arguments.count) {
      switch function.fetchForm {
      case .ofTexts(let form):
        if zip(values, call.arguments).allSatisfy({ $0.type?.isText ?? $1.isText }) {
          return SQLValue(sql: form(arguments), type: .string)
        }
      case .sql(let form):
        if let sql = form(arguments) { return SQLValue(sql: sql, type: function.result.attributeType) }
      case .parameter(let name):
        return SQLValue(sql: joins.parameter(name), type: function.result.attributeType)
      case .collection, .none: break
      }
    }
    guard let compileFunction else { throw NotExpressibleInSQL("the function '\(call.selector)'") }
    return try compileFunction(call, row, &joins)
  }

  /// `sum:(songs.length)` as `songs.@sum.length`: the operator stands after the last to-many.
  private func collectionKeys(
    _ keys: [String], _ aggregate: CollectionOperator, _ row: Row
  ) throws(NotExpressibleInSQL) -> [String] {
    var entity = row.entity
    for (index, key) in keys.enumerated() {
      guard let relationship = joins.hierarchy.relationship(named: key, of: entity) else { break }
      if relationship.isToMany { return keys[...index] + [aggregate.rawValue] + keys[(index + 1)...] }
      entity = relationship.destinationEntityName
    }
    throw NotExpressibleInSQL("'\(aggregate.rawValue)' needs a to-many relationship")
  }

  /// A constant in the form that the other side is stored in.
  func literal(_ constant: ConstantValue, _ type: AttributeType?) throws(NotExpressibleInSQL) -> String {
    switch constant {
    case .null: return "NULL"
    case .boolean(let value): return value ? "1" : "0"
    case .integer(let value): return "\(value)"
    case .decimal(let text): return text.description
    case .string(let text):
      guard let type, type.isSpelled, !type.isText else { return StoredCell.text(text).sql }
      guard let value = AttributeValue(parsing: text, as: type) else {
        throw NotExpressibleInSQL("'\(text)' is not a valid \(type.traits.xcodeName ?? type.name)")
      }
      return value.sql()
    }
  }
}

extension Expression {
  fileprivate var isText: Bool { if case .constant(.string) = self { true } else { false } }
}

extension NotExpressibleInSQL {
  fileprivate static func textCast(_ type: Expression.CastType) -> Self {
    Self("a cast between text and '\(type.rawValue)'")
  }
}

extension PredefinedFunction.ResultType {
  /// What attributes would hold it, where arguments do not decide.
  fileprivate var attributeType: AttributeType? {
    switch self {
    case .value(let type, _): type
    case .number: .double
    case .element, .first, .any, .unknown: nil
    }
  }
}
