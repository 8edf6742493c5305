import Foundation
import Logging
import ManagedModel
import PersistentStore

/// Plans the migration of a store: its version, the path to the target, what happens to every entity, what would be lost
/// and what stops the migration, counted on this very store.
///
/// The plan tries what a migration needs, as far as it can without writing: room on the disk, permissions, other names
/// of the file, the files of large values, SQLite's check of the pages. ``MigrationPlan/untried`` lists the rest. The
/// store is opened for reading and left without a trace.
///
/// - Parameters:
///   - path: the store's file, as the user names it.
///   - models: the store is looked for among the versions of all of them.
/// - Throws: ``DiagnosticsError`` where the file is not a store, or of no known version, or of one after the target.
package func planMigration(
  ofStoreAt path: String, models: [VersionedModel], options: MigrationOptions = MigrationOptions(),
  custom: CustomMigrations = CustomMigrations()
) throws -> MigrationPlan {
  // What an earlier run left is asked before the store is opened: the backups are checked against it.
  let left: [Diagnostic]
  do {
    left = try recoverBeforeMigration(
      ofStoreAt: path, models: models, isDryRun: true, busyTimeout: options.busyTimeout)
  } catch let error as DiagnosticsError {
    // What the store itself is refused for is told by the plan.
    left = error.diagnostics.filter { $0.code == .anotherStore }
  }
  let request = try MigrationRequest(store: path, models: models, options: options, custom: custom)
    .joiningModels()
  let connection = try request.open()
  let plan = try connection.read { db in try request.plan(of: db, file: connection.file) }
  var tried = try plan.preflighted(of: connection, options: request.options)
  try connection.close()
  tried.diagnostics = (tried.diagnostics + left).ordered
  return tried
}

struct MigrationRequest {
  /// The store's file, as the user names it.
  let store: String
  /// The store is looked for among the versions of all of them.
  var models: [VersionedModel]
  var options: MigrationOptions
  var custom: CustomMigrations
  var monitor = MigrationMonitor()

  /// The same where the store holds versions of several models that Core Data merged when it opened it: these come
  /// joined as one more model, and a target that is a version of one of them becomes that of the joined one.
  func joiningModels() throws -> MigrationRequest {
    guard models.count > 1 else { return self }
    let connection = try open()
    defer { try? connection.close() }
    return try joiningModels(for: connection.read { try $0.readStoreMetadata() })
  }

  func joiningModels(for metadata: StoreMetadata) throws -> MigrationRequest {
    var joined = self
    (joined.models, joined.custom, joined.options.targetVersion) = try ModelMigration.joiningModels(
      models, custom, for: metadata, store: store, to: options.targetVersion,
      isDowngrade: options.allowsDowngrade)
    return joined
  }

  fileprivate func open() throws -> StoreConnection {
    try openStore(store, among: models, busyTimeout: options.busyTimeout)
  }

  /// - Parameter countsAllRows: whether rows are counted also where their number does not affect the result.
  func plan(countsAllRows: Bool) throws -> PlannedStore {
    let connection = try open()
    let plan = try connection.read { db in
      try self.plan(of: db, file: connection.file, countsAllRows: countsAllRows)
    }
    try connection.close()
    return (plan, connection.file)
  }

  /// The same for a store that is open already.
  ///
  /// - Parameter onClone: whether a private file is worked on, whatever was asked for.
  func plan(
    of db: StoreDatabase, file: StoreFile, countsAllRows: Bool = true, onClone: Bool = false
  ) throws -> MigrationPlan {
    let start = try start(of: db, db.readStoreMetadata())
    guard let target = start.path.last else { throw UnknownVersionError(name: "", models: models) }
    // A version that is only passed through, or that the store has already, may break rules; the target may not.
    if start.path.count > 1 { try target.checkTarget(in: start.model).refuse() }
    let planner = PathPlanner(
      request: self, path: start.path, model: start.model, configuration: start.configuration,
      bytes: file.byteCount, countsAllRows: countsAllRows, onClone: onClone)
    var plan = try planner.plan(of: db, by: options.chain)
      .naming(start.path, asked: options.chain) { rule in try planner.plan(of: db, by: rule) }
    let content = try db.contentBytes()
    plan.room = file.room(
      content: content, journal: plan.route == .inPlace ? plan.journalBytes : nil,
      keepsBackup: options.keepsBackup)
    // A custom step after another works on a copy of the file that this one made.
    if plan.segments.dropFirst().contains(where: { !$0.isInferred }) {
      plan.room = max(plan.room, content.addingClamped(content))
    }
    if start.path.count > 1 { plan.diagnostics += start.diagnostics }
    plan.diagnostics = try (plan.diagnostics + (plan.isDone ? [] : db.surveyExternalData(of: plan))).ordered
    log(plan, models: models, to: monitor.logger)
    return plan
  }
}

/// At its place in the file of the version that it is about, else of the target.
func located(_ diagnostic: Diagnostic, path: [ModelVersion]) -> Diagnostic {
  let version = path.first { $0.name == diagnostic.subject?.version } ?? path.last
  return version.map { diagnostic.located(in: $0) } ?? diagnostic
}

/// Logs what Core Data's migration debugging logs: the models that were found, the mapping that was chosen and why, and
/// the result.
private func log(_ plan: MigrationPlan, models: [VersionedModel], to logger: Logger) {
  guard logger.logLevel <= .debug else { return }
  for model in models {
    let versions = model.versions.map { "\($0.name) \($0.versionChecksum)" }.joined(separator: ", ")
    logger.debug("model \(model.name): \(versions)")
  }
  logger.debug("store \(plan.store): \(plan.modelName) \(plan.from), \(plan.storeBytes) bytes")
  for step in plan.steps {
    let why = step.isInferred ? "inferred, because it has no mapping model" : "from a mapping model"
    logger.debug("mapping \(step.from) → \(step.to): \(why); route \(step.route.rawValue)")
  }
  for row in plan.entities {
    logger.debug(
      "entity mapping \(row.mapping): \(row.source ?? "-") → \(row.destination ?? "-")",
      metadata: ["rows": "\(row.rows)"])
  }
}

typealias PlannedStore = (plan: MigrationPlan, file: StoreFile)
