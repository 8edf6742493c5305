import CustomMigration
import ModelMapping

extension MigrationPlan {
  /// The phases of the run, with the seconds that they take on some machine: what counts is their relation.
  ///
  /// Rows and bytes are those of the plan; `Benchmarks/run` prints what the phases of its tasks take.
  var expectedPhases: [(phase: MigrationPhase, weight: Double)] {
    let megabytes = Double(storeBytes) / 1e6
    let altered = 0.01 + Double(rowsToChange) * 1e-6
    // SQLite's check of the file, beside the questions about its rows.
    let checked = 0.01 + megabytes * 0.004
    if route.isTransaction { return [(.alter, altered), (.prove, 0.01), (.swap, 0.05)] }
    var phases: [(phase: MigrationPhase, weight: Double)] = []
    for (index, segment) in segments.enumerated() {
      let isFirst = index == 0
      if isFirst || !segment.isInferred { phases.append((.clone, 0.01 + megabytes * 0.001)) }
      phases.append((.alter, isFirst ? altered : 0.01))
      if !segment.isInferred {
        let byPolicy = Set(
          segment.mappingModel.entityMappings.filter { $0.policyName != nil }.map(\.name))
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
