import Foundation

/// `CAST(value, "NSDate")` and the like. Nil stays nil; a value that cannot be read as the type is an error.
func cast(_ value: ExpressionValue, to type: Expression.CastType) throws -> ExpressionValue {
  if value.isNull { return .null }
  let result: ExpressionValue? =
    switch type {
    case .date: date(value)
    case .number: number(value)
    case .decimalNumber: decimal(value)
    case .string: value.text.map { .string($0) }
    }
  if let result { return result }
  var help: [String] = []
  if case .string = value {
    help = ["'parseInt', 'parseDouble' and 'parseDate' give nil for text that they cannot read"]
  }
  throw EvaluationError("\(value.label) cannot be cast to '\(type.rawValue)'", help: help)
}

/// Numbers are seconds since 2001; text is ISO 8601, or such a number.
private func date(_ value: ExpressionValue) -> ExpressionValue? {
  switch value {
  case .date: value
  case .string(let text): AttributeValue(parsing: text, as: .date).map { ExpressionValue($0) }
  default: Number(value).map { .date($0.doubleValue) }
  }
}

private func number(_ value: ExpressionValue) -> ExpressionValue? {
  switch value {
  case .integer, .double, .decimal, .boolean: value
  case .date(let seconds): .double(seconds)
  case .string(let text): text.number
  default: nil
  }
}

private func decimal(_ value: ExpressionValue) -> ExpressionValue? {
  switch value {
  case .string(let text): AttributeValue(parsing: text.trimmed, as: .decimal).map { ExpressionValue($0) }
  case .date(let seconds): seconds.shortestDecimal.map { .decimal($0) }
  case .double(let value): value.shortestDecimal.map { .decimal($0) }
  default: Number(value)?.decimalValue.map { .decimal($0) }
  }
}

extension String {
  /// The text of a number with or without a fraction; nil for any other.
  var number: ExpressionValue? {
    let digits = trimmed
    if let whole = AttributeValue(parsing: digits, as: .integer64), Int64(digits) != nil {
      return ExpressionValue(whole)
    }
    return AttributeValue(parsing: digits, as: .double).map { ExpressionValue($0) }
  }

  var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}

extension ExpressionValue {
  /// A value as text: numbers in digits, Booleans as 1 and 0, dates in ISO 8601, binary data in Base64; nil for an
  /// object, a collection or a dictionary.
  var text: String? {
    switch self {
    case .null: return ""
    case .date(let seconds): return seconds.isoDate ?? AttributeValue.date(seconds).text
    case .binary(let data): return data.base64EncodedString()
    case .object, .collection, .dictionary: return nil
    default: return spelling ?? Number(self)?.text
    }
  }
}
