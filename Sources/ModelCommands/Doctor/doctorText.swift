/// A line for each check, with what to do below it.
///
/// - Parameter width: of the terminal.
func doctorText(_ report: DoctorReport, width: Int, usesColor: Bool) -> String {
  let style = Styler(usesColor: usesColor)
  let names = report.checks.map { displayWidth($0.name) }.max() ?? 0
  let indent = 9 + names + 2
  // On a narrow terminal the words stand below the name.
  let isNarrow = width < indent + 30
  var lines: [String] = []
  for check in report.checks {
    let state = check.state.rawValue.padding(to: 9)
    let head = style(state, check.state.style) + check.name
    let room = max(20, width - (isNarrow ? 2 : indent))
    var words = wrapped(printable(check.summary), width: room)
    words += check.advice.flatMap {
      wrapped("→ " + printable(RunContext.current.commands.runnable($0)), width: room)
    }
    let margin = String(repeating: " ", count: isNarrow ? 2 : indent)
    if isNarrow {
      lines.append(head)
      lines += words.map { margin + $0 }
    } else {
      let space = String(repeating: " ", count: names - displayWidth(check.name) + 2)
      lines.append(head + space + (words.first ?? ""))
      lines += words.dropFirst().map { margin + $0 }
    }
  }
  return lines.joined(separator: "\n") + "\n" + summary(report)
}

private func summary(_ report: DoctorReport) -> String {
  let (problems, warnings) = (report.count(.problem), report.count(.warning))
  var parts = problems > 0 ? [counted(problems, "problem")] : []
  if warnings > 0 { parts.append(counted(warnings, "warning")) }
  return (parts.isEmpty ? "all is well" : parts.joined(separator: ", "))
    + (problems > 0 ? ": a migration would fail here" : "")
}

extension DoctorCheck.State {
  fileprivate var style: Styler.Style {
    switch self {
    case .ok: .faint
    case .warning: .warning
    case .problem: .error
    }
  }
}

extension String {
  fileprivate func padding(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - displayWidth(self)))
  }
}
