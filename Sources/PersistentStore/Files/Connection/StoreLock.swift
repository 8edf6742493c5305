package import Foundation
package import GRDB
import ManagedModel

/// A user's store held by this process alone, from reading it to replacing or changing it.
///
/// Until something is changed through it, the store is left as it was found, as by ``StoreConnection``.
package final class StoreLock: OpenStore {
  package let file: StoreFile
  let opened: OpenedStore
  private let ignoresIdleConnections: Bool
  private var hasLeftWAL = false

  /// Takes the lock: MC5304 where file or folder cannot be written, MC5305 where another program has the store
  /// open (or, for a store without a log, is reading or writing just now), MC5301 for an unfinished journal.
  ///
  /// A store without a log shows no lock of a connection that rests; where the system tells who has the file open
  /// for writing (Linux), that is MC5305 too: after a swap such a connection would stay with the old file.
  ///
  /// - Parameters:
  ///   - busyTimeout: seconds to wait for other programs.
  ///   - ignoresIdleConnections: whether resting connections to a store without a log are not obstacle.
  package init(
    _ file: StoreFile, busyTimeout: TimeInterval = 1, ignoresIdleConnections: Bool = false
  ) throws {
    self.ignoresIdleConnections = ignoresIdleConnections
    try file.requireWritable()
    // A reader refuses a journal that a writer would silently roll back.
    if try FileStatus(atPath: file.path + "-journal") != nil {
      try StoreConnection(file, busyTimeout: busyTimeout).close()
    }
    let opened = try withStoreDiagnostics(for: file.name) {
      try detectingForeignWAL(besides: file) {
        try retryingWhileBusy(busyTimeout) { try file.lockExclusively() }
      }
    }
    self.opened = opened
    do {
      self.file = try file.reread()
      try file.requireOwnContents(opened)
      try refuseOtherWriters()
    } catch {
      try? opened.close()
      throw error
    }
  }

  deinit { try? opened.close() }

  package func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try withStoreDiagnostics(for: file.name) { try opened.queue.read(body) }
  }

  /// Changes the store where it lies, in one durable transaction: all of it happens, or nothing.
  ///
  /// A store in write-ahead mode keeps it. Where many rows change it is left for the transaction: a log would take
  /// every page once more, and then give it to the file.
  ///
  /// - Parameters:
  ///   - editingSchema: whether the body edits `sqlite_master` itself.
  ///   - rewritesRows: whether the body changes many rows.
  package func update<Result>(
    editingSchema: Bool = false, rewritesRows: Bool = false, _ body: (Database) throws -> Result
  ) throws -> Result {
    try withStoreDiagnostics(for: file.name, .destination) {
      try opened.queue.writeWithoutTransaction { db in
        db.registerTriggerFunctions()
        // The next closing moves the log into the store.
        try db.setFlag(.keepsWALOnClose, false)
        // A page that leaves the cache early has the journal synced before it.
        if rewritesRows { try db.execute(sql: "PRAGMA cache_size = -16000") }
        let leavesWAL = rewritesRows && file.header.journalForm == .writeAhead
        if leavesWAL { try db.leaveWAL() }
        defer { if leavesWAL { try? db.execute(sql: "PRAGMA journal_mode = WAL") } }
        if editingSchema { try db.setFlag(.defensive, false) }
        defer {
          if editingSchema {
            try? db.setFlag(.defensive, true)
            db.clearSchemaCache()
          }
        }
        return try db.inOneTransaction(body)
      }
    }
  }

  /// Lets go of the store after a change that stands. A journal without content, which SQLite leaves behind where it
  /// got over an error, goes; what cannot be done here harms nobody.
  package func closeAfterChange() {
    try? close()
    if (try? file.hasEmptyJournal()) == true { try? file.undoUnfinishedChanges() }
  }

  /// Connections of a store with a log hold a lock all the time, so only one without can have unseen ones. Once it has left its
  /// log it is such a one: a program that opened it meanwhile waits for the lock, would go on in the old file after the swap,
  /// and write its pages into the new store's log, which has the same name.
  func refuseOtherWriters() throws {
    let others = otherWriters(patience: 2)
    if !others.isEmpty { throw DiagnosticsError(.heldOpen(file.name, by: others)) }
  }

  /// - Parameter patience: seconds in which they may end. A process that another has just started holds its parent's files
  ///   until its program is loaded, and one that waits for the lock gives up.
  func otherWriters(patience: Int) -> [String] {
    guard !file.usesWAL || hasLeftWAL, !ignoresIdleConnections else { return [] }
    var others = file.status.identity.otherWriters()
    for _ in 0..<patience * 20 where !others.isEmpty {
      Thread.sleep(forTimeInterval: 0.05)
      others = file.status.identity.otherWriters()
    }
    return others
  }

  /// The last thing before the swap: moves the log into the store's file, sets the file to `journal_mode=DELETE`
  /// and removes side files, so that nothing of the old store can be taken for the new one's.
  func leaveWAL() throws {
    try opened.queue.writeWithoutTransaction { db in
      if file.usesWAL {
        hasLeftWAL = true
        try db.leaveWAL()
      }
      // In exclusive mode SQLite keeps its journal open and deletes it by name when it closes; after the swap that
      // name is the new store's. Without a journal, which defensive mode forbids, it lets go of it now. From here
      // on nothing is written through this connection.
      try db.setFlag(.defensive, false)
      try db.execute(sql: "PRAGMA journal_mode = OFF")
      try db.setFlag(.defensive, true)
      for suffix in ["-wal", "-shm", "-journal"] { try removeFile(file.path + suffix) }
    }
  }

  /// Undoes ``leaveWAL()`` after a swap that failed, as far as it can be undone.
  func returnToWAL() throws {
    guard hasLeftWAL, file.header.journalForm == .writeAhead else { return }
    hasLeftWAL = false
    try opened.queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = DELETE")
      try db.execute(sql: "PRAGMA journal_mode = WAL")
      try db.execute(sql: "SELECT count(*) FROM sqlite_master")
      try removeEmptyFile(opened.madeWAL)
    }
  }

  package func close() throws { try withStoreDiagnostics(for: file.name) { try opened.close() } }

  /// Removes a log without content that somebody else left; under the lock nobody can have begun to use it.
  package func removeEmptyLog() throws {
    try withStoreDiagnostics(for: file.name, .destination) {
      try opened.queue.unsafeRead { _ in try removeEmptyFile(file.path + "-wal") }
    }
  }
}

