package import Foundation
import GRDB

/// Whether a rollback journal that still counts lies beside a store: a program died while it wrote, and whoever opens
/// the store next for writing takes its half-done changes back.
package func hasUnfinishedJournal(_ file: StoreFile) throws -> Bool {
  try withStoreDiagnostics(for: file.name) {
    guard let journal = try FileStatus(atPath: file.path + "-journal"), journal.size > 0 else { return false }
    return try OpenFile(reading: file.path + "-journal").read(1, at: 0) != [0]
  }
}

/// Takes back what a program left half done in a store's file, as its journal says.
///
/// SQLite does it at the first read of a connection that may write; nothing of the journal is interpreted here.
package func undoUnfinishedChanges(in file: StoreFile, busyTimeout: TimeInterval = 1) throws {
  try withStoreDiagnostics(for: file.name, .destination) {
    try retryingWhileBusy(busyTimeout) {
      let opened = try openExclusively(file) { db in
        for setting in ["synchronous = FULL", "fullfsync = ON"] { try db.execute(sql: "PRAGMA \(setting)") }
        try db.execute(sql: "BEGIN EXCLUSIVE")
        try db.execute(sql: "ROLLBACK")
      }
      try opened.close()
    }
    try synchronizeFolder(parentFolder(of: file.path))
  }
}
