import Foundation
import ManagedModel

extension CheckReport {
  /// GitLab's Code Quality report: a list of findings, each with a fingerprint by which GitLab recognises old ones.
  func gitlabReport() -> String {
    jsonText(
      findings.filter(\.counts).map { finding -> CodeQualityIssue in
        let diagnostic = finding.diagnostic
        var digest = ContentDigest()
        digest.add("finding", Data(diagnostic.identity(inModel: finding.model).utf8))
        digest.add("file", Data((diagnostic.place?.file ?? "").utf8))
        let severity =
          switch diagnostic.severity {
          case .error: "critical"
          case .warning: "minor"
          case .information: "info"
          }
        return CodeQualityIssue(
          description: diagnostic.fullText, check_name: diagnostic.code.description,
          fingerprint: digest.hexadecimal, severity: severity,
          location: .init(
            path: diagnostic.place?.file ?? finding.model,
            lines: .init(begin: diagnostic.place?.start.line ?? 1)))
      })
  }
}

/// Its keys are those of the report.
private struct CodeQualityIssue: Encodable {
  struct Location: Encodable {
    struct Lines: Encodable { var begin: Int }

    var path: String
    var lines: Lines
  }

  var description: String
  // swift-format-ignore: AlwaysUseLowerCamelCase
  var check_name: String
  var fingerprint: String
  var severity: String
  var location: Location
}
