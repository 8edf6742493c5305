import ManagedModel
import Testing

@Suite("Findings side by side") struct FindingOrderTests {
  private func finding(
    _ code: String, _ severity: Diagnostic.Severity = .error, _ message: String = "x", file: String? = nil,
    line: Int = 1
  ) -> Diagnostic {
    let at = SourceLocation(line: line, column: 1)
    return Diagnostic(
      .init(code), severity, message, place: file.map { SourceRange(file: $0, start: at, end: at) })
  }

  @Test func `file, place, code and message decide, in that order`() {
    let sorted = [
      finding("MC9999"), finding("MC0002", file: "a", line: 2), finding("MC0001", file: "a", line: 10),
      finding("MC0001", .error, "y", file: "a", line: 10), finding("MC0002", file: "a", line: 10),
      finding("MC0000", file: "b"),
    ]
    #expect((sorted.reversed() + sorted).ordered == sorted && [Diagnostic]().ordered == [])
  }

  @Test func `an error is graver than a warning, and a warning than a remark`() {
    #expect(Diagnostic.Severity.allCases.sorted() == [.information, .warning, .error])
    #expect(![finding("MC1", .warning)].hasErrors && [finding("MC1", .warning), finding("MC1")].hasErrors)
  }

  @Test func `a key leaves the version out`() {
    let old = Diagnostic(.init("MC1101"), .error, "x", subject: .init(version: "V1", entity: "Hut"))
    let new = old.with { $0.subject?.version = "V2" }
    #expect(old.key == new.key && old != new && old.key != new.with { $0.subject?.entity = "Bed" }.key)
    #expect(
      old.key != new.with { $0.code = .init("MC1102") }.key
        && finding("MC1").key == finding("MC1", file: "a").key)
  }

  @Test(arguments: [
    ([Int64(1)], 1, "primary key 1"), ([1, 2], 2, "primary keys 1, 2"),
    ([1, .max], 9, "primary keys 1, 9223372036854775807, …"),
  ])
  func `examples are primary keys and never values`(keys: [Int64], count: Int, text: String) {
    #expect(Diagnostic.Note.examples(keys, count: count) == Diagnostic.Note(text))
  }
}
