import ManagedModel
import TestSupport
import Testing

@Suite("One step, and all steps in turn") struct ComparePathsTests {
  private func difference(_ notes: [String], canMigrateDirectly: Bool = true) -> Diagnostic? {
    let versions = versionsOf(notes)
    return versions.comparePaths(
      stepwise: ComposedChainsTests.composed(versions), canMigrateDirectly: canMigrateDirectly)
  }

  static let alike: [[String]] = [
    ["A", "A", "A\n  x: string?"],
    ["A\n  x: string", "B, was A\n  y: string, was x", "C, was A\n  z: string, was x"],
    // Whole numbers that only grow, and a default for a nil that cannot be there.
    ["A\n  x: integer16", "A\n  x: integer32", "A\n  x: integer64"],
    ["A", "A\n  x: string? = a", "A\n  x: string = a"],
    ["A\n  x: string?", "A\n  x: string = a", "A\n  x: string = a"],
    ["A", "A\nB", "A"],
    // What starts empty gets the default of the next step, and a default the form of its type.
    ["A", "A\n  x: string?", "A\n  x: string = a"], ["A", "A\n  x: boolean = NO", "A\n  x: integer64 = 0"],
    // What starts empty stays so, whatever it is converted to.
    ["A", "A\n  x: transformable?", "A\n  x: binary?"],
    ["A\n  bs => B.a\nB\n  a -> A.bs", "A\n  bs => B.a\nB\n  a -> A.bs", "A\n  bs => B.a\nB\n  a -> A.bs"],
    // Where one step cannot be inferred there is nothing to compare.
    ["A\n  x: string", "A", "A\n  x: date"], ["A\n  x: string", "A\n  x: string"],
  ]

  @Test(arguments: alike)
  func `come to the same`(notes: [String]) { #expect(difference(notes) == nil) }

  static let different: [([String], [String])] = [
    (
      ["A\n  x: string?", "A", "A\n  x: string?"],
      ["'A.x': in one step it copies 'x'; step by step it starts empty"]
    ),
    (
      ["A", "A\n  x: string = a", "A\n  x: string = b"],
      ["'A.x': in one step it starts with its default 'b'; step by step it starts with its default 'a'"]
    ),
    (["A\nB", "A", "A\nB"], ["'B': in one step it gets the objects of 'B'; step by step it starts empty"]),
    (
      ["A\n  b -> B\nB", "A\nB", "A\n  b -> B\nB"],
      ["'A.b': in one step it copies 'b'; step by step it starts empty"]
    ),
    (
      ["A\nB\n  a -> A", "A\nB", "A\n  bs => B.a\nB\n  a -> A.bs"],
      [
        "'A.bs': in one step it is filled from 'B.a'; step by step it starts empty",
        "'B.a': in one step it copies 'a'; step by step it starts empty",
      ]
    ),
    (
      ["A\n  x: integer32", "A\n  x: integer16", "A\n  x: integer32"],
      ["'A.x': in one step it copies 'x'; step by step it copies 'x' through integer16"]
    ),
  ]

  @Test(arguments: different)
  func `differ`(notes: [String], expected: [String]) {
    let found = difference(notes)
    #expect(
      found?.code == .pathsDiffer && found?.notes.map(\.message) == expected, "\(String(describing: found))")
  }

  @Test func `five are shown, and the rest is counted; the help is of the way that is taken`() {
    let many = "A\n" + (1...7).map { "  x\($0): string?" }.joined(separator: "\n")
    let (one, all) = (
      difference([many, "A", many]), difference([many, "A", many], canMigrateDirectly: false)
    )
    #expect(
      one?.notes.count == 6 && one?.notes.last?.message == "and 2 more" && one?.subject?.version == "V3")
    #expect(one?.help != all?.help && one?.notes == all?.notes)
    var versions = versionsOf([many, "A", many])
    for index in versions.indices { versions[index].notation = .swiftData }
    let ofApp = versions.comparePaths(stepwise: ComposedChainsTests.composed(versions))
    #expect(ofApp?.help.joined().contains("chain") == false)
  }
}
