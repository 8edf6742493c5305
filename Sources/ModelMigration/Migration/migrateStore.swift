import Foundation
import ManagedModel
import PersistentStore

/// What a migration does with its result.
public enum MigrationDestination: Hashable, Sendable {
  /// Swaps it in for the store, which stays beside it as a backup unless the options say otherwise.
  case inPlaceOfStore
  /// Writes it to a file that must not exist, and leaves the store alone.
  case file(String)
  /// Does everything but the swap, and keeps nothing.
  case nowhere
}

/// Migrates a store: recognises its version, plans, chooses the route and carries the plan out.
///
/// A private clone is altered, proved and swapped in by one atomic rename. Until then the store is only read; a failure
/// leaves it byte for byte as it was, with nothing next to it but the copy of a damaged log. In place there is one
/// transaction, which is proved before it is committed.
///
/// - Parameters:
///   - path: the store's file, as the user names it.
///   - models: the store is looked for among the versions of all of them.
/// - Throws: ``MigrationRefusedError`` where the plan says no, ``DiagnosticsError`` where the store is refused, the
///   migration fails or is cancelled (MC6004), ``MigrationValidationError`` where the result of a custom step breaks
///   rules of its model, ``UnknownVersionError`` for a target that no model has.
package func migrateStore(
  at path: String, models: [VersionedModel], to destination: MigrationDestination = .inPlaceOfStore,
  options: MigrationOptions = MigrationOptions(), custom: CustomMigrations = CustomMigrations(),
  monitor: MigrationMonitor = MigrationMonitor()
) throws -> MigrationReport {
  try monitor.watching() {
    let request = MigrationRequest(
      store: path, models: models, options: options, custom: custom, monitor: monitor)
    let run = MigrationRun(request, isDryRun: destination == .nowhere)
    if case .file(let output) = destination { return try run.writeStore(to: output) }
    return try run.migrateStore()
  }
}

extension MigrationRun {
  /// Leaves the result in the store's place; a dry run leaves nothing.
  fileprivate func migrateStore() throws -> MigrationReport {
    try begin(.plan)
    findings = try recoverBeforeMigration(
      ofStoreAt: store, models: request.models, isDryRun: isDryRun, busyTimeout: options.busyTimeout)
    request = try request.joiningModels()
    // What can be refused by reading is refused before anything is locked.
    let first = try request.plan(countsAllRows: isDryRun)
    if first.plan.isBlocked { throw MigrationRefusedError(plan: first.plan) }
    if first.plan.isDone { return report(first.plan) }
    findings += try first.file.examineNames(route: first.plan.route, options: options)
    findings += first.file.examineLog(keepsCopy: options.keepsBackup && !isDryRun)
    // A dry run goes as far as it can without touching the store: on a private file.
    if first.plan.route == .inPlace, !isDryRun, let report = try updateInPlace(first) { return report }
    return try replaceStore(first)
  }

  /// Works on private files and swaps the last one in for the store.
  private func replaceStore(_ first: PlannedStore) throws -> MigrationReport {
    let replacement = try StoreReplacement(
      path: store, busyTimeout: options.busyTimeout, ignoresIdleConnections: options.forcesBusy)
    defer { replacement.cancel() }
    // Where the store has changed until the lock was taken, or another route was planned for it, another plan counts.
    let stands = first.plan.route != .inPlace && replacement.file.isUnchanged(since: first.file)
    let plan =
      try stands
      ? first.plan
      : replacement.read { try request.plan(of: $0, file: replacement.file, onClone: true).unblocked() }
    if plan.isDone { return report(plan) }
    guard let kept = options.keptLosses, !isDryRun else { return try carryOut(plan, replacement) }
    findings += try kept.recoverBeforeWriting()
    return try replacement.keepingStore(at: kept) { try carryOut(plan, replacement) }
  }

  private func carryOut(_ plan: MigrationPlan, _ replacement: StoreReplacement) throws -> MigrationReport {
    // Of a dry run nothing is kept.
    let dryFolder = isDryRun ? try TemporaryFolder("dry-run") : nil
    defer { dryFolder?.remove() }
    let newData = MigratedExternalData(
      forStoreAt: dryFolder.map { $0.path + "/store" } ?? replacement.file.path, like: replacement.file,
      seed: plan.seed, isNew: isDryRun)
    defer { newData.discard() }
    let result = try SegmentRunner(
      run: self, store: replacement, places: places(of: replacement), largeValues: newData
    ).run(plan)
    if isDryRun { return report(plan, result) }
    try begin(.swap)
    try newData.finish(in: result.file)
    let backup = try replacement.commit(backupVersion: options.keepsBackup ? plan.backupLabel : nil)
    newData.keep()
    findings += replacement.warnings.filter { !findings.contains($0) }
    return report(plan, result, destination: store, backup: backup.map { sibling(of: store, named: $0.path) })
  }

  private func places(of replacement: StoreReplacement) -> PrivateStoreFactory {
    let keepsBackup = options.keepsBackup && !isDryRun
    let size = replacement.file.byteCount
    func continues(_ copied: Int64) -> Bool {
      monitor.report(.clone, completed: copied, total: size)
      return !monitor.shouldStop()
    }
    return PrivateStoreFactory(
      clone: {
        try replacement.beginClone(keepsBackup: keepsBackup, seesStore: $0, continues: continues)
      },
      nextFile: { _ in try replacement.beginNextFile() })
  }
}

extension MigrationPlan {
  /// Tells one migration of a store from others, wherever the store lies.
  var seed: String { ([(store as NSString).lastPathComponent] + path).joined(separator: "/") }
}
