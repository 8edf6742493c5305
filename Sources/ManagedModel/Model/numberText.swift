extension String {
  /// Whether the text is a plain decimal number: `-1`, `1.10`, `.5`, `2e9`.
  ///
  /// Swift's own parsers also take hexadecimal text, infinities and trailing garbage, which Core Data's editor does
  /// not. The exponent has at most four digits.
  var isDecimalLiteral: Bool {
    var scan = NumberScan(self)
    scan.skipSign()
    let whole = scan.skipDigits()
    let hasPoint = scan.skip(UInt8(ascii: "."))
    let fraction = hasPoint ? scan.skipDigits() : 0
    guard whole + fraction > 0 else { return false }
    if scan.skip(UInt8(ascii: "e")) || scan.skip(UInt8(ascii: "E")) {
      scan.skipSign()
      guard (1...4).contains(scan.skipDigits()) else { return false }
    }
    return scan.isAtEnd
  }
}

/// Reads a text byte by byte from its beginning.
struct NumberScan {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = Substring(text).utf8 }

  var isAtEnd: Bool { rest.isEmpty }
  var next: UInt8? { rest.first }

  /// - Returns: whether the byte stood there.
  @discardableResult mutating func skip(_ byte: UInt8) -> Bool {
    guard rest.first == byte else { return false }
    rest.removeFirst()
    return true
  }

  mutating func skipSign() { if !skip(UInt8(ascii: "-")) { skip(UInt8(ascii: "+")) } }

  /// - Returns: how many there were.
  mutating func skipDigits() -> Int {
    let digits = rest.prefix { isDigit($0) }
    rest = rest[digits.endIndex...]
    return digits.count
  }

  /// A number of exactly so many digits, at most nine.
  mutating func digits(_ count: Int) -> Int? {
    var value = 0
    for _ in 0..<count {
      guard let byte = rest.first, isDigit(byte) else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
      rest.removeFirst()
    }
    return value
  }

  /// The digits after a decimal point, one to nine, as a number and the power of ten that it counts in.
  mutating func fraction() -> (value: Double, scale: Double)? {
    var (value, scale, count) = (0.0, 1.0, 0)
    while count < 9, let byte = rest.first, isDigit(byte) {
      value = value * 10 + Double(byte - UInt8(ascii: "0"))
      scale *= 10
      count += 1
      rest.removeFirst()
    }
    return count > 0 ? (value, scale) : nil
  }

  private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
