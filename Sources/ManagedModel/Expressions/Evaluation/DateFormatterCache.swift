import Foundation

/// Date formatters by format, in UTC and independent of any locale.
final class DateFormatterCache: Sendable {
  /// The format of RFC 3339 and the model language, read and written without a formatter.
  private static let iso8601 = "iso8601"
  private static let countLimit = 64

  private let formatters = Locked<[String: DateFormatter]>([:])

  /// - Parameter format: a pattern of Unicode Technical Standard 35 (`dd.MM.yyyy HH:mm`), or `iso8601`.
  /// - Returns: seconds since 2001; nil if the text is not a date of that format.
  func date(_ text: String, _ format: String) -> Double? {
    if format == Self.iso8601 {
      // Digits alone, which a model file has for seconds since 2001, are another format's.
      guard Double(text.trimmed) == nil,
        case .date(let seconds)? = AttributeValue(parsing: text.trimmed, as: .date)
      else { return nil }
      return seconds
    }
    return withFormatter(format) { $0.date(from: text.trimmed)?.timeIntervalSinceReferenceDate }
  }

  func text(_ seconds: Double, _ format: String) -> String {
    if format == Self.iso8601 { return seconds.isoDate ?? AttributeValue.date(seconds).text }
    return withFormatter(format) { $0.string(from: Date(timeIntervalSinceReferenceDate: seconds)) }
  }

  private func withFormatter<Result>(_ format: String, _ body: (DateFormatter) -> Result) -> Result {
    formatters.withLock { formatters in
      if let known = formatters[format] { return body(known) }
      let formatter = DateFormatter()
      formatter.locale = Locale(identifier: "en_US_POSIX")
      formatter.timeZone = TimeZone(secondsFromGMT: 0)
      formatter.calendar = Calendar(identifier: .gregorian)
      formatter.isLenient = false
      formatter.dateFormat = format
      if formatters.count >= Self.countLimit { formatters.removeAll() }
      formatters[format] = formatter
      return body(formatter)
    }
  }
}
