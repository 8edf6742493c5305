import ManagedModel
import Testing

@Suite("Codes of findings") struct DiagnosticCodeTests {
  @Test func `codes that read alike are equal, whatever their declaration says`() {
    let declared = Diagnostic.Code("MC7003", level: .hash, exit: .usage)
    #expect(Diagnostic.Code(parsing: "MC7003") == declared)
    #expect(Set([declared, Diagnostic.Code("MC7003")]).count == 1)
    #expect(declared != Diagnostic.Code("MC7004"))
  }

  @Test(arguments: ["", "MC", "MC130", "MC13021", "mc1302", " MC1302", "MC130\u{FF12}"])
  func `anything else is no code`(_ text: String) {
    #expect(Diagnostic.Code(parsing: text) == nil)
  }

  @Test func `the family says what a declaration leaves out`() {
    let codes = ["MC0001", "MC1301", "MC2103", "MC3111", "MC3201", "MC4101", "MC4301", "MC5001", "MC5301"]
      .map { Diagnostic.Code($0) }
    #expect(
      codes.map(\.family)
        == [.text, .model, .versions, .data, .steps, .mappings, .policies, .stores, .environment])
    #expect(codes.map(\.level) == [nil, nil, nil, .path, .path, .path, .path, .store, .store])
    #expect(
      codes.map(\.exit)
        == [
          .findings, .findings, .findings, .findings, .findings, .findings, .migration, .store, .environment,
        ])
    let last = ["MC6001", "MC7001"].map { Diagnostic.Code($0) }
    #expect(last.map(\.family) == [.runs, .release])
    #expect(last.map(\.level) == [.store, .store] && last.map(\.exit) == [.migration, .findings])
  }

  @Test(arguments: [
    (Diagnostic.Code("MC1301"), Diagnostic.Severity.error, CheckLevel.hash),
    (Diagnostic.Code("MC1301"), .warning, .store), (Diagnostic.Code("MC1301"), .information, .source),
    (Diagnostic.Code("MC3201"), .warning, .path), (Diagnostic.Code("MC3201"), .information, .source),
    (Diagnostic.Code("MC7006"), .information, .store),
    (Diagnostic.Code("MC7020", level: .source), .error, .source),
    (Diagnostic.Code("MC2103", level: .hash), .warning, .hash),
    (Diagnostic.Code("MC2103", level: .hash), .information, .hash),
  ])
  func `a check counts a finding from its level on`(
    _ code: Diagnostic.Code, _ severity: Diagnostic.Severity, _ level: CheckLevel
  ) {
    let finding = Diagnostic(code, severity, "no")
    let counting = CheckLevel.allCases.filter { $0.includes(finding) }
    #expect(counting.last == level && counting.first == .source)
  }
}
