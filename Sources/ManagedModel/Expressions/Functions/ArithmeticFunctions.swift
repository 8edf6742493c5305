import Foundation

extension PredefinedFunction {
  /// Functions of numbers; with nil for an argument they give nil.
  static let arithmetic: [PredefinedFunction] = [
    PredefinedFunction(
      "add:to:", "number", "number", gives: .number, inRows: .arithmetic(.add), inFetch: .infix("+")
    ) { try calculate("+", $0[1], $0[0]) },
    PredefinedFunction(
      "from:subtract:", "number", "number", gives: .number, inRows: .arithmetic(.subtract),
      inFetch: .infix("-")
    ) { try calculate("-", $0[0], $0[1]) },
    PredefinedFunction(
      "multiply:by:", "number", "number", gives: .number, inRows: .arithmetic(.multiply), inFetch: .infix("*")
    ) { try calculate("*", $0[0], $0[1]) },
    PredefinedFunction(
      "divide:by:", "number", "number", gives: .number, inRows: .arithmetic(.divide), inFetch: .infix("/")
    ) { try calculate("/", $0[0], $0[1]) },
    PredefinedFunction(
      "modulus:by:", "number", "number", gives: .number, inFetch: .infix("%"), evaluate: remainder),
    PredefinedFunction(
      "raise:toPower:", "number", "exponent", gives: .number, inRows: .arithmetic(.power),
      inFetch: .call("pow")
    ) { try calculate("**", $0[0], $0[1]) },
    PredefinedFunction("abs:", "number", gives: .number, inFetch: .call("abs")) { try absolute($0) },
    PredefinedFunction("sqrt:", "number", gives: .double, inFetch: .call("sqrt")) { try transcendental($0) },
    PredefinedFunction("log:", "number", gives: .double, inFetch: .call("log10")) { try transcendental($0) },
    PredefinedFunction("ln:", "number", gives: .double, inFetch: .call("ln")) { try transcendental($0) },
    PredefinedFunction("exp:", "number", gives: .double, inFetch: .call("exp")) { try transcendental($0) },
    PredefinedFunction("ceiling:", "number", gives: .number, inFetch: .call("ceil")) { try rounded($0, .up) },
    PredefinedFunction("floor:", "number", gives: .number, inFetch: .call("floor")) {
      try rounded($0, .down)
    },
    PredefinedFunction("trunc:", "number", gives: .number, inFetch: .call("trunc")) {
      try rounded($0, .towardZero)
    },
    PredefinedFunction("bitwiseAnd:with:", "number", "number", gives: .integer, inFetch: .infix("&")) {
      try bitwise($0) { $0 & $1 }
    },
    PredefinedFunction("bitwiseOr:with:", "number", "number", gives: .integer, inFetch: .infix("|")) {
      try bitwise($0) { $0 | $1 }
    },
    PredefinedFunction("bitwiseXor:with:", "number", "number", gives: .integer) {
      try bitwise($0) { $0 ^ $1 }
    },
    PredefinedFunction("leftshift:by:", "number", "bits", gives: .integer, inFetch: .infix("<<")) {
      try bitwise($0, isShift: true) { $0 << $1 }
    },
    PredefinedFunction("rightshift:by:", "number", "bits", gives: .integer, inFetch: .infix(">>")) {
      try bitwise($0, isShift: true) { $0 >> $1 }
    },
    PredefinedFunction(
      "onesComplement:", "number", gives: .integer, inFetch: .call("~"), evaluate: onesComplement),
    PredefinedFunction("random", isDeterministic: false, gives: .value(.integer64, bits: 31)) {
      .integer(Int64($0.context.randomBits() >> 33))
    },
    PredefinedFunction("random:", "bound", isDeterministic: false, gives: .integer) { try random($0) },
    PredefinedFunction("randomn:", "bound", isDeterministic: false, gives: .integer) { try random($0) },
    PredefinedFunction(
      "clamp", "value", "least", "greatest", origin: .modelc, gives: .first, evaluate: clamp),
  ]
}

