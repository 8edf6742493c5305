import Foundation
public import ManagedModel
public import PersistentStore

/// Finds what an interrupted migration left, undoes half-done changes and removes the rest. Afterwards the store is the
/// old one or the new one, whole, or what somebody else put there. A backup is removed only where the store holds the same
/// data. A second call finds nothing.
///
/// - Parameters:
///   - path: the store's file, as the user names it; for a result that was to be written elsewhere, its file, which
///     then need not exist.
///   - models: to say which version the store has.
///   - busyTimeout: seconds to wait for another program's lock.
/// - Throws: ``DiagnosticsError`` where there is no file (MC0009), the store is in use (MC5305), damaged (MC5002) or no
///   store; where a backup of it was left, with MC6405, which names that.
package func recoverStore(
  at path: String, models: [VersionedModel] = [], isDryRun: Bool = false, busyTimeout: Double = 1
) throws -> RecoveryReport {
  do {
    let file = try StoreFile(path: path)
    return try recover(file, models, isDryRun: isDryRun, busyTimeout: busyTimeout)
  } catch let error as StoreNotFoundError where !error.isFolder {
    // A store that is not there, or a result that was never finished.
    let found = try findLeftovers(ofStoreAt: path)
    let backups = backupNames(found, ofStoreAt: path, named: path)
    if found.isEmpty, backups.isEmpty { throw DiagnosticsError(error.diagnostic) }
    if !isDryRun { try found.remove(ofStoreAt: path, named: path) }
    return report(
      path, FoundLeftovers(found: found), isDryRun: isDryRun,
      diagnostics: backups.isEmpty ? [] : [.anotherStore(path, .missing, backups: backups)])
  } catch let error as StoreNotFoundError {
    throw DiagnosticsError(error.diagnostic)
  } catch {
    throw withBackupsNamed(error, ofStoreAt: path, isDryRun: isDryRun)
  }
}

private func recover(
  _ file: StoreFile, _ models: [VersionedModel], isDryRun: Bool, busyTimeout: Double
) throws -> RecoveryReport {
  let undoesJournal = try file.hasUnfinishedJournal()
  // A journal makes the store unreadable without a change to it.
  let isUnreadable = isDryRun && undoesJournal
  if isUnreadable { try file.requireWholeJournal() }
  var leftovers = FoundLeftovers()
  if isDryRun {
    leftovers =
      try isUnreadable
      ? FoundLeftovers(found: findLeftovers(ofStoreAt: file.path)) : look(file.path, named: file.name, models)
  } else {
    if try undoesJournal || file.hasEmptyJournal() {
      try file.undoUnfinishedChanges(busyTimeout: busyTimeout)
    }
    if try !findLeftovers(ofStoreAt: file.path).isEmpty {
      let lock = try StoreLock(file, busyTimeout: busyTimeout, ignoresIdleConnections: true)
      // Under the lock nobody else is replacing the store.
      leftovers = try clean(file.path, named: file.name, under: lock, models)
      try lock.removeEmptyLog()
      try lock.close()
    } else if try file.hasEmptyLog(),
      let lock = try? StoreLock(file, busyTimeout: busyTimeout, ignoresIdleConnections: true)
    {
      // Where somebody has the store open, the log is his.
      try lock.removeEmptyLog()
      try lock.close()
    }
  }
  let version = try isUnreadable ? nil : versionName(ofStoreAt: file.name, models, leftovers)
  return report(
    file.name, leftovers, version: version, storeExists: true, undidChanges: undoesJournal,
    isDryRun: isDryRun)
}

/// For a file in the store's place that cannot be read: its backups get their names and are reported.
///
/// Nothing is done where the reason is another one, such as another program at work or a full disk.
private func withBackupsNamed(_ error: any Error, ofStoreAt path: String, isDryRun: Bool) -> any Error {
  let findings =
    (error as? DiagnosticsError)?.diagnostics ?? (error as? AtomicStoreError).map { [$0.diagnostic()] }
  let codes: Set<Diagnostic.Code> = [
    .notASQLiteFile, .malformedStore, .notACoreDataStore, .atomicStore, .unreadableWriteAheadLog,
    .foreignWriteAheadLog,
  ]
  guard let findings, findings.contains(where: { codes.contains($0.code) }) else { return error }
  do {
    let resolved = URL(filePath: path).resolvingSymlinksInPath().path
    let found = try findLeftovers(ofStoreAt: resolved)
    let backups = backupNames(found, ofStoreAt: resolved, named: path)
    if backups.isEmpty || found.contains(where: { $0.meaning == .inUse }) { return error }
    if !isDryRun { try (found.filter { $0.meaning == .backupMark }).remove(ofStoreAt: resolved, named: path) }
    return DiagnosticsError(findings + [.anotherStore(path, .unreadable, backups: backups)])
  } catch {
    return error
  }
}

