import Foundation
package import ManagedModel
package import PersistentStore
import StoreFiles

/// Carries a plan out: the statements, then the store's metadata.
///
/// - Parameter db: the store itself, or a clone of it.
package func apply(_ plan: MigrationPlan, to db: StoreDatabase) throws {
  let metadata = try readStoreMetadata(db)
  if plan.omittedTables.cloudKit { try dropCloudKitTables(in: db) }
  try runStatements(plan.statementPlan, of: plan, in: db)
  if plan.isCurrent { return try writeModelCache(of: plan.target.model, to: db) }
  try writePrimaryKeys(of: plan.schema, formerMaxima: plan.formerMaxima, in: db)
  try writeModelCache(of: plan.target.model, to: db)
  try writeStoreMetadata(
    metadata.updated(for: plan.target, configuration: plan.configuration).replacingTexts(
      plan.uriReplacements),
    to: db)
}

func runStatements(
  _ statements: [StoreStatement], of plan: MigrationPlan, in db: StoreDatabase
) throws {
  try executeWatched(statements, of: plan, in: db) { statement, error in
    .statementFailed(statement, error, store: plan.store)
  }
}

extension Diagnostic.Code {
  package static let statementFailed = Self("MC6001")
}

extension Diagnostic {
  fileprivate static func statementFailed(_ statement: StoreStatement, _ error: any Error, store: String)
    -> Self
  {
    Self(
      .statementFailed, .error, "a statement of the migration of '\(store)' failed: \(reason(error))",
      notes: [
        Note(statement.sql.count > 200 ? statement.sql.prefix(200) + "…" : statement.sql),
        "the store is as it was",
      ],
      cocoaCode: 134110)
  }
}

private func reason(_ error: any Error) -> String {
  (error as? DiagnosticsError)?.diagnostics.first?.message ?? "\(error)"
}