/// The remainder of a division towards zero: it has the sign of the dividend.
private func remainder(_ call: FunctionArguments) throws -> ExpressionValue {
  guard let (l, r) = try operands(call.selector, call[0], call[1]) else { return .null }
  if r.doubleValue == 0 { throw EvaluationError.divisionByZero(call.selector) }
  if case .integer(let l) = l, case .integer(let r) = r { return .integer(r == -1 ? 0 : l % r) }
  if let l = l.decimalValue, let r = r.decimalValue {
    let whole = rounded(try calculate("/", l, r), .towardZero)
    return .decimal(try calculate("-", l, try calculate("*", whole, r)))
  }
  return .double(l.doubleValue.truncatingRemainder(dividingBy: r.doubleValue))
}

private func absolute(_ call: FunctionArguments) throws -> ExpressionValue {
  guard let number = try call.number() else { return .null }
  switch number {
  case .integer(let value):
    guard value != .min else { throw EvaluationError.overflow(call.selector) }
    return .integer(Swift.abs(value))
  case .decimal(let value): return .decimal(value.magnitude)
  case .double(let value): return .double(value.magnitude)
  }
}

/// The type stays.
private func rounded(_ call: FunctionArguments, _ rule: FloatingPointRoundingRule) throws -> ExpressionValue {
  guard let number = try call.number() else { return .null }
  switch number {
  case .integer: return number.value
  case .decimal(let value): return .decimal(rounded(value, rule))
  case .double(let value): return .double(value.rounded(rule))
  }
}

private func rounded(_ value: Decimal, _ rule: FloatingPointRoundingRule) -> Decimal {
  let isUp = rule == .up || (rule == .towardZero && value < 0)
  var (source, result) = (value, Decimal())
  unsafe NSDecimalRound(&result, &source, 0, isUp ? .up : .down)
  return result
}

/// `sqrt:`, `log:` (base 10), `ln:`, `exp:`: doubles.
private func transcendental(_ call: FunctionArguments) throws -> ExpressionValue {
  guard let number = try call.number()?.doubleValue else { return .null }
  let result: Double
  switch call.selector {
  case "sqrt:":
    guard number >= 0 else { throw EvaluationError.notInDomain(call.selector, "a negative number") }
    result = number.squareRoot()
  case "exp:": result = exp(number)
  default:
    guard number > 0 else { throw EvaluationError.notInDomain(call.selector, "zero or a negative number") }
    result = call.selector == "ln:" ? log(number) : log10(number)
  }
  return .double(try finite(result, call.selector, number))
}

/// Of 64 bits in two's complement; bits shifted out are lost, and the sign is shifted in from the left.
private func bitwise(
  _ call: FunctionArguments, isShift: Bool = false, _ body: (Int64, Int64) -> Int64
) throws -> ExpressionValue {
  guard let (l, r) = try operands(call.selector, call[0], call[1]) else { return .null }
  guard let l = l.exactInteger, let r = r.exactInteger else {
    throw EvaluationError("'\(call.selector)' takes whole numbers of 64 bits")
  }
  if isShift, !(0...63).contains(r) { throw EvaluationError("'\(call.selector)' takes 0 to 63 bits") }
  return .integer(body(l, r))
}

private func onesComplement(_ call: FunctionArguments) throws -> ExpressionValue {
  guard let number = try call.number() else { return .null }
  guard let whole = number.exactInteger else {
    throw EvaluationError("'\(call.selector)' takes a whole number of 64 bits")
  }
  return .integer(~whole)
}

/// A whole number from 0 up to, not including, the bound.
private func random(_ call: FunctionArguments) throws -> ExpressionValue {
  guard let number = try call.number() else { return .null }
  guard let whole = number.exactInteger, whole > 0 else {
    throw EvaluationError("'\(call.selector)' takes a whole number above zero")
  }
  return .integer(Int64(call.context.randomBits().multipliedFullWidth(by: UInt64(whole)).high))
}

/// A bound that is nil does not bound.
private func clamp(_ call: FunctionArguments) throws -> ExpressionValue {
  let (value, least, greatest) = (call[0], call[1], call[2])
  if let low = try order(least, greatest, operation: "clamp"), low > 0 {
    throw EvaluationError("the lower bound of 'clamp' is above the upper one")
  }
  if let low = try order(value, least, operation: "clamp"), low < 0 { return least }
  if let high = try order(value, greatest, operation: "clamp"), high > 0 { return greatest }
  return value
}

extension EvaluationError {
  fileprivate static func notInDomain(_ operation: String, _ found: String) -> EvaluationError {
    EvaluationError("'\(operation)' has no value for \(found)")
  }
}
