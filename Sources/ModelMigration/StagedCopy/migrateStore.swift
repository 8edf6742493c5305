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

/// Migrates a store: recognises its version, plans, chooses the route and carries the plan out.
///
/// On the routes that copy, a private clone is altered or a new file filled, proved, and swapped in by one atomic
/// rename: until then the store is read only, and whatever fails before leaves it byte for byte what it was, with
/// nothing beside it. In place there is one transaction, which is proved before it is committed.
///
/// - Parameters:
///   - path: the store's file, as the user names it.
///   - models: the store is looked for among the versions of all of them.
///   - destination: where the result goes.
///   - options: the target, the route, losses that may be.
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
  var findings = try recoverBeforeMigration(
    ofStoreAt: path, models: models, isDryRun: isDryRun, busyTimeout: options.busyTimeout)
  var options = options
  let (models, custom) = try joiningModels(models, custom, forStoreAt: path, options: &options)
  // What can be refused by reading is refused before anything is locked.
  let (first, file) = try planMigration(
    ofStoreAt: path, models: models, options: options, custom: custom, isThorough: isDryRun)
  if first.isBlocked { throw MigrationRefusedError(plan: first) }
  if first.isDone { return clock.report(first, objects: first.objectBound, findings) }
  findings += try examineNames(of: file, route: first.route, options: options)
  // A dry run goes as far as it can without touching the store: on a clone.
  if first.route == .inPlace, !isDryRun {
    if let report = try updateStore(
      at: path, models: models, options: options, custom: custom, first: (first, file), findings, &clock,
      progress: progress)
    {
      return report
    }
  }
  if first.route == .inPlace { options.route = .copy }
  let replacement = try StoreReplacement(
    path: path, busyTimeout: options.busyTimeout, ignoresIdleConnections: options.forcesBusy)
  defer { replacement.cancel() }
  // Where the store has changed until the lock was taken, another plan counts.
  let isUnchanged = first.route != .inPlace && replacement.file.isUnchanged(since: file)
  let plan =
    try isUnchanged
    ? first
    : replacement.read { db in
      try planMigration(
        of: db, store: path, bytes: first.storeBytes, models: models, options: options, custom: custom)
    }
  if plan.isBlocked { throw MigrationRefusedError(plan: plan) }
  if plan.isDone { return clock.report(plan, objects: plan.objectBound, findings) }
  let keepsBackup = options.keepsBackup && !isDryRun
  let places = StagingPlaces(
    clone: { try replacement.beginClone(keepsBackup: keepsBackup) },
    newFile: { try replacement.beginNewFile(keepsBackup: keepsBackup) },
    nextFile: { _ in try replacement.beginNextFile() })
  // Of a dry run nothing is kept.
  let dryFolder = isDryRun ? try TemporaryFolder("dry-run") : nil
  defer { dryFolder?.remove() }
  let newData = MigratedExternalData(
    forStoreAt: dryFolder.map { $0.path + "/store" } ?? replacement.file.path, like: replacement.file,
    seed: seed(of: plan), isNew: isDryRun)
  defer { newData.discard() }
  let runner = SegmentRunner(
    models: models, options: options, custom: custom, storePath: replacement.file.path, places: places,
    newExternalData: newData
  ) { count in try replacement.read(count) }
  let result = try namingDamage(of: replacement) {
    try runner.run(plan) { phase in try clock.begin(phase, progress) }
  }
  if isDryRun { return clock.report(plan, result, findings) }
  try clock.begin(.swap, progress)
  try newData.settle(in: result.file)
  let backup = try replacement.commit(backupVersion: options.keepsBackup ? plan.backupLabel : nil)
  newData.keep()
  return clock.report(
    plan, result, findings + replacement.warnings, destination: path,
    backup: backup.map { sibling(of: path, named: $0.path) })
}

