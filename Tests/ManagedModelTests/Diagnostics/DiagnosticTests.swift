import ManagedModel
import Testing

@Suite("Diagnostics")
struct DiagnosticTests {
  @Test(arguments: [
    ("attribtues", "attributes"), ("Atributes", "attributes"), ("inverze", "inverse"),
    ("optoinal", "optional"),
  ])
  func `the nearest name is found`(typed: String, meant: String) {
    #expect(nearestName(to: typed, among: ["attributes", "inverse", "optional", "to"]) == meant)
  }

  @Test func `a name that is near nothing has no suggestion`() {
    #expect(nearestName(to: "xyzzy", among: ["attributes", "inverse"]) == nil)
  }

  @Test func `a finding takes the place of the nearest part that has one`() {
    var map = SourceMap(file: "V1.yaml")
    let range = SourceRange(file: "V1.yaml", start: .init(line: 4, column: 3), end: .init(line: 4, column: 9))
    map[ModelSubject(entity: "Hut", property: "beds")] = range
    let finding = Diagnostic(
      .init("MC1204"), .error, "default",
      subject: .init(version: "V1", entity: "Hut", property: "beds", key: "default"))
    #expect(finding.located(by: map).place == range)
    let other = Diagnostic(.init("MC1101"), .error, "name", subject: .init(entity: "Trail"))
    #expect(other.located(by: map).place?.start == SourceLocation(line: 1, column: 1))
  }

  @Test func `an error without errors has a text too`() {
    let warning = Diagnostic(.init("MC1101"), .warning, "a name")
    #expect(DiagnosticsError([]).description == "no finding")
    #expect(DiagnosticsError(warning).description == "a name")
    let error = warning.with { $0.severity = .error }
    #expect(DiagnosticsError([warning, error]).description == "MC1101: a name")
  }

  @Test func `findings are ordered by place and each stands once`() {
    func finding(_ line: Int) -> Diagnostic {
      let at = SourceLocation(line: line, column: 1)
      return Diagnostic(.init("MC1101"), .error, "x", place: SourceRange(file: "a", start: at, end: at))
    }
    #expect([finding(3), finding(1), finding(3)].ordered == [finding(1), finding(3)])
  }
}