/// All backups beside a store: those whose marks were found, and those that have none.
private func backupNames(_ found: [Leftover], ofStoreAt path: String, named name: String) -> [String] {
  Set(found.keptBackups.compactMap(\.backup) + backups(ofStoreAt: path)).sorted()
    .map { sibling(of: name, named: $0) }
}

/// Clears what an earlier run left before a new one begins.
///
/// - Throws: MC6405 where the store is neither what it was nor what that run was to make of it; its backup then has a
///   name of its own, and a second call finds nothing.
func recoverBeforeMigration(
  ofStoreAt path: String, models: [VersionedModel], isDryRun: Bool, busyTimeout: Double
) throws -> [Diagnostic] {
  // What is not a store is told by the plan, which knows the models.
  guard let file = try? StoreFile(path: path) else { return [] }
  var (undone, leftovers) = ([Diagnostic](), FoundLeftovers())
  if try !isDryRun && file.hasUnfinishedJournal() {
    try file.undoUnfinishedChanges(busyTimeout: busyTimeout)
    undone = [Diagnostic](
      .interruptedMigration, .warning,
      "a program, perhaps a migration, died while it wrote to '\(path)'",
      notes: ["its unfinished changes were rolled back, as SQLite does when the store is opened for writing"])
  }
  if try findLeftovers(ofStoreAt: file.path).isEmpty { return undone }
  if !isDryRun {
    let lock = try StoreLock(file, busyTimeout: busyTimeout, ignoresIdleConnections: true)
    leftovers = try clean(file.path, named: path, under: lock, models)
    try lock.close()
  } else {
    leftovers = try look(file.path, named: path, models)
  }
  if let diagnostic = leftovers.diagnostic(path) { throw DiagnosticsError(diagnostic) }
  let files = leftovers.found.filter { $0.meaning != .inUse }
  let swapHappened = files.allSatisfy { [.backupMark, .valueRecord].contains($0.meaning) }
  let outcome: Diagnostic.Note =
    swapHappened
    ? "it had already swapped the files: the store is the new one, complete"
    : "it had not swapped the files: the store is the old one, complete"
  return undone + (files.isEmpty ? [] : [.interrupted(path, files, outcome, isDryRun: isDryRun)])
}

extension String {
  /// Removes what an earlier run left of a file that it was writing. A backup of a store that was there stays.
  ///
  /// - Returns: the finding that says so, or nothing.
  func recoverBeforeWriting() throws -> [Diagnostic] {
    // A file that is there is not written to.
    if FileManager.default.fileExists(atPath: self) { return [] }
    let found = try findLeftovers(ofStoreAt: self)
    try found.remove(ofStoreAt: self, named: self)
    let files = found.filter { $0.meaning != .inUse }
    let outcome: Diagnostic.Note =
      files.keptBackups.isEmpty
      ? "it was not finished, so the file does not exist" : "the store no longer exists"
    return files.isEmpty ? [] : [.interrupted(self, files, outcome, isDryRun: false)]
  }
}

/// What was left, and which of it shows that the store is not what it should be.
private struct FoundLeftovers {
  var found: [Leftover] = []
  /// Paths of backups.
  var unproved: [String] = []

  func diagnostic(_ name: String) -> Diagnostic? {
    if unproved.isEmpty { return nil }
    return .anotherStore(name, .different, backups: unproved.map { sibling(of: name, named: $0) })
  }
}

private func clean(
  _ path: String, named name: String, under lock: StoreLock, _ models: [VersionedModel]
) throws -> FoundLeftovers {
  let found = try findLeftovers(ofStoreAt: path, reading: lock)
  // The backup is asked before its private name goes.
  let unproved = try found.unprovedBackups(of: lock, models: models)
  try found.remove(ofStoreAt: path, named: name)
  return FoundLeftovers(found: found, unproved: unproved)
}