extension StoreFile {
  /// In exclusive locking mode the lock outlives the transaction that took it.
  func lockExclusively() throws -> OpenedStore {
    try openExclusively() { db in
      try db.set(["synchronous = FULL", "fullfsync = ON", "checkpoint_fullfsync = ON"])
      // Rolled back, because a transaction for writing may fix the page count of an old file's header.
      try db.execute(sql: "BEGIN EXCLUSIVE")
      try db.execute(sql: "ROLLBACK")
    }
  }
}

extension Diagnostic {
  static func heldOpen(_ name: String, by programs: [String]) -> Diagnostic {
    var diagnostic = inUse(name)
    diagnostic.notes = [
      "it is open in \(programs.prefix(3).joined(separator: ", "))\(programs.count > 3 ? " and others" : "")",
      "an open connection would keep using the old file", "nothing was written",
    ]
    diagnostic.help = ["quit that program, then try again; `MigrationOptions.forcesBusy` continues anyway"]
    return diagnostic
  }
}

extension Database {
  /// Commits what the body did, or takes it back where it throws.
  func inOneTransaction<Result>(_ body: (Database) throws -> Result) throws -> Result {
    var result: Result?
    try inTransaction(.immediate) {
      result = try body(self)
      return .commit
    }
    guard let result else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
    return result
  }

  fileprivate func leaveWAL() throws {
    guard try String.fetchOne(self, sql: "PRAGMA journal_mode = DELETE") == "delete" else {
      throw DatabaseError(resultCode: .SQLITE_BUSY)
    }
  }
}
