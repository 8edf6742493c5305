import Testing

@Suite("What inference does unasked") struct CheckMappedChangesTests {
  static let steps: [(String, String, [String])] = [
    // One default for values that must differ.
    ("A", "A, unique x\n  x: string = none", ["MC3104 warning A.x"]), ("A", "A, unique x\n  x: string?", []),
    ("A\n  x: string", "A, unique x\n  x: string", []),
    ("A\n  x: string", "A, unique x y\n  x: string\n  y: integer16 = 0", []),
    ("A", "A, unique x y\n  x: string = a\n  y: integer16 = 0", ["MC3104 warning A.x"]),
    ("B", "A, unique x\n  x: string = none\nB", []),
    ("A\nB < A", "A\nB < A, unique x\n  x: string = none", ["MC3104 warning B.x"]),
    // Where references lie: in the own row, in the row that they lead to, in a table of their own.
    ("A\n  b => B\nB", "A\n  b => B.as\nB\n  as => A.b", ["MC3113 information A.b"]),
    ("A\n  b -> B\nB", "A\n  b => B.as\nB\n  as => A.b", ["MC3113 information A.b"]),
    ("A\n  b => B\nB", "A\n  b => B.a\nB\n  a -> A.b", []),
    ("A\n  b => B.as\nB\n  as => A.b, transient", "A\n  b => B\nB", []),
    ("A\n  b => A.b", "A\n  b -> A.b", ["MC3108 error A.b"]),
    // An order that nobody kept.
    (
      "A\n  b => B.as\nB\n  as => A.b", "A\n  b => B.as, ordered\nB\n  as => A.b, ordered",
      ["MC3112 information A.b", "MC3112 information B.as"]
    ),
    ("A\n  b => B, ordered\nB", "A\n  c => B, ordered, was b\nB", []),
    ("A\nB", "A\n  b => B, ordered\nB", []),
  ]

  @Test(arguments: steps)
  func `is told`(old: String, new: String, findings: [String]) {
    #expect(inferred(old, new).findings == findings)
  }
}