/// A file beside the store, written as the store is; beside the real store where the path is a link.
func sibling(of path: String, named file: String) -> String {
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
  let findings = try recoverBeforeWriting(to: output)
  if options.route == .inPlace {
    throw DiagnosticsError(
      .routeCannotServe("in-place", store: path, reason: "the result is to be another file"))
  }
  var options = options
  if options.route == .auto { options.route = .copy }
  let (models, custom) = try joiningModels(models, custom, forStoreAt: path, options: &options)
  let connection = try openStore(path, among: models, busyTimeout: options.busyTimeout)
  func makePlan(_ db: StoreDatabase) throws -> MigrationPlan {
    let bytes = connection.file.byteCount
    let plan = try planMigration(
      of: db, store: path, bytes: bytes, models: models, options: options, custom: custom)
    if plan.isBlocked { throw MigrationRefusedError(plan: plan) }
    return plan
  }
  let first = try connection.read(makePlan)
  // The store goes on living: what is migrated is a copy, and the plan that counts is the copy's.
  let isCustom = first.segments.contains { !$0.isInferred }
  let staged: PrivateStore
  let plan: MigrationPlan
  if first.route == .newFile, !isCustom, !first.isDone {
    options.route = .newFile
    (staged, plan) = try connection.stageNewFile(for: output, reading: makePlan)
  } else {
    if !isCustom { options.route = .clone }
    staged = try connection.stage(for: output)
    plan = try staged.read(makePlan)
  }
  var files = [staged]
  defer { for file in files { file.remove() } }
  func next(after former: PrivateStore) throws -> PrivateStore {
    let file = try createNextFile(after: former, at: privateName(besides: output), for: connection.file)
    files.append(file)
    return file
  }
  let places = StagingPlaces(
    clone: { staged },
    newFile: { isCustom ? try next(after: staged) : staged },
    nextFile: { former in
      let file = try next(after: former)
      // The new file is filled from the one before it; those before that have served.
      for other in files where other !== former && other !== file { other.remove() }
      files = [former, file]
      return file
    })
  let newData = MigratedExternalData(
    forStoreAt: output, like: connection.file, seed: seed(of: plan), isNew: true)
  defer { newData.discard() }
  let runner = SegmentRunner(
    models: models, options: options, custom: custom, storePath: connection.file.path, places: places,
    newExternalData: newData
  ) { count in try connection.read(count) }
  let result = try namingDamage(of: connection) {
    try runner.run(plan) { phase in try clock.begin(phase, progress) }
  }
  try clock.begin(.swap, progress)
  try newData.copyFiles(ofStoreAt: connection.file.path)
  try newData.settle(in: result.file)
  try result.file.finish(connection.file.header.journalForm)
  // What it was filled from has served; once it has its name no private file may say that it has none.
  for file in files where file !== result.file { file.remove() }
  files = [result.file]
  do { try result.file.publish(at: output) } catch {
    // What others may have found already keeps what belongs to it.
    if result.file.hasName { newData.keep() }
    throw error
  }
  newData.keep()
  files = []
  try connection.close()
  return clock.report(plan, result, findings, destination: output)
}

/// Tells one migration of a store from others, wherever the store lies.
private func seed(of plan: MigrationPlan) -> String {
  ([(plan.store as NSString).lastPathComponent] + plan.path).joined(separator: "/")
}

/// Times the phases of one run.
struct PhaseClock {
  private let start = ContinuousClock.now
  private var phases: [(phase: MigrationPhase, start: ContinuousClock.Instant)] = []

  mutating func begin(_ phase: MigrationPhase, _ progress: (MigrationPhase) throws -> Void) rethrows {
    phases.append((phase, .now))
    try progress(phase)
  }

  func report(
    _ plan: MigrationPlan, _ result: StagedResult, _ findings: [Diagnostic] = [], destination: String? = nil,
    backup: String? = nil
  ) -> MigrationReport {
    report(
      plan, objects: result.objects, findings + result.diagnostics, result, destination: destination,
      backup: backup)
  }

  func report(
    _ plan: MigrationPlan, objects: Int, _ findings: [Diagnostic] = [], _ result: StagedResult? = nil,
    destination: String? = nil, backup: String? = nil
  ) -> MigrationReport {
    let ends = phases.dropFirst().map(\.start) + [ContinuousClock.now]
    let times = zip(phases, ends).map { begun, end in
      MigrationReport.PhaseTime(phase: begun.phase, seconds: (end - begun.start).seconds)
    }
    return MigrationReport(
      plan: plan, diagnostics: findings, objects: objects, destination: destination, backup: backup,
      seconds: (ContinuousClock.now - start).seconds, mappings: result?.mappings ?? [],
      violations: result?.violations ?? [], phases: times)
  }
}

extension Duration {
  fileprivate var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
