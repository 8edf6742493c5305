import CustomMigration

/// One run of a migration: the request, the phases with their times, and findings that are not in the plan.
final class MigrationRun {
  var request: MigrationRequest
  let isDryRun: Bool
  var findings: [Diagnostic] = []
  let monitor: MigrationMonitor
  private let start = ContinuousClock.now
  private var phases: [(phase: MigrationPhase, start: ContinuousClock.Instant)] = []

  init(_ request: MigrationRequest, isDryRun: Bool, monitor: MigrationMonitor) {
    self.request = request
    self.isDryRun = isDryRun
    self.monitor = monitor
  }

  var store: String { request.store }
  var options: MigrationOptions { request.options }

  /// Begins a phase, unless the run is cancelled: once the swap begins there is nothing to cancel any more.
  func begin(_ phase: MigrationPhase) throws {
    phases.append((phase, .now))
    try monitor.checkCancellation()
    monitor.report(MigrationProgress(phase: phase))
  }

  /// - Parameter objects: how many the store has now; nil where only the plan says it.
  func report(
    _ plan: MigrationPlan, _ result: StagedResult? = nil, objects: Int? = nil, destination: String? = nil,
    backup: String? = nil
  ) -> MigrationReport {
    let ends = phases.dropFirst().map(\.start) + [ContinuousClock.now]
    let times = zip(phases, ends).map { begun, end in
      MigrationReport.PhaseTime(phase: begun.phase, seconds: (end - begun.start).seconds)
    }
    var report = MigrationReport(
      plan: plan, diagnostics: findings + (result?.diagnostics ?? []),
      objects: result?.objects ?? objects ?? plan.objectBound, destination: destination, backup: backup,
      seconds: (ContinuousClock.now - start).seconds, mappings: result?.mappings ?? [],
      violations: plan.violations + (result?.violations ?? []), phases: times)
    report.brokenReferences = result?.brokenReferences
    report.restored = result?.restored
    return report
  }
}

extension Duration {
  fileprivate var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
