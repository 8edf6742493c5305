import Testing

@Suite("Tables that would merge") struct CheckHierarchiesTests {
  static let steps: [(String, String, [String])] = [
    // One table may move under a new root, or stay below it with a new sibling.
    ("A", "P, abstract\nA < P", []), ("A\nB < A", "P\nA < P\nB < P", []), ("A", "P\nA < P\nNew < P", []),
    ("P\nA < P\nB < P", "A\nB", []),
    // Two may not, however deep they come to lie, and whatever they are called.
    ("A\nB", "P\nA < P\nB < P", ["MC3107 error P"]), ("A\nB", "A\nB < A", ["MC3107 error A"]),
    ("A\nB\nC", "P\nA < P\nB < A\nC < B", ["MC3107 error P"]),
    ("A\nB", "P\nX < P, was A\nY < X, was B", ["MC3107 error P"]),
    // Each root of the new version for itself.
    ("A\nB\nC\nD", "P\nA < P\nB < P\nQ\nC < Q\nD < Q", ["MC3107 error P", "MC3107 error Q"]),
    // One that goes has no rows to merge.
    ("A\nB", "P\nA < P", []), ("A\nB", "B\nC < B", []),
  ]

  @Test(arguments: steps)
  func `rows of two tables have no place in one`(old: String, new: String, findings: [String]) {
    #expect(inferred(old, new).findings == findings)
  }
}
