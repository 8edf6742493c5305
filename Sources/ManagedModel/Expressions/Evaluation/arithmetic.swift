import Foundation

/// One of `+ - * / **`.
///
/// Whole numbers stay whole: `7 / 2` is 3, as in Core Data and SQL, and what 64 bits do not hold is an error. A
/// decimal and a whole number give a decimal, a double and anything a double. Nil with anything is nil.
func calculate(_ sign: String, _ left: ExpressionValue, _ right: ExpressionValue) throws -> ExpressionValue {
  guard let (l, r) = try operands(sign, left, right) else { return .null }
  if sign == "**" { return try l.power(r).value }
  if case .integer(let l) = l, case .integer(let r) = r { return .integer(try calculate(sign, l, r)) }
  if let l = l.decimalValue, let r = r.decimalValue { return .decimal(try calculate(sign, l, r)) }
  return .double(try calculate(sign, l.doubleValue, r.doubleValue))
}

private func calculate(_ sign: String, _ left: Int64, _ right: Int64) throws -> Int64 {
  if sign == "/", right == 0 { throw EvaluationError.divisionByZero(sign) }
  let (result, overflow) =
    switch sign {
    case "+": left.addingReportingOverflow(right)
    case "-": left.subtractingReportingOverflow(right)
    case "*", "**": left.multipliedReportingOverflow(by: right)
    default: left.dividedReportingOverflow(by: right)
    }
  if overflow { throw EvaluationError.overflow(sign) }
  return result
}

func calculate(_ sign: String, _ left: Decimal, _ right: Decimal) throws -> Decimal {
  if sign == "/", right == 0 { throw EvaluationError.divisionByZero(sign) }
  let result =
    switch sign {
    case "+": left + right
    case "-": left - right
    case "*", "**": product(left, right)
    default: left / right
    }
  if result.isNaN { throw EvaluationError.overflow(sign) }
  return result
}

private func calculate(_ sign: String, _ left: Double, _ right: Double) throws -> Double {
  if sign == "/", right == 0 { throw EvaluationError.divisionByZero(sign) }
  let result =
    switch sign {
    case "+": left + right
    case "-": left - right
    case "*": left * right
    default: left / right
    }
  return try finite(result, sign, left, right)
}

/// A result of finite numbers must be finite.
func finite(_ result: Double, _ operation: String, _ operands: Double...) throws -> Double {
  if !result.isFinite, operands.allSatisfy(\.isFinite) { throw EvaluationError.overflow(operation) }
  return result
}

extension Number {
  /// A whole number to a whole power is whole, and a decimal stays one where a decimal can hold the result; anything else is
  /// a double.
  func power(_ exponent: Number) throws -> Number {
    if case .integer(let exponent) = exponent, exponent >= 0 {
      switch self {
      case .integer(let base):
        return .integer(try raised(base, to: exponent, from: 1) { try calculate("**", $0, $1) })
      case .decimal(let base):
        let result = try? raised(base, to: exponent, from: 1) { try calculate("**", $0, $1) }
        if let result { return .decimal(result) }
      case .double: break
      }
    }
    if doubleValue == 0, exponent.doubleValue < 0 { throw EvaluationError.divisionByZero("**") }
    let result = pow(doubleValue, exponent.doubleValue)
    if result.isNaN { throw EvaluationError("a negative number has no fractional power") }
    return .double(try finite(result, "**", doubleValue, exponent.doubleValue))
  }

  private func raised<Base>(
    _ base: Base, to exponent: Int64, from one: Base, _ multiply: (Base, Base) throws -> Base
  ) rethrows -> Base {
    var (result, factor, rest) = (one, base, exponent)
    while rest > 0 {
      if rest & 1 == 1 { result = try multiply(result, factor) }
      rest >>= 1
      if rest > 0 { factor = try multiply(factor, factor) }
    }
    return result
  }
}

extension ExpressionValue {
  func negated() throws -> ExpressionValue {
    guard let number = try operand("-", self) else { return .null }
    switch number {
    case .integer(let value):
      guard value != .min else { throw EvaluationError.overflow("-") }
      return .integer(-value)
    case .decimal(let value): return .decimal(-value)
    case .double(let value): return .double(-value)
    }
  }
}

/// - Returns: nil for nil.
func operand(_ operation: String, _ value: ExpressionValue) throws -> Number? {
  if value.isNull { return nil }
  guard let number = Number(value) else {
    var error = EvaluationError.wrongType(operation, takes: "numbers", value)
    if case .date = value { error.help = ["'CAST(date, \"NSNumber\")' gives a date's seconds"] }
    throw error
  }
  return number
}

/// - Returns: nil if either is nil.
func operands(
  _ operation: String, _ left: ExpressionValue, _ right: ExpressionValue
) throws -> (Number, Number)? {
  let (l, r) = (try operand(operation, left), try operand(operation, right))
  guard let l, let r else { return nil }
  return (l, r)
}
