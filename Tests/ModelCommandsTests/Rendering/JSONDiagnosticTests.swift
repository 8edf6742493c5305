import ManagedModel
import ModelCommands
import Testing

@Suite("Diagnostics as JSON")
struct JSONDiagnosticTests {
  @Test func `every key is there, with its place and its edits`() {
    let place = SourceRange(
      file: "V2.yaml", start: SourceLocation(line: 4, column: 7), end: SourceLocation(line: 4, column: 13))
    let other = SourceRange(
      file: "V1.yaml", start: SourceLocation(line: 1, column: 2), end: SourceLocation(line: 1, column: 2))
    let diagnostic = Diagnostic(
      Diagnostic.Code("MC1301"), .warning, "no inverse",
      subject: ModelSubject(version: "V2", entity: "Note", property: "author"), place: place,
      notes: [Diagnostic.Note("see", place: other)],
      fixIts: [
        Diagnostic.FixIt("add", range: place, replacement: "x\ny"),
        Diagnostic.FixIt("there", range: other, replacement: ""),
      ], help: ["add one"], cocoaCode: 134110)
    #expect(
      diagnostic.json.compact == """
        {"code":"MC1301","severity":"warning","message":"no inverse","file":"V2.yaml","line":4,"column":7,\
        "endLine":4,"endColumn":13,"version":"V2","entity":"Note","property":"author","cocoa":134110,\
        "notes":[{"message":"see","file":"V1.yaml","line":1,"column":2,"endLine":1,"endColumn":2}],\
        "help":["add one"],\
        "fixits":[{"message":"add","line":4,"column":7,"endLine":4,"endColumn":13,"replacement":"x\\ny"},\
        {"message":"there","file":"V1.yaml","line":1,"column":2,"endLine":1,"endColumn":2,"replacement":""}],\
        "proposal":null}
        """)
  }

  @Test(arguments: [
    (Diagnostic.Severity.error, "error"), (.warning, "warning"), (.information, "info"),
  ])
  func `what is not known is null`(_ severity: Diagnostic.Severity, _ label: String) {
    let json = Diagnostic(Diagnostic.Code("MC5001"), severity, "no store").json
    #expect(
      json.compact == """
        {"code":"MC5001","severity":"\(label)","message":"no store","file":null,"line":null,"column":null,\
        "endLine":null,"endColumn":null,"version":null,"entity":null,"property":null,"cocoa":null,\
        "notes":[],"help":[],"fixits":[],"proposal":null}
        """)
  }
}
