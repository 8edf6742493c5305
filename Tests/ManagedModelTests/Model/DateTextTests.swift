import TestSupport
import Testing

@testable import ManagedModel

@Suite("Dates as text") struct DateTextTests {
  static let read: [(String, Double)] = [
    ("2001-01-01T00:00:00Z", 0), ("2001-01-01", 0), ("2001-01-01 00:00", 0), ("2001-01-01T00:01", 60),
    ("2001-01-01T00:00:00.5Z", 0.5), ("2001-01-01T00:00:00.000000001", 1e-9), ("2001-01-01T01:00+01:00", 0),
    ("2001-01-01T00:00:00 +0130", -5400), ("2000-12-31T22:30:00-0130", 0), ("2001-01-01T00:00:60Z", 60),
    ("2000-02-29", -26_524_800), ("0001-01-01", -63_113_904_000),
    ("9999-12-31T23:59:59Z", 252_423_993_599),
    // A plain number is seconds since the reference date.
    ("2001", 2001), ("-0", 0), ("+5", 5), ("1e5", 100_000), ("-1.5e-3", -0.0015), ("2001.01", 2001.01),
  ]

  @Test(arguments: read)
  func `a date, or seconds, is read`(text: String, seconds: Double) { #expect(text.date == seconds) }

  @Test(arguments: [
    "", "2001-1-01", "2001-01-1", "2001-01-01Z", "2001-01-01T", "2001-01-01T24:00", "2001-01-01T00:60",
    "2001-01-01T00:00:61", "2001-01-01T00:00:00.Z", "2001-01-01T00:00:00.1234567890Z",
    "2001-01-01T00:00:00+24:00", "2001-01-01T00:00:00+01:60", "2001-01-01T00:00:00Z ", "1900-02-29",
    "2100-02-29", "2001-04-31", "2001-00-10", "2001-13-01", "2001-01-00", "20001-01-01", "-001-01-01",
    "\u{FF12}001-01-01", " 0", "1.", ".5", "1E5", "1e", "1e1000", "1e999", "0x10", "inf", "nan", "--1", "1 ",
  ])
  func `anything else is no date`(text: String) { #expect(text.date == nil) }

  /// The first of March and the day before it, counted year by year with the calendar's own rule.
  @Test func `every year of four digits has the length that the calendar gives it`() {
    var wrong: [Int] = []
    // 0001-03-01
    var day = -63_113_904_000.0 + 59 * 86400
    for year in 1...9999 {
      let digits = String(10_000 + year).dropFirst()
      let isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
      // The count began in a year without a 29 February.
      let text = "\(digits)-03-01T00:00:00Z"
      let before = "\(digits)-02-\(isLeap ? 29 : 28)T00:00:00Z"
      if text.date != day || day.formattedDate != text || (day - 86400).formattedDate != before {
        wrong.append(year)
      }
      let next = year + 1
      day += (next % 4 == 0 && next % 100 != 0) || next % 400 == 0 ? 366 * 86400 : 365 * 86400
    }
    #expect(wrong == [])
  }

  @Test func `what is written reads back to the same number`() {
    var random = SeededGenerator(seed: 1)
    var numbers: [Double] = [
      0, -0.5, 1e-300, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 252_423_993_600, -63_113_904_001,
    ]
    for _ in 0..<2000 {
      numbers.append(Double(Int.random(in: -70_000_000_000...300_000_000_000, using: &random)))
      numbers.append(Double(bitPattern: random.next()))
    }
    let lost = numbers.filter { $0.isFinite && $0.formattedDate.date != $0 }
    #expect(lost == [])
  }

  static let isoDates: [(Double, String?)] = [
    (0.5, "2001-01-01T00:00:00.5Z"), (-0.25, "2000-12-31T23:59:59.75Z"), (59.9999999, "2001-01-01T00:01:00Z"),
    (0.000_001, "2001-01-01T00:00:00.000001Z"), (0.12, "2001-01-01T00:00:00.12Z"),
    (-63_113_904_000, "0001-01-01T00:00:00Z"), (-63_113_904_000.5, nil), (252_423_993_600, nil), (.nan, nil),
    (.infinity, nil), (-.infinity, nil), (1e300, nil),
  ]

  @Test(arguments: isoDates)
  func `a fraction has up to six digits, and years four`(seconds: Double, text: String?) {
    #expect(seconds.isoDate == text)
  }
}
