import ManagedModel
import Testing

@Suite("Key paths") struct KeyPathsTests {
  @Test(arguments: [
    ("a", ["a"]), ("a.b.c", ["a", "b", "c"]), ("", []), (".", []), ("a..b.", ["a", "b"]),

  ])
  func `keys stand between points`(path: String, expected: [String]) { #expect(keys(of: path) == expected) }

  static let names: [(String, Set<String>, Bool)] = [
    ("a", ["a"], true), ("a.b", ["a"], true), ("a.b.c", ["a.b"], true), ("a", ["a.b"], false),
    ("ab", ["a"], false), ("a.b", ["b"], false), ("a.b", [], false), ("", [""], true),
  ]

  @Test(arguments: names)
  func `a name stands for all that it leads through`(path: String, names: Set<String>, isThere: Bool) {
    #expect(isNamed(path, in: names) == isThere)
  }

  static let listed: [(String, String?, Set<String>, Bool)] = [
    ("Hut", nil, ["Hut"], true), ("Hut", "beds", ["Hut"], true), ("Hut", "beds", ["Hut.beds"], true),
    ("Hut", "spot.x", ["Hut.spot"], true), ("Hut", "spot", ["Hut.spot.x"], false),
    ("Hut", nil, ["Hut.beds"], false),
    ("Hut", "beds", ["Cabin.beds", "beds"], false),
  ]

  @Test(arguments: listed)
  func `a list names an entity with all it has, or a property`(
    entity: String, property: String?, names: Set<String>, isThere: Bool
  ) {
    #expect(isListed(entity, property, in: names) == isThere)
  }

  static let reading: [(String, [[String]], Bool)] = [
    ("spot", [["spot"]], true), ("spot.x", [["spot"]], true), ("spot", [["spot", "x"]], true),
    ("spot.x", [["spot", "y"]], false), ("x", [["spot", "x"]], false), ("x", [[]], false), ("x", [], false),
    ("owner", [["beds"], ["owner", "name"]], true),
  ]

  @Test(arguments: reading)
  func `a path reads what it is, what contains it and its parts`(
    path: String, paths: [[String]], isRead: Bool
  ) {
    #expect(reads(path, paths) == isRead)
  }
}
