package import Foundation
import GRDB

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
      guard let log = try FileStatus(atPath: path + "-wal") else { return false }
      return log.kind == .regular && log.size == 0
    }
  }

  /// Takes back what a program left half done in a store's file, as its journal says.
  ///
  /// SQLite does it at the first read of a connection that may write; nothing of the journal is interpreted here, but what
  /// it names is refused before (MC5301).
  package func undoUnfinishedChanges(busyTimeout: TimeInterval = 1) throws {
    try withStoreDiagnostics(for: name, .destination) {
      try examineSideFiles(ofStoreAt: path, named: name)
      try retryingWhileBusy(busyTimeout) {
        // SQLite has taken back what counted, but in this mode it leaves the file, even one whose header was never
        // written to the end: what is there now, under the lock, is nobody's.
        let opened = try lockExclusively()
        try opened.queue.unsafeRead { _ in
          if try FileStatus(atPath: path + "-journal")?.kind == .regular {
            try removeFile(path + "-journal")
          }
        }
        try opened.close()
      }
      try synchronizeFolder(parentFolder(of: path))
    }
  }
}
