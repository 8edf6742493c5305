import ManagedModel
import PersistentStore

extension MigrationRun {
  /// Migrates the store where it lies, in one transaction: everything happens or nothing.
  ///
  /// Where the store has changed until the lock was taken, the plan is made again; nil if that one says another
  /// route.
  ///
  /// - Throws: ``MigrationRefusedError``, ``DiagnosticsError``; the store is then what it was.
  func updateInPlace(_ first: PlannedStore) throws -> MigrationReport? {
    let lock = try StoreLock(
      StoreFile(path: store), busyTimeout: options.busyTimeout, ignoresIdleConnections: options.forcesBusy)
    defer { try? lock.close() }
    let plan =
      try lock.file.isUnchanged(since: first.file)
      ? first.plan
      : lock.read { try request.plan(of: $0, file: lock.file, countsAllRows: false).unblocked() }
    if plan.isDone { return report(plan) }
    if plan.route != .inPlace { return nil }
    try lock.file.requireRoom(plan.room)
    // Core Data leaves references to missing objects; only more of them than before speak against the result.
    let formerlyDangling =
      try plan.touchesReferences
      ? lock.read { db in try plan.danglingReferences(in: db) } : nil
    _ = try lock.file.examineNames(route: .inPlace, options: options)
    let before = try lock.read(StoreSignature.init(of:))
    var after: StoreSignature?
    let backup = try options.keepsBackup ? lock.backUp(version: plan.backupLabel) : nil
    var objects = plan.objectBound
    do {
      monitor.expect(plan.expectedPhases)
      try begin(.alter)
      let editsSchema = plan.statementPlan.contains(where: \.editsSchema)
      objects = try lock.update(editingSchema: editsSchema, rewritesRows: plan.touchesRows) { db in
        try apply(plan, to: db, monitor)
        try begin(.prove)
        let (objects, _) = try prove(plan, on: db, monitor) { formerlyDangling ?? 0 }
        after = try StoreSignature(of: db)
        try begin(.swap)
        return objects
      }
    } catch {
      let backups = backup.map { [sibling(of: store, named: $0.path)] } ?? []
      switch lock.closeAfterFailure() {
      case before:
        guard let backup, !backup.endUnused(besideStoreAt: lock.file.path) else { throw error }
        throw error.adding(.anotherStore(store, .different, backups: backups))
      case nil:
        // Whoever opens it next takes it back; until then the backup has its mark.
        guard backup != nil else { throw error }
        throw error.adding(.anotherStore(store, .unreadable, backups: backups))
      case after:
        // The journal's end is what commits. Where the system says that writing it failed, it may stand all the same.
        findings.append(.committedWithError(store, error))
      default:
        backup?.keep()
        throw error.adding(.anotherStore(store, .different, backups: backups))
      }
    }
    backup?.keep()
    // The transaction is over: what closing says changes nothing of that, and the backup belongs to the old store.
    lock.closeAfterChange()
    return report(
      plan, objects: objects, destination: store,
      backup: backup.map { sibling(of: store, named: $0.path) })
  }
}

extension Error {
  fileprivate func adding(_ diagnostic: Diagnostic) -> DiagnosticsError {
    let findings =
      (self as? DiagnosticsError)?.diagnostics
      ?? [Diagnostic(.swapFailed, .error, "the migration failed: \(self)")]
    return DiagnosticsError(findings + [diagnostic])
  }
}

extension Diagnostic {
  fileprivate static func committedWithError(_ name: String, _ error: any Error) -> Self {
    let reason = (error as? DiagnosticsError)?.diagnostics.first?.message ?? "\(error)"
    return Self(
      .swapFailed, .warning, "'\(name)' was migrated, but the system reported an error at the end: \(reason)",
      notes: ["the new store is in place; after a power failure the old one may be back, complete"])
  }
}
