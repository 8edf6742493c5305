import TestSupport
import Testing

@testable import ManagedModel

@Suite("Names that were meant") struct NearestNameTests {
  static let mistakes: [(String, [String], String?, Bool)] = [
    // One slip in a word of some length: inserted, left out, replaced, two neighbours in each other's place.
    ("beds", ["bed", "warden"], "bed", true), ("wardn", ["warden"], "warden", true),
    ("werden", ["warden"], "warden", true),
    ("wadren", ["warden"], "warden", true), ("Warden", ["warden"], "warden", true),
    ("WARDEN", ["wärden", "warden"], "warden", true),
    // Two slips are near in a longer word, and no obvious ones.
    ("attribtes", ["attributes"], "attributes", true), ("atribtes", ["attributes"], "attributes", false),
    ("wrdn", ["warden"], nil, false), ("tag", ["bag", "rag"], "bag", false), ("ab", ["ba"], "ba", false),
    // The same name is no other one, and nothing is near to nothing.
    ("name", ["name"], nil, false), ("name", ["name", "nam"], "nam", true), ("x", [], nil, false),
    ("", ["a"], "a", false),
    ("a", [""], "", false), ("Überblick", ["überblick"], "überblick", true),
    ("STRASSE", ["straße"], "straße", false), ("STRASSE", ["strässchen"], nil, false),
    ("name", ["name2", "nom"], "name2", true),
  ]

  @Test(arguments: mistakes)
  func `the nearest one, and whether nothing else can have been meant`(
    typed: String, names: [String], meant: String?, isObvious: Bool
  ) {
    let found = nearMatch(to: typed, among: names)
    #expect(found?.name == meant && (found?.isObvious ?? false) == isObvious, "\(String(describing: found))")
  }

  @Test func `the order of the candidates does not count`() {
    let names = ["bag", "rag", "tab", "tags", "hag"]
    #expect(nearMatch(to: "tag", among: names) == nearMatch(to: "tag", among: names.reversed()))
    #expect(nearMatch(to: "tag", among: ["tags", "tags"]) == NearMatch(name: "tags", isObvious: false))
  }

  @Test func `a very long name is near to nothing`() {
    let long = String(repeating: "a", count: 201)
    #expect(nearestName(to: long, among: [long + "b"]) == nil)
    #expect(nearestName(to: String(long.dropLast()), among: [long]) == nil)
    #expect(nearestName(to: String(long.dropLast()), among: [String(long.dropLast(2))]) != nil)
  }

  /// The distance as the definition has it, without a limit and without shortcuts.
  private func distance(_ left: String, _ right: String) -> Int {
    let (a, b) = (Array(left.lowercased().unicodeScalars), Array(right.lowercased().unicodeScalars))
    var known: [[Int]: Int] = [:]
    func between(_ i: Int, _ j: Int) -> Int {
      if i == 0 || j == 0 { return i + j }
      if let found = known[[i, j]] { return found }
      var least = min(between(i - 1, j), between(i, j - 1)) + 1
      least = min(least, between(i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0 : 1))
      if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
        least = min(least, between(i - 2, j - 2) + 1)
      }
      known[[i, j]] = least
      return least
    }
    return between(a.count, b.count)
  }

  @Test func `the limit and the shortcuts change nothing`() {
    var random = SeededGenerator(seed: 5)
    let letters = ["a", "b", "c", "A", "é", "1"]
    func word() -> String {
      (0..<Int.random(in: 0...8, using: &random)).map { _ in random.pick(letters) }.joined()
    }
    var wrong: [String] = []
    for _ in 0..<400 {
      let (typed, names) = (word(), (0..<5).map { _ in word() })
      let limit = max(1, typed.lowercased().unicodeScalars.count / 3)
      let near = names.filter { $0 != typed && distance(typed, $0) <= limit }
      let least = near.map { distance(typed, $0) }.min()
      let expected = near.filter { distance(typed, $0) == least }.min()
      if nearestName(to: typed, among: names) != expected { wrong.append("\(typed): \(names)") }
    }
    #expect(wrong == [])
  }
}
