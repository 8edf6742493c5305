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
  /// From 0 to 1 within the whole run, by the rows and bytes of its plan; nil until that is made. It never goes back.
  public package(set) var whole: Double?

  package init(phase: MigrationPhase, entity: String? = nil, completed: Int64 = 0, total: Int64 = 0) {
    self.phase = phase
    self.entity = entity
    self.completed = completed
    self.total = total
  }

  /// From 0 to 1 within the phase; nil where the phase cannot say.
  public var fraction: Double? {
    total > 0 ? min(1, max(0, Double(completed) / Double(total))) : nil
  }
}
