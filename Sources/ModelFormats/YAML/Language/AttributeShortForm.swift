import ManagedModel

/// `TYPE[?] [= DEFAULT]`: an attribute in one text.
///
/// The default is taken trimmed, or stands in single or double quotes, which keep blanks and may not occur in it.
struct AttributeShortForm: Hashable {
  var typeName: String
  var isOptional: Bool
  var defaultText: String?
  /// Where the default stands in the text, in Unicode scalars, quotes included.
  var defaultRange: Range<Int>?

  enum Failure: Error {
    /// `=` with nothing after it.
    case noDefault
    /// A quote without its fellow, or with text behind it.
    case unbalancedQuotes
  }

  init(parsing text: String) throws(Failure) {
    let bytes = text.utf8
    let equals = bytes.firstIndex(of: UInt8(ascii: "="))
    var type = trimmed(text[..<(equals ?? text.endIndex)])
    isOptional = type.utf8.last == UInt8(ascii: "?")
    if isOptional { type = trimmed(type[..<bytes.index(before: type.endIndex)]) }
    typeName = String(type)
    guard let equals else { return }
    let value = trimmed(text[bytes.index(after: equals)...])
    guard let first = value.utf8.first, let last = value.utf8.last else { throw .noDefault }
    let start = text.unicodeScalars.distance(from: text.startIndex, to: value.startIndex)
    defaultRange = start..<(start + value.unicodeScalars.count)
    guard first == UInt8(ascii: "'") || first == UInt8(ascii: "\"") else {
      defaultText = String(value)
      return
    }
    guard value.utf8.count >= 2, last == first else { throw .unbalancedQuotes }
    let inner = value[bytes.index(after: value.startIndex)..<bytes.index(before: value.endIndex)]
    guard !inner.utf8.contains(first) else { throw .unbalancedQuotes }
    defaultText = String(inner)
  }

  /// The text that reads back to the same attribute, or nil if only the long form can say it.
  static func text(type: AttributeType, isOptional: Bool, default text: String?, inFlow: Bool) -> String? {
    let lead = type.name + (isOptional ? "?" : "")
    guard let text else { return lead }
    for value in [text, "'\(text)'", "\"\(text)\""] {
      let whole = "\(lead) = \(value)"
      guard whole.isPlainScalar(inFlow: inFlow), let read = try? AttributeShortForm(parsing: whole),
        read.defaultText == text
      else { continue }
      return whole
    }
    return nil
  }
}

/// Without the blanks, tabs and line ends around it.
private func trimmed(_ text: Substring) -> Substring {
  let bytes = text.utf8
  var (lower, upper) = (bytes.startIndex, bytes.endIndex)
  while lower < upper, isBlank(bytes[lower]) { lower = bytes.index(after: lower) }
  while lower < upper, isBlank(bytes[bytes.index(before: upper)]) { upper = bytes.index(before: upper) }
  return text[lower..<upper]
}

private func isBlank(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: " ") || (UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains(byte)
}
