import ManagedModel

/// Numbers as a person reads them, the same in every locale.

/// With a comma between thousands: `374,411`.
package func grouped(_ number: some BinaryInteger) -> String {
  (number < 0 ? "-" : "") + String(number.magnitude).groupedDigits
}

/// The number with its noun: `1 error`, `1,200 rows`.
package func counted(_ number: Int, _ noun: String, plural: String? = nil) -> String {
  "\(grouped(number)) \(number == 1 ? noun : plural ?? noun + "s")"
}

extension Int64 {
  /// Bytes in decimal units: `512 B`, `4.1 kB`, `41 MB`.
  package var humanSize: String {
    guard magnitude >= 1000 else { return "\(self) B" }
    var unit: UInt64 = 1000
    var names = ["kB", "MB", "GB", "TB", "PB", "EB"][...]
    // Moves on where rounding to whole units would show 1000.
    while names.count > 1, magnitude >= unit * 1000 - unit / 2 {
      unit *= 1000
      names = names.dropFirst()
    }
    let sign = self < 0 ? "-" : ""
    let tenths = (magnitude / (unit / 10)) + (magnitude % (unit / 10) >= unit / 20 ? 1 : 0)
    let number =
      tenths < 100
      ? withPoint(tenths, digits: 1) : "\(magnitude / unit + (magnitude % unit >= unit / 2 ? 1 : 0))"
    return "\(sign)\(number) \(names.first ?? "B")"
  }
}

extension Double {
  /// Seconds: `4 ms`, `0.31 s`, `12 s`, `3 min 5 s`, `2 h 10 min`.
  package var humanDuration: String {
    guard isFinite, self > 0, self < 1e9 else { return "0 ms" }
    if self < 0.0995 {
      let milliseconds = UInt64((self * 1000).rounded())
      return milliseconds == 0 ? "<1 ms" : "\(milliseconds) ms"
    }
    if self < 0.995 { return "\(withPoint(UInt64((self * 100).rounded()), digits: 2)) s" }
    if self < 9.95 { return "\(withPoint(UInt64((self * 10).rounded()), digits: 1)) s" }
    let whole = UInt64(rounded())
    if whole < 60 { return "\(whole) s" }
    if whole < 3600 { return joined(whole / 60, "min", whole % 60, "s") }
    let minutes = UInt64((self / 60).rounded())
    return joined(minutes / 60, "h", minutes % 60, "min")
  }
}

private func joined(_ large: UInt64, _ largeUnit: String, _ small: UInt64, _ smallUnit: String) -> String {
  small == 0 ? "\(large) \(largeUnit)" : "\(large) \(largeUnit) \(small) \(smallUnit)"
}

/// `31` with two digits after the point is `0.31`; zeros at the end are left out.
private func withPoint(_ scaled: UInt64, digits: Int) -> String {
  let text = String(scaled)
  let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
  let whole = padded.dropLast(digits)
  var fraction = padded.suffix(digits)
  while fraction.last == "0" { fraction.removeLast() }
  return fraction.isEmpty ? String(whole) : "\(whole).\(fraction)"
}

/// Seconds on a clock that does not follow changes of the time of day.
func seconds(since start: ContinuousClock.Instant) -> Double { start.duration(to: .now) / .seconds(1) }
