import ManagedModel
import ModelFormats

extension CheckReport {
  /// The same with paths from the repository's top: services look for files there, whatever folder a job runs in.
  package var fromTop: Self {
    let prefix = (try? GitRepository.holding(folder: nil))?.prefix ?? ""
    func named(_ place: SourceRange) -> SourceRange {
      let isElsewhere = prefix.isEmpty && !place.file.hasPrefix("./") || place.file.hasPrefix("/")
      if isElsewhere || GitLocation(place.file) != nil { return place }
      var parts: [String] = []
      for part in (prefix + place.file).pathParts where !["", "."].contains(part) {
        if part == "..", !parts.isEmpty { parts.removeLast() } else { parts.append(part) }
      }
      return SourceRange(file: parts.joined(separator: "/"), start: place.start, end: place.end)
    }
    var report = self
    for index in report.findings.indices {
      let found = report.findings[index].diagnostic
      report.findings[index].diagnostic.place = found.place.map(named)
      report.findings[index].diagnostic.notes = found.notes.map { note in
        note.place.map { Diagnostic.Note(note.message, place: named($0)) } ?? note
      }
    }
    return report
  }

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
