import Foundation
import ManagedModel
import Testing

@Suite("Decimals") struct DecimalsTests {
  private static func decimal(_ text: String) -> Decimal { Decimal(string: text) ?? .nan }

  static let products: [(String, String, String)] = [
    ("1.5", "-2", "-3"), ("0", "1e127", "0"), ("1e-60", "1e-60", "1e-120"), ("0.1", "0.2", "0.02"),
    // These end the program with Foundation's own operator.
    ("1e-100", "1e-100", "NaN"), ("1e-127", "1e-2", "NaN"), ("NaN", "1", "NaN"), ("1e-100", "NaN", "NaN"),
  ]

  @Test(arguments: products)
  func `a product, or NaN where a decimal cannot hold it`(left: String, right: String, text: String) {
    let found = product(Self.decimal(left), Self.decimal(right))
    #expect(text == "NaN" ? found.isNaN : found == Self.decimal(text), "\(found)")
  }

  static let shortest: [(Double, String?)] = [
    (10.11, "10.11"), (0.1, "0.1"), (-2.5, "-2.5"), (0, "0"), (-0.0, "0"), (1e119, "1e119"), (1e120, nil),
    (1.1e-90, "1.1e-90"), (1e-91, nil), (.nan, nil), (.infinity, nil), (-.infinity, nil),
    (.greatestFiniteMagnitude, nil), (.leastNonzeroMagnitude, nil),
  ]

  @Test(arguments: shortest)
  func `a number by its shortest digits`(number: Double, text: String?) {
    #expect(number.shortestDecimal == text.map(Self.decimal))
  }

  @Test func `a decimal's nearest number`() {
    #expect(Self.decimal("10.11").nearestDouble == 10.11)
    #expect(Self.decimal("12345678901234567890.12345").nearestDouble == 12_345_678_901_234_567_890.12345)
    #expect(Decimal.nan.nearestDouble.isNaN)
  }
}
