/// The phases of a run that are to come, each with its part of the whole.
struct RunCourse {
  private var phases: [(phase: MigrationPhase, weight: Double)] = []
  private var total = 0.0
  /// The phase that the run is in, and the weights of those before it.
  private var place: Int?
  private var passed = 0.0
  private var shown = 0.0

  init() {}

  init(_ phases: [(phase: MigrationPhase, weight: Double)]) {
    self.phases = phases
    total = phases.reduce(0) { $0 + $1.weight }
  }

  /// From 0 to 1, never less than before; nil where nothing is known of the run.
  mutating func advance(to progress: MigrationProgress) -> Double? {
    guard total > 0 else { return nil }
    if place.map({ phases[$0].phase != progress.phase }) ?? true {
      let next = place.map { $0 + 1 } ?? 0
      // What a run leaves out is passed; what it does besides takes no time of the whole.
      if let found = phases[next...].firstIndex(where: { $0.phase == progress.phase }) {
        passed = phases[..<found].reduce(0) { $0 + $1.weight }
        place = found
      }
    }
    let isHere = place.map { phases[$0].phase == progress.phase } ?? false
    let within = isHere ? (progress.fraction ?? 0) * (place.map { phases[$0].weight } ?? 0) : 0
    shown = max(shown, min(1, (passed + within) / total))
    return shown
  }
}
