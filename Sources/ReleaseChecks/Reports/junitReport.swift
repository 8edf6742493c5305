import Foundation
import ManagedModel

extension CheckReport {
  /// JUnit XML, as Jenkins' schema has it: a suite for each kind of check, a case for each thing looked at.
  package func junitReport() -> String {
    var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#]
    var suites: [String] = []
    var failures = 0
    for kind in CheckStep.Kind.allCases {
      let steps = self.steps.filter { $0.kind == kind }
      guard !steps.isEmpty else { continue }
      var cases: [String] = []
      var (failed, skipped) = (0, 0)
      for step in steps {
        let found = findings.filter {
          $0.kind == kind && $0.model == step.model && $0.step == step.name && $0.counts
        }.map(\.diagnostic)
        let name = step.name.xmlAttribute, model = step.model.xmlAttribute
        let head =
          #"    <testcase name="\#(name)" classname="modelc.\#(kind.rawValue).\#(model)" time="\#(time(step.seconds))""#
        guard let first = found.first(where: { $0.severity == .error }) else {
          skipped += step.isUntried ? 1 : 0
          let parts =
            (step.isUntried ? [#"<skipped message="only the app can migrate the store"/>"#] : [])
            + (found.isEmpty ? [] : ["<system-out>\(texts(found))</system-out>"])
          let body = parts.map { "\n      \($0)" }.joined()
          cases.append(head + (body.isEmpty ? "/>" : ">\(body)\n    </testcase>"))
          continue
        }
        failed += 1
        cases.append(
          head + ">\n      <failure type=\"\(first.code)\" message=\"\(first.message.xmlAttribute)\">"
            + "\(texts(found))</failure>\n    </testcase>")
      }
      failures += failed
      let seconds = steps.map(\.seconds).reduce(0, +)
      suites.append(
        #"  <testsuite name="\#(kind.rawValue)" tests="\#(steps.count)" failures="\#(failed)" errors="0" skipped="\#(skipped)" time="\#(time(seconds))">"#
      )
      suites += cases + ["  </testsuite>"]
    }
    lines.append(
      #"<testsuites name="modelc check" time="\#(time(self.seconds))" tests="\#(self.steps.count)" failures="\#(failures)">"#
    )
    return (lines + suites + ["</testsuites>", ""]).joined(separator: "\n").visibleXML
  }
}

private func time(_ seconds: Double) -> String { String(format: "%.3f", seconds) }

private func texts(_ findings: [Diagnostic]) -> String {
  (findings.map { finding in
    let place = finding.place.map { "\($0.file):\($0.start.line):\($0.start.column): " } ?? ""
    return "\(place)\(finding.severity.label)[\(finding.code)]: \(finding.fullText)"
  }.joined(separator: "\n")).xmlText
}
