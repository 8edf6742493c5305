import Logging
import ManagedModel
package import PersistentStore

/// Runs a plan's statements one after the other, reports progress and the time of each, and stops in the middle of one
/// when the run is cancelled.
///
/// - Parameter failure: the finding for a statement that SQLite refuses.
package func executeWatched(
  _ statements: [StoreStatement], of plan: MigrationPlan, in db: StoreDatabase,
  failure: (StoreStatement, any Error) -> Diagnostic
) throws {
  let rows = plan.rowsByTable
  let weights = statements.map { statement in
    1 + (statement.changesRows ? statement.tableName.flatMap { rows[$0] }?.count ?? 0 : 0)
  }
  let total = weights.reduce(0, +)
  var completed = 0
  try interruptible(db) {
    for (statement, weight) in zip(statements, weights) {
      let entity = statement.tableName.flatMap { rows[$0] }?.entity
      reportProgress(.alter, entity: entity, completed: Int64(completed), total: Int64(total))
      let start = ContinuousClock.now
      let changed: Int
      do {
        changed = try execute(statement, in: db)
      } catch  where concernsStatement(error) {
        throw DiagnosticsError(failure(statement, error))
      }
      completed += weight
      log(statement, rows: statement.changesRows ? changed : nil, since: start)
    }
  }
  reportProgress(.alter, completed: Int64(total), total: Int64(total))
}

/// The text holds names and the model's constants, never what a row holds.
private func log(_ statement: StoreStatement, rows: Int?, since start: ContinuousClock.Instant) {
  guard let logger = MigrationMonitor.current?.logger, logger.logLevel <= .debug else { return }
  let elapsed = (ContinuousClock.now - start).components
  let microseconds = elapsed.seconds * 1_000_000 + elapsed.attoseconds / 1_000_000_000_000
  var metadata: Logger.Metadata = ["seconds": "\(Double(microseconds) / 1_000_000)"]
  if let rows { metadata["rows"] = "\(rows)" }
  logger.debug("\(statement.sql)", metadata: metadata)
}

extension MigrationPlan {
  /// How many rows a table takes part with, and the entity that stands for it, by the names before and after.
  var rowsByTable: [String: (entity: String, count: Int)] {
    var counts: [String: Int] = [:]
    for row in entities { if let name = row.destination { counts[name, default: 0] += row.rows } }
    var result: [String: (entity: String, count: Int)] = [:]
    for table in schema.tables {
      let members = schema.entities.filter { $0.rootEntityName == table.rootEntityName }
      result[table.name] = (table.rootEntityName, members.map { counts[$0.name] ?? 0 }.reduce(0, +))
    }
    return result
  }
}

extension StoreStatement {
  /// The table that it works on, under its name at that moment.
  var tableName: String? {
    switch self {
    case .createTable(let name, _), .dropTable(let name), .renameTable(_, let name): name
    case .addColumn(let table, _, _), .dropColumn(let table, _), .renameColumn(let table, _, _): table
    case .update(let table, _, _), .insert(let table, _, _, _), .delete(let table, _): table
    case .numberOrder(let table, _, _, _): table
    default: nil
    }
  }

  /// Whether its time grows with the rows.
  var changesRows: Bool {
    switch self {
    case .update, .insert, .delete, .numberOrder: true
    default: false
    }
  }
}
