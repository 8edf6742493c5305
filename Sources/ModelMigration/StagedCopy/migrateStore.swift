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
///   - custom: mapping models and policies, where inference is not all.
///   - monitor: sees the progress, and can end the run.
/// - Throws: ``MigrationRefusedError`` where the plan says no, ``DiagnosticsError`` where the store is refused, the
///   migration fails or is cancelled (MC6004), ``MigrationValidationError`` where the result of a custom step breaks
///   rules of its model, ``UnknownVersionError`` for a target that no model has.
public func migrateStore(
  at path: String, models: [VersionedModel], to destination: MigrationDestination = .inPlaceOfStore,
  options: MigrationOptions = MigrationOptions(), custom: CustomMigrations = CustomMigrations(),
  monitor: MigrationMonitor = MigrationMonitor()
) throws -> MigrationReport {
  try monitored(monitor) {
    try migrateStore(at: path, models: models, to: destination, options: options, custom: custom) { phase in
      // Once the swap begins there is nothing to cancel any more.
      try monitor.checkCancellation()
      monitor.report(MigrationProgress(phase: phase))
    }
  }
}

private func migrateStore(
  at path: String, models: [VersionedModel], to destination: MigrationDestination,
  options: MigrationOptions, custom: CustomMigrations, progress: (MigrationPhase) throws -> Void
) throws -> MigrationReport {
  var clock = PhaseClock()
  switch destination {
  case .inPlaceOfStore, .nowhere:
    return try replaceStore(
      at: path, models: models, isDryRun: destination == .nowhere, options: options, custom: custom, &clock,
      progress: progress)
  case .file(let output):
    return try writeMigratedStore(
      from: path, to: output, models: models, options: options, custom: custom, &clock, progress: progress)
  }
}

private func replaceStore(
  at path: String, models: [VersionedModel], isDryRun: Bool, options: MigrationOptions,
  custom: CustomMigrations, _ clock: inout PhaseClock,
  progress: (MigrationPhase) throws -> Void
) throws -> MigrationReport {
  try clock.begin(.plan, progress)
  // What can be refused by reading is refused before anything is locked.
  let first = try planMigration(ofStoreAt: path, models: models, options: options, custom: custom)
  if first.isBlocked { throw MigrationRefusedError(plan: first) }
  if first.isNothingToDo { return clock.report(first, objects: first.entities.map(\.rows).reduce(0, +)) }
  let replacement = try StoreReplacement(path: path, busyTimeout: options.busyTimeout)
  defer { replacement.cancel() }
  // The store may have changed until the lock was taken: this plan is the one that counts.
  let plan = try replacement.read { db in
    try planMigration(
      of: db, store: path, bytes: first.storeBytes, models: models, options: options, custom: custom)
  }
  if plan.isBlocked { throw MigrationRefusedError(plan: plan) }
  if plan.isNothingToDo { return clock.report(plan, objects: plan.entities.map(\.rows).reduce(0, +)) }
  let keepsBackup = options.keepsBackup && !isDryRun
  let places = StagingPlaces(
    clone: { try replacement.beginClone(keepsBackup: keepsBackup) },
    newFile: { try replacement.beginNewFile(keepsBackup: keepsBackup) },
    nextFile: { _, _ in try replacement.beginNextFile() })
  let runner = SegmentRunner(
    models: models, options: options, custom: custom, storePath: replacement.file.path, places: places
  ) { count in try replacement.read(count) }
  let result = try runner.run(plan) { phase in try clock.begin(phase, progress) }
  if isDryRun { return clock.report(plan, result) }
  try clock.begin(.swap, progress)
  let backup = try replacement.commit(backupVersion: options.keepsBackup ? plan.from : nil)
  return clock.report(
    plan, result, destination: path, backup: backup.map { sibling(of: path, named: $0.path) })
}

