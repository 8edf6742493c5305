import Foundation
import GRDB
import ManagedModel

/// By which way a store is read.
package enum StoreAccess: Hashable, Sendable {
  /// Nobody else has it open; the index of its log lives in memory.
  case exclusive
  /// With the locks of a reader: a store without a log, or one that others use.
  case shared
  /// On a medium where nothing can be written, and no log holds changes.
  case immutable
  /// A copy of store and log in a private folder, on a medium where nothing can be written.
  case privateCopy
}

/// An open connection and what has to be cleared when it ends.
struct OpenedStore: Sendable {
  var queue: DatabaseQueue
  var access: StoreAccess
  var hold: DescriptorKeeper.Hold
  /// The empty `-wal` that opening made where there was none.
  var madeWAL: String?
  var temporaryFolder: TemporaryFolder?

  func close() throws {
    // Under the lock that the connection still holds: nobody else can have begun to use it.
    try queue.unsafeRead { _ in try removeEmptyFile(madeWAL) }
    try queue.close()
    hold.release()
    temporaryFolder?.remove()
  }
}

extension StoreFile {
  /// Opens a store for reading so that its bytes, its side files' bytes and its folder's listing stay as they are.
  ///
  /// A plain read-only connection leaves `-wal` and `-shm` behind, a plain read-write one moves the log into the
  /// store when it closes; hence the ways of ``StoreAccess``.
  func openWithoutTrace(busyTimeout: TimeInterval) throws -> OpenedStore {
    guard usesWAL else { return try openReadOnly(self, busyTimeout: busyTimeout) }
    // Someone died while changing the journal mode.
    if try hasUnfinishedJournal() { throw DiagnosticsError(.hotJournal(of: name)) }
    let folder = parentFolder(of: path)
    guard mayWrite(to: path), wal != nil || mayWrite(to: folder) else {
      return try openOnReadOnlyMedium(self, busyTimeout: busyTimeout)
    }
    return try retryingWhileBusy(busyTimeout) {
      do {
        return try openExclusively()
      } catch let error as DatabaseError where error.meansBusy {
        // In use: then its side files exist already. Without them the other one is about to begin or to end.
        guard try hasSideFiles(self) else { throw error }
        return try openReadOnly(self, busyTimeout: busyTimeout)
      }
    }
  }

  /// Opens the store for this process alone; fails as busy where any other connection has it open.
  ///
  /// In exclusive locking mode, set before the first read, the index of the log is kept in memory instead of in a
  /// `-shm` file (sqlite.org/wal.html, 8).
  func openExclusively(_ prepare: @escaping @Sendable (Database) throws -> Void = { _ in }) throws
    -> OpenedStore
  {
    let wal = path + "-wal"
    let madeWAL = try FileStatus(atPath: wal) == nil ? wal : nil
    let hold = DescriptorKeeper.shared.hold(status.identity)
    let configuration = connectionConfiguration(
      readOnly: false, byteCount: self.byteCount, examines: false
    ) { db in
      try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
      try prepare(db)
      do {
        try db.execute(sql: "SELECT count(*) FROM sqlite_master")
        try db.examineSchema(byteCount: self.byteCount)
      } catch {
        try removeEmptyFile(madeWAL)
        throw error
      }
    }
    let queue = try openQueue(path, .readWrite, configuration)
    return OpenedStore(queue: queue, access: .exclusive, hold: hold, madeWAL: madeWAL)
  }
}

/// Tries again until the time is over.
func retryingWhileBusy<Result>(_ timeout: TimeInterval, _ body: () throws -> Result) throws -> Result {
  let end = DispatchTime.now() + timeout
  while true {
    do {
      return try body()
    } catch let error as DatabaseError where error.meansBusy && DispatchTime.now() < end {
      Thread.sleep(forTimeInterval: 0.02)
    }
  }
}

/// - Parameter access: shared or immutable.
private func openReadOnly(
  _ file: StoreFile, _ access: StoreAccess = .shared, busyTimeout: TimeInterval
) throws -> OpenedStore {
  let hold = DescriptorKeeper.shared.hold(file.status.identity)
  let configuration = connectionConfiguration(
    readOnly: true, busyTimeout: busyTimeout, byteCount: file.byteCount
  ) { _ in }
  let queue = try openQueue(file.path, access == .shared ? .readOnly : .immutable, configuration)
  return OpenedStore(queue: queue, access: access, hold: hold)
}

private func openOnReadOnlyMedium(_ file: StoreFile, busyTimeout: TimeInterval) throws -> OpenedStore {
  if try hasSideFiles(file) {
    // Perhaps another user's program is writing it; where the side files are of no use, go on.
    do { return try openReadOnly(file, busyTimeout: busyTimeout) } catch is DatabaseError {}
  }
  if file.wal?.hasFrames == true { return try openPrivateCopy(file) }
  return try openReadOnly(file, .immutable, busyTimeout: busyTimeout)
}

private func openPrivateCopy(_ file: StoreFile) throws -> OpenedStore {
  let folder = try TemporaryFolder("store")
  do {
    try requireFreeSpace(file.byteCount, inFolder: folder.path, for: file.name)
    let copy = folder.path + "/store"
    for suffix in ["", "-wal"] {
      let source = try OpenFile(reading: file.path + suffix)
      let before = try source.status()
      try source.copyContents(to: OpenFile(creating: copy + suffix))
      guard try FileStatus(atPath: file.path + suffix) == before else {
        throw DiagnosticsError(.inUse(file.name))
      }
    }
    var opened = try StoreFile(path: copy).openExclusively()
    opened.access = .privateCopy
    opened.temporaryFolder = folder
    return opened
  } catch {
    folder.remove()
    throw error
  }
}

private func hasSideFiles(_ file: StoreFile) throws -> Bool {
  try FileStatus(atPath: file.path + "-wal") != nil && FileStatus(atPath: file.path + "-shm") != nil
}

func removeEmptyFile(_ path: String?) throws {
  guard let path, let status = try FileStatus(atPath: path), status.size == 0 else { return }
  try removeFile(path)
}
