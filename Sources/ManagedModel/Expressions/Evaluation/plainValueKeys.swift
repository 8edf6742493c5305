import Foundation

extension ExpressionValue {
  /// What key-value coding reaches of the classes that hold attributes' values: `title.length`,
  /// `date.timeIntervalSince1970`. Everything else has `self` only.
  func valueOfPlain(forKey key: String) throws -> ExpressionValue {
    if key == "self" { return self }
    let found: ExpressionValue? =
      switch self {
      case .string(let text): text.value(forKey: key)
      case .integer, .double, .decimal, .boolean: Number(self).flatMap { value(ofNumber: $0, forKey: key) }
      case .date(let seconds): date(seconds, forKey: key)
      case .uuid(let value): key == "UUIDString" ? .string(value.uuidString) : nil
      case .uri(let text): value(ofURI: text, forKey: key)
      case .binary(let data): key == "length" ? .integer(Int64(data.count)) : nil
      default: nil
      }
    guard let found else { throw EvaluationError.unknownKey(key, of: label) }
    return found
  }

  private func value(ofNumber number: Number, forKey key: String) -> ExpressionValue? {
    switch key {
    case "doubleValue", "floatValue": .double(number.doubleValue)
    case "boolValue": .boolean(number.doubleValue != 0)
    case "stringValue", "description": .string(number.text)
    case "intValue", "integerValue", "longLongValue":
      number.exactInteger.map { .integer($0) }
        ?? Int64(exactly: number.doubleValue.rounded(.towardZero)).map { .integer($0) }
    default: nil
    }
  }

  private func date(_ seconds: Double, forKey key: String) -> ExpressionValue? {
    switch key {
    case "timeIntervalSinceReferenceDate": .double(seconds)
    case "timeIntervalSince1970": .double(seconds + Date.timeIntervalBetween1970AndReferenceDate)
    default: nil
    }
  }

  private func value(ofURI text: String, forKey key: String) -> ExpressionValue? {
    let url = URL(string: text)
    let part: String? =
      switch key {
      case "absoluteString": text
      case "scheme": url?.scheme
      case "host": url?.host
      case "path": url?.path
      case "query": url?.query
      case "fragment": url?.fragment
      case "lastPathComponent": url?.lastPathComponent
      case "pathExtension": url?.pathExtension
      default: nil
      }
    if let part { return .string(part) }
    return ["scheme", "host", "path", "query", "fragment"].contains(key) ? .null : nil
  }
}

extension String {
  fileprivate func value(forKey key: String) -> ExpressionValue? {
    switch key {
    case "length": .integer(Int64(utf16.count))
    case "uppercaseString": .string(uppercased())
    case "lowercaseString": .string(lowercased())
    case "capitalizedString": .string(capitalized)
    case "lastPathComponent": .string((self as NSString).lastPathComponent)
    case "pathExtension": .string((self as NSString).pathExtension)
    case "description": .string(self)
    // As `NSString` reads them: the number at the beginning, else zero.
    case "intValue", "integerValue", "longLongValue":
      .integer(leadingNumber(#/[+-]?[0-9]+/#) { Int64($0) } ?? 0)
    case "doubleValue", "floatValue":
      .double(leadingNumber(#/[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?/#) { Double($0) } ?? 0)
    case "boolValue": .boolean(firstMatch(of: #/\A\s*[+-]?0*[YyTt1-9]/#) != nil)
    default: nil
    }
  }

  private func leadingNumber<Result>(
    _ expression: some RegexComponent, _ read: (String) -> Result?
  ) -> Result? {
    let text = trimmed
    guard let match = text.prefixMatch(of: expression) else { return nil }
    return read(String(text[match.range]))
  }
}
