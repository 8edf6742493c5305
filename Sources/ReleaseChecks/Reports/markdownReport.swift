import ManagedModel

/// The most findings that a pull request shows, the gravest first; the rest is counted.
private let rowLimit = 20

extension [Diagnostic] {
  /// `8 of MC1208, 4 of MC7008`.
  package var codeCounts: String {
    let counts = Dictionary(grouping: self, by: \.code.description).mapValues(\.count)
    let most = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    return (most.prefix(6).map { "\($0.value) of \($0.key)" } + (most.count > 6 ? ["…"] : []))
      .joined(separator: ", ")
  }
}

extension CheckReport {
  /// For a pull request: what it does, what was looked at, and the findings that count, warnings in a fold.
  package func markdownReport() -> String {
    let counting = findings.filter(\.counts)
    let errors = counting.count { $0.diagnostic.severity == .error }
    let warnings = counting.count { $0.diagnostic.severity == .warning }
    var lines = introductions.flatMap { [$0, ""] }
    lines += [
      "### Stores: \(errors == 0 ? "ready for a release" : "not ready for a release")", "",
      "\(counted(errors, "error")), \(counted(warnings, "warning")); \(counted(models.count, "model")), "
        + "\(counted(released, "released version")), \(counted(count(of: .path), "path")), "
        + storeCount
        + (base.map { "; against \($0.markdownCode)" } ?? "") + ".", "",
    ]
    let shown = gravest.prefix(rowLimit).map(\.diagnostic)
    lines += Self.markdownTable(shown.filter { $0.severity == .error })
    let others = shown.filter { $0.severity != .error }
    if !others.isEmpty {
      let count = others.count == 1 ? "1 finding that does" : "\(others.count) findings that do"
      lines += ["<details><summary>\(count) not stop the release</summary>", ""]
      lines += Self.markdownTable(others) + ["</details>", ""]
    }
    let rest = gravest.dropFirst(rowLimit).map(\.diagnostic)
    if !rest.isEmpty { lines += ["… and \(rest.count) more: \(rest.codeCounts).", ""] }
    let past = findings.count { $0.state == .past }
    if past > 0 { lines += ["\(counted(past, "finding")) about versions that can no longer be edited.", ""] }
    let quiet = findings.count - counting.count - past
    if quiet > 0 { lines += ["\(counted(quiet, "finding")) from before, or allowed with a reason.", ""] }
    return lines.joined(separator: "\n")
  }

  private static func markdownTable(_ findings: [Diagnostic]) -> [String] {
    if findings.isEmpty { return [] }
    let rows = findings.map { diagnostic in
      let cells = [
        diagnostic.severity.word("❌", "⚠️", "ℹ️"), diagnostic.code.description,
        diagnostic.place.map { "\($0.file):\($0.start.line)".markdownCode } ?? "",
        ([diagnostic.message] + diagnostic.notes.prefix(3).map(\.message)).map(\.markdownText)
          .joined(separator: "<br>"),
        diagnostic.help.joined(separator: "; ").markdownText,
      ]
      return "| \(cells.joined(separator: " | ")) |"
    }
    return ["| | code | place | finding | what to do |", "|---|---|---|---|---|"] + rows + [""]
  }
}
