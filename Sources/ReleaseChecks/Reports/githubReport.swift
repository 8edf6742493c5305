import ManagedModel
import ModelFormats

extension CheckReport {
  /// Workflow commands, which GitHub shows as annotations at the lines of a pull request.
  ///
  /// `::error file=…,line=…,col=…,title=…::message`, with `%`, line breaks, `:` and `,` encoded as GitHub's toolkit does.
  package func githubReport() -> String {
    findings.filter(\.counts).map { finding in
      let diagnostic = finding.diagnostic
      let command = diagnostic.severity.word("error", "warning", "notice")
      var properties: [String] = []
      if let place = diagnostic.place {
        properties = [
          "file=\(place.file.githubProperty)", "line=\(place.start.line)", "endLine=\(place.end.line)",
          "col=\(place.start.column)",
        ]
        // GitHub takes an end column only within one line.
        if place.end.line == place.start.line { properties.append("endColumn=\(place.end.column)") }
      }
      properties.append("title=\("\(diagnostic.code) \(finding.model)".githubProperty)")
      return "::\(command) \(properties.joined(separator: ","))::\(diagnostic.fullText.githubMessage)\n"
    }.joined()
  }
}
