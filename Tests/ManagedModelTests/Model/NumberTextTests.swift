import Testing

@testable import ManagedModel

@Suite("Numbers as text") struct NumberTextTests {
  @Test(arguments: ["0", "-1", "+1", "007", "1.10", "1.", ".5", "2e9", "2E-9", "-0.0", "1e+0001", "1e9999"])
  func `a plain decimal number`(text: String) { #expect(text.isDecimalLiteral) }

  @Test(arguments: [
    "", "-", ".", "e5", "1e", "1e+", "1e99999", "1e1.5", "--1", "+-1", "0x1F", "1_000", "1,5", "1 ", " 1",
    "inf",
    "NaN", "1d", "\u{0661}", "1\u{301}", "1\u{0}",
  ])
  func `nothing else, which Swift's own parsers take in part`(text: String) {
    #expect(!text.isDecimalLiteral)
  }

  @Test func `a scan stops where its bytes do not stand`() {
    var scan = NumberScan("-12.5x")
    scan.skipSign()
    let (three, whole, point) = (scan.digits(3), scan.skipDigits(), scan.skip(UInt8(ascii: ".")))
    let fraction = scan.fraction()
    #expect(three == nil && whole == 0 && point && fraction?.value == 5 && fraction?.scale == 10)
    #expect(scan.next == UInt8(ascii: "x") && !scan.isAtEnd && scan.fraction() == nil)
  }

  /// What was read before a digit was missing is not put back: a scan is thrown away then.
  @Test func `a number of exactly so many digits`() {
    var scan = NumberScan("0042")
    #expect(scan.digits(4) == 42 && scan.isAtEnd && scan.digits(1) == nil && scan.digits(0) == 0)
  }
}
