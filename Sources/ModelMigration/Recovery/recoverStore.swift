import Foundation
public import ManagedModel
import PersistentStore

/// Finds what an interrupted migration left, takes back what it left half done, and clears the rest; afterwards the
/// store is the old one or the new one, whole. A second call finds nothing.
///
/// - Parameters:
///   - path: the store's file, as the user names it; for a result that was to be written elsewhere, its file, which
///     then need not exist.
///   - models: to say which version the store has.
///   - isDryRun: only looks.
///   - busyTimeout: seconds to wait for another program's lock.
/// - Throws: ``DiagnosticsError`` where the store is in use (MC5305), damaged (MC5002) or no store.
public func recoverStore(
  at path: String, models: [VersionedModel] = [], isDryRun: Bool = false, busyTimeout: Double = 1
) throws -> RecoveryReport {
  let file: StoreFile
  do {
    file = try StoreFile(path: path)
  } catch let error as StoreNotFoundError {
    guard error.reason == .missing else { throw error }
    let found =
      try isDryRun ? findLeftovers(ofStoreAt: path) : settle(path, named: path, under: nil)
    if found.isEmpty { throw error }
    return report(path, found, isDryRun: isDryRun)
  }
  let hasUndone = try hasUnfinishedJournal(file)
  if isDryRun {
    let found = try hasUndone ? findLeftovers(ofStoreAt: file.path) : look(file.path, named: path)
    // A journal makes the store unreadable without a change to it.
    let version = hasUndone ? nil : try versionName(ofStoreAt: path, models)
    return report(
      path, found, version: version, storeExists: true, undidChanges: hasUndone, isDryRun: true)
  }
  if try hasUndone || hasEmptyJournal(file) { try undoUnfinishedChanges(in: file, busyTimeout: busyTimeout) }
  var found = try findLeftovers(ofStoreAt: file.path)
  if !found.isEmpty {
    let lock = try StoreLock(file, busyTimeout: busyTimeout, ignoresIdleConnections: true)
    // Under the lock nobody else is replacing the store.
    found = try settle(file.path, named: path, under: lock)
    try lock.removeEmptyLog()
    try lock.close()
  } else if try hasEmptyLog(file),
    let lock = try? StoreLock(file, busyTimeout: busyTimeout, ignoresIdleConnections: true)
  {
    // Where somebody has the store open, the log is his.
    try lock.removeEmptyLog()
    try lock.close()
  }
  return report(
    path, found, version: try versionName(ofStoreAt: path, models), storeExists: true,
    undidChanges: hasUndone, isDryRun: false)
}

/// Clears what an earlier run left before a new one begins.
///
/// - Returns: the finding that says so, or nothing.
func recoverBeforeMigration(ofStoreAt path: String, isDryRun: Bool, busyTimeout: Double) throws
  -> [Diagnostic]
{
  // What is no store is told by the plan, which knows the models.
  guard let file = try? StoreFile(path: path) else { return [] }
  var found = try findLeftovers(ofStoreAt: file.path)
  guard !found.isEmpty else { return [] }
  if !isDryRun {
    let lock = try StoreLock(file, busyTimeout: busyTimeout, ignoresIdleConnections: true)
    found = try settle(file.path, named: path, under: lock)
    try lock.close()
  } else {
    found = try look(file.path, named: path)
  }
  let settled = found.filter { $0.meaning != .inUse }
  let swapHappened = settled.allSatisfy { [.backupMark, .valueRecord].contains($0.meaning) }
  let outcome: Diagnostic.Note =
    swapHappened
    ? "its swap had happened: the store was the new one, whole, and its backup stays"
    : "its swap had not happened: the store was the old one, whole"
  return settled.isEmpty ? [] : [.interrupted(path, settled, outcome, isDryRun: isDryRun)]
}

/// Clears what an earlier run left of a file that it was to write.
///
/// - Returns: the finding that says so, or nothing.
func recoverBeforeWriting(to output: String) throws -> [Diagnostic] {
  // A file that is there is not written to.
  if FileManager.default.fileExists(atPath: output) { return [] }
  let found = try settle(output, named: output, under: nil).filter { $0.meaning != .inUse }
  let outcome: Diagnostic.Note = "it was never finished, and did not get its name"
  return found.isEmpty ? [] : [.interrupted(output, found, outcome, isDryRun: false)]
}

/// - Parameter lock: that of the store; nil where there is no store.
private func settle(_ path: String, named name: String, under lock: StoreLock?) throws -> [Leftover] {
  let found = try findLeftovers(ofStoreAt: path, reading: lock)
  try removeLeftovers(found, ofStoreAt: path, named: name)
  return found
}

/// What is left, without a lock.
private func look(_ path: String, named name: String) throws -> [Leftover] {
  let connection = try StoreConnection(path: name)
  defer { try? connection.close() }
  return try findLeftovers(ofStoreAt: path, reading: connection)
}

/// Which version the store has, after SQLite's own check of the file.
private func versionName(ofStoreAt path: String, _ models: [VersionedModel]) throws -> String? {
  let connection = try openStore(path, among: models)
  try connection.quickCheck()
  let metadata = try connection.read(readStoreMetadata)
  try connection.close()
  return recogniseStore(metadata: metadata, among: models).versions.first?.versionName
}

private func report(
  _ path: String, _ found: [Leftover], version: String? = nil, storeExists: Bool = false,
  undidChanges: Bool = false, isDryRun: Bool
) -> RecoveryReport {
  let files = found.compactMap { leftover in
    RecoveryReport.File.Meaning(rawValue: leftover.meaning.rawValue).map {
      RecoveryReport.File(path: leftover.path, meaning: $0, byteCount: leftover.byteCount)
    }
  }
  return RecoveryReport(
    store: path, version: version, storeExists: storeExists, undidChanges: undidChanges, files: files,
    isDryRun: isDryRun)
}

extension Diagnostic.Code {
  public static let interruptedMigration = Self("MC6404")
}

extension Diagnostic {
  fileprivate static func interrupted(
    _ name: String, _ files: [Leftover], _ outcome: Note, isDryRun: Bool
  ) -> Self {
    // Sparse files may say any number of bytes.
    let bytes = files.reduce(Int64(0)) { $0.addingClamped($1.byteCount) }
    return Self(
      .interruptedMigration, .warning, "an earlier migration of '\(name)' was interrupted",
      notes: [
        outcome,
        Note(
          "\(files.count) \(files.count == 1 ? "file" : "files") of \(bytes) bytes that it left "
            + (isDryRun ? "would be removed" : "\(files.count == 1 ? "was" : "were") removed")),
      ])
  }
}
