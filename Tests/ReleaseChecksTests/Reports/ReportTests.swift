import Foundation
import ManagedModel
import ModelFormats
import TestSupport
import Testing

@testable import ReleaseChecks

@Suite("Reports of a check") struct ReportTests {
  /// Texts that every form has to encode, with a finding in each state.
  private var report: CheckReport {
    let place = SourceRange(
      file: "Models/Ü b,c/V1.yaml", start: SourceLocation(line: 3, column: 5),
      end: SourceLocation(line: 3, column: 9))
    let worst = Diagnostic(
      Diagnostic.Code("MC7001"), .error, "50 % of <'a|b'> & \"c\": changed\u{1}",
      subject: ModelSubject(version: "V1", entity: "Hut", property: "name"), place: place,
      notes: [.init("here: too", place: place)], help: ["mend\nit"])
    let quiet = Diagnostic(Diagnostic.Code("MC7018"), .warning, "a delete rule", place: place)
    let remark = Diagnostic(Diagnostic.Code("MC7006"), .information, "numbers shift")
    let steps = [
      CheckStep(kind: .release, model: "Huts", name: "released versions", findings: [worst], seconds: 0.25),
      CheckStep(kind: .lint, model: "Huts", name: "V1 → V2", findings: [quiet, remark]),
    ]
    let findings = [
      CheckFinding(diagnostic: worst, model: "Huts", step: "released versions", kind: .release, state: .new),
      CheckFinding(
        diagnostic: quiet, model: "Huts", step: "V1 → V2", kind: .lint,
        state: .suppressed(reason: "reviewed", inFile: true)),
      CheckFinding(diagnostic: remark, model: "Huts", step: "V1 → V2", kind: .lint, state: .old),
    ]
    var report = CheckReport(steps: steps, findings: findings, models: ["Huts"])
    report.base = "main"
    return report
  }

