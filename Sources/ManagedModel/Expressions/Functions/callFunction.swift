extension EvaluationContext {
  /// Calls a predefined function, or one of modelc's own, with values.
  ///
  /// - Throws: ``EvaluationError`` for arguments of other types, numbers that do not fit, and functions that need more
  ///   than values.
  func callFunction(_ selector: String, _ arguments: [ExpressionValue]) throws -> ExpressionValue {
    guard let function = PredefinedFunction.named(selector) else {
      throw EvaluationError("there is no function '\(selector)'")
    }
    // Trees from archives are not counted by the parser.
    guard function.argumentCounts.contains(arguments.count) else {
      throw EvaluationError(
        "'\(selector)' does not take \(arguments.count) arguments",
        help: ["the signature is '\(function.signature)'"])
    }
    return try function.evaluate(FunctionArguments(selector: selector, values: arguments, context: self))
  }

  /// Calls a function by its selector, or an operator by its sign; one argument with a minus is negated.
  package func callOperation(_ name: String, _ arguments: [ExpressionValue]) throws -> ExpressionValue {
    if arguments.count == 1, name == "-" { return try arguments[0].negated() }
    if arguments.count == 2, let sign = Expression.ArithmeticOperator(rawValue: name) {
      return try calculate(sign.rawValue, arguments[0], arguments[1])
    }
    return try callFunction(name, arguments)
  }
}

/// The arguments of one call, as many as the function takes.
struct FunctionArguments {
  let selector: String
  let values: [ExpressionValue]
  let context: EvaluationContext

  subscript(index: Int) -> ExpressionValue { values[index] }

  var holdsNull: Bool { values.contains(where: \.isNull) }

  /// Nil if the first argument is nil.
  func number() throws -> Number? { try operand(selector, values[0]) }

  func text(_ index: Int) throws -> String {
    if let text = values[index].characters { return text }
    var error = EvaluationError.wrongType(selector, takes: "a string", values[index])
    if Number(values[index]) != nil { error.help = [.castingNumber] }
    throw error
  }

  /// What the body makes of the first argument, a text; nil if any argument is nil.
  func mapText(_ body: (String) throws -> ExpressionValue) throws -> ExpressionValue {
    holdsNull ? .null : try body(text(0))
  }
}

extension String {
  /// What makes a text of a number, for a function that takes texts.
  static let castingNumber = "'CAST(number, \"NSString\")' gives a number's digits"
}
