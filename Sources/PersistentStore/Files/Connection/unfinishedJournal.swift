package import Foundation
import GRDB
import ManagedModel

extension StoreFile {
  /// Whether a rollback journal that still counts lies beside a store: a program died while it wrote, and whoever opens
  /// the store next for writing takes its half-done changes back.
  package func hasUnfinishedJournal() throws -> Bool {
    try withStoreDiagnostics(for: name) {
      guard let journal = try FileStatus(atPath: path + "-journal"), journal.size > 0 else { return false }
      return try OpenFile(reading: path + "-journal").read(1, at: 0) != [0]
    }
  }

  /// Whether a journal without content lies beside a store: its writer died before it wrote to it, or after it was done.
  package func hasEmptyJournal() throws -> Bool {
    try withStoreDiagnostics(for: name) {
      try FileStatus(atPath: path + "-journal")?.kind == .regular && !hasUnfinishedJournal()
    }
  }

  /// Whether a log without content lies beside a store: its writer died before it wrote to it.
  package func hasEmptyLog() throws -> Bool {
    try withStoreDiagnostics(for: name) {
      let log = try FileStatus(atPath: path + "-wal")
      return log?.kind == .regular && log?.size == 0
    }
  }

  /// Takes back what a program left half done in a store's file, as its journal says.
  ///
  /// SQLite does it at the first read of a connection that may write; of the journal only its heads are read here, and one
  /// that is cut short, or that names another file, is refused before (MC5301).
  package func undoUnfinishedChanges(busyTimeout: TimeInterval = 1) throws {
    try withStoreDiagnostics(for: name, .destination) {
      try examineSideFiles(ofStoreAt: path, named: name)
      try requireWholeJournal()
      try retryingWhileBusy(busyTimeout) {
        // SQLite has taken back what counted, but in this mode it leaves the file, even one whose header was never
        // written to the end: what is there now, under the lock, is nobody's.
        let opened = try lockExclusively()
        try opened.queue.unsafeRead { _ in
          if try FileStatus(atPath: path + "-journal")?.kind == .regular { try removeFile(path + "-journal") }
        }
        try opened.close()
      }
      try synchronizeFolder(parentFolder(of: path))
    }
  }

  /// - Throws: `DiagnosticsError` with MC5301 where the journal is cut short: it cannot be rolled back.
  package func requireWholeJournal() throws {
    guard try isJournalCutShort() else { return }
    throw DiagnosticsError(
      .unreadableWriteAheadLog, "'\(name)-journal' is cut short: it lacks pages that it counts",
      notes: ["a rollback could mix two states of the store, and deletes the journal; nothing was changed"],
      help: ["restore a backup, or copy the store with its journal before another program opens it"])
  }

  /// Whether the journal counts more pages than it holds, in any of its segments, each with a head of its own. SQLite writes
  /// the number once all are there, and none where it does not sync; it would bring back those that are left, and delete
  /// the journal.
  private func isJournalCutShort() throws -> Bool {
    guard try hasUnfinishedJournal() else { return false }
    let journal = try OpenFile(reading: path + "-journal")
    let first = try journal.read(28, at: 0)
    var (head, start) = (first, Int64(0))
    while head.count == 28, head.starts(with: journalMagic) {
      let numbers = [8, 20, 24].map { Int64(head.number(at: $0, bytes: 4)) }
      let (count, sectorSize, pageSize) = (numbers[0], numbers[1], numbers[2])
      guard count > 0, count < 0xFFFF_FFFF, sectorSize > 0, max(sectorSize, pageSize) <= 65_536 else { break }
      let length = sectorSize + count * (pageSize + 8)
      // A program at work may have begun another one since.
      if try journal.status().size - start < length { return try journal.read(28, at: 0) == first }
      // The next head begins a sector.
      start = start.addingClamped((length + sectorSize - 1) / sectorSize * sectorSize)
      head = try journal.read(28, at: start)
    }
    return false
  }
}
