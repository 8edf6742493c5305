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
    let scalars = Array(text.unicodeScalars)
    let equals = scalars.firstIndex(of: "=")
    let type = trimmed(scalars, 0..<(equals ?? scalars.count))
    isOptional = !type.isEmpty && scalars[type.upperBound - 1] == "?"
    let name = trimmed(scalars, type.lowerBound..<(isOptional ? type.upperBound - 1 : type.upperBound))
    typeName = string(scalars[name])
    guard let equals else { return }
    let value = trimmed(scalars, (equals + 1)..<scalars.count)
    guard let first = scalars[value].first, let last = scalars[value].last else { throw .noDefault }
    defaultRange = value
    guard first == "'" || first == "\"" else {
      defaultText = string(scalars[value])
      return
    }
    guard value.count >= 2, last == first else { throw .unbalancedQuotes }
    let inner = scalars[(value.lowerBound + 1)..<(value.upperBound - 1)]
    guard !inner.contains(first) else { throw .unbalancedQuotes }
    defaultText = string(inner)
  }

  /// The text that reads back to the same attribute, or nil where only the long form can say it.
  static func text(type: AttributeType, isOptional: Bool, default text: String?, inFlow: Bool) -> String? {
    let lead = type.name + (isOptional ? "?" : "")
    guard let text else { return lead }
    for value in [text, "'\(text)'", "\"\(text)\""] {
      let whole = "\(lead) = \(value)"
      guard isPlainScalar(whole, inFlow: inFlow), let read = try? AttributeShortForm(parsing: whole),
        read.defaultText == text
      else { continue }
      return whole
    }
    return nil
  }
}

private func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
  String(String.UnicodeScalarView(scalars))
}

private func trimmed(_ scalars: [Unicode.Scalar], _ range: Range<Int>) -> Range<Int> {
  var (lower, upper) = (range.lowerBound, range.upperBound)
  while lower < upper, scalars[lower].properties.isWhitespace { lower += 1 }
  while lower < upper, scalars[upper - 1].properties.isWhitespace { upper -= 1 }
  return lower..<upper
}
