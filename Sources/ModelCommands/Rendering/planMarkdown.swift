import ManagedModel
import ModelMigration

/// A plan for a pull request or a ticket.
func planMarkdown(_ plan: MigrationPlan, seconds: Double? = nil) -> String {
  var lines = ["### \(plan.store.markdownCode): \(plan.from.markdownCode) → \(plan.to.markdownCode)", ""]
  if plan.isDone, !plan.isBlocked { return (lines + ["Nothing to do."]).joined(separator: "\n") }
  lines += [plan.path.map(\.markdownCode).joined(separator: " → "), ""]
  if plan.bytesNeeded > 0, !plan.isBlocked {
    let time = seconds.map { ", about \($0.humanDuration) on this machine" } ?? ""
    lines += [
      "Store: \(plan.storeBytes.humanSize); needs \(plan.roomBound) \(plan.bytesNeeded.humanSize) next to it\(time).",
      "",
    ]
  }
  for segment in plan.segments where !plan.isBlocked {
    if plan.segments.count > 1 {
      lines += ["#### \(segment.path.map(\.markdownCode).joined(separator: " → "))", ""]
    }
    lines += ["| | Entity | Objects |", "|---|---|---:|"]
    lines += segment.entities.map { row in
      let made = row.made.map { " → \(grouped($0))" } ?? ""
      let count = (segment.rowsAreEstimates ? "about " : "") + grouped(row.rows) + made
      return
        "| \(verb(row.type)) | \(names(row.source, row.destination).markdownCode) | \(row.type == .add ? "" : count) |"
    }
    if plan.segments.count > 1 { lines.append("") }
  }
  if !plan.isBlocked { lines += list("Changes", plan.changeLines.map(\.markdownCode)) }
  lines += list("Losses", plan.losses.map { "\($0.name.markdownCode): \($0.amount) (\($0.code))" })
  lines += list(
    "Broken rules",
    plan.violations.map {
      "\(("\($0.entity ?? "").\($0.property ?? "")").markdownCode): \(counted($0.count, "object")) (\($0.code))"
    })
  lines += list("Not tried", plan.notCheckedByPreflight.map(\.runnable))
  return (lines + findings(plan.diagnostics)).joined(separator: "\n")
}

/// The path between two versions, for the same places.
func planMarkdown(_ plan: PathPlan) -> String {
  var lines = ["### \(plan.modelName.markdownCode): \(plan.from.markdownCode) → \(plan.to.markdownCode)", ""]
  if plan.path.count < 2 { return (lines + ["Nothing to do."]).joined(separator: "\n") }
  lines += [plan.path.map(\.markdownCode).joined(separator: " → "), "", "| | Entity |", "|---|---|"]
  lines += plan.mappingModel.entityMappings.map {
    "| \(verb($0.mappingType)) | \(names($0.sourceEntityName, $0.destinationEntityName).markdownCode) |"
  }
  let changes = plan.isBlocked ? [] : plan.mappingModel.lines(plan.changes, to: plan.target)
  lines += list("Changes", changes.map(\.markdownCode))
  return (lines + findings(plan.diagnostics)).joined(separator: "\n")
}

private func list(_ title: String, _ items: [String]) -> [String] {
  items.isEmpty ? [] : ["", "#### \(title)", ""] + items.map { "- \($0)" }
}

/// Errors and warnings, with the mapping that would help.
private func findings(_ diagnostics: [Diagnostic]) -> [String] {
  let shown = diagnostics.filter { $0.severity >= .warning }.map(\.runnable)
  if shown.isEmpty { return [] }
  var lines = ["", "#### Findings", ""]
  for finding in shown {
    lines.append("- **\(finding.severity.label) \(finding.code)**: \(finding.message.markdownText)")
    lines += finding.notes.map { "  - \($0.message.markdownText)" }
    lines += finding.help.map { "  - \($0.markdownText)" }
    guard let proposal = finding.proposal else { continue }
    // A fence longer than any in the text.
    lines += ["  - \(proposal.message.markdownText)", "", "    ````yaml"]
    lines += proposal.text.lines.filter { !$0.isEmpty }.map { "    " + $0.visible } + ["    ````"]
  }
  return lines
}
