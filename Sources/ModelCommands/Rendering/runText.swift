import ModelMigration

/// A finished run as a person reads it: a line per phase, and what it came to.
func runText(_ report: MigrationReport, isDryRun: Bool) -> String {
  let plan = report.plan
  var table = TextTable(.right, .left, .right)
  for time in report.phases where !(plan.isDone && time.phase == .alter) {
    table.append(title(time.phase, report), text(time.phase, report), humanDuration(time.seconds))
  }
  let objects = counted(report.objects, "object")
  let what = plan.rowsAreBounds ? "\(plan.store), no row touched," : objects
  let numbers = "\(what) in \(humanDuration(report.seconds)) (peak \(humanSize(peakMemoryBytes())))"
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

private func title(_ phase: MigrationPhase, _ report: MigrationReport) -> String {
  switch phase {
  case .plan: "Plan"
  case .clone: report.plan.route == .newFile ? "Open" : "Clone"
  case .alter: report.plan.route == .newFile ? "Fill" : "Alter"
  case .copy: "Copy"
  case .relate: "Relate"
  case .validate: "Validate"
  case .prove: "Prove"
  case .swap: report.isInPlace ? "Commit" : "Swap"
  }
}

private func text(_ phase: MigrationPhase, _ report: MigrationReport) -> String {
  let plan = report.plan
  switch phase {
  case .plan: return plan.path.joined(separator: " → ")
  case .clone:
    return plan.route == .newFile ? "an empty file" : "\(humanSize(plan.storeBytes)), beside the store"
  case .alter:
    let transaction = report.isInPlace ? ", one transaction" : ""
    return counted(plan.statements.count, "statement") + transaction
  case .prove where report.isInPlace && plan.rowsAreBounds: return "schema and metadata"
  case .prove where report.isInPlace: return "what the statements touched"
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

extension MigrationReport {
  /// Whether the store itself was changed; a dry run works on a clone.
  fileprivate var isInPlace: Bool { plan.route == .inPlace && destination != nil }
}
