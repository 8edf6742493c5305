import Expressions
import ManagedModel

extension FetchCompiler {
  /// A value.
  ///
  /// - Parameter other: the type of what it is compared with, which decides the form of a constant.
  mutating func value(
    _ expression: Expression, _ scope: Scope, comparedWith other: AttributeType? = nil
  ) throws(NoSQLForm) -> SQLValue {
    switch expression {
    case .constant(let constant): return SQLValue(sql: try literal(constant, other).sql)
    case .evaluatedObject: return scope.value ?? SQLValue(sql: "\(scope.prefix)Z_PK", isObject: true)
    case .variable(let name):
      if let bound = scope.variables[name] { return SQLValue(sql: "\(bound.alias).Z_PK", isObject: true) }
      return SQLValue(sql: parameter(name), type: other)
    case .keyPath(let keys, let base): return try value(ofKeys: keys, base, scope)
    case .index(let base, .size): return try count(base, scope)
    case .arithmetic(let sign, let left, let right):
      let (l, r) = (try value(left, scope).sql, try value(right, scope).sql)
      return SQLValue(sql: sign == .power ? "pow(\(l), \(r))" : "(\(l) \(sign.rawValue) \(r))", type: .double)
    case .negation(let operand): return SQLValue(sql: "(- \(try value(operand, scope).sql))", type: .double)
    case .conditional(let test, let first, let second):
      let (yes, no) = (
        try value(first, scope, comparedWith: other), try value(second, scope, comparedWith: other)
      )
      return SQLValue(
        sql: "CASE WHEN \(try condition(test, scope)) THEN \(yes.sql) ELSE \(no.sql) END",
        type: yes.type ?? no.type)
    case .cast(let operand, let type): return try cast(operand, to: type, scope)
    case .function(let call): return try function(call, scope)
    case .anyKey, .index, .set, .assignment, .subquery, .fetch, .aggregate:
      throw NoSQLForm("'\(expression)' is no value that a row can give")
    }
  }

  private mutating func value(
    ofKeys keys: [String], _ base: Expression?, _ scope: Scope
  ) throws(NoSQLForm) -> SQLValue {
    guard let aggregate = CollectionKeyPath(keys) else {
      let start = try self.scope(of: base, scope)
      guard case .value(let value) = try follow(keys[...], from: start) else {
        throw NoSQLForm("'\(keys.joined(separator: "."))' leads to many values where one must stand")
      }
      return value
    }
    if case .subquery(let collection, let variable, let predicate)? = base, aggregate.collection.isEmpty {
      return try self.aggregate(
        aggregate.operator, operand: aggregate.operand, overSubquery: collection, variable, predicate, scope)
    }
    let start = try self.scope(of: base, scope)
    guard case .collection(let path) = try follow(aggregate.collection[...], from: start) else {
      throw NoSQLForm("'\(aggregate.operator.rawValue)' needs a to-many relationship before it")
    }
    return try self.aggregate(aggregate.operator, over: path, operand: aggregate.operand)
  }

  private mutating func aggregate(
    _ collectionOperator: CollectionOperator, operand: [String], overSubquery collection: Expression,
    _ variable: String, _ predicate: Predicate, _ scope: Scope
  ) throws(NoSQLForm) -> SQLValue {
    guard case .keyPath(let keys, let base) = collection,
      case .collection(let path) = try follow(keys[...], from: self.scope(of: base, scope))
    else { throw NoSQLForm("a subquery over '\(collection)', which is no to-many relationship") }
    return try aggregate(collectionOperator, over: path, operand: operand) {
      (compiler, element) throws(NoSQLForm) in
      // Within a subquery, keys without a variable still begin at the object outside.
      var inner = scope
      inner.variables[variable] = Scope.Bound(
        alias: element.alias, entity: element.entity, level: element.level)
      return "(\(try compiler.condition(predicate, inner)))"
    }
  }

  private mutating func count(_ collection: Expression, _ scope: Scope) throws(NoSQLForm) -> SQLValue {
    switch collection {
    case .keyPath(let keys, let base): return try value(ofKeys: keys + ["@count"], base, scope)
    case .subquery: return try value(ofKeys: ["@count"], collection, scope)
    default: throw NoSQLForm("'\(collection)' is no to-many relationship to count")
    }
  }