/// A file beside the store, written as the store is; beside the real store where the path is a link.
private func sibling(of path: String, named file: String) -> String {
  if (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil { return file }
  let folder = (path as NSString).deletingLastPathComponent
  return (folder as NSString).appendingPathComponent((file as NSString).lastPathComponent)
}

private func writeMigratedStore(
  from path: String, to output: String, models: [VersionedModel], options: MigrationOptions,
  custom: CustomMigrations, _ clock: inout PhaseClock,
  progress: (MigrationPhase) throws -> Void
) throws -> MigrationReport {
  try clock.begin(.plan, progress)
  let connection = try openStore(path, among: models, busyTimeout: options.busyTimeout)
  func makePlan(_ db: StoreDatabase) throws -> MigrationPlan {
    let bytes = connection.file.byteCount
    let plan = try planMigration(
      of: db, store: path, bytes: bytes, models: models, options: options, custom: custom)
    if plan.isBlocked { throw MigrationRefusedError(plan: plan) }
    return plan
  }
  let first = try connection.read(makePlan)
  // The store goes on living: what is migrated is a clone, and the plan that counts is the clone's.
  let isCustom = first.segments.contains { !$0.isInferred }
  let clone = try connection.clone(to: isCustom ? privateName(besides: output) : output)
  var files = [clone]
  defer { for file in files { file.remove() } }
  let plan = try clone.read(makePlan)
  let places = StagingPlaces(
    clone: { clone },
    newFile: {
      let isLast = plan.segments.dropFirst().allSatisfy(\.isInferred)
      let file = try createNextFile(after: clone, at: isLast ? output : nil, for: connection.file)
      files.append(file)
      return file
    },
    nextFile: { former, isLast in
      let file = try createNextFile(after: former, at: isLast ? output : nil, for: connection.file)
      // The new file is filled from the one before it; those before that have served.
      for other in files where other !== former { other.remove() }
      files = [former, file]
      return file
    })
  let runner = SegmentRunner(
    models: models, options: options, custom: custom, storePath: connection.file.path, places: places
  ) { count in try connection.read(count) }
  let result = try runner.run(plan) { phase in try clock.begin(phase, progress) }
  try clock.begin(.swap, progress)
  let externalData = try copyExternalData(ofStoreAt: connection.file.path, toStoreAt: output)
  do {
    for file in files where file !== result.file { file.remove() }
    files = [result.file]
    try result.file.finish(connection.file.header.journalForm)
    files = []
  } catch {
    if let externalData { try? FileManager.default.removeItem(atPath: externalData) }
    throw error
  }
  try connection.close()
  return clock.report(plan, result, destination: output)
}

/// Times the phases of one run.
private struct PhaseClock {
  private let start = ContinuousClock.now
  private var phases: [(phase: MigrationPhase, start: ContinuousClock.Instant)] = []

  mutating func begin(_ phase: MigrationPhase, _ progress: (MigrationPhase) throws -> Void) rethrows {
    phases.append((phase, .now))
    try progress(phase)
  }

  func report(_ plan: MigrationPlan, objects: Int) -> MigrationReport {
    report(plan, objects: objects, nil, destination: nil, backup: nil)
  }

  func report(
    _ plan: MigrationPlan, _ result: StagedResult, destination: String? = nil, backup: String? = nil
  ) -> MigrationReport {
    report(plan, objects: result.objects, result, destination: destination, backup: backup)
  }

  private func report(
    _ plan: MigrationPlan, objects: Int, _ result: StagedResult?, destination: String?, backup: String?
  ) -> MigrationReport {
    let ends = phases.dropFirst().map(\.start) + [ContinuousClock.now]
    let times = zip(phases, ends).map { begun, end in
      MigrationReport.PhaseTime(phase: begun.phase, seconds: (end - begun.start).seconds)
    }
    return MigrationReport(
      plan: plan, objects: objects, destination: destination, backup: backup,
      seconds: (ContinuousClock.now - start).seconds, diagnostics: result?.diagnostics ?? [],
      mappings: result?.mappings ?? [], violations: result?.violations ?? [], phases: times)
  }
}

extension Duration {
  fileprivate var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
