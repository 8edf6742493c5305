package import Foundation
package import GRDB
package import ManagedModel

/// The steps in which a finished file takes a store's place, in this order.
package enum SwapStep: Int, CaseIterable, Comparable, Sendable {
  /// The new file gets the store's journal mode and reaches the medium.
  case finish
  /// The old store gets its second name, or is copied.
  case backUp
  /// The old store's log is moved into its file, and its side files go.
  case leaveWAL
  /// One atomic rename: before it there is the old store, after it the new one.
  case rename
  /// The new name reaches the medium.
  case syncFolder

  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The replacement of a store by a new file: nobody else can write to the store from beginning to end, and the old
/// store stands until one rename puts the new one in its place.
///
/// Ends with ``commit(backupVersion:)`` or ``cancel()``, at the latest with the value; unless the swap succeeded,
/// everything that it made, but for the copy of a damaged log, is then removed and the store is what it was.
package final class StoreReplacement: OpenStore {
  package let file: StoreFile
  private let lock: StoreLock
  private var staged: PrivateStore?
  /// Finished files that later ones were filled from: at first a copy of the store, where its log has changes.
  private var formerFiles: [PrivateStore] = []
  private var backup: StoreBackup?
  private var isOver = false
  /// The backup that stays though the swap failed: another program has put something else in the store's place.
  private var keptBackup: String?
  /// What is to be said though the swap succeeded.
  package private(set) var warnings: [Diagnostic] = []
  /// Called before each step; a step whose call throws fails.
  package var willPerform: (SwapStep) throws -> Void = { _ in }

  /// Locks the store; the refusals are those of ``StoreFile`` and ``StoreLock``.
  package init(path: String, busyTimeout: TimeInterval = 1, ignoresIdleConnections: Bool = false) throws {
    lock = try StoreLock(
      StoreFile(path: path), busyTimeout: busyTimeout, ignoresIdleConnections: ignoresIdleConnections)
    file = lock.file
  }

  deinit { cancel() }

  /// Reads the store, changes in its log included.
  package func read<Result>(_ body: (Database) throws -> Result) throws -> Result { try lock.read(body) }

  /// A private clone beside the store, to be altered and then committed.
  ///
  /// - Parameters:
  ///   - keepsBackup: whether room for a backup is needed too.
  ///   - seesStore: whether the clone has the store as schema `source`; the time between its statements may then be that
  ///     of the user's policies.
  ///   - continues: told how many bytes are copied; where it says no, the clone ends with an error.
  package func beginClone(
    keepsBackup: Bool = true, seesStore: Bool = false, continues: (Int64) -> Bool = { _ in true }
  ) throws -> PrivateStore {
    let content = try? lock.read { try $0.contentBytes() }
    try file.requireRoom(
      file.room(content: content ?? file.byteCount, journal: nil, keepsBackup: keepsBackup))
    let clone = try lock.clone(
      to: privatePath(besides: file.path), isBounded: !seesStore, continues: continues)
    guard !isOver, staged == nil else {
      clone.remove()
      throw DiagnosticsError(.swapFailed(file.name, "its replacement has already begun"))
    }
    staged = clone
    if seesStore { try attachStore(to: clone) }
    return clone
  }

  /// A private copy of the store as it is, beside `output`, which must be free, until ``PrivateStore/publish(at:)``.
  package func stageCopy(for output: String) throws -> PrivateStore {
    try requireFree(output)
    return try lock.clone(to: privatePath(besides: output))
  }

  private func attachStore(to new: PrivateStore) throws {
    // Nobody can change the file while the lock is held, so it can be read without one.
    guard file.wal?.hasFrames == true else { return try new.attachSource(file.path) }
    let copy = try lock.clone(to: privatePath(besides: file.path))
    formerFiles.append(copy)
    try copy.finish(.rollback)
    try new.attachSource(copy.path)
  }

  /// A further private file, which sees the one that was staged until now as schema `source`.
  ///
  /// - Parameter isEmpty: whether it is to be filled from that one, and is not a copy of it.
  package func beginNextFile(isEmpty: Bool = false) throws -> PrivateStore {
    guard !isOver, let former = staged else {
      throw DiagnosticsError(.swapFailed(file.name, "nothing was prepared for it"))
    }
    for file in formerFiles { file.remove() }
    formerFiles = [former]
    let new = try former.createNextFile(at: privatePath(besides: file.path), for: file, isEmpty: isEmpty)
    staged = new
    return new
  }

  /// Puts the staged file in the store's place.
  ///
  /// - Parameter backupVersion: the old store's version, for the name of its backup; nil keeps none.
  package func commit(backupVersion: String?) throws -> StoreBackup? {
    guard !isOver, let staged else {
      throw DiagnosticsError(.swapFailed(file.name, "nothing was prepared for it"))
    }
    do {
      try withStoreDiagnostics(for: file.name, .destination) {
        try swap(in: staged, backupVersion: backupVersion)
      }
    } catch {
      cancel()
      guard let kept = keptBackup else { throw error }
      let found = (error as? DiagnosticsError)?.diagnostics ?? [.swapFailed(file.name, "\(error)")]
      throw DiagnosticsError(found + [.anotherStore(file.name, .different, backups: [kept])])
    }
    // From here on the new store stands: nothing is taken back.
    isOver = true
    backup?.keep()
    defer { try? lock.close() }
    try willPerform(.syncFolder)
    do { try synchronizeFolder(parentFolder(of: file.path)) } catch {
      warnings.append(
        .swapFailed, .warning,
        "'\(file.name)' was replaced, but its folder cannot be synced: \(error.reason)",
        notes: ["the new store is in place; after a power failure the old one may be back, complete"])
    }
    // A program that opened the old file just before the swap waits for its lock, which is held until it gives up.
    let others = lock.otherWriters(patience: 30)
    if !others.isEmpty {
      warnings.append(
        .swapFailed, .warning, "'\(file.name)' was replaced while \(others.listed) opened the old file",
        notes: ["what they write is lost, and may damage the new store"], help: ["quit that program now"])
    }
    return backup
  }

  /// Removes what was made and lets go of the store; after the end this does nothing.
  package func cancel() {
    guard !isOver else { return }
    isOver = true
    // The staged file goes last: as long as it is there, the swap has not happened.
    for file in formerFiles { file.remove() }
    try? lock.returnToWAL()
    try? lock.close()
    if let backup, !backup.endUnused(besideStoreAt: file.path) { keptBackup = backup.path }
    staged?.remove()
  }

  private func swap(in staged: PrivateStore, backupVersion: String?) throws {
    UnfinishedFiles.forget(staged.path)
    try willPerform(.finish)
    try staged.finish(file.header.journalForm)
    // What it was filled from has served; after the rename no private file may say that there was none.
    for file in formerFiles { file.remove() }
    try willPerform(.backUp)
    if let backupVersion {
      // Leaving write-ahead mode changes the old file before the swap, and so may whoever knows it by another name.
      backup = try file.makeBackup(
        version: backupVersion, staging: staged.path, mayLink: !file.usesWAL && file.linkCount == 1)
      try synchronizeFolder(parentFolder(of: file.path))
    }
    try willPerform(.leaveWAL)
    // What SQLite does not read of a log is not in the backup either.
    warnings += file.examineLog(keepsCopy: backupVersion != nil)
    try lock.leaveWAL()
    try willPerform(.rename)
    try lock.refuseOtherWriters()
    try rename(staged)
  }

  private func rename(_ staged: PrivateStore) throws {
    guard try FileStatus(atPath: file.path)?.identity == file.status.identity, staged.isInPlace else {
      throw DiagnosticsError(
        .swapFailed(
          file.name, "another program moved or replaced the file",
          "the file that is there now was not changed"))
    }
    guard unsafe Foundation.rename(staged.path, file.path) == 0 else {
      let error = SystemError(errno, "rename", staged.path)
      // A full disk and a missing permission have codes of their own.
      if [ENOSPC, EDQUOT, EACCES, EPERM, EROFS].contains(error.code) { throw error }
      throw DiagnosticsError(.swapFailed(file.name, error.reason))
    }
  }
}

extension Diagnostic.Code { package static let swapFailed = Self("MC6401") }

extension Diagnostic {
  fileprivate static func swapFailed(
    _ name: String, _ reason: String, _ state: Note = "the old store is still there"
  ) -> Diagnostic {
    Diagnostic(.swapFailed, .error, "'\(name)' was not replaced: \(reason)", notes: [state])
  }
}
