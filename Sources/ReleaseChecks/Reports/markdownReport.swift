package import ManagedModel

/// The most findings that a pull request shows, the gravest first; the rest is counted.
private let rowLimit = 20

/// `8 of MC1208, 4 of MC7008`.
package func codeCounts(_ findings: [Diagnostic]) -> String {
  let counts = Dictionary(grouping: findings, by: \.code.description).mapValues(\.count)
  let most = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
  return (most.prefix(6).map { "\($0.value) of \($0.key)" } + (most.count > 6 ? ["…"] : []))
    .joined(separator: ", ")
}

extension CheckReport {
  /// A summary for a pull request: what was looked at, and a table of the findings that count.
  func markdownReport() -> String {
    let counting = findings.filter(\.counts)
    let errors = counting.count { $0.diagnostic.severity == .error }
    let warnings = counting.count { $0.diagnostic.severity == .warning }
    var lines = [
      "### Stores: \(errors == 0 ? "ready for a release" : "not ready for a release")", "",
      "\(counted(errors, "error")), \(counted(warnings, "warning")); \(counted(models.count, "model")), "
        + "\(counted(released, "released version")), \(counted(count(of: .path), "path")), "
        + "\(counted(count(of: .store), "store check"))"
        + (base.map { "; against \(markdownCode($0))" } ?? "") + ".", "",
    ]
    if !counting.isEmpty {
      lines += ["| | code | place | finding | what to do |", "|---|---|---|---|---|"]
      for finding in gravest.prefix(rowLimit) {
        let diagnostic = finding.diagnostic
        let place = diagnostic.place.map { markdownCode("\($0.file):\($0.start.line)") } ?? ""
        let mark = diagnostic.severity == .error ? "❌" : diagnostic.severity == .warning ? "⚠️" : "ℹ️"
        let cells = [
          mark, diagnostic.code.description, place,
          ([diagnostic.message] + diagnostic.notes.prefix(3).map(\.message)).map(markdownText)
            .joined(separator: "<br>"),
          markdownText(diagnostic.help.joined(separator: "; ")),
        ]
        lines.append("| " + cells.joined(separator: " | ") + " |")
      }
      let rest = gravest.dropFirst(rowLimit).map(\.diagnostic)
      if !rest.isEmpty { lines.append("\n… and \(rest.count) more: \(codeCounts(rest)).") }
      lines.append("")
    }
    let past = findings.count { $0.state == .past }
    if past > 0 {
      lines += ["\(counted(past, "finding")) about versions that can no longer be edited.", ""]
    }
    let quiet = findings.count - counting.count - past
    if quiet > 0 { lines += ["\(counted(quiet, "finding")) of before, or allowed with a reason.", ""] }
    return lines.joined(separator: "\n")
  }
}
