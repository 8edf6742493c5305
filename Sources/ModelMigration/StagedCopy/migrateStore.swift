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
///   - progress: called at the beginning of every phase.
/// - Throws: ``MigrationRefusedError`` where the plan says no, ``DiagnosticsError`` where the store is refused or the
///   migration fails, ``UnknownVersionError`` for a target that no model has.
public func migrateStore(
  at path: String, models: [VersionedModel], to destination: MigrationDestination = .inPlaceOfStore,
  options: MigrationOptions = MigrationOptions(), progress: (MigrationPhase) -> Void = { _ in }
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
  progress: (MigrationPhase) -> Void
) throws -> MigrationReport {
  clock.begin(.plan, progress)
  // What can be refused by reading is refused before anything is locked.
  let (first, file) = try planMigration(
    ofStoreAt: path, models: models, options: options, isThorough: isDryRun)
  if first.isBlocked { throw MigrationRefusedError(plan: first) }
  if first.isDone { return clock.report(first, objects: first.objectBound) }
  var options = options
  // A dry run goes as far as it can without touching the store: on a clone.
  if first.route == .inPlace, !isDryRun {
    if let report = try updateStore(
      at: path, models: models, options: options, first: (first, file), &clock, progress: progress)
    {
      return report
    }
    options.route = .copy
  }
  let replacement = try StoreReplacement(path: path, busyTimeout: options.busyTimeout)
  defer { replacement.cancel() }
  // Where the store has changed until the lock was taken, another plan counts.
  let isUnchanged = first.route != .inPlace && replacement.file.isUnchanged(since: file)
  let plan =
    try isUnchanged
    ? first
    : replacement.read { db in
      try planMigration(of: db, store: path, bytes: first.storeBytes, models: models, options: options)
    }
  if plan.isBlocked { throw MigrationRefusedError(plan: plan) }
  if plan.isDone { return clock.report(plan, objects: plan.objectBound) }
  clock.begin(.clone, progress)
  let keepsBackup = options.keepsBackup && !isDryRun
  let clone =
    try plan.route == .newFile
    ? replacement.beginNewFile(keepsBackup: keepsBackup) : replacement.beginClone(keepsBackup: keepsBackup)
  let objects = try alterAndProve(clone, plan, models: models, &clock, progress: progress) { count in
    try replacement.read(count)
  }
  if isDryRun { return clock.report(plan, objects: objects) }
  clock.begin(.swap, progress)
  let backup = try replacement.commit(backupVersion: options.keepsBackup ? plan.from : nil)
  return clock.report(
    plan, objects: objects, destination: path, backup: backup.map { sibling(of: path, named: $0.path) })
}

/// A file beside the store, written as the store is; beside the real store where the path is a link.
func sibling(of path: String, named file: String) -> String {
  if (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil { return file }
  let folder = (path as NSString).deletingLastPathComponent
  return (folder as NSString).appendingPathComponent((file as NSString).lastPathComponent)
}

private func writeMigratedStore(
  from path: String, to output: String, models: [VersionedModel], options: MigrationOptions,
  _ clock: inout PhaseClock,
  progress: (MigrationPhase) -> Void
) throws -> MigrationReport {
  clock.begin(.plan, progress)
  if options.route == .inPlace {
    throw DiagnosticsError(
      .routeCannotServe("in-place", store: path, reason: "the result is to be another file"))
  }
  var options = options
  if options.route == .auto { options.route = .copy }
  let connection = try openStore(path, among: models, busyTimeout: options.busyTimeout)
  func makePlan(_ db: StoreDatabase) throws -> MigrationPlan {
    let bytes = connection.file.byteCount
    let plan = try planMigration(of: db, store: path, bytes: bytes, models: models, options: options)
    if plan.isBlocked { throw MigrationRefusedError(plan: plan) }
    return plan
  }
  let first = try connection.read(makePlan)
  clock.begin(.clone, progress)
  // The store goes on living: the plan that counts is the one for what was cloned.
  let clone: PrivateStore
  let plan: MigrationPlan
  if first.route == .newFile, !first.isDone {
    options.route = .newFile
    (clone, plan) = try connection.newFile(to: output, reading: makePlan)
  } else {
    options.route = .clone
    clone = try connection.clone(to: output)
    plan = try clone.read(makePlan)
  }
  defer { clone.discard() }
  let objects = try alterAndProve(clone, plan, models: models, &clock, progress: progress) { count in
    try connection.read(count)
  }
  clock.begin(.swap, progress)
  let externalData = try copyExternalData(ofStoreAt: connection.file.path, toStoreAt: output)
  do {
    try clone.finish(connection.file.header.journalForm)
  } catch {
    if let externalData { try? FileManager.default.removeItem(atPath: externalData) }
    throw error
  }
  try connection.close()
  return clock.report(plan, objects: objects, destination: output)
}

private func alterAndProve(
  _ clone: PrivateStore, _ plan: MigrationPlan, models: [VersionedModel], _ clock: inout PhaseClock,
  progress: (MigrationPhase) -> Void, readStore: (_ count: (StoreDatabase) throws -> Int) throws -> Int
) throws -> Int {
  clock.begin(.alter, progress)
  if !plan.isDone { try clone.write { db in try apply(plan, to: db) } }
  clock.begin(.prove, progress)
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
struct PhaseClock {
  private let start = ContinuousClock.now
  private var phases: [(phase: MigrationPhase, start: ContinuousClock.Instant)] = []

  mutating func begin(_ phase: MigrationPhase, _ progress: (MigrationPhase) -> Void) {
    phases.append((phase, .now))
    progress(phase)
  }

  func report(
    _ plan: MigrationPlan, objects: Int, destination: String? = nil, backup: String? = nil
  ) -> MigrationReport {
    let ends = phases.dropFirst().map(\.start) + [ContinuousClock.now]
    let times = zip(phases, ends).map { begun, end in
      MigrationReport.PhaseTime(phase: begun.phase, seconds: (end - begun.start).seconds)
    }
    return MigrationReport(
      plan: plan, objects: objects, destination: destination, backup: backup,
      seconds: (ContinuousClock.now - start).seconds, phases: times)
  }
}

extension Duration {
  fileprivate var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
