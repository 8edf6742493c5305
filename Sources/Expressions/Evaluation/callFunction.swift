import Foundation
import ManagedModel

/// Calls a predefined function, or one of modelc's own, with values.
///
/// - Throws: ``EvaluationError`` for arguments of other types, numbers that do not fit, and functions that need more
///   than values.
package func callFunction(
  _ selector: String, _ arguments: [ExpressionValue], in context: EvaluationContext
) throws -> ExpressionValue {
  guard let function = PredefinedFunction.named(selector) else {
    throw EvaluationError("there is no function '\(selector)'")
  }
  // Trees from archives are not counted by the parser.
  guard function.argumentCounts.contains(arguments.count) else {
    throw EvaluationError(
      "'\(selector)' does not take \(arguments.count) arguments",
      help: ["the signature is '\(function.signature)'"])
  }
  if let result = try statistics(selector, arguments) { return result }
  if let result = try numeric(selector, arguments) { return result }
  if let result = try textual(selector, arguments) { return result }
  if let result = try parsing(selector, arguments, context.caches.dates) { return result }
  return try other(selector, arguments, context)
}

/// One collection, or the values themselves.
private func statistics(_ selector: String, _ arguments: [ExpressionValue]) throws -> ExpressionValue? {
  var values: [ExpressionValue] { arguments.flattened }
  switch selector {
  case "sum:": return try sum(values)
  case "count:": return .integer(Int64(arguments.count == 1 ? arguments[0].elements.count : arguments.count))
  case "min:": return try least(values, operation: selector)
  case "max:": return try greatest(values, operation: selector)
  case "average:": return try average(values)
  case "median:": return try median(values)
  case "mode:": return mode(values)
  case "stddev:": return try standardDeviation(values)
  default: return nil
  }
}

private func numeric(_ selector: String, _ arguments: [ExpressionValue]) throws -> ExpressionValue? {
  switch selector {
  case "add:to:": return try calculate("+", arguments[1], arguments[0])
  case "from:subtract:": return try calculate("-", arguments[0], arguments[1])
  case "multiply:by:": return try calculate("*", arguments[0], arguments[1])
  case "divide:by:": return try calculate("/", arguments[0], arguments[1])
  case "raise:toPower:": return try calculate("**", arguments[0], arguments[1])
  case "modulus:by:": return try remainder(arguments[0], arguments[1])
  case "abs:": return try absolute(arguments[0])
  case "sqrt:", "log:", "ln:", "exp:": return try transcendental(arguments[0], selector)
  case "ceiling:", "floor:", "trunc:": return try rounded(arguments[0], selector)
  case "bitwiseAnd:with:", "bitwiseOr:with:", "bitwiseXor:with:", "leftshift:by:", "rightshift:by:":
    return try bitwise(selector, arguments[0], arguments[1])
  case "onesComplement:": return try onesComplement(arguments[0])
  case "clamp": return try clamp(arguments[0], arguments[1], arguments[2])
  default: return nil
  }
}

/// A bound that is nil does not bound.
private func clamp(
  _ value: ExpressionValue, _ least: ExpressionValue, _ greatest: ExpressionValue
) throws -> ExpressionValue {
  if let low = try order(least, greatest, operation: "clamp"), low > 0 {
    throw EvaluationError("the bounds of 'clamp' are the wrong way round")
  }
  if let low = try order(value, least, operation: "clamp"), low < 0 { return least }
  if let high = try order(value, greatest, operation: "clamp"), high > 0 { return greatest }
  return value
}

private func other(
  _ selector: String, _ arguments: [ExpressionValue], _ context: EvaluationContext
) throws -> ExpressionValue {
  switch selector {
  case "now": return .date(context.now)
  case "noindex:": return arguments[0]
  case "coalesce": return arguments.first { !$0.isNull } ?? .null
  case "castObject:toType:":
    guard case .string(let name) = arguments[1], let type = Expression.CastType(rawValue: name) else {
      throw EvaluationError("'\(selector)' takes the name of a class that 'CAST' takes")
    }
    return try cast(arguments[0], to: type)
  case "objectFrom:withIndex:": return try element(of: arguments[0], at: arguments[1])
  case "random": return .integer(Int64(context.randomBits() >> 33))
  case "random:", "randomn:": return try random(below: arguments[0], selector, context.randomBits)
  case "uuid": return .uuid(randomUUID(context.randomBits))
  case "lookup": return try lookUp(arguments[0], arguments[1], context.tables)
  case "distanceToLocation:fromLocation:":
    throw EvaluationError("'\(selector)' is for CloudKit: no attribute holds a location")
  default: throw EvaluationError("'\(selector)' cannot be called here")
  }
}

/// A whole number from 0 up to, not including, the bound.
private func random(
  below bound: ExpressionValue, _ selector: String, _ bits: () -> UInt64
) throws -> ExpressionValue {
  guard let number = try operand(selector, bound) else { return .null }
  guard let whole = number.exactInteger, whole > 0 else {
    throw EvaluationError("'\(selector)' takes a whole number above zero")
  }
  return .integer(Int64(bits().multipliedFullWidth(by: UInt64(whole)).high))
}

/// Version 4 of RFC 9562.
private func randomUUID(_ bits: () -> UInt64) -> UUID {
  var bytes = [bits(), bits()].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
  bytes[6] = bytes[6] & 0x0F | 0x40
  bytes[8] = bytes[8] & 0x3F | 0x80
  return UUID(
    uuid: (
      bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9],
      bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
    ))
}

/// The entry of a table; nil where it has none.
private func lookUp(
  _ table: ExpressionValue, _ key: ExpressionValue, _ tables: [String: [String: ExpressionValue]]
) throws -> ExpressionValue {
  guard case .string(let name) = table, let entries = tables[name] else {
    let known = tables.keys.sorted().map { "'\($0)'" }.joined(separator: ", ")
    throw EvaluationError(
      "'lookup' takes the name of a table", help: known.isEmpty ? [] : ["known are \(known)"])
  }
  if key.isNull { return .null }
  guard let text = spelled(key) else { throw EvaluationError.wrongType("lookup", takes: "a value", key) }
  return entries[text] ?? .null
}
