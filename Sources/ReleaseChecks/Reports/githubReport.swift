import Foundation
import ManagedModel
import ModelFormats

extension CheckReport {
  /// The same with paths from the repository's top: services look for files there, whatever folder a job runs in.
  package var fromTop: Self {
    let repository = try? GitRepository.holding(folder: nil)
    func named(_ place: SourceRange) -> SourceRange {
      if GitLocation(place.file) != nil { return place }
      var (file, folder) = (place.file, repository?.prefix ?? "")
      if file.hasPrefix("/"), let top = repository?.top {
        let whole = URL(filePath: file).resolvingSymlinksInPath().path
        if whole.hasPrefix(top + "/") { (file, folder) = (String(whole.dropFirst(top.count + 1)), "") }
      }
      guard let path = resolvedPath(file, from: folder) else { return place }
      return SourceRange(file: path, start: place.start, end: place.end)
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