  @Test func `of the first findings of all codes, those that tell of lost data come first`() {
    let codes = [("MC1301", 2), ("MC7018", 1), ("MC3111", 2), ("MC3204", 1)]
    let findings = codes.flatMap { code, count in
      (1...count).map {
        CheckFinding(
          diagnostic: Diagnostic(Diagnostic.Code(code), .warning, "\($0)"), model: "Huts", step: "",
          kind: .lint,
          state: .new)
      }
    }
    let report = CheckReport(steps: [], findings: findings, models: ["Huts"])
    #expect(
      report.gravest.map { "\($0.diagnostic.code) \($0.diagnostic.message)" }
        == ["MC3111 1", "MC3204 1", "MC1301 1", "MC7018 1", "MC3111 2", "MC1301 2"])
  }

  enum Format: CaseIterable { case sarif, junit, github, gitlab, markdown }

  private func text(_ report: CheckReport, as format: Format, titles: [String: String] = [:]) -> String {
    switch format {
    case .sarif: report.sarifReport(titles: titles, version: "0.1.0")
    case .junit: report.junitReport()
    case .github: report.githubReport()
    case .gitlab: report.gitlabReport()
    case .markdown: report.markdownReport()
    }
  }

  private func text(_ format: Format) -> String {
    text(report, as: format, titles: ["MC7001": "a released version was changed"])
  }

  @Test(.enabled(if: ReportJudge.isAvailable, "Python with jsonschema and xmlschema cannot be had"))
  func `SARIF and JUnit are what their schemas say`() throws {
    // Of a broken one, the judge says so.
    let sarif = [text(.sarif), text(.sarif).replacing("\"level\"", with: "\"livel\"")]
    let complaints = try ReportJudge.judge(sarif, against: "sarif-schema-2.1.0.json")
    #expect(complaints.map { $0 == 0 } == [true, false])
    let junit = [text(.junit), text(.junit).replacing("<testcase name", with: "<testcase nome")]
    #expect(try ReportJudge.judge(junit, against: "junit-10.xsd").map { $0 == 0 } == [true, false])
  }

  @Test func `a suppressed finding stays in SARIF, marked`() throws {
    let sarif = try #require(
      JSONSerialization.jsonObject(with: Data(text(.sarif).utf8)) as? [String: Any])
    let runs = try #require(sarif["runs"] as? [[String: Any]])
    let results = try #require(runs.first?["results"] as? [[String: Any]])
    #expect(results.map { $0["ruleId"] as? String } == ["MC7001", "MC7018", "MC7006"])
    #expect(results.map { $0["baselineState"] as? String } == ["new", "new", "unchanged"])
    let suppressions = results.map { ($0["suppressions"] as? [[String: String]])?.first }
    #expect(suppressions[0] == nil && suppressions[2] == nil)
    #expect(suppressions[1] == ["kind": "inSource", "justification": "reviewed"])
  }

  @Test func `annotations in the form that GitHub reads`() {
    #expect(
      text(.github)
        == "::error file=Models/Ü b%2Cc/V1.yaml,line=3,endLine=3,col=5,endColumn=9,title=MC7001 Huts"
        + "::50 %25 of <'a|b'> & \"c\": changed\\u{1}%0Ahere: too%0Ahelp: mend%0Ait\n")
  }

  @Test func `services look for files from the repository's top`() {
    var report = self.report
    report.findings[0].diagnostic.place?.file = "./Models/../Models/V1.yaml"
    for format in [Format.github, .gitlab, .sarif] {
      let text = text(report.fromTop, as: format, titles: [:])
      #expect(text.contains("Models/V1.yaml") && !text.contains("./"), "\(text)")
    }
    guard let top = (try? GitRepository.holding(folder: nil))?.top else { return }
    report.findings[0].diagnostic.place?.file = "\(top)/Models/V1.yaml"
    #expect(text(report.fromTop, as: .github, titles: [:]).contains("file=Models/V1.yaml,"))
    // Above the top no name is cut.
    let above = String(repeating: "../", count: 20) + "V1.yaml"
    report.findings[0].diagnostic.place?.file = above
    #expect(text(report.fromTop, as: .github, titles: [:]).contains("file=\(above),"))
  }

  @Test func `what GitLab reads holds what counts, with stable fingerprints`() throws {
    let issues = try #require(
      JSONSerialization.jsonObject(with: Data(text(.gitlab).utf8)) as? [[String: Any]])
    #expect(issues.map { $0["check_name"] as? String } == ["MC7001"])
    #expect((issues[0]["fingerprint"] as? String)?.count == 64)
    #expect(issues[0]["severity"] as? String == "critical")
    let location = try #require(issues[0]["location"] as? [String: Any])
    #expect((location["lines"] as? [String: Int]) == ["begin": 3])
    #expect(text(.gitlab) == text(.gitlab))
  }

  @Test func `a summary for a pull request`() {
    let lines = text(.markdown).split(separator: "\n")
    #expect(lines.first == "### Stores: not ready for a release")
    #expect(lines.contains { $0.contains("| MC7001 | `Models/Ü b,c/V1.yaml:3` | 50 % of \\<'a\\|b'\\>") })
    #expect(lines.last == "2 findings from before, or allowed with a reason.")
  }

  /// Names that end a line, a quote or a cell for who looks at bytes.
  private static let hostile = [
    "a\r\n::error file=x::forged\r\n##[group]x", "\"\u{301}/><case a=\"\u{301}",
    "]]>\u{1B}\u{9B}2J\u{FFFE}\u{0}",
    "a\\|\u{301}|b`|`\\", "\u{202E}\u{2066}x\u{2028}y", "<\u{338}b>&\u{301}amp;",
  ]

  private var hostileReport: CheckReport {
    let steps = Self.hostile.map { name in
      CheckStep(
        kind: .release, model: name, name: name,
        findings: [
          Diagnostic(
            Diagnostic.Code("MC7001"), .error, "'\(name)' was changed",
            place: SourceRange(
              file: name, start: SourceLocation(line: 1, column: 1), end: SourceLocation(line: 1, column: 2)),
            notes: [.init(name)], help: [name])
        ])
    }
    var report = CheckReport(
      steps: steps,
      findings: steps.flatMap { step in
        step.findings.map {
          CheckFinding(diagnostic: $0, model: step.model, step: step.name, kind: .release, state: .new)
        }
      }, models: Self.hostile)
    report.base = Self.hostile[3]
    return report
  }

  private func hostileText(_ format: Format) -> String { text(hostileReport, as: format) }

  @Test(.needsPython) func `JUnit of hostile names is read by another program, whole`() throws {
    try withTemporaryFolder { folder in
      let file = folder.appending(path: "junit.xml")
      try Data(hostileText(.junit).utf8).write(to: file)
      let script = """
        import sys, xml.etree.ElementTree as tree
        cases = tree.parse(sys.argv[1]).getroot().findall('testsuite/testcase')
        print(len(cases), sum(len(case) for case in cases), sorted({key for case in cases for key in case.keys()}))
        print(ascii(cases[0].get('name')), ascii(cases[4].get('name')))
        """
      let run = try Python.run(["-c", script, file.path])
      #expect(
        run.text == """
          6 6 ['classname', 'name', 'time']
          'a\\r\\n::error file=x::forged\\r\\n##[group]x' '\\u202e\\u2066x\\u2028y'

          """)
    }
  }

  @Test func `GitHub gets one command for each finding, and a table has its columns`() {
    let lines = hostileText(.github).unicodeScalars.split { $0 == "\n" || $0 == "\r" }.map(String.init)
    #expect(lines.count == 6 && lines.allSatisfy { $0.hasPrefix("::error file=") })
    let rows = hostileText(.markdown).unicodeScalars.split { $0 == "\n" || $0 == "\r" }.map(String.init)
      .filter { $0.hasPrefix("| ❌") }
    #expect(rows.count == 6)
    #expect(rows.map(cells) == Array(repeating: 5, count: 6))
  }

  @Test(arguments: Format.allCases) func `no report steers a terminal`(_ format: Format) {
    let text = hostileText(format).unicodeScalars
    #expect(!text.contains { $0.isUnshown && $0 != "\n" && $0 != "\t" })
  }

  /// How many cells GitHub sees in a row of a table: a bar after a backslash that is not itself escaped is text.
  private func cells(_ row: String) -> Int {
    var (count, isEscaped) = (-1, false)
    for scalar in row.unicodeScalars {
      if scalar == "|", !isEscaped { count += 1 }
      isEscaped = scalar == "\\" && !isEscaped
    }
    return count
  }
}
