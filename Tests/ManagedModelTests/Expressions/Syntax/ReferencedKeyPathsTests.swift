import ManagedModel
import Testing

@Suite("Referenced key paths")
struct ReferencedKeyPathsTests {
  @Test(arguments: [
    ("age == 3 AND mayor.name LIKE 'a*' AND age < 9", ["age", "mayor.name"]),
    (
      "SUBQUERY(songs, $s, $s.length > $limit.seconds).@count > 0",
      ["songs.@count", "songs.length", "$limit.seconds"]
    ),
    ("SUBQUERY(a UNION b, $x, $x.c == d).@count > 0", ["a", "b", "d"]),
    ("ANY items[0].name == SELF", ["items.name", "SELF"]),
    ("items[offset + 1].name == nil", ["items.name", "offset"]),
    (
      "TERNARY(a > 1, b, c) == uppercase:($x.d) AND FUNCTION($p, 'f:', e) == {g, CAST(h, 'NSDate')}",
      ["a", "b", "c", "$x.d", "$p", "e", "g", "h"]
    ),
    ("TRUEPREDICATE", []),
  ])
  func `each path is found once, from where it begins`(_ text: String, _ expected: [String]) throws {
    let found = try parsePredicate(text).referencedKeyPaths.map { path in
      let root: [String] =
        switch path.root {
        case .evaluatedObject: path.keys.isEmpty ? ["SELF"] : []
        case .variable(let name): ["$" + name]
        }
      return (root + path.keys).joined(separator: ".")
    }
    #expect(found.sorted() == expected.sorted())
  }
}
