import ManagedModel
import TestSupport
import Testing

@testable import ManagedModel

@Suite("Matching names") struct MatchNamesTests {
  /// Attributes as `name` or `name<identifier`.
  private static func items(_ names: [String]) -> [AttributeDescription] {
    names.map { text in
      let parts = text.split(separator: "<").map(String.init)
      return AttributeDescription(
        name: parts[0], type: .string, renamingIdentifier: parts.count > 1 ? parts[1] : nil)
    }
  }

  private static func words(_ matching: NameMatching) -> [String] {
    matching.sourceNames.map { "\($0.key)=\($0.value)" }.sorted()
      + matching.ambiguous.map { "ambiguous \($0.name) \($0.other) \($0.canonicalName)" }
      + matching.broken.map { "broken \($0.name) \($0.sourceName) \($0.canonicalName)" }
      + matching.byName.map { "byName \($0.name) \($0.identifier)" }
  }

  static let cases: [([String], [String], [String])] = [
    (["a"], ["a"], ["a=a"]), ([], ["a"], []), (["a"], [], []), (["a"], ["b"], []),
    (["a"], ["b<a"], ["b=a"]), (["title<name"], ["headline<name"], ["headline=title"]),
    // Names that cross, in two and in three.
    (["a", "b"], ["a<b", "b<a"], ["a=b", "b=a"]),
    (["a", "b", "c"], ["a<b", "b<c", "c<a"], ["a=b", "b=c", "c=a"]),
    // Back to the first name; a new thing under an old name.
    (["title<name"], ["name"], ["name=title"]), (["a"], ["b<a", "a<a2"], ["b=a"]),
    (["a<x"], ["a<x", "x<y"], ["a=a"]),
    // An identifier that names the item's last name instead of its first, and one that got lost.
    (["title<name"], ["headline<title"], ["broken headline title name"]),
    (["title<name"], ["title"], ["broken title title name"]),
    // Somebody else continues it: the name is free for another thing.
    (["title<name"], ["title", "headline<name"], ["headline=title"]),
    // Two that stand for one; the first keeps it.
    (["a"], ["a", "b<a"], ["a=a", "ambiguous b a a"]), (["a"], ["b<a", "a"], ["b=a", "ambiguous a b a"]),
    (["a", "b<a"], ["b<a"], ["b=b", "ambiguous b a a"]),
    (["a", "b<a"], ["c<a"], ["c=a", "ambiguous b a a"]),
    // Two that both versions have as they are, by an accident of long ago.
    (["a", "b<a"], ["a", "b<a"], ["a=a", "b=b"]),
    (["b<a", "a", "c"], ["a", "c", "b<a"], ["a=a", "b=b", "c=c"]),
    // Texts are compared as Swift compares them.
    (["é"], ["b<e\u{301}"], ["b=é"]), (["Name"], ["name"], []),
  ]

  @Test(arguments: cases)
  func `by renaming identifier, else by name`(old: [String], new: [String], expected: [String]) {
    #expect(Self.words(matchNames(from: Self.items(old), to: Self.items(new))) == expected)
  }

  static let accidents: [([String], [String], [String])] = [
    (["a<x"], ["a"], ["a=a", "byName a x"]), (["a"], ["a<x"], ["a=a", "byName a x"]),
    (["a<x"], ["a<y"], ["a=a", "byName a y"]),
    // What is taken is not free, and what does not fit is not matched.
    (["a"], ["b<a", "a<x"], ["b=a"]), (["odd"], ["odd<x"], []), (["odd<x"], ["odd"], ["broken odd odd x"]),
    (["a<x", "b"], ["a", "c<b"], ["a=a", "c=b", "byName a x"]),
  ]

  @Test(arguments: accidents)
  func `an identifier that leads nowhere gives way to the name, where that may be`(
    old: [String], new: [String], expected: [String]
  ) {
    let found = matchNames(from: Self.items(old), to: Self.items(new)) {
      $0.name != "odd" && $1.name != "odd"
    }
    #expect(Self.words(found) == expected)
  }

  /// Lists by chance. Where nothing is ambiguous the pairs are those of equal canonical names, of several those of equal
  /// names, and the downgrade pairs the same items.
  @Test(arguments: [false, true])
  func `there and back the pairs are the same`(allowsAccidents: Bool) {
    var random = SeededGenerator(seed: 4)
    let names = ["a", "b", "c", "d", "e"]
    func list() -> [AttributeDescription] {
      Self.items(
        names.shuffled(using: &random).prefix(Int.random(in: 0...5, using: &random)).map { name in
          Bool.random(using: &random) ? name : "\(name)<\(random.pick(names + ["x", "y"]))"
        })
    }
    let fits: ((AttributeDescription, AttributeDescription) -> Bool)? =
      allowsAccidents ? { _, _ in true } : nil
    var compared = 0
    for _ in 0..<1500 {
      let (old, new) = (list(), list())
      let (there, back) = (
        matchNames(from: old, to: new, byName: fits), matchNames(from: new, to: old, byName: fits)
      )
      guard there.ambiguous.isEmpty, back.ambiguous.isEmpty else { continue }
      compared += 1
      let turned = Dictionary(uniqueKeysWithValues: back.sourceNames.map { ($1, $0) })
      var expected: [String: String] = [:]
      for item in new {
        let alike = old.filter { $0.canonicalName == item.canonicalName }.map(\.name)
        expected[item.name] = alike.first { $0 == item.name } ?? alike.first
      }
      let isRight = allowsAccidents || there.sourceNames == expected
      #expect(there.sourceNames == turned && isRight, "\(Self.words(there)) and \(Self.words(back))")
    }
    #expect(compared > 300)
  }
}
