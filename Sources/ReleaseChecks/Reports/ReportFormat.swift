import ManagedModel

/// The forms of a report that other programs read.
package enum ReportFormat: String, CaseIterable, Sendable {
  case sarif, junit, github, gitlab, markdown
}

extension CheckReport {
  /// A report in one of the forms.
  ///
  /// - Parameters:
  ///   - titles: what each code means, in a few words.
  ///   - version: of modelc.
  package func text(
    as format: ReportFormat, titles: [String: String], version: String
  ) -> String {
    switch format {
    case .sarif: sarifReport(titles: titles, version: version)
    case .junit: junitReport()
    case .github: githubReport()
    case .gitlab: gitlabReport()
    case .markdown: markdownReport()
    }
  }
}

extension Diagnostic {
  /// Message, notes and help in lines, as forms without room for excerpts show them.
  var fullText: String {
    ([message] + notes.map(\.message) + help.map { "help: \($0)" }).joined(separator: "\n")
  }
}

extension Diagnostic.Severity {
  /// What a form calls it.
  func word(_ error: String, _ warning: String, _ information: String) -> String {
    switch self {
    case .error: error
    case .warning: warning
    case .information: information
    }
  }
}
