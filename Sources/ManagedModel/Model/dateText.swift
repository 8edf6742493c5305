/// Seconds between 1970-01-01 and 2001-01-01, both 00:00 UTC.
private let referenceDateOffset = 978_307_200.0

/// Reads an ISO 8601 date in UTC or with an offset, or a plain number of seconds since the reference date.
///
/// - Returns: seconds since 2001-01-01 00:00 UTC, or nil where the text is neither.
func parseDate(_ text: String) -> Double? {
  let pattern =
    #/(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2}(?:\.\d{1,9})?))?\s?(Z|[+-]\d{2}:?\d{2})?)?/#
  guard let match = text.wholeMatch(of: pattern) else {
    guard text.wholeMatch(of: #/[+-]?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]{1,3})?/#) != nil else { return nil }
    return Double(text).flatMap { $0.isFinite ? $0 : nil }
  }
  guard let year = Int(match.1), let month = Int(match.2), let day = Int(match.3),
    (1...12).contains(month), (1...daysIn(month: month, of: year)).contains(day)
  else { return nil }
  let hour = match.4.flatMap { Int($0) } ?? 0
  let minute = match.5.flatMap { Int($0) } ?? 0
  let second = match.6.flatMap { Double($0) } ?? 0
  guard hour < 24, minute < 60, second < 61, let offset = offsetSeconds(match.7.map(String.init)) else {
    return nil
  }
  let days = Double(daysSince1970(year: year, month: month, day: day))
  return days * 86400 + Double(hour * 3600 + minute * 60) + second - offset - referenceDateOffset
}

/// ISO 8601 in UTC where the seconds are whole and the year has four digits; else the number itself, which
/// reads back exactly.
func formatDate(_ seconds: Double) -> String {
  let since1970 = seconds + referenceDateOffset
  guard seconds.rounded() == seconds, (-62_135_596_800.0..<253_402_300_800.0).contains(since1970) else {
    return "\(seconds)"
  }
  let total = Int(since1970)
  let day = Int((Double(total) / 86400).rounded(.down))
  let rest = total - day * 86400
  let (year, month, dayOfMonth) = civilDate(daysSince1970: day)
  return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(dayOfMonth, 2) + "T"
    + padded(rest / 3600, 2) + ":" + padded(rest / 60 % 60, 2) + ":" + padded(rest % 60, 2) + "Z"
}

private func padded(_ value: Int, _ width: Int) -> String {
  let digits = String(value)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

private func offsetSeconds(_ zone: String?) -> Double? {
  guard let zone, zone != "Z" else { return 0 }
  let digits = zone.dropFirst().filter { $0 != ":" }
  guard let hours = Int(digits.prefix(2)), let minutes = Int(digits.suffix(2)), hours < 24, minutes < 60
  else {
    return nil
  }
  return Double(hours * 3600 + minutes * 60) * (zone.hasPrefix("-") ? -1 : 1)
}

private func daysIn(month: Int, of year: Int) -> Int {
  switch month {
  case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
  case 4, 6, 9, 11: 30
  default: 31
  }
}

/// Proleptic Gregorian calendar, counted in eras of 400 years that begin on 1 March.
private func daysSince1970(year: Int, month: Int, day: Int) -> Int {
  let shifted = month <= 2 ? year - 1 : year
  let era = (shifted >= 0 ? shifted : shifted - 399) / 400
  let yearOfEra = shifted - era * 400
  let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
  return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
}

private func civilDate(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
  let shifted = days + 719_468
  let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
  let dayOfEra = shifted - era * 146_097
  let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let monthIndex = (5 * dayOfYear + 2) / 153
  let month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
  let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return (year, month, dayOfYear - (153 * monthIndex + 2) / 5 + 1)
}
