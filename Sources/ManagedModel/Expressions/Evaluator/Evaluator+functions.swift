import Foundation

extension Evaluator {
  mutating func value(of call: FunctionCall) throws -> ExpressionValue {
    if let receiver = call.receiver { return try perform(call, on: try value(of: receiver)) }
    var arguments: [ExpressionValue] = []
    arguments.reserveCapacity(call.arguments.count)
    // Arguments after the first value are not evaluated: they could fail.
    if call.selector == "coalesce" { return try firstValue(call.arguments) }
    for argument in call.arguments { arguments.append(try value(of: argument)) }
    return try callFunction(call.selector, arguments, in: context)
  }

  private mutating func perform(
    _ call: FunctionCall, on receiver: ExpressionValue
  ) throws -> ExpressionValue {
    var arguments: [ExpressionValue] = []
    for argument in call.arguments { arguments.append(try value(of: argument)) }
    switch receiver {
    // A message to nil gives nil.
    case .null: return .null
    case .object(let object): return try object.perform(call.selector, with: arguments)
    default: return try receiver.performPlain(call.selector, with: arguments)
    }
  }

  private mutating func firstValue(_ arguments: [Expression]) throws -> ExpressionValue {
    for argument in arguments {
      let value = try value(of: argument)
      if !value.isNull { return value }
    }
    return .null
  }
}

extension ExpressionValue {
  /// A method of a plain value: its keys without arguments, and those of Foundation that mappings call.
  fileprivate func performPlain(_ selector: String, with arguments: [ExpressionValue]) throws
    -> ExpressionValue
  {
    if arguments.isEmpty, let value = try? valueOfPlain(forKey: selector) { return value }
    switch (self, selector, arguments.first, arguments.last) {
    case (_, "isEqual:", let other?, _): return .boolean(areEqual(self, other))
    case (.string(let text), "stringByAppendingString:", .string(let other)?, _):
      return .string(try limited(text + other))
    case (
      .string(let text), "stringByReplacingOccurrencesOfString:withString:", .string(let search)?,
      .string(let replacement)?
    ):
      return .string(try replaced(text, search, replacement))
    case (.string(let text), "componentsSeparatedByString:", .string(let separator)?, _):
      return .collection(ValueCollection(text.components(separatedBy: separator).map { .string($0) }))
    case (.date(let seconds), "dateByAddingTimeInterval:", let interval?, _):
      guard let number = Number(interval) else { break }
      return .date(seconds + number.doubleValue)
    case (.collection, "objectAtIndex:", let index?, _), (.dictionary, "objectForKey:", let index?, _):
      return try element(of: self, at: index)
    case (.collection(let collection), "count", nil, _): return .integer(Int64(collection.elements.count))
    case (.collection(let collection), "firstObject", nil, _),
      (.collection(let collection), "anyObject", nil, _):
      return collection.elements.first ?? .null
    case (.collection(let collection), "lastObject", nil, _): return collection.elements.last ?? .null
    case (.collection(let collection), "allObjects", nil, _):
      return .collection(ValueCollection(collection.elements))
    case (.collection(let collection), "componentsJoinedByString:", .string(let separator)?, _):
      let parts = try collection.elements.map { element throws in
        guard let part = textValue(element) else {
          throw EvaluationError.wrongType(selector, takes: "values", element)
        }
        return part
      }
      return .string(try limited(parts.joined(separator: separator)))
    default: break
    }
    throw EvaluationError.unknownSelector(selector, of: label)
  }
}
