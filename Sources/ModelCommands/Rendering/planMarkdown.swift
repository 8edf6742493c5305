import ManagedModel
import ModelMapping
import ModelMigration

/// A plan for a pull request or a ticket.
func planMarkdown(_ plan: MigrationPlan, seconds: Double? = nil) -> String {
  var lines = ["### \(code(plan.store)): \(code(plan.from)) → \(code(plan.to))", ""]
  if plan.isCurrent { return (lines + ["Nothing to do."]).joined(separator: "\n") }
  lines += [plan.path.map(code).joined(separator: " → "), ""]
  if plan.bytesNeeded > 0 {
    let time = seconds.map { ", about \(humanDuration($0)) on this machine" } ?? ""
    lines += [
      "Store: \(humanSize(plan.storeBytes)); needs at most \(humanSize(plan.bytesNeeded)) beside it\(time).",
      "",
    ]
  }
  for segment in plan.segments {
    if plan.segments.count > 1 { lines += ["#### \(segment.path.map(code).joined(separator: " → "))", ""] }
    lines += ["| | Entity | Objects |", "|---|---|---:|"]
    lines += segment.entities.map { row in
      let count = (segment.rowsAreEstimates ? "about " : "") + grouped(row.rows)
      return
        "| \(verb(row.type)) | \(code(names(row.source, row.destination))) | \(row.type == .add ? "" : count) |"
    }
    if plan.segments.count > 1 { lines.append("") }
  }
  let first = changeLines(of: plan.mappingModel, plan.changes)
  let later = plan.segments.dropFirst().flatMap { changeLines(of: $0.mappingModel, []) }
  lines += list("Changes", (first + later).map(code))
  lines += list(
    "Losses",
    plan.losses.map { loss in
      let name = loss.property.map { "\(loss.entity).\($0)" } ?? loss.entity
      let count = counted(loss.count, loss.property == nil ? "object" : "value")
      return "\(code(name)): \(count)\(loss.isAcknowledged ? ", accepted" : "") (\(loss.code))"
    })
  return (lines + findings(plan.diagnostics)).joined(separator: "\n")
}

/// The way between two versions, likewise.
func planMarkdown(_ plan: PathPlan) -> String {
  var lines = ["### \(code(plan.modelName)): \(code(plan.from)) → \(code(plan.to))", ""]
  if plan.path.count < 2 { return (lines + ["Nothing to do."]).joined(separator: "\n") }
  lines += [plan.path.map(code).joined(separator: " → "), "", "| | Entity |", "|---|---|"]
  lines += plan.mappingModel.entityMappings.map {
    "| \(verb($0.mappingType)) | \(code(names($0.sourceEntityName, $0.destinationEntityName))) |"
  }
  lines += list("Changes", changeLines(of: plan.mappingModel, plan.changes).map(code))
  return (lines + findings(plan.diagnostics)).joined(separator: "\n")
}

private func list(_ title: String, _ items: [String]) -> [String] {
  items.isEmpty ? [] : ["", "#### \(title)", ""] + items.map { "- \($0)" }
}

/// What stands against it or is worth a warning, with the mapping that would help.
private func findings(_ diagnostics: [Diagnostic]) -> [String] {
  let shown = diagnostics.filter { $0.severity >= .warning }
  if shown.isEmpty { return [] }
  var lines = ["", "#### Findings", ""]
  for finding in shown {
    lines.append("- **\(finding.severity.label) \(finding.code)**: \(plain(finding.message))")
    lines += finding.notes.map { "  - \(plain($0.message))" }
    lines += finding.help.map { "  - \(plain($0))" }
    guard let proposal = finding.proposal else { continue }
    // A fence longer than any in the text.
    lines += ["  - \(plain(proposal.message))", "", "    ````yaml"]
    lines += proposal.text.split(separator: "\n").map { "    " + printable(String($0)) } + ["    ````"]
  }
  return lines
}

/// Text that no markup in it can change.
private func plain(_ text: String) -> String {
  var escaped = ""
  for character in printable(text) {
    if "\\`*_[]<>|".contains(character) { escaped.append("\\") }
    escaped.append(character)
  }
  return escaped
}