/// What is left, without a lock.
private func look(_ path: String, named name: String, _ models: [VersionedModel]) throws -> FoundLeftovers {
  let connection = try StoreConnection(path: name)
  defer { try? connection.close() }
  let found = try findLeftovers(ofStoreAt: path, reading: connection)
  return FoundLeftovers(found: found, unproved: try found.unprovedBackups(of: connection, models: models))
}

/// Which version the store has, after SQLite's own check of the file.
private func versionName(
  ofStoreAt path: String, _ models: [VersionedModel], _ leftovers: FoundLeftovers
) throws -> String? {
  do {
    let connection = try openStore(path, among: models)
    try connection.quickCheck()
    let metadata = try connection.read { try $0.readStoreMetadata() }
    try connection.close()
    return recogniseStore(metadata: metadata, among: models).versions.first?.versionName
  } catch  where !leftovers.unproved.isEmpty {
    // What is not sound is said with the backup's name, not instead of it.
    return nil
  }
}

private func report(
  _ path: String, _ leftovers: FoundLeftovers, version: String? = nil, storeExists: Bool = false,
  undidChanges: Bool = false, isDryRun: Bool, diagnostics: [Diagnostic] = []
) -> RecoveryReport {
  let files = leftovers.found.map { leftover in
    RecoveryReport.File(
      path: leftover.path, meaning: leftover.meaning, byteCount: leftover.byteCount,
      backup: leftover.backup.map { sibling(of: path, named: $0) })
  }
  return RecoveryReport(
    store: path, version: version, storeExists: storeExists, undidChanges: undidChanges, files: files,
    backups: backups(ofStoreAt: path).map { sibling(of: path, named: $0) },
    diagnostics: diagnostics + [leftovers.diagnostic(path)].compactMap(\.self), isDryRun: isDryRun)
}

extension Diagnostic.Code { package static let interruptedMigration = Self("MC6404") }

extension Diagnostic {
  fileprivate static func interrupted(
    _ name: String, _ files: [Leftover], _ outcome: Note, isDryRun: Bool
  ) -> Self {
    // Sparse files may say any number of bytes.
    let bytes = files.reduce(Int64(0)) { $0.addingClamped($1.byteCount) }
    let backups = files.keptBackups.compactMap(\.backup).map {
      Note("the previous store is '\(sibling(of: name, named: $0))', which stays")
    }
    return Self(
      .interruptedMigration, .warning, "an earlier migration of '\(name)' was interrupted",
      notes: [outcome] + backups + [
        Note(
          "\(files.count) \(files.count == 1 ? "file" : "files") of \(bytes) bytes that it left "
            + (isDryRun ? "would be removed" : "\(files.count == 1 ? "was" : "were") removed"))
      ])
  }
}

/// What an interrupted migration left, and what recovery did with it.
public struct RecoveryReport: Hashable, Sendable {
  /// The store, as the user names it.
  public let store: String
  /// The version that the store has now; nil if no known model has it, or if there is no store.
  public let version: String?
  /// Whether there is a store of that name at all.
  public let storeExists: Bool
  /// Whether a journal lay beside the store: changes that were half done and were taken back.
  public let undidChanges: Bool
  /// The files, in the order in which they were removed.
  public let files: [File]
  /// The backups beside the store, as the user finds them.
  public let backups: [String]
  /// Where the store is not what an interrupted migration would have it be: that, and where its former content is
  /// (MC6405).
  public let diagnostics: [Diagnostic]
  /// Whether all this was only looked at.
  public let isDryRun: Bool

  /// A file that was left.
  public struct File: Hashable, Sendable {
    /// What an interrupted run left the file as.
    public typealias Meaning = LeftoverMeaning

    /// The file, beside the store.
    public let path: String
    /// What it was found to be, by its name and its content.
    public let meaning: Meaning
    /// The file's size.
    public let byteCount: Int64
    /// For a second name of a backup that stays: the name that it has.
    public let backup: String?
  }

  /// Whether nothing was left.
  public var isEmpty: Bool { files.isEmpty && !undidChanges }
  /// Whether they include files of a migration that is running in another process.
  public var isMigrationRunning: Bool { files.contains { $0.meaning == .inUse } }
}