  /// Dates are numbers in a store: seconds since 2001.
  private mutating func cast(
    _ operand: Expression, to type: Expression.CastType, _ scope: Scope
  ) throws(NoSQLForm) -> SQLValue {
    let sql = try value(operand, scope).sql
    switch type {
    case .date: return SQLValue(sql: sql, type: .date)
    case .number: return SQLValue(sql: "CAST(\(sql) AS NUMERIC)", type: .double)
    case .decimalNumber: return SQLValue(sql: "CAST(\(sql) AS NUMERIC)", type: .decimal)
    case .string: return SQLValue(sql: "CAST(\(sql) AS TEXT)", type: .string)
    }
  }

  /// Functions with a form in SQL; text functions are ours, because SQLite's know ASCII only.
  private mutating func function(_ call: FunctionCall, _ scope: Scope) throws(NoSQLForm) -> SQLValue {
    guard call.receiver == nil else { throw NoSQLForm("'\(call.selector)' is a method of an object") }
    if let aggregate = aggregateFunctions[call.selector], call.arguments.count == 1,
      case .keyPath(let keys, let base) = call.arguments[0]
    {
      return try value(ofKeys: collectionKeys(keys, aggregate, try self.scope(of: base, scope)), base, scope)
    }
    var arguments: [String] = []
    for argument in call.arguments { arguments.append(try value(argument, scope).sql) }
    if let name = numberFunctions[call.selector] {
      return SQLValue(sql: "\(name)(\(arguments.joined(separator: ", ")))", type: .double)
    }
    if let sign = binaryFunctions[call.selector], arguments.count == 2 {
      return SQLValue(sql: "(\(arguments[0]) \(sign) \(arguments[1]))", type: .double)
    }
    switch (call.selector, arguments.count) {
    case ("uppercase:", 1), ("lowercase:", 1), ("canonical:", 1):
      let form = call.selector.dropLast()
      return SQLValue(sql: "modelc_fold('\(form)', \(arguments[0]))", type: .string)
    case ("length:", 1):
      return SQLValue(sql: "modelc_utf16_length(CAST(\(arguments[0]) AS BLOB))", type: .integer64)
    case ("now", 0): return SQLValue(sql: parameter("now"), type: .date)
    case ("noindex:", 1): return SQLValue(sql: "+\(arguments[0])")
    case ("coalesce", 2...): return SQLValue(sql: "COALESCE(\(arguments.joined(separator: ", ")))")
    case ("concat", 1...): return SQLValue(sql: "(\(arguments.joined(separator: " || ")))", type: .string)
    default: throw NoSQLForm("the function '\(call.selector)'")
    }
  }

  /// `sum:(songs.length)` as `songs.@sum.length`: the operator stands after the last to-many.
  private func collectionKeys(
    _ keys: [String], _ aggregate: CollectionOperator, _ scope: Scope
  ) throws(NoSQLForm) -> [String] {
    var entity = scope.entity
    for (index, key) in keys.enumerated() {
      guard let relationship = hierarchy.relationship(named: key, of: entity) else { break }
      if relationship.isToMany {
        return keys[...index] + [aggregate.rawValue] + keys[(index + 1)...]
      }
      entity = relationship.destinationEntityName
    }
    throw NoSQLForm("'\(aggregate.rawValue)' needs a to-many relationship")
  }

  /// A constant in the form that the other side is stored in.
  func literal(_ constant: ConstantValue, _ type: AttributeType?) throws(NoSQLForm) -> SQLLiteral {
    switch constant {
    case .null: return .null
    case .boolean(let value): return .integer(value ? 1 : 0)
    case .integer(let value): return .integer(value)
    case .decimal(let text): return .number(text.description)
    case .string(let text) where type == .uuid:
      guard let value = AttributeValue(parsing: text, as: .uuid) else {
        throw NoSQLForm("'\(text)' is no UUID")
      }
      return SQLLiteral(value)
    case .string(let text): return .text(text)
    }
  }
}

private let aggregateFunctions: [String: CollectionOperator] = [
  "sum:": .sum, "count:": .count, "min:": .minimum, "max:": .maximum, "average:": .average,
]

private let numberFunctions = [
  "abs:": "abs", "sqrt:": "sqrt", "log:": "log10", "ln:": "ln", "exp:": "exp", "ceiling:": "ceil",
  "floor:": "floor", "trunc:": "trunc", "raise:toPower:": "pow", "onesComplement:": "~",
]

private let binaryFunctions = [
  "add:to:": "+", "from:subtract:": "-", "multiply:by:": "*", "divide:by:": "/", "modulus:by:": "%",
  "bitwiseAnd:with:": "&", "bitwiseOr:with:": "|", "leftshift:by:": "<<", "rightshift:by:": ">>",
]
