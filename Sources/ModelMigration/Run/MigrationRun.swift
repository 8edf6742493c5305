import ManagedModel
import PersistentStore

/// One run of a migration: the request, the phases with their times, and findings that are not in the plan.
final class MigrationRun {
  var request: MigrationRequest
  let isDryRun: Bool
  var findings: [Diagnostic] = []
  /// What later segments dropped, which the plan of the whole path could not count.
  var laterLosses: [MigrationPlan.Loss] = []
  /// What comes after the store is migrated, in place of the swap.
  var furtherPhases: [(phase: MigrationPhase, weight: Double)] = []
  private let start = ContinuousClock.now
  private var phases: [(phase: MigrationPhase, start: ContinuousClock.Instant)] = []

  init(_ request: MigrationRequest, isDryRun: Bool) {
    self.request = request
    self.isDryRun = isDryRun
  }

  var store: String { request.store }
  var options: MigrationOptions { request.options }
  var monitor: MigrationMonitor { request.monitor }

  /// Begins a phase, unless the run is cancelled: once the swap begins there is nothing to cancel any more.
  func begin(_ phase: MigrationPhase) throws {
    phases.append((phase, .now))
    try monitor.checkCancellation()
    monitor.report(phase)
  }

  func expect(_ plan: MigrationPlan) {
    let phases = plan.expectedPhases
    monitor.expect(furtherPhases.isEmpty ? phases : phases.filter { $0.phase != .swap } + furtherPhases)
  }

  /// - Parameter objects: how many the store has now; nil if only the plan says it.
  func report(
    _ plan: MigrationPlan, _ result: StagedResult? = nil, objects: Int? = nil, destination: String? = nil,
    backup: String? = nil
  ) -> MigrationReport {
    let ends = phases.dropFirst().map(\.start) + [ContinuousClock.now]
    let times = zip(phases, ends).map { begun, end in
      MigrationReport.PhaseTime(phase: begun.phase, seconds: (end - begun.start) / .seconds(1))
    }
    var plan = plan
    plan.losses += laterLosses
    return MigrationReport(
      plan: plan, diagnostics: findings + (result?.diagnostics ?? []).filter { !findings.contains($0) },
      objects: result?.objects ?? objects ?? plan.objectBound, destination: destination, backup: backup,
      seconds: (ContinuousClock.now - start) / .seconds(1), mappings: result?.mappings ?? [],
      violations: plan.violations + (result?.violations ?? []), phases: times,
      brokenReferences: result?.brokenReferences, restored: result?.restored)
  }
}

/// Where the private files of a run are made: a clone of the store, which may see the store, and one of the file before,
/// which sees that file.
struct PrivateStoreFactory {
  var clone: (_ seesStore: Bool) throws -> PrivateStore
  var nextFile: (_ former: PrivateStore) throws -> PrivateStore
}

extension StagedResult {
  /// What the plan for the rest of the way has counted and warns of. References that the first one foretold are told once.
  mutating func add(_ plan: MigrationPlan, beside first: MigrationPlan) {
    violations += plan.violations
    diagnostics += plan.diagnostics.filter {
      $0.severity == .warning && !($0.code == .danglingReferenceDropped && first.diagnostics.contains($0))
    }
  }
}

extension MigrationPlan {
  /// The phases of the run, with the seconds that they take on some machine: what counts is their relation.
  ///
  /// Rows and bytes are those of the plan; `Benchmarks/run` prints what the phases of its tasks take.
  var expectedPhases: [(phase: MigrationPhase, weight: Double)] {
    let megabytes = Double(storeBytes) / 1e6
    let altered = 0.01 + Double(rowsToChange) * 1e-6
    // SQLite's check of the file, beside the questions about its rows.
    let checked = 0.01 + megabytes * 0.004
    if route == .inPlace { return [(.alter, altered), (.prove, 0.01), (.swap, 0.05)] }
    var phases: [(phase: MigrationPhase, weight: Double)] = []
    for (index, segment) in segments.enumerated() {
      if index == 0 || !segment.isInferred { phases.append((.clone, 0.01 + megabytes * 0.001)) }
      phases.append((.alter, index == 0 ? altered : 0.01))
      if !segment.isInferred {
        let byPolicy = Set(segment.mappingModel.entityMappings.filter { $0.policyName != nil }.map(\.name))
        let seconds = segment.entities.reduce(0) {
          $0 + Double($1.rows) * (byPolicy.contains($1.mapping) ? 6e-6 : 1e-6)
        }
        phases += [(.copy, 0.01 + seconds), (.relate, 0.01 + seconds / 5), (.validate, checked)]
      }
      phases.append((.prove, segment.isInferred ? checked : 0.01))
    }
    return phases + [(.swap, 0.05 + megabytes * 0.001)]
  }
}
