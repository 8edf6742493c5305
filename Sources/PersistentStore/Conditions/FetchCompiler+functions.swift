import Expressions
import ManagedModel

extension FetchCompiler {
  mutating func memoryFunction(_ call: FunctionCall, _ scope: Scope) throws(NoSQLForm) -> TypedSQL {
    guard call.receiver == nil else { throw NoSQLForm("'\(call.selector)' is a method of an object") }
    if let result = try aggregateFunction(call, scope) { return result }
    var arguments: [TypedSQL] = []
    for argument in call.arguments { arguments.append(try memoryValue(argument, scope)) }
    guard arguments.allSatisfy({ $0.kind != .object }) else {
      throw NoSQLForm("'\(call.selector)' of an object")
    }
    let place = "\(Expression.function(call))"
    if let sign = arithmeticFunctions[call.selector], arguments.count == 2 {
      return try arithmetic(sign, arguments[0], arguments[1], place)
    }
    switch call.selector {
    case "now": return TypedSQL(sql: parameter("now"), kind: .date, isPlain: true)
    case "coalesce":
      let kind = try arguments.joinedKind(place)
      let values = arguments.map { $0.as(kind) }
      if values.count == 1 { return arguments[0] }
      return TypedSQL(
        sql: "COALESCE(\(values.joined(separator: ", ")))", kind: kind,
        bits: arguments.map(\.bits).max() ?? 64)
    case "noindex:": return arguments[0]
    case "concat": if let native = nativeConcatenation(arguments) { return native }
    case "castObject:toType:":
      guard case .string(let name)? = arguments[1].constant, let type = Expression.CastType(rawValue: name)
      else {
        throw NoSQLForm("'\(place)' casts to a type that only a row tells")
      }
      return try memoryCast(arguments[0], to: type)
    // Different row by row, so never called once for all.
    case "uuid": return .call("modelc_random", ["'uuid'", "''"], .uuid)
    case "random": return .call("modelc_random", ["'random'", "''"], .integer, bits: 31)
    case "random:", "randomn:":
      return .call(
        "modelc_random", ["'\(call.selector)'", arguments.kinds] + arguments.map(\.argument), .integer)
    default: break
    }
    guard let kind = try resultKind(of: call.selector, arguments, place) else {
      throw NoSQLForm("the function '\(call.selector)'")
    }
    return .call(
      "modelc_call", [SQLLiteral.text(call.selector).sql, arguments.kinds] + arguments.map(\.argument), kind,
      bits: call.selector == "length:" ? 32 : 64)
  }

  /// `sum:(songs.length)`, `count:(songs)`: over a to-many, they are aggregates of it.
  private mutating func aggregateFunction(
    _ call: FunctionCall, _ scope: Scope
  ) throws(NoSQLForm) -> TypedSQL? {
    guard let aggregate = statisticalFunctions[call.selector], call.arguments.count == 1,
      case .keyPath(let keys, let base) = call.arguments[0], CollectionKeyPath(keys) == nil,
      case .collection(var path) = try memoryTarget(keys[...], from: self.scope(of: base, scope))
    else { return nil }
    let operand = Array(path.rest)
    path.rest = []
    if aggregate == .count { return try memoryAggregate(.count, over: path, operand: []) }
    let own = ["median:", "stddev:"].contains(call.selector) ? call.selector : nil
    return try memoryAggregate(aggregate, over: path, operand: operand, selector: own)
  }
}

/// Texts and whole numbers one after another, by SQLite's own operator; nil adds nothing, and where all are nil so is
/// the result.
///
/// - Returns: nil where a value is to be spelled, or computed twice to learn whether all are nil.
private func nativeConcatenation(_ arguments: [TypedSQL]) -> TypedSQL? {
  let parts = arguments.filter { $0.kind != .null || $0.mayFail }
  guard !parts.isEmpty, parts.allSatisfy({ [.string, .uri, .integer, .boolean].contains($0.kind) }) else {
    return nil
  }
  let isText = parts.contains { $0.constant != nil }
  guard isText || parts.allSatisfy(\.isPlain) else { return nil }
  let texts = parts.map { part in
    let text = part.kind.isText ? part.sql : "CAST(\(part.sql) AS TEXT)"
    return part.constant == nil ? "IFNULL(\(text), '')" : text
  }
  // One value alone keeps its type by being joined to nothing.
  let sql = "(\((texts + (texts.count == 1 ? ["''"] : [])).joined(separator: " || ")))"
  if isText { return TypedSQL(sql: sql, kind: .string) }
  let isEmpty = parts.map { "\($0.sql) IS NULL" }.joined(separator: " AND ")
  return TypedSQL(sql: "CASE WHEN \(isEmpty) THEN NULL ELSE \(sql) END", kind: .string)
}

/// What a function gives; nil where it has no form in SQL.
private func resultKind(
  of selector: String, _ arguments: [TypedSQL], _ place: String
) throws(NoSQLForm) -> ValueKind? {
  switch selector {
  case "uppercase:", "lowercase:", "canonical:", "trim", "replace", "substr", "concat", "transform", "hash",
    "formatDate", "formatNumber":
    return .string
  case "length:", "parseInt", "count:", "bitwiseAnd:with:", "bitwiseOr:with:", "bitwiseXor:with:",
    "leftshift:by:", "rightshift:by:", "onesComplement:":
    return .integer
  case "sqrt:", "log:", "ln:", "exp:", "parseDouble", "stddev:": return .double
  case "parseDate": return .date
  case "abs:", "ceiling:", "floor:", "trunc:", "modulus:by:", "sum:", "average:", "median:":
    guard arguments.allSatisfy({ $0.kind.isNumber || $0.kind == .null }) else {
      throw NoSQLForm("'\(place)' calculates with what is no number")
    }
    return .number
  case "min:", "max:", "clamp": return try arguments.joinedKind(place)
  default: return nil
  }
}

private let arithmeticFunctions: [String: Expression.ArithmeticOperator] = [
  "add:to:": .add, "from:subtract:": .subtract, "multiply:by:": .multiply, "divide:by:": .divide,
  "raise:toPower:": .power,
]

private let statisticalFunctions: [String: CollectionOperator] = [
  "sum:": .sum, "count:": .count, "min:": .minimum, "max:": .maximum, "average:": .average,
  "median:": .average,
  "stddev:": .average,
]
