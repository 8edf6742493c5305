extension DoctorReport {
  /// A line for each check, with what to do below it.
  ///
  /// - Parameter width: of the terminal.
  func text(width: Int, usesColor: Bool) -> String {
    let style = Styler(usesColor: usesColor)
    let styles: [DoctorCheck.State: Styler.Style] = [.warning: .warning, .problem: .error]
    let names = checks.map { $0.name.displayWidth }.max() ?? 0
    let indent = 9 + names + 2
    // On a narrow terminal the words stand below the name.
    let isNarrow = width < indent + 30
    var lines: [String] = []
    for check in checks {
      let state = check.state.rawValue.padded(to: 9)
      let name = isNarrow ? check.name : check.name.padded(to: names + 2)
      let head = style(state, styles[check.state] ?? .faint) + name
      let room = max(20, width - (isNarrow ? 2 : indent))
      let words =
        wrapped(check.summary.runnable.printable, width: room)
        + check.advice.flatMap { wrapped("→ " + $0.runnable.printable, width: room) }
      let margin = String(repeating: " ", count: isNarrow ? 2 : indent)
      lines.append(head + (isNarrow ? "" : words.first ?? ""))
      lines += words.dropFirst(isNarrow ? 0 : 1).map { margin + $0 }
    }
    return lines.joined(separator: "\n") + "\n" + summary(self)
  }
}

private func summary(_ report: DoctorReport) -> String {
  let problems = report.count(.problem)
  let parts = [(problems, "problem"), (report.count(.warning), "warning")].filter { $0.0 > 0 }
    .map { counted($0.0, $0.1) }
  return (parts.isEmpty ? "all is well" : parts.joined(separator: ", "))
    + (problems > 0 ? ": a migration would fail here" : "")
}
