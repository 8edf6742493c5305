import Testing

/// A relationship and its inverse are one fact: which side of a pair gives the references.
@Suite("Sources of relationships") struct RelationshipSourcesTests {
  struct Step: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var old: String
    var new: String
    var lines: [String]
  }

  static let pair = "A\n  bs => B.a\nB\n  a -> A.bs"

  static let steps: [Step] = [
    Step(
      testDescription: "both sides stay", old: pair, new: pair,
      lines: ["copy A < A: bs < bs -> B", "copy B < B: a < a -> A"]),
    Step(
      testDescription: "one side alone gains an inverse", old: "A\nB\n  a -> A", new: pair,
      lines: ["transform A < A: bs < - by B.a -> B", "transform B < B: a < a -> A"]),
    Step(
      testDescription: "one side loses it", old: pair, new: "A\nB\n  a -> A",
      lines: ["transform A < A", "transform B < B: a < a -> A"]),
    Step(
      testDescription: "a side that goes and one that comes", old: pair,
      new: "A\n  all => B.a\nB\n  a -> A.all",
      lines: ["transform A < A: all < - by B.a -> B", "transform B < B: a < a -> A"]),
    Step(
      testDescription: "two that were no pair: the to-one gives", old: "A\n  bs => B\nB\n  a -> A", new: pair,
      lines: ["transform A < A: bs < - by B.a -> B", "transform B < B: a < a -> A"]),
    Step(
      testDescription: "two to-many: the first by canonical names gives", old: "A\n  bs => B\nB\n  as => A",
      new: "A\n  bs => B.as\nB\n  as => A.bs",
      lines: ["transform A < A: bs < bs -> B", "transform B < B: as < - by A.bs -> A"]),
    Step(
      testDescription: "the same by a renaming identifier", old: "Z\n  bs => B\nB\n  as => Z",
      new: "A, was Z\n  bs => B.as\nB\n  as => A.bs",
      lines: ["transform A < Z: bs < - by B.as -> B", "transform B < B: as < as -> Z"]),
    Step(
      testDescription: "names that cross within a pair", old: "A\n  x => B.y\nB\n  y -> A.x",
      new: "A\n  x -> B.y, was y2\nB\n  y => A.x, was x2",
      lines: ["transform A < A: x < -", "transform B < B: y < -"]),
    Step(
      testDescription: "both are renamed", old: pair,
      new: "A\n  beds => B.hut, was bs\nB\n  hut -> A.beds, was a",
      lines: ["transform A < A: beds < bs -> B", "transform B < B: hut < a -> A"]),
    Step(
      testDescription: "every heir has a past of its own", old: "P\n  b -> B\nA < P\nC < P\nB",
      new: "P\n  b -> B.ps\nA < P\nC < P\nB\n  ps => P.b",
      lines: [
        "transform B < B: ps < - by A.b by C.b by P.b -> A C P", "transform P < P: b < b -> B",
        "transform A < A: b < b -> B",
        "transform C < C: b < b -> B",
      ]),
    Step(
      testDescription: "what it may lead to no longer", old: "A\n  b -> P\nP\nX < P\nY < P",
      new: "A\n  b -> X\nP\nX < P\nY < P",
      lines: ["transform A < A: b < b -> X", "copy P < P", "copy X < X", "copy Y < Y"]),
    Step(
      testDescription: "an entity among its destinations goes", old: "A\n  b -> P\nP\nX < P\nY < P",
      new: "A\n  b -> P\nP\nX < P",
      lines: ["copy A < A: b < b -> P X", "copy P < P", "copy X < X", "remove - < Y"]),
    Step(
      testDescription: "order is kept where both have it", old: "A\n  bs => B, ordered\n  cs => B\nB",
      new: "A\n  bs => B, ordered\n  cs => B, ordered\nB",
      lines: ["transform A < A: bs < bs ordered -> B, cs < cs -> B", "copy B < B"]),
    Step(
      testDescription: "objects of another table join a list, which keeps its order",
      old: "A\n  bs => B.a, ordered\n  cs => C.a\nB\n  a -> A.bs\nC\n  a -> A.cs",
      new: "A\n  bs => B.a, ordered\nB\n  a -> A.bs\nC < B",
      lines: [
        "transform A < A: bs < bs by B.a by C.a ordered -> B C", "copy B < B: a < a -> A",
        "transform C < C: a < a -> A",
      ]),
    Step(
      testDescription: "its own inverse", old: "A\n  near => A.near", new: "A\n  close => A.close, was near",
      lines: ["transform A < A: close < near -> A"]),
    Step(
      testDescription: "transient sides give nothing", old: "A\n  bs => B.a, transient\nB\n  a -> A.bs",
      new: pair,
      lines: ["transform A < A: bs < - by B.a -> B", "copy B < B: a < a -> A"]),
    Step(
      testDescription: "to another table", old: "A\n  b -> B\nB\nC", new: "A\n  b -> C\nB\nC",
      lines: ["transform A < A: b < -", "copy B < B", "copy C < C"]),
    Step(
      testDescription: "of an entity that is new", old: "B\n  a -> B", new: "A\n  b -> B.a\nB\n  a -> A.b",
      lines: ["add A < -: b < -", "transform B < B: a < -"]),
  ]

  @Test(arguments: steps)
  func `each relationship with where its references come from`(step: Step) {
    #expect(inferred(step.old, step.new).lines == step.lines)
  }
}
