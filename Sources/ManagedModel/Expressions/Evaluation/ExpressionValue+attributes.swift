import Foundation

extension ExpressionValue {
  /// The value as one of an attribute of `type`; nil if it is nil.
  ///
  /// Numbers convert where nothing is lost, strings that spell a UUID or a URI become one: a literal cannot say
  /// them otherwise. Nothing else is converted, and a fraction is never cut off silently: `trunc:` says so.
  ///
  /// - Throws: ``EvaluationError`` where the value is of another kind or beyond the type's range.
  package func attributeValue(as type: AttributeType) throws -> AttributeValue? {
    if let range = type.traits.integerRange { return isNull ? nil : try integer(in: range, type) }
    switch (self, type) {
    case (.null, _): return nil
    case (_, .double), (_, .float): return .double(try number(for: type).doubleValue)
    case (_, .decimal):
      let number = try number(for: type)
      if case .double(let value) = number, let exact = value.shortestDecimal { return .decimal(exact) }
      guard let value = number.decimalValue else { throw EvaluationError.doesNotFit(type) }
      return .decimal(value)
    case (.boolean(let value), .boolean): return .boolean(value)
    case (_, .boolean):
      guard let whole = try number(for: type).exactInteger, (0...1).contains(whole) else {
        throw EvaluationError.doesNotFit(type)
      }
      return .boolean(whole == 1)
    case (.string(let text), _) where type.isSpelled:
      guard let value = AttributeValue(parsing: text, as: type) else {
        throw EvaluationError.doesNotFit(type)
      }
      return value
    default:
      let isOpen = [.undefined, .transformable, .objectID].contains(type)
      if let value = plainAttributeValue, isOpen || value.isValue(of: type) { return value }
    }
    throw EvaluationError.otherType(self, type)
  }

  private func number(for type: AttributeType) throws -> Number {
    guard let number = Number(self) else { throw EvaluationError.otherType(self, type) }
    return number
  }

  private func integer(in range: ClosedRange<Int64>, _ type: AttributeType) throws -> AttributeValue {
    guard let value = try number(for: type).exactInteger else {
      throw EvaluationError.notWhole(type)
    }
    guard range.contains(value) else { throw EvaluationError.doesNotFit(type) }
    return .integer(value)
  }
}

extension EvaluationError {
  fileprivate static func notWhole(_ type: AttributeType) -> EvaluationError {
    EvaluationError(
      "the number is not whole, or beyond 64 bits, and the attribute is \(type.name)",
      help: ["'trunc:', 'floor:' and 'ceiling:' make it whole"])
  }

  fileprivate static func doesNotFit(_ type: AttributeType) -> EvaluationError {
    EvaluationError("the value does not fit an attribute of type \(type.name)")
  }

  fileprivate static func otherType(_ value: ExpressionValue, _ type: AttributeType) -> EvaluationError {
    var help: [String] = []
    switch (value, type) {
    case (_, .string): help = ["'CAST(value, \"NSString\")' spells it"]
    case (.string, _) where type.isNumeric: help = ["'parseInt(text)' and 'parseDouble(text)' read it"]
    case (.string, .date): help = ["'parseDate(text, \"iso8601\")' reads it"]
    case (_, .date): help = ["'CAST(seconds, \"NSDate\")' makes a date of seconds since 2001"]
    default: break
    }
    return EvaluationError("\(value.label) is not a value of an attribute of type \(type.name)", help: help)
  }
}
