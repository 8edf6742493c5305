import Foundation
import Logging
import ManagedModel
package import PersistentStore

/// Carries a plan out: the statements, then the store's metadata.
///
/// - Parameter db: the store itself, or a clone of it.
package func apply(_ plan: MigrationPlan, to db: StoreDatabase, _ monitor: MigrationMonitor) throws {
  let metadata = try db.readStoreMetadata()
  if plan.dropsCloudKit { try db.dropCloudKitTables() }
  try plan.statementPlan.run(of: plan, in: db, monitor)
  if plan.isCurrent { return try plan.target.model.writeCache(to: db) }
  try plan.schema.writePrimaryKeys(formerMaxima: plan.formerMaxima, in: db)
  try plan.target.model.writeCache(to: db)
  try metadata.updated(for: plan.target, configuration: plan.configuration).replacingTexts(
    plan.uriReplacements
  ).write(to: db)
}

extension [StoreStatement] {
  /// Runs a plan's statements one after the other, reports progress and the time of each, and stops in the middle of one
  /// when the run is cancelled.
  func run(of plan: MigrationPlan, in db: StoreDatabase, _ monitor: MigrationMonitor) throws {
    let rows = plan.rowsByTable
    let weights = map { statement in
      1 + (statement.changesRows ? statement.tableName.flatMap { rows[$0] }?.count ?? 0 : 0)
    }
    let total = weights.reduce(0, +)
    var completed = 0
    try db.interruptible(by: monitor) {
      for (statement, weight) in zip(self, weights) {
        let entity = statement.tableName.flatMap { rows[$0] }?.entity
        monitor.report(.alter, entity: entity, completed: Int64(completed), total: Int64(total))
        let start = ContinuousClock.now
        let changed = try statement.carryOut(in: db, store: plan.store)
        completed += weight
        let time = ContinuousClock.now - start
        log(statement, rows: statement.changesRows ? changed : nil, time: time, to: monitor.logger)
      }
    }
    monitor.report(.alter, completed: Int64(total), total: Int64(total))
  }
}

/// The text holds names and the model's constants, never what a row holds.
private func log(_ statement: StoreStatement, rows: Int?, time: Duration, to logger: Logger) {
  guard logger.logLevel <= .debug else { return }
  let seconds = (time / .microseconds(1)).rounded(.down) / 1_000_000
  var metadata: Logger.Metadata = ["seconds": "\(seconds)"]
  if let rows { metadata["rows"] = "\(rows)" }
  logger.debug("\(statement.sql)", metadata: metadata)
}
