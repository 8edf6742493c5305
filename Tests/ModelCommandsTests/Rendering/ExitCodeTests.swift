import ManagedModel
import ModelCommands
import ModelFormats
import Testing

@Suite("Exit codes")
struct ExitCodeTests {
  @Test(
    arguments: [
      ([], 0), (["MC0001"], 1), (["MC1301"], 1), (["MC2202"], 1), (["MC3101"], 1), (["MC4101"], 1),
      (["MC7001"], 1),
      (["MC0009"], 2), (["MC0014"], 2), (["MC5001"], 3), (["MC5102"], 3), (["MC5202"], 3), (["MC5305"], 6),
      (["MC6001"], 4),
      (["MC1301", "MC5102"], 3), (["MC6001", "MC5306"], 6), (["MC5102", "MC6001"], 4),
      (["MC1301", "MC0009"], 2),
    ] as [([String], Int32)])
  func `the family of the codes decides`(_ codes: [String], _ expected: Int32) {
    let declared: [String: Diagnostic.Code] = ["MC0009": .fileUnreadable, "MC0014": .gitRevision]
    let diagnostics = codes.map { Diagnostic(declared[$0] ?? Diagnostic.Code($0), .error, "no") }
    #expect(exitStatus(for: diagnostics) == expected)
    #expect(exitStatus(for: diagnostics.reversed()) == expected)
  }

  @Test func `an unknown version is usage, and a finding where a line of a file names it`() {
    let line = SourceRange(startOf: "versions.yaml")
    #expect(exitStatus(for: [Diagnostic(.noCurrentVersion, .error, "no")]) == 2)
    #expect(exitStatus(for: [Diagnostic(.noCurrentVersion, .error, "no", place: line)]) == 1)
  }

  @Test func `warnings alone are success`() {
    let warnings = [
      Diagnostic(Diagnostic.Code("MC1301"), .warning, "no"),
      Diagnostic(Diagnostic.Code("MC1210"), .information, "no"),
    ]
    #expect(exitStatus(for: warnings) == 0)
  }

  @Test func `a missing file that a model's line names is a finding`() {
    let start = SourceLocation(line: 1, column: 1)
    let line = SourceLocation(line: 3, column: 4)
    for (place, expected) in zip([start, line], [2, 1] as [Int32]) {
      let range = SourceRange(file: "V1.yaml", start: place, end: place)
      #expect(exitStatus(for: [Diagnostic(.fileUnreadable, .error, "no", place: range)]) == expected)
    }
  }
}
