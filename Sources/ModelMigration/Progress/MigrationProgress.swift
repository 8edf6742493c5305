/// How far a migration has come, for a progress bar or a log.
public struct MigrationProgress: Hashable, Sendable {
  /// What the run is doing.
  public var phase: MigrationPhase
  /// The entity whose rows are being worked on, where it is one; a root stands for the entities in its table.
  public var entity: String?
  /// Rows and statements that are done, of those that the phase has. A phase that cannot say has a total of 0.
  public var completed: Int64 = 0
  /// Rows and statements of the phase; 0 where it cannot say.
  public var total: Int64 = 0
  /// From 0 to 1 within the whole run, by the rows and bytes of its plan, for a progress bar; nil until that is made. It never
  /// goes back.
  public package(set) var whole: Double?

  package init(phase: MigrationPhase, entity: String? = nil, completed: Int64 = 0, total: Int64 = 0) {
    (self.phase, self.entity, self.completed, self.total) = (phase, entity, completed, total)
  }

  /// From 0 to 1 within the phase, so that each phase begins anew; nil if the phase cannot say.
  public var fraction: Double? { total > 0 ? min(1, max(0, Double(completed) / Double(total))) : nil }
}

/// The stretches of a migration, in their order.
public enum MigrationPhase: String, Hashable, Sendable, CaseIterable {
  /// Locking the store and finding its version, the plan and what prevents it.
  case plan
  /// Making the private clone.
  case clone
  /// The plan's statements, with the new keys, metadata and model cache.
  case alter
  /// The first pass of a custom step: every mapping's objects, with their attributes.
  case copy
  /// The second pass: relationships.
  case relate
  /// The third pass: policies' own validation, then every rule of the model over every object.
  case validate
  /// The result is checked against the plan.
  case prove
  /// The result takes the store's place.
  case swap
}

/// The phases of a run that are to come, each with its part of the whole.
struct RunCourse {
  private let phases: [(phase: MigrationPhase, weight: Double)]
  /// The place of the phase that the run is in; nil before the first.
  private var current: Int?
  private var shown = 0.0

  init(_ phases: [(phase: MigrationPhase, weight: Double)] = []) { self.phases = phases }

  /// From 0 to 1, never less than before; nil if nothing is known of the run.
  mutating func advance(to progress: MigrationProgress) -> Double? {
    let (phases, former) = (phases, current)
    func weight(ofFirst count: Int) -> Double { phases.prefix(count).reduce(0) { $0 + $1.weight } }
    let total = weight(ofFirst: phases.count)
    guard total > 0 else { return nil }
    // What a run leaves out is passed; what it does besides takes no time of the whole.
    if former.map({ phases[$0].phase }) != progress.phase {
      let rest = phases.indices.dropFirst(former.map { $0 + 1 } ?? 0)
      current = rest.first { phases[$0].phase == progress.phase } ?? former
    }
    let own = current.flatMap { phases[$0].phase == progress.phase ? phases[$0].weight : nil }
    let passed = weight(ofFirst: current ?? 0) + (progress.fraction ?? 0) * (own ?? 0)
    shown = max(shown, min(1, passed / total))
    return shown
  }
}
