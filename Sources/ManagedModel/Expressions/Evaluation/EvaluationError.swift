/// Why an expression gives no value. It never contains users' values.
package struct EvaluationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One line, lower case, without full stop.
  package var message: String
  package var help: [String]
  /// The innermost expression that failed, as it is printed; nil until an evaluation knows it.
  package var expression: String?

  package init(_ message: String, help: [String] = [], expression: String? = nil) {
    (self.message, self.help, self.expression) = (message, help, expression)
  }

  package var description: String { message + (expression.map { " (in '\($0)')" } ?? "") }

  /// - Parameter owner: what was asked, such as `an object of 'Hut'`.
  package static func unknownKey(_ key: String, of owner: String) -> EvaluationError {
    EvaluationError("\(owner) has no key '\(key)'")
  }

  /// - Parameter owner: what was asked, such as `the migration manager`.
  package static func unknownSelector(_ selector: String, of owner: String) -> EvaluationError {
    EvaluationError("\(owner) has no method '\(selector)'")
  }

  static func overflow(_ operation: String) -> EvaluationError {
    EvaluationError("the result of '\(operation)' overflows")
  }

  static func divisionByZero(_ operation: String) -> EvaluationError {
    EvaluationError(
      "'\(operation)' divides by zero", help: ["handle that case: 'TERNARY(b == 0, nil, a / b)'"])
  }

  static func wrongType(_ operation: String, takes expected: String, _ found: ExpressionValue)
    -> EvaluationError
  {
    EvaluationError("'\(operation)' takes \(expected), found \(found.label)")
  }
}
