import Foundation
import ManagedModel

extension CheckReport {
  /// GitLab's Code Quality report: a list of findings, each with a fingerprint by which GitLab recognises old ones.
  package func gitlabReport() -> String {
    let issues = findings.filter(\.counts).map { finding -> JSONValue in
      let diagnostic = finding.diagnostic
      var digest = ContentDigest()
      digest.add("finding", Data(diagnostic.identity(inModel: finding.model).utf8))
      digest.add("file", Data((diagnostic.place?.file ?? "").utf8))
      return [
        "description": .string(diagnostic.fullText), "check_name": .string(diagnostic.code.description),
        "fingerprint": .string(digest.hexadecimal),
        "severity": .string(diagnostic.severity.word("critical", "minor", "info")),
        "location": [
          "path": .string(diagnostic.place?.file ?? (finding.model.isEmpty ? "." : finding.model)),
          "lines": ["begin": JSONValue(diagnostic.place?.start.line ?? 1)],
        ],
      ]
    }
    return JSONValue.array(issues).prettyPrinted + "\n"
  }
}
