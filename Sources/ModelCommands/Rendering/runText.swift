import ManagedModel
import ModelMigration

extension MigrationReport {
  /// A finished run as a person reads it: a line per phase, then the result.
  func text(isDryRun: Bool) -> String {
    var rows: [[String]] = []
    var step = RunStep(self)
    for (index, time) in phases.enumerated() where !(plan.isDone && time.phase == .alter) {
      step.enter(time.phase)
      let isLast = !phases.dropFirst(index + 1).contains { $0.phase == .prove }
      rows.append([
        title(time.phase, self), ModelCommands.text(time.phase, self, step, isLast: isLast),
        time.seconds.humanDuration,
      ])
    }
    let objects = counted(self.objects, "object")
    let what = plan.rowsAreBounds ? "\(plan.store), no row touched," : objects
    let numbers = "\(what) in \(seconds.humanDuration) (peak \(peakMemoryBytes().humanSize))"
    let summary =
      if isDryRun {
        "Dry run: \(numbers); nothing was written"
      } else if let destination = self.destination, destination != plan.store, plan.isCurrent {
        "\(plan.store) is \(plan.to) already: copied \(numbers) to \(destination)"
      } else if let destination = self.destination, destination != plan.store {
        "Migrated \(numbers) to \(destination)"
      } else {
        "Migrated \(numbers)"
      }
    let restored = self.restored.map { restored -> String in
      let isNothing = restored.objects + restored.changed == 0
      let what =
        isNothing
        ? "Nothing was restored"
        : "Restored \(counted(restored.objects, "object")), and what \(counted(restored.changed, "object")) had lost"
      if restored.gone == 0 {
        return what + (isNothing ? ": the store has all that the file could bring back" : "")
      }
      let rest = counted(restored.gone, "object of the file is", plural: "objects of the file are")
      return "\(what); \(rest) left out: deleted since, or another object has the key or the unique values"
    }
    return
      (TextTable(.right, .left, .right, rows: rows).lines(indent: 2) + [summary]
      + [restored].compactMap(\.self)).shownLines
  }

  fileprivate var references: String {
    switch brokenReferences {
    case nil: "no reference touched"
    case 0?: "no reference broken"
    case let count?: "\(counted(count, "reference")) broken as before"
    }
  }

  /// Whether the store itself was changed; a dry run works on a clone.
  fileprivate var isInPlace: Bool { plan.route == .inPlace && destination != nil }
}

/// `Clone`; a store that is changed in place is not swapped.
private func title(_ phase: MigrationPhase, _ report: MigrationReport) -> String {
  let word = phase == .swap && report.isInPlace ? "commit" : phase.rawValue
  return word.prefix(1).uppercased() + word.dropFirst()
}

/// Which custom step of the run a phase belongs to, and what its mappings did.
private struct RunStep {
  private var rest: ArraySlice<MappingCount>
  private var sizes: ArraySlice<Int>
  private(set) var mappings: [MappingCount] = []
  /// Whether a custom step has begun already.
  private(set) var isLater = false

  init(_ report: MigrationReport) {
    rest = report.mappings[...]
    sizes = report.plan.segments.filter { !$0.isInferred }.map(\.mappingModel.entityMappings.count)[...]
  }

  /// Every custom step begins with its copies.
  mutating func enter(_ phase: MigrationPhase) {
    if phase == .copy {
      let size = sizes.popFirst() ?? rest.count
      mappings = Array(rest.prefix(size))
      rest = rest.dropFirst(size)
    }
    if phase == .prove { isLater = true }
  }
}

private func text(
  _ phase: MigrationPhase, _ report: MigrationReport, _ step: RunStep, isLast: Bool
) -> String {
  let plan = report.plan
  switch phase {
  case .plan: return plan.path.joined(separator: " → ")
  case .clone:
    return "\(plan.storeBytes.humanSize), next to \(report.destination ?? "the store")"
  // The statements of the plan are those of its first step; a later one is planned on what was made.
  case .alter where step.isLater: return "inferred"
  case .alter:
    let transaction = report.isInPlace ? ", one transaction" : ""
    return counted(plan.statements.count, "statement") + transaction
  case .prove where report.isInPlace && plan.rowsAreBounds: return "schema and metadata"
  case .prove where report.isInPlace: return "what the statements touched"
  case .copy:
    let rows = step.mappings.map(\.taken).reduce(0, +)
    return "\(counted(rows, "object")) by \(counted(step.mappings.count, "mapping"))"
  case .relate: return "references of \(counted(step.mappings.map(\.made).reduce(0, +), "object"))"
  case .validate:
    let broken = report.violations.filter(\.wasThereBefore)
    return broken.isEmpty
      ? "no rule is broken in what it wrote" : "\(counted(broken.count, "rule")) broken as before"
  case .prove where !isLast: return "none missing"
  case .prove: return "\(counted(report.objects, "object")), none missing, \(report.references)"
  case .swap:
    guard let backup = report.backup else { return "\(report.destination ?? plan.store) is \(plan.to)" }
    return
      "\(plan.store) is \(plan.to); the old store: \(backup.split(separator: "/").last.map(String.init) ?? backup)"
  }
}
