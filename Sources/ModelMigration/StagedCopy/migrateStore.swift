import Foundation
public import ManagedModel
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

/// Migrates a store: recognises its version, plans, alters a private clone, proves it and swaps it in.
///
/// Until the swap, which is one atomic rename, the store is read only; whatever fails before leaves it byte for byte
/// what it was, with nothing beside it.
///
/// - Parameters:
///   - path: the store's file, as the user names it.
///   - monitor: sees the progress, and can end the run.
/// - Throws: ``MigrationRefusedError`` where the plan says no, ``DiagnosticsError`` where the store is refused, the
///   migration fails or is cancelled (MC6004), ``UnknownVersionError`` for a target that no model has.
public func migrateStore(
  at path: String, models: [VersionedModel], to destination: MigrationDestination = .inPlaceOfStore,
  options: MigrationOptions = MigrationOptions(), monitor: MigrationMonitor = MigrationMonitor()
) throws -> MigrationReport {
  try monitored(monitor) {
    try migrateStore(at: path, models: models, to: destination, options: options) { phase in
      // Once the swap begins there is nothing to cancel any more.
      try monitor.checkCancellation()
      monitor.report(MigrationProgress(phase: phase))
    }
  }
}

private func migrateStore(
  at path: String, models: [VersionedModel], to destination: MigrationDestination,
  options: MigrationOptions, progress: (MigrationPhase) throws -> Void
) throws -> MigrationReport {
  var clock = PhaseClock()
  switch destination {
  case .inPlaceOfStore, .nowhere:
    return try replaceStore(
      at: path, models: models, isDryRun: destination == .nowhere, options: options, &clock,
      progress: progress)
  case .file(let output):
    return try writeMigratedStore(
      from: path, to: output, models: models, options: options, &clock, progress: progress)
  }
}

private func replaceStore(
  at path: String, models: [VersionedModel], isDryRun: Bool, options: MigrationOptions,
  _ clock: inout PhaseClock,
  progress: (MigrationPhase) throws -> Void
) throws -> MigrationReport {
  try clock.begin(.plan, progress)
  let findings = try recoverBeforeMigration(
    ofStoreAt: path, isDryRun: isDryRun, busyTimeout: options.busyTimeout)
  // What can be refused by reading is refused before anything is locked.
  let first = try planMigration(ofStoreAt: path, models: models, options: options)
  if first.isBlocked { throw MigrationRefusedError(plan: first) }
  if first.isCurrent {
    return clock.report(first, objects: first.entities.map(\.rows).reduce(0, +), findings)
  }
  let replacement = try StoreReplacement(
    path: path, busyTimeout: options.busyTimeout, ignoresIdleConnections: options.forcesBusy)
  defer { replacement.cancel() }
  // The store may have changed until the lock was taken: this plan is the one that counts.
  let plan = try replacement.read { db in
    try planMigration(of: db, store: path, bytes: first.storeBytes, models: models, options: options)
  }
  if plan.isBlocked { throw MigrationRefusedError(plan: plan) }
  if plan.isCurrent { return clock.report(plan, objects: plan.entities.map(\.rows).reduce(0, +)) }
  try clock.begin(.clone, progress)
  let clone = try replacement.beginClone(keepsBackup: options.keepsBackup && !isDryRun)
  let objects = try alterAndProve(clone, plan, models: models, &clock, progress: progress) { count in
    try replacement.read(count)
  }
  if isDryRun { return clock.report(plan, objects: objects, findings) }
  try clock.begin(.swap, progress)
  let backup = try replacement.commit(backupVersion: options.keepsBackup ? plan.from : nil)
  return clock.report(
    plan, objects: objects, findings + replacement.warnings, destination: path,
    backup: backup.map { sibling(of: path, named: $0.path) })
}

/// A file beside the store, written as the store is; beside the real store where the path is a link.
private func sibling(of path: String, named file: String) -> String {
  if (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil { return file }
  let folder = (path as NSString).deletingLastPathComponent
  return (folder as NSString).appendingPathComponent((file as NSString).lastPathComponent)
}

private func writeMigratedStore(
  from path: String, to output: String, models: [VersionedModel], options: MigrationOptions,
  _ clock: inout PhaseClock,
  progress: (MigrationPhase) throws -> Void
) throws -> MigrationReport {
  try clock.begin(.plan, progress)
  let connection = try openStore(path, among: models, busyTimeout: options.busyTimeout)
  func makePlan(_ db: StoreDatabase) throws -> MigrationPlan {
    let bytes = connection.file.byteCount
    let plan = try planMigration(of: db, store: path, bytes: bytes, models: models, options: options)
    if plan.isBlocked { throw MigrationRefusedError(plan: plan) }
    return plan
  }
  _ = try connection.read(makePlan)
  try clock.begin(.clone, progress)
  let clone = try connection.stage(for: output)
  defer { clone.discard() }
  // The store goes on living: the plan that counts is the one for what was cloned.
  let plan = try clone.read(makePlan)
  let objects = try alterAndProve(clone, plan, models: models, &clock, progress: progress) { count in
    try connection.read(count)
  }
  try clock.begin(.swap, progress)
  let externalData = try copyExternalData(ofStoreAt: connection.file.path, toStoreAt: output)
  do {
    try clone.finish(connection.file.header.journalForm)
    try clone.publish(at: output)
  } catch {
    if let externalData { try? FileManager.default.removeItem(atPath: externalData) }
    throw error
  }
  try connection.close()
  return clock.report(plan, objects: objects, destination: output)
}

private func alterAndProve(
  _ clone: PrivateStore, _ plan: MigrationPlan, models: [VersionedModel], _ clock: inout PhaseClock,
  progress: (MigrationPhase) throws -> Void, readStore: (_ count: (StoreDatabase) throws -> Int) throws -> Int
) throws -> Int {
  try clock.begin(.alter, progress)
  if !plan.isCurrent { try clone.write { db in try apply(plan, to: db) } }
  try clock.begin(.prove, progress)
  try clone.quickCheck()
  if plan.isCurrent { return plan.entities.map(\.rows).reduce(0, +) }
  let source = models.first { $0.name == plan.modelName }?.version(named: plan.from)?.model
  return try clone.read { db in
    try prove(plan, on: db) {
      guard let source else { return 0 }
      return try readStore { db in
        try countDanglingReferences(
          db, schema: bindSchema(readPhysicalSchema(db), to: source).schema, model: source)
      }
    }
  }
}

/// Times the phases of one run.
private struct PhaseClock {
  private let start = ContinuousClock.now
  private var phases: [(phase: MigrationPhase, start: ContinuousClock.Instant)] = []

  mutating func begin(_ phase: MigrationPhase, _ progress: (MigrationPhase) throws -> Void) rethrows {
    phases.append((phase, .now))
    try progress(phase)
  }

  func report(
    _ plan: MigrationPlan, objects: Int, _ findings: [Diagnostic] = [], destination: String? = nil,
    backup: String? = nil
  ) -> MigrationReport {
    let ends = phases.dropFirst().map(\.start) + [ContinuousClock.now]
    let times = zip(phases, ends).map { begun, end in
      MigrationReport.PhaseTime(phase: begun.phase, seconds: (end - begun.start).seconds)
    }
    return MigrationReport(
      plan: plan, diagnostics: findings, objects: objects, destination: destination, backup: backup,
      seconds: (ContinuousClock.now - start).seconds, phases: times)
  }
}

extension Duration {
  fileprivate var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
