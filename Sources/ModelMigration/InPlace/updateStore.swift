import ManagedModel
import PersistentStore

/// Migrates a store where it lies: one durable transaction, in which everything happens or nothing.
///
/// Where the store has changed until the lock was taken, the plan is made again; nil where that one says another route.
///
/// - Parameter first: the plan so far, and the file that it was made for.
/// - Throws: ``MigrationRefusedError``, ``DiagnosticsError``; the store is then what it was.
func updateStore(
  at path: String, models: [VersionedModel], options: MigrationOptions,
  custom: CustomMigrations, first: (plan: MigrationPlan, file: StoreFile), _ findings: [Diagnostic],
  _ clock: inout PhaseClock, progress: (MigrationPhase) throws -> Void
) throws -> MigrationReport? {
  let lock = try StoreLock(
    StoreFile(path: path), busyTimeout: options.busyTimeout, ignoresIdleConnections: options.forcesBusy)
  defer { try? lock.close() }
  let plan =
    try lock.file.isUnchanged(since: first.file)
    ? first.plan
    : lock.read { db in
      try planMigration(
        of: db, store: path, bytes: lock.file.byteCount, models: models, options: options, custom: custom,
        isThorough: false)
    }
  if plan.isBlocked { throw MigrationRefusedError(plan: plan) }
  if plan.isDone { return clock.report(plan, objects: plan.objectBound, findings) }
  if plan.route != .inPlace { return nil }
  try lock.file.requireRoom(journal: plan.journalBytes, keepsBackup: options.keepsBackup)
  // Core Data leaves references that lead nowhere; only more of them than before speak against the result.
  let formerlyDangling = try plan.touchesReferences ? danglingReferences(of: plan, lock, models) : nil
  _ = try examineNames(of: lock.file, route: .inPlace, options: options)
  let before = try lock.read(StoreImprint.init(of:))
  var after: StoreImprint?
  let backup = try options.keepsBackup ? lock.backUp(version: plan.backupLabel) : nil
  var (objects, findings) = (plan.objectBound, findings)
  do {
    try clock.begin(.alter, progress)
    let editsSchema = plan.statementPlan.contains(where: \.editsSchema)
    objects = try lock.update(editingSchema: editsSchema, rewritesRows: plan.touchesRows) { db in
      try apply(plan, to: db)
      try clock.begin(.prove, progress)
      let objects = try proveInPlace(plan, on: db, formerlyDangling: formerlyDangling)
      after = try StoreImprint(of: db)
      try clock.begin(.swap, progress)
      return objects
    }
  } catch {
    switch lock.closeAfterFailure() {
    case before:
      guard let backup, !backup.endUnused(besideStoreAt: lock.file.path) else { throw error }
      throw error.adding(.anotherStore(path, .different, backups: [sibling(of: path, named: backup.path)]))
    case nil:
      // Whoever opens it next takes it back; until then the backup has its mark.
      guard let backup else { throw error }
      throw error.adding(.anotherStore(path, .unreadable, backups: [sibling(of: path, named: backup.path)]))
    case after:
      // The journal's end is what commits. Where the system says that writing it failed, it may stand all the same.
      findings.append(.committedWithError(path, error))
    default:
      backup?.keep()
      let backups = backup.map { [sibling(of: path, named: $0.path)] } ?? []
      throw error.adding(.anotherStore(path, .different, backups: backups))
    }
  }
  backup?.keep()
  // The transaction is over: what closing says changes nothing of that, and the backup belongs to the old store.
  lock.closeAfterChange()
  return clock.report(
    plan, objects: objects, findings, destination: path,
    backup: backup.map { sibling(of: path, named: $0.path) })
}

private func danglingReferences(
  of plan: MigrationPlan, _ lock: StoreLock, _ models: [VersionedModel]
) throws -> Int {
  let source = models.first { $0.name == plan.modelName }?.version(named: plan.from)?.model
  guard let source else { return 0 }
  return try lock.read { db in
    let schema = try bindSchema(readPhysicalSchema(db), to: source).schema
    return try countDanglingReferences(db, schema: schema, model: source)
  }
}

extension Error {
  /// The error's findings, and one more.
  fileprivate func adding(_ diagnostic: Diagnostic) -> DiagnosticsError {
    let findings = (self as? DiagnosticsError)?.diagnostics ?? [.failedInPlace("\(self)")]
    return DiagnosticsError(findings + [diagnostic])
  }
}

extension Diagnostic {
  fileprivate static func failedInPlace(_ reason: String) -> Self {
    Self(.swapFailed, .error, "the migration failed: \(reason)")
  }

  fileprivate static func committedWithError(_ name: String, _ error: any Error) -> Self {
    let reason = (error as? DiagnosticsError)?.diagnostics.first?.message ?? "\(error)"
    return Self(
      .swapFailed, .warning, "'\(name)' was migrated, but the system reported an error at the end: \(reason)",
      notes: ["the new store stands; after a power cut the old one may be found in its place, as whole"])
  }
}
