import ManagedModel
import Testing

@Suite("Small things about lists and numbers") struct ListsTests {
  @Test(arguments: [0, 1, 15, 16, 17, 40])
  func `one that stands there twice is found in short lists and long ones`(count: Int) {
    let names = (0..<count).map { "n\($0)" }
    let found = names.map { (names + [$0]).hasDuplicates }
    #expect(!names.hasDuplicates && found.allSatisfy { $0 } && found.count == count)
  }

  /// As Swift compares texts.
  @Test func `an accent of its own is the same name`() { #expect(["é", "e\u{301}"].hasDuplicates) }

  @Test func `of two pairs with one key the first counts`() {
    #expect(Dictionary(firstOf: [("a", 1), ("b", 2), ("a", 3)]) == ["a": 1, "b": 2])
  }

  @Test(arguments: [
    (Int64.max, Int64(1), Int64.max), (.max, .max, .max), (.min, -1, .min), (.min, .max, -1), (1, 2, 3),
    (0, .min, .min),
  ])
  func `a sum stays a number`(left: Int64, right: Int64, sum: Int64) {
    #expect(left.addingClamped(right) == sum)
  }

  @Test func `an unsigned sum too`() {
    #expect(UInt64.max.addingClamped(5) == .max && UInt8(250).addingClamped(5) == 255)
  }

  static let diagrams: [(Double, String)] = [
    (0, "0"), (-0.0, "-0"), (128, "128"), (-54, "-54"), (0.5, "0.5"), (2_147_483_648, "2147483648.0"),
    (1e300, "1e+300"),
  ]

  @Test(arguments: diagrams)
  func `a diagram's number is written as Xcode writes it and reads back`(number: Double, text: String) {
    #expect(number.diagramText == text && text.diagramNumber?.bitPattern == number.bitPattern)
  }

  @Test(arguments: ["", "x", "0x1", "nan", "1 "])
  func `and nothing else is one`(text: String) { #expect(text.diagramNumber == nil) }
}
