import Testing

@Suite("Changes of relationships") struct CheckRelationshipChangeTests {
  struct Step: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var old: String
    var new: String
    /// What is found, and what the relationships of the first entity become.
    var findings: [String]
  }

  static let manyToMany = "A\n  bs => B.as\nB\n  as => A.bs"
  static let oneToMany = "A\n  bs => B.a\nB\n  a -> A.bs"

  static let steps: [Step] = [
    Step(
      testDescription: "to-many to to-one", old: "A\n  b => B\nB", new: "A\n  b -> B\nB",
      findings: ["MC3108 error A.b"]),
    Step(
      testDescription: "to-one to to-many", old: "A\n  b -> B\nB", new: "A\n  b => B\nB",
      findings: ["MC3113 information A.b"]),
    Step(testDescription: "at most five", old: "A\n  b => B\nB", new: "A\n  b => B, max 5\nB", findings: []),
    Step(
      testDescription: "at most one", old: "A\n  b => B\nB", new: "A\n  b => B, max 1\nB",
      findings: ["MC3108 error A.b"]),
    Step(
      testDescription: "shared objects get one owner", old: manyToMany,
      new: oneToMany.replacing("a -> A.bs", with: "as -> A.bs")
        .replacing("B.a", with: "B.as"),
      findings: ["MC3108 error A.bs", "MC3108 error B.as", "MC3113 information A.bs"]),
    Step(
      testDescription: "shared objects lose the downgrade", old: manyToMany, new: "A\n  bs => B\nB",
      findings: ["MC3108 error A.bs", "MC3113 information A.bs"]),
    Step(
      testDescription: "an owner becomes many", old: oneToMany,
      new: manyToMany.replacing("as =>", with: "as => ")
        .replacing("B.as", with: "B.a").replacing("  as => ", with: "  a =>"),
      findings: ["MC3113 information A.bs"]),
    Step(
      testDescription: "its own inverse", old: "A\n  near => A.of\n  of => A.near",
      new: "A\n  near => A.near",
      findings: ["MC3116 error A.near"]),
    Step(
      testDescription: "its own inverse still", old: "A\n  near => A.near", new: "A\n  near => A.near",
      findings: []),
    Step(
      testDescription: "a destination in another table", old: "A\n  b -> B\nB\nC", new: "A\n  b -> C\nB\nC",
      findings: ["MC3106 warning A.b"]),
    Step(
      testDescription: "a destination below", old: "A\n  b -> B\nB\nC < B", new: "A\n  b -> C\nB\nC < B",
      findings: ["MC3106 warning A.b"]),
    Step(
      testDescription: "a destination with another name", old: "A\n  b -> B\nB", new: "A\n  b -> C\nC, was B",
      findings: []),
    Step(
      testDescription: "a destination that is gone", old: "A\n  b -> B\nB", new: "A\n  b -> C\nC",
      findings: ["MC3106 warning A.b"]),
    Step(
      testDescription: "becomes transient", old: "A\n  b => B\nB", new: "A\n  b -> B, transient\nB",
      findings: []),
    Step(testDescription: "becomes required", old: "A\n  b -> B\nB", new: "A\n  b -> B!\nB", findings: []),
    Step(
      testDescription: "becomes ordered", old: "A\n  b => B\nB", new: "A\n  b => B, ordered\nB",
      findings: ["MC3112 information A.b"]),
    Step(
      testDescription: "loses its order", old: "A\n  b => B, ordered\nB", new: "A\n  b => B\nB", findings: []),
    Step(
      testDescription: "inherited, told once", old: "P\n  b => B\nA < P\nC < P\nB",
      new: "P\n  b -> B\nA < P\nC < P\nB",
      findings: ["MC3108 error P.b"]),
    Step(
      testDescription: "one finding for both sides", old: oneToMany,
      new: oneToMany.replacing("a -> A.bs", with: "a => A.bs"),
      findings: ["MC3113 information A.bs"]),
  ]

  @Test(arguments: steps)
  func `each change with what stands against it`(step: Step) {
    #expect(inferred(step.old, step.new).findings == step.findings)
  }
}
