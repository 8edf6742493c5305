import Foundation

extension PredefinedFunction {
  /// Functions of texts; with nil for an argument they give nil.
  static let texts: [PredefinedFunction] = [
    PredefinedFunction("uppercase:", "text", gives: .string, inFetch: .folded("uppercase")) {
      try $0.mapText { .string($0.uppercased()) }
    },
    PredefinedFunction("lowercase:", "text", gives: .string, inFetch: .folded("lowercase")) {
      try $0.mapText { .string($0.lowercased()) }
    },
    PredefinedFunction("canonical:", "text", gives: .string, inFetch: .folded("canonical")) {
      try $0.mapText { .string($0.folded([.caseInsensitive, .diacriticInsensitive])) }
    },
    PredefinedFunction(
      "length:", "text", gives: .value(.integer64, bits: 32),
      inFetch: .sql { "modelc_utf16_length(CAST(\($0[0]) AS BLOB))" }
    ) { try $0.mapText { .integer(Int64($0.utf16.count)) } },
    PredefinedFunction("trim", "text", origin: .modelc, gives: .string) {
      try $0.mapText { .string($0.trimmed) }
    },
    PredefinedFunction(
      "concat", "text", isVariadic: true, origin: .modelc, gives: .string, inRows: .concatenation,
      inFetch: .ofTexts { parts in
        let joined = parts.map { "IFNULL(\($0), '')" }.joined(separator: " || ")
        return "CASE WHEN COALESCE(NULL, \(parts.joined(separator: ", "))) IS NOT NULL THEN \(joined) END"
      }
    ) { try concatenate($0.values) },
    PredefinedFunction("replace", "text", "search", "replacement", origin: .modelc, gives: .string) { call in
      try call.mapText { .string(try replaced($0, call.text(1), call.text(2))) }
    },
    PredefinedFunction("substr", "text", "start", "length", optional: 1, origin: .modelc, gives: .string) {
      try part(of: $0)
    },
    PredefinedFunction("transform", "text", "identifier", origin: .modelc, gives: .string) { call in
      try call.mapText { .string(try transform($0, call.text(1))) }
    },
    PredefinedFunction("hash", "value", origin: .modelc, gives: .string) {
      if $0.holdsNull { return .null }
      guard let text = $0[0].text else {
        throw EvaluationError.wrongType($0.selector, takes: "a value", $0[0])
      }
      return .string(sha256(Data(text.utf8)))
    },
  ]
}

/// All values as text, one after another. Nil adds nothing; where all are nil, so is the result.
private func concatenate(_ values: [ExpressionValue]) throws -> ExpressionValue {
  guard values.contains(where: { !$0.isNull }) else { return .null }
  var text = ""
  for value in values {
    guard let part = value.text else { throw EvaluationError.wrongType("concat", takes: "values", value) }
    text += part
  }
  return .string(try text.limitedText())
}

/// The text with every occurrence of `search` replaced, byte by byte, from left to right; nothing is found nowhere.
func replaced(_ text: String, _ search: String, _ replacement: String) throws -> String {
  let (bytes, sought) = (Array(text.utf8), Array(search.utf8))
  var result: [UInt8] = []
  var index = 0
  while let found = bytes.firstRange(of: sought, from: index) {
    result += bytes[index..<found.lowerBound]
    result += replacement.utf8
    index = found.upperBound
    guard result.count <= textLimit else { throw EvaluationError.textTooLong }
  }
  return try String(decoding: result + bytes[index...], as: UTF8.self).limitedText()
}

/// `substr(text, start, length)`: characters as people count them, the first at 1; a start below 1 counts from the
/// end, as in SQL. What lies beyond the text is left out.
private func part(of call: FunctionArguments) throws -> ExpressionValue {
  try call.mapText { text throws in
    let start = try wholeNumber(call[1])
    let length = call.values.count > 2 ? try wholeNumber(call[2]) : .max
    guard length >= 0 else { throw EvaluationError("the length of 'substr' is below zero") }
    guard start != 0 else { throw EvaluationError("'substr' counts characters from 1") }
    let distance = Int(clamping: start > 0 ? start.magnitude - 1 : start.magnitude)
    let rest = start > 0 ? text.dropFirst(distance) : text.suffix(distance)
    return .string(String(rest.prefix(Int(clamping: length))))
  }
}

private func wholeNumber(_ value: ExpressionValue) throws -> Int64 {
  guard let whole = try operand("substr", value)?.exactInteger else {
    throw EvaluationError("'substr' takes whole numbers")
  }
  return whole
}

/// An ICU transform by its identifier, such as `Any-Latin; Latin-ASCII; Lower`.
private func transform(_ text: String, _ identifier: String) throws -> String {
  guard let result = text.applyingTransform(StringTransform(identifier), reverse: false) else {
    throw EvaluationError(
      "there is no text transform '\(identifier.prefix(80))'",
      help: ["known: ICU's, such as 'Any-Latin; Latin-ASCII; Lower'"])
  }
  return try result.limitedText()
}

/// In bytes of UTF-8. Without a limit a chain of `replace` could make gigabytes out of a few bytes.
private let textLimit = 1 << 26

extension String {
  /// - Throws: where the text is longer than any that a column should hold.
  func limitedText() throws -> String {
    guard utf8.count <= textLimit else { throw EvaluationError.textTooLong }
    return self
  }
}

extension EvaluationError {
  fileprivate static let textTooLong = EvaluationError("the text would be longer than \(textLimit) bytes")
}
