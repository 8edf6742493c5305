import Foundation
import Logging
package import ManagedModel
package import PersistentStore

/// Carries a plan out: the statements, then the store's metadata.
///
/// - Parameters:
///   - db: the store itself, or a clone of it.
///   - monitor: sees the progress, and can end it.
package func apply(
  _ plan: MigrationPlan, to db: StoreDatabase, _ monitor: MigrationMonitor
) throws {
  let metadata = try db.readStoreMetadata()
  if plan.omittedTables.cloudKit { try db.dropCloudKitTables() }
  try plan.statementPlan.run(of: plan, in: db, monitor)
  if plan.isCurrent { return try plan.target.model.writeCache(to: db) }
  try plan.schema.writePrimaryKeys(formerMaxima: plan.formerMaxima, in: db)
  try plan.target.model.writeCache(to: db)
  try metadata.updated(for: plan.target, configuration: plan.configuration).replacingTexts(
    plan.uriReplacements
  ).write(to: db)
}

extension Diagnostic.Code {
  package static let statementFailed = Self("MC6001")
}

extension Diagnostic {
  fileprivate static func statementFailed(_ statement: StoreStatement, _ error: any Error, store: String)
    -> Self
  {
    let reason = (error as? DiagnosticsError)?.diagnostics.first?.message ?? "\(error)"
    return Self(
      .statementFailed, .error, "a statement of the migration of '\(store)' failed: \(reason)",
      notes: [
        Note(statement.sql.count > 200 ? statement.sql.prefix(200) + "…" : statement.sql),
        "the store is unchanged",
      ],
      help: reason.firstMatch(of: #/error in (view|trigger) (.+?)( after .+?)?:/#).map {
        let fault = $0.3 == nil ? "is broken: fix or drop it" : "reads what this step takes away: drop it"
        let sql = "DROP \($0.1.uppercased()) \(String($0.2).quotedIdentifier)"
        return ["the app's own \($0.1) '\($0.2)' \(fault) in the store (`\(sql)`), then migrate"]
      } ?? [],
      cocoaCode: 134110)
  }
}

extension StoreStatement {
  /// - Returns: the rows that it changed.
  @discardableResult
  func carryOut(in db: StoreDatabase, store: String) throws -> Int {
    do {
      return try execute(self, in: db)
    } catch  where concernsStatement(error) {
      throw DiagnosticsError(.statementFailed(self, error, store: store))
    }
  }
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
  let elapsed = time.components
  let microseconds = elapsed.seconds * 1_000_000 + elapsed.attoseconds / 1_000_000_000_000
  var metadata: Logger.Metadata = ["seconds": "\(Double(microseconds) / 1_000_000)"]
  if let rows { metadata["rows"] = "\(rows)" }
  logger.debug("\(statement.sql)", metadata: metadata)
}
