import ManagedModel
import TestSupport
import Testing

@testable import ManagedModel

@Suite("Differences of lists") struct ListDifferenceTests {
  static let lists: [(String, String, String)] = [
    ("a b", "a b", "- +"), ("a b", "b a", "- + reordered"), ("a", "", "-a +"), ("", "a", "- +a"),
    ("a b c", "c x a", "-b +x reordered"),
    ("a a", "a", "-a +"), ("a", "a a", "- +a"), ("a b a", "a a b", "- + reordered"),
    ("a b", "c d", "-ab +cd"), ("a b c", "a c", "-b +"),
  ]

  @Test(arguments: lists)
  func `what went, what came, and whether the rest changed its order`(
    old: String, new: String, expected: String
  ) {
    let difference = ListDifference(from: old.split(separator: " "), to: new.split(separator: " "))
    let words =
      "-\(difference.removed.joined()) +\(difference.added.joined())"
      + (difference.isReordered ? " reordered" : "")
    #expect(words == expected)
  }

  @Test func `there and back they are each other's`() {
    var random = SeededGenerator(seed: 12)
    func list() -> [Int] {
      (0..<Int.random(in: 0...6, using: &random)).map { _ in Int.random(in: 0...3, using: &random) }
    }
    for _ in 0..<500 {
      let (old, new) = (list(), list())
      let (there, back) = (ListDifference(from: old, to: new), ListDifference(from: new, to: old))
      let isSame = there.removed.isEmpty && there.added.isEmpty && !there.isReordered
      let balance = old.count - there.removed.count + there.added.count
      #expect(
        there.removed.sorted() == back.added.sorted() && isSame == (old == new) && balance == new.count,
        "\(old) \(new)")
    }
  }

  @Test func `in the order of another list, what that has not comes last`() {
    #expect(
      sorted(["x", "b", "y", "a"], like: ["a", "b", "c"]) == ["a", "b", "x", "y"]
        && sorted([Int](), like: [1]) == [])
    #expect(["é", "z", "a", "Z"].sortedByCodePoint == ["Z", "a", "z", "é"])
  }

  static let values: [(String?, String)] = [
    (nil, "none"), ("", "''"), ("a", "a"), ("a b", "'a b'"), ("a\nb", "'a b'"), ("a\r\nb", "'a b'"),
    ("none", "none"), ("\u{A0}", "'\u{A0}'"),
    (String(repeating: "x", count: 80), String(repeating: "x", count: 80)),
    (String(repeating: "x", count: 81), String(repeating: "x", count: 80) + "…"),
  ]

  @Test(arguments: values)
  func `a value stands on one line`(value: String?, text: String) { #expect(shown(value) == text) }
}
