import Foundation
import TestSupport
import Testing

@Suite("Findings that are allowed") struct SuppressionTests {
  private let v3 = "Models/Huts/V3.yaml"
  private let cascade = (
    "visits: {toMany: Visit, inverse: hut}", "visits: {toMany: Visit, inverse: hut, deleteRule: cascade}"
  )

  private func states(_ comment: String, isTrailing: Bool) throws -> [String] {
    var states: [String] = []
    try ReleasedProject.with { project in
      try project.edit(
        v3, cascade.0,
        isTrailing ? "\(cascade.1)  \(comment)" : "# x\n        \(comment)\n        \(cascade.1)")
      let found = try project.check().found
      states = found.filter { ["MC7018", "MC7016"].contains($0.code) }.map { "\($0.code) \($0.state)" }
        .sorted()
    }
    return states
  }

  @Test(arguments: [
    ("# modelc:allow MC7018 reason=\"seen\"", ["MC7018 suppressed"]),
    ("# modelc:allow MC7018 reason=\"seen\" until=2999-01-01", ["MC7018 suppressed"]),
    ("# modelc:allow MC7018 reason=\"seen\" until=2020-01-01", ["MC7016 new", "MC7018 new"]),
    ("# modelc:allow MC7018 reason=\"seen\" until=2020-1-31", ["MC7016 new", "MC7018 new"]),
    ("# modelc:allow MC7018 reason=\"seen\" until=2999-99-99", ["MC7016 new", "MC7018 new"]),
    ("# modelc:allow MC7018 reason=\"seen\" until: 2020-01-31", ["MC7016 new", "MC7018 new"]),
    ("# modelc:allow MC7018 reason=\"seen\" until=\"2999-01-01\"", ["MC7018 suppressed"]),
    ("# modelc:allow MC7018 reason=\"until then\"", ["MC7018 suppressed"]),
    ("# modelc:allow MC7018", ["MC7016 new", "MC7018 new"]),
    ("# modelc:allow MC7019 reason=\"seen\"", ["MC7016 new", "MC7018 new"]),
    ("# nothing", ["MC7018 new"]),
  ])
  func `a comment allows its code, with a reason and until its day`(_ comment: String, _ expected: [String])
    throws
  {
    #expect(try states(comment, isTrailing: true) == expected)
  }

  @Test func `it may stand above the line`() throws {
    let comment = "# modelc:allow MC7018 reason=\"seen\""
    #expect(try states(comment, isTrailing: false) == ["MC7018 suppressed"])
  }

  @Test func `a baseline file`() throws {
    try ReleasedProject.with { project in
      try project.edit(v3, "      warden: string?\n", "")
      let baseline = project.file("baseline.txt")
      #expect(try project.check("--baseline", baseline).code == 2)
      #expect(try project.check("--baseline", baseline, "--write-baseline").code == 0)
      let run = try project.check("--baseline", baseline)
      #expect(run.code == 0)
      #expect(run.found.contains { $0.code == "MC7008" && $0.state == "suppressed" })
      try project.edit(v3, "      beds: integer16 = 0\n", "")
      #expect(try project.check("--baseline", baseline).code == 1)
      try project.write(ReleasedProject.third, to: v3)
      #expect(try project.check("--baseline", baseline).found.contains { $0.code == "MC7016" })
    }
  }
}
