import ManagedModel
import TestSupport
import Testing

@Suite("Changes of attributes") struct CheckAttributeChangeTests {
  static let steps: [(String, String, [String], [String])] = [
    ("x: integer16", "x: double", ["x < (x as double)"], []),
    ("x: integer64?", "x: boolean?", ["x < (x as boolean)"], []),
    ("x: string", "x: date", ["x < (x as date)"], ["MC3103 error A.x"]),
    ("x: double", "x: boolean", ["x < (x as boolean)"], ["MC3103 error A.x"]),
    ("x: binary", "x: transformable", ["x < (x as transformable)"], ["MC3114 warning A.x"]),
    ("x: uri", "x: string", ["x < (x as string)"], ["MC3103 error A.x"]),
    // A default stands in for nil if the attribute becomes required; elsewhere it is for new objects only.
    ("x: string?", "x: string = none", ["x < (x ?? none)"], []),
    ("x: string?", "x: string? = none", ["x < x"], []),
    ("x: string", "x: string = none", ["x < x"], []), ("x: string?", "x: string", ["x < x"], []),
    ("x: integer16?", "x: double = 1.5", ["x < ((x as double) ?? 1.5)"], []),
    ("x: integer16?", "x: integer16 = many", ["x < x"], []),
    // Nothing of a transient attribute is stored, on neither side.
    ("x: string, transient", "x: string = a", ["x < =a"], []), ("x: string", "x: string, transient", [], []),
    // A derived value is computed anew, unless its derivation stays.
    ("x: integer64", "x: integer64, derived rs.@count", ["x < -"], []),
    ("x: integer64, derived rs.@count", "x: integer64, derived rs.@count", ["x < x"], []),
    ("x: integer64, derived rs.@count", "x: integer64, derived rs.@sum.n", ["x < -"], []),
    ("x: string, derived canonical:(y)", "x: date, derived now()", ["x < -"], []),
    ("x: integer64, derived rs.@count", "x: integer64", ["x < x"], []),
    ("x: integer64, derived rs.@count", "x: string", ["x < (x as string)"], ["MC3103 error A.x"]),
    // Members of composites have pasts of their own.
    ("x: P", "y: P, was x", ["y.b < x.b"], []), ("x: P", "x: Q", ["x.b < (x.b as double)"], []),
    ("x: integer16", "x: P", ["x.b < -"], ["MC3103 error A.x"]),
    ("x: P", "x: string", ["x < -"], ["MC3103 error A.x"]),
    ("x: P?", "x: P", ["x.b < x.b"], []), ("x: P", "", [], []),
  ]

  @Test(arguments: steps)
  func `each with its value and what stands against it`(
    old: String, new: String, values: [String], findings: [String]
  ) {
    let composites = "\ncomposite P\n  b: integer16\ncomposite Q\n  b: double"
    let found = inferred("A\n  \(old)\n\(composites)", "A\n  \(new)\n\(composites)")
    let properties = found.lines[0].split(separator: ": ").dropFirst().joined(separator: ": ")
    #expect(properties == values.joined(separator: ", ") && found.findings == findings, "\(found)")
  }

  /// An inherited one is carried for every heir, and told of once, where it is declared.
  @Test func `attributes move up and down with their values`() {
    let up = inferred("P\nA < P\n  x: string\nB < P", "P\n  x: string = a\nA < P\nB < P")
    #expect(
      up.lines == ["transform P < P: x < =a", "transform A < A: x < x", "transform B < B: x < =a"]
        && up.findings == [])
    let down = inferred("P\n  x: string\nA < P\nB < P", "P\nA < P\n  x: date\nB < P\n  y: string, was x")
    #expect(down.lines == ["transform P < P", "transform A < A: x < (x as date)", "transform B < B: y < x"])
    #expect(down.findings == ["MC3103 error A.x"])
    let changed = inferred("P\n  x: string\nA < P\nB < P", "P\n  x: date\nA < P\nB < P")
    #expect(changed.findings == ["MC3103 error P.x"])
  }

  @Test func `a version that says so takes no inference`() {
    var target = versionOf("V2", "A")
    target.allowsInference = false
    let found = inferMappingModel(from: versionOf("V1", "A"), to: target)
    #expect(
      found.diagnostics.map(line) == ["MC3407 error "] && lines(of: found.mappingModel) == ["copy A < A"])
  }
}
