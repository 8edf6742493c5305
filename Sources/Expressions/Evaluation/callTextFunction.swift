import Foundation
import ManagedModel

/// Functions of texts; with nil for an argument they give nil.
func textual(_ selector: String, _ arguments: [ExpressionValue]) throws -> ExpressionValue? {
  switch selector {
  case _ where ["replace", "transform", "substr"].contains(selector) && arguments.contains(where: \.isNull):
    return .null
  case "uppercase:": return try mapText(selector, arguments[0]) { .string($0.uppercased()) }
  case "lowercase:": return try mapText(selector, arguments[0]) { .string($0.lowercased()) }
  case "canonical:":
    return try mapText(selector, arguments[0]) {
      .string(foldedText($0, [.caseInsensitive, .diacriticInsensitive]))
    }
  case "length:": return try mapText(selector, arguments[0]) { .integer(Int64($0.utf16.count)) }
  case "trim": return try mapText(selector, arguments[0]) { .string($0.trimmed) }
  case "concat": return try concatenate(arguments)
  case "replace":
    return try mapText(selector, arguments[0]) { text throws in
      let search = try requiredText(selector, arguments[1])
      return .string(try replaced(text, search, try requiredText(selector, arguments[2])))
    }
  case "substr": return try part(of: arguments)
  case "transform":
    return try mapText(selector, arguments[0]) { text throws in
      .string(try transform(text, try requiredText(selector, arguments[1])))
    }
  case "hash":
    if arguments[0].isNull { return .null }
    guard let text = spelled(arguments[0]) else {
      throw EvaluationError.wrongType(selector, takes: "a value", arguments[0])
    }
    return .string(sha256(Data(text.utf8)))
  default: return nil
  }
}

private func mapText(
  _ selector: String, _ value: ExpressionValue, _ body: (String) throws -> ExpressionValue
) throws -> ExpressionValue {
  value.isNull ? .null : try body(requiredText(selector, value))
}

func requiredText(_ selector: String, _ value: ExpressionValue) throws -> String {
  switch value {
  case .string(let text), .uri(let text): return text
  default:
    var error = EvaluationError.wrongType(selector, takes: "a string", value)
    if Number(value) != nil { error.help = ["a number's digits are 'CAST(number, \"NSString\")'"] }
    throw error
  }
}

/// All values as text, one after another. Nil adds nothing; where all are nil, so is the result.
private func concatenate(_ values: [ExpressionValue]) throws -> ExpressionValue {
  guard values.contains(where: { !$0.isNull }) else { return .null }
  var text = ""
  for value in values {
    guard let part = spelled(value) else { throw EvaluationError.wrongType("concat", takes: "values", value) }
    text += part
  }
  return .string(try limited(text))
}

/// The text with every occurrence of `search` replaced, byte by byte, from left to right; nothing is found nowhere.
func replaced(_ text: String, _ search: String, _ replacement: String) throws -> String {
  let (bytes, sought) = (Array(text.utf8), Array(search.utf8))
  var result: [UInt8] = []
  var index = 0
  while let found = firstRange(of: sought, in: bytes, from: index) {
    result += bytes[index..<found.lowerBound]
    result += replacement.utf8
    index = found.upperBound
    guard result.count <= textLimit else { throw EvaluationError.textTooLong }
  }
  return try limited(String(decoding: result + bytes[index...], as: UTF8.self))
}

/// `substr(text, start, length)`: characters as people count them, the first at 1; a start below 1 counts from the
/// end, as in SQL. What lies beyond the text is left out.
private func part(of arguments: [ExpressionValue]) throws -> ExpressionValue {
  try mapText("substr", arguments[0]) { text throws in
    guard let start = try wholeNumber(arguments[1]) else { return .null }
    let length = arguments.count > 2 ? try wholeNumber(arguments[2]) : Int64.max
    guard let length else { return .null }
    guard length >= 0 else { throw EvaluationError("the length of 'substr' is below zero") }
    guard start != 0 else { throw EvaluationError("'substr' counts characters from 1") }
    let rest = start > 0 ? text.dropFirst(clamped(start - 1)) : text.suffix(clamped(start.magnitude))
    return .string(String(rest.prefix(clamped(length))))
  }
}

private func wholeNumber(_ value: ExpressionValue) throws -> Int64? {
  guard let number = try operand("substr", value) else { return nil }
  guard let whole = number.exactInteger else { throw EvaluationError("'substr' takes whole numbers") }
  return whole
}

private func clamped(_ number: some BinaryInteger) -> Int { Int(clamping: number) }

/// An ICU transform by its identifier, such as `Any-Latin; Latin-ASCII; Lower`.
private func transform(_ text: String, _ identifier: String) throws -> String {
  guard let result = text.applyingTransform(StringTransform(identifier), reverse: false) else {
    throw EvaluationError(
      "there is no text transform '\(identifier.prefix(80))'",
      help: ["known are ICU's, such as 'Any-Latin; Latin-ASCII; Lower'"])
  }
  return try limited(result)
}

/// In bytes of UTF-8: a chain of `replace` would make a text of a few bytes one of gigabytes.
private let textLimit = 1 << 26

/// - Throws: where the text is longer than any that a column should hold.
func limited(_ text: String) throws -> String {
  guard text.utf8.count <= textLimit else { throw EvaluationError.textTooLong }
  return text
}

/// `parseInt`, `parseDouble`, `parseDate`: nil where the text is none. `formatDate`, `formatNumber`.
func parsing(
  _ selector: String, _ arguments: [ExpressionValue], _ dates: DateFormatterCache
) throws -> ExpressionValue? {
  switch selector {
  case _
  where ["parseDate", "formatDate", "formatNumber"].contains(selector) && arguments.contains(where: \.isNull):
    return .null
  case "parseInt":
    return try mapText(selector, arguments[0]) { text in
      Int64(text.trimmed).map { .integer($0) } ?? .null
    }
  case "parseDouble":
    return try mapText(selector, arguments[0]) { text in
      ExpressionValue(AttributeValue(parsing: text.trimmed, as: .double))
    }
  case "parseDate":
    return try mapText(selector, arguments[0]) { text throws in
      dates.date(text, try requiredText(selector, arguments[1])).map { .date($0) } ?? .null
    }
  case "formatDate":
    switch arguments[0] {
    case .null: return .null
    case .date(let seconds):
      return .string(dates.text(seconds, try requiredText(selector, arguments[1])))
    default: throw EvaluationError.wrongType(selector, takes: "a date", arguments[0])
    }
  case "formatNumber":
    guard let number = try operand(selector, arguments[0]) else { return .null }
    return .string(try formatted(number, try requiredText(selector, arguments[1])))
  default: return nil
  }
}

extension EvaluationError {
  fileprivate static let textTooLong = EvaluationError("the text would be longer than \(textLimit) bytes")
}
