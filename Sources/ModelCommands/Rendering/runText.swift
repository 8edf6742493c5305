import ModelMigration

/// A finished run as a person reads it: a line per phase, and what it came to.
func runText(_ report: MigrationReport, isDryRun: Bool) -> String {
  let plan = report.plan
  var table = TextTable(.right, .left, .right)
  for time in report.phases where !(plan.isCurrent && time.phase == .alter) {
    table.append(title(time.phase), text(time.phase, report), humanDuration(time.seconds))
  }
  let objects = counted(report.objects, "object")
  let numbers = "\(objects) in \(humanDuration(report.seconds)) (peak \(humanSize(peakMemoryBytes())))"
  let summary =
    if isDryRun {
      "Dry run: \(numbers); nothing was written"
    } else if let destination = report.destination, destination != plan.store, plan.isCurrent {
      "\(plan.store) is \(plan.to) already: copied \(numbers) to \(destination)"
    } else if let destination = report.destination, destination != plan.store {
      "Migrated \(numbers) to \(destination)"
    } else {
      "Migrated \(numbers)"
    }
  return (table.lines(indent: 2) + [summary]).joined(separator: "\n")
}

private func title(_ phase: MigrationPhase) -> String {
  switch phase {
  case .plan: "Plan"
  case .clone: "Clone"
  case .alter: "Alter"
  case .copy: "Copy"
  case .relate: "Relate"
  case .validate: "Validate"
  case .prove: "Prove"
  case .swap: "Swap"
  }
}

private func text(_ phase: MigrationPhase, _ report: MigrationReport) -> String {
  let plan = report.plan
  switch phase {
  case .plan: return plan.path.joined(separator: " → ")
  case .clone: return "\(humanSize(plan.storeBytes)), beside the store"
  case .alter: return counted(plan.statements.count, "statement")
  case .copy:
    let rows = report.mappings.map(\.taken).reduce(0, +)
    return "\(counted(rows, "object")) by \(counted(report.mappings.count, "mapping"))"
  case .relate: return "references of \(counted(report.mappings.map(\.made).reduce(0, +), "object"))"
  case .validate:
    return report.violations.isEmpty
      ? "every rule holds" : "\(counted(report.violations.count, "rule")) broken as before"
  case .prove: return "\(counted(report.objects, "object")), none missing, no reference leads nowhere"
  case .swap:
    guard let backup = report.backup else { return "\(report.destination ?? plan.store) is \(plan.to)" }
    return
      "\(plan.store) is \(plan.to); the old store: \(backup.split(separator: "/").last.map(String.init) ?? backup)"
  }
}
