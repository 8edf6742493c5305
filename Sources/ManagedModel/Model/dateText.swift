/// Seconds between 1970-01-01 and 2001-01-01, both 00:00 UTC.
private let referenceDateOffset = 978_307_200.0

extension String {
  /// Reads an ISO 8601 date in UTC or with an offset, or a plain number of seconds since the reference date.
  ///
  /// - Returns: seconds since 2001-01-01 00:00 UTC, or nil if the text is neither.
  var date: Double? {
    var scan = NumberScan(self)
    guard let year = scan.digits(4), scan.skip(UInt8(ascii: "-")), let month = scan.digits(2),
      scan.skip(UInt8(ascii: "-")), let day = scan.digits(2)
    else { return parseSeconds(self) }
    let days = daysSince1970(year: year, month: month, day: day)
    // Of a day that the calendar does not have, another one comes back.
    guard civilDate(daysSince1970: days) == (year, month, day), let time = parseTime(&scan), scan.isAtEnd
    else { return nil }
    let whole = Double(days * 86400 + time.whole) - referenceDateOffset
    // One division of two exact numbers: the nearest double, as if the text had been parsed at once.
    let scaled = whole * time.scale + time.fraction
    return scaled.magnitude < 0x1p53 ? scaled / time.scale : whole + time.fraction / time.scale
  }
}

/// Digits with an optional sign, fraction and exponent; no more than the numbers that `formattedDate` writes.
private func parseSeconds(_ text: String) -> Double? {
  var scan = NumberScan(text)
  scan.skipSign()
  guard scan.skipDigits() > 0 else { return nil }
  if scan.skip(UInt8(ascii: ".")), scan.skipDigits() == 0 { return nil }
  if scan.skip(UInt8(ascii: "e")) {
    scan.skipSign()
    guard (1...3).contains(scan.skipDigits()) else { return nil }
  }
  guard scan.isAtEnd, let value = Double(text), value.isFinite else { return nil }
  return value
}

/// `[T ]HH:MM[:SS[.fraction]][ ][Z|±HH[:]MM]`, or nothing at all, which is midnight UTC; less the offset.
///
/// - Returns: whole seconds, and a fraction as a number of parts.
private func parseTime(_ scan: inout NumberScan) -> (whole: Int, fraction: Double, scale: Double)? {
  if scan.isAtEnd { return (0, 0, 1) }
  guard scan.skip(UInt8(ascii: "T")) || scan.skip(UInt8(ascii: " ")), let hour = scan.digits(2), hour < 24,
    scan.skip(UInt8(ascii: ":")), let minute = scan.digits(2), minute < 60
  else { return nil }
  var (second, fraction, scale) = (0, 0.0, 1.0)
  if scan.skip(UInt8(ascii: ":")) {
    guard let whole = scan.digits(2), whole < 61 else { return nil }
    second = whole
    if scan.skip(UInt8(ascii: ".")) {
      guard let parts = scan.fraction() else { return nil }
      (fraction, scale) = (parts.value, parts.scale)
    }
  }
  scan.skip(UInt8(ascii: " "))
  return parseOffset(&scan).map { (hour * 3600 + minute * 60 + second - $0, fraction, scale) }
}

/// Seconds east of UTC.
private func parseOffset(_ scan: inout NumberScan) -> Int? {
  if scan.isAtEnd || scan.skip(UInt8(ascii: "Z")) { return 0 }
  let isWest = scan.next == UInt8(ascii: "-")
  guard scan.skip(UInt8(ascii: "-")) || scan.skip(UInt8(ascii: "+")), let hours = scan.digits(2), hours < 24
  else { return nil }
  scan.skip(UInt8(ascii: ":"))
  guard let minutes = scan.digits(2), minutes < 60 else { return nil }
  return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
}

extension Double {
  /// ISO 8601 in UTC where the seconds are whole and the year has four digits; else the number itself, which
  /// reads back exactly.
  var formattedDate: String {
    let since1970 = self + referenceDateOffset
    guard rounded() == self, (-62_135_596_800.0..<253_402_300_800.0).contains(since1970) else {
      return "\(self)"
    }
    let total = Int(since1970)
    let day = Int((Double(total) / 86400).rounded(.down))
    let rest = total - day * 86400
    let (year, month, dayOfMonth) = civilDate(daysSince1970: day)
    let time = [rest / 3600, rest / 60 % 60, rest % 60].map { $0.zeroPadded(2) }.joined(separator: ":")
    return "\(year.zeroPadded(4))-\(month.zeroPadded(2))-\(dayOfMonth.zeroPadded(2))T\(time)Z"
  }

  /// ISO 8601 in UTC with a fraction of up to six digits; nil for what is no date of a year with four digits.
  package var isoDate: String? {
    let whole = rounded(.down)
    let text = whole.formattedDate
    guard text.hasSuffix("Z") else { return nil }
    let microseconds = Int(((self - whole) * 1_000_000).rounded())
    if microseconds == 0 { return text }
    if microseconds == 1_000_000 { return (whole + 1).isoDate }
    var digits = microseconds.zeroPadded(6)
    while digits.last == "0" { digits.removeLast() }
    return text.dropLast() + "." + digits + "Z"
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
