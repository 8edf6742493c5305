import Foundation
import GRDB
package import ManagedModel

/// On which side of a migration an error of SQLite's came up; the same error means different things there.
package enum StoreRole: Sendable {
  /// The user's store, which is only read.
  case source
  /// A file of ours that becomes the store.
  case destination
}

extension DatabaseError {
  /// Another connection holds a lock, or is recovering the store just now.
  var meansBusy: Bool { [.SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL].contains(resultCode) }
}

extension Diagnostic.Code {
  package static let notASQLiteFile = Self("MC5001")
  package static let malformedStore = Self("MC5002")
  package static let unreadableWriteAheadLog = Self("MC5301")
  package static let storeInUse = Self("MC5305")
  package static let storeReadFailed = Self("MC6002")
  package static let storeWriteFailed = Self("MC6003")
  package static let budgetExceeded = Self("MC6005")
}

// Shared by the whole folder: the same trouble with a file comes up wherever files are touched.
extension Diagnostic {
  static func storeError(_ name: String, _ role: StoreRole, _ error: DatabaseError) -> Diagnostic? {
    // A copy of pages fails without a message.
    let message = error.message == "not an error" ? nil : error.message
    let words = (message ?? error.resultCode.description).lowercased()
    switch (error.resultCode, role) {
    case (_, .source) where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK:
      return .hotJournal(of: name)
    case (.SQLITE_BUSY, _), (.SQLITE_LOCKED, _), (.SQLITE_PROTOCOL, _): return .inUse(name)
    case (.SQLITE_INTERRUPT, _):
      return .exceeded(
        "a statement on '\(name)' was stopped: it took longer than a store of this size can need")
    case (.SQLITE_NOMEM, _), (.SQLITE_TOOBIG, _):
      return .exceeded("'\(name)' holds a value that takes too much memory")
    // A clone has the damage of its original.
    case (.SQLITE_CORRUPT, _): return .malformed(name, [words])
    // A schema that names what no program has; its indexes cannot be read.
    case (.SQLITE_ERROR, .source) where words.hasPrefix("no such collation"): return .malformed(name, [words])
    case (.SQLITE_NOTADB, .source):
      return Diagnostic(
        .notASQLiteFile, .error, "'\(name)' starts like a SQLite file, but its header is damaged",
        cocoaCode: 134080)
    case (.SQLITE_READONLY, _), (.SQLITE_PERM, _), (.SQLITE_AUTH, _): return .readOnly(name, words)
    case (.SQLITE_IOERR, .source), (.SQLITE_CANTOPEN, .source): return .readFailed(name, words)
    // What only reads writes at most a sort's temporary file; else a page number leads beyond any file (`getPageNormal` in
    // pager.c).
    case (.SQLITE_FULL, .source) where !isTemporaryDiskFull:
      return .malformed(name, ["a page refers to a page beyond the end of the file"])
    case (.SQLITE_FULL, _): return .diskFull(name)
    case (.SQLITE_IOERR, .destination), (.SQLITE_CANTOPEN, .destination): return .writeFailed(name, words)
    default: return nil
    }
  }

  private static var isTemporaryDiskFull: Bool {
    (try? freeSpace(inFolder: TemporaryFolder.system.path)).map { $0 < 1 << 20 } ?? false
  }

  static func unreadable(_ name: String, _ error: SystemError) -> Diagnostic {
    switch error.code {
    case EACCES, EPERM:
      Diagnostic(
        .readOnlyStore, .error, "'\(name)' cannot be read: \(error.reason)",
        help: ["run as a user who can read it"])
    case ENOSPC, EDQUOT: .diskFull(name)
    default: .readFailed(name, "cannot \(error.action) it: \(error.reason)")
    }
  }

  static func unwritable(_ name: String, _ error: SystemError) -> Diagnostic {
    let file = error.path.lastComponent
    switch error.code {
    case ENOSPC, EDQUOT: return .diskFull(name)
    // Whoever may write to a store cannot make a file of its owner's or its group's for that.
    case EPERM where error.action.hasPrefix("keep the owner"):
      return .readOnly(name, "you cannot give a new file the owner and the group that it has").with {
        $0.help = ["run this as its owner or as root, or write the result elsewhere: `to: .file(…)`"]
      }
    case EACCES, EPERM, EROFS: return .readOnly(name, "cannot \(error.action) '\(file)': \(error.reason)")
    default: return .writeFailed(name, "cannot \(error.action) '\(file)': \(error.reason)")
    }
  }

  package static func inUse(_ name: String) -> Diagnostic {
    Diagnostic(
      .storeInUse, .error, "'\(name)' is in use by another program",
      notes: ["nothing was written"], help: ["quit the program that has it open, then try again"],
      cocoaCode: 134081)
  }

  static func readOnly(_ name: String, _ reason: String) -> Diagnostic {
    Diagnostic(
      .readOnlyStore, .error, "'\(name)' cannot be changed: \(reason)",
      notes: ["nothing was written"],
      help: ["make it, any '-wal' file and the folder writable, or write elsewhere: `to: .file(…)`"])
  }

  /// The command that saves what can be read of a damaged file.
  static func saving(_ name: String) -> String {
    "`modelc repair \(name.shellWord) -o \((name + ".recovered").shellWord)`"
  }

  package static func malformed(_ name: String, _ findings: [String]) -> Diagnostic {
    let flaw = #/row \d+ missing from index .+|wrong # of entries in index .+/#
    let isOfIndexes = !findings.isEmpty && findings.allSatisfy { $0.wholeMatch(of: flaw) != nil }
    return Diagnostic(
      .malformedStore, .error, "'\(name)' is damaged", notes: findings.map { Note($0) },
      help: [
        isOfIndexes
          ? "rebuild the indexes from the rows: `modelc repair \(name.shellWord) --apply`"
          : "use a backup, or save what is left into a new file: \(saving(name))"
      ],
      cocoaCode: 134180)
  }

  /// A program died while it wrote; SQLite would roll its half-done changes back, which is a change to the file.
  static func hotJournal(of name: String) -> Diagnostic {
    Diagnostic(
      .unreadableWriteAheadLog, .error, "'\(name)-journal' holds an unfinished transaction",
      notes: [
        "a program died while it wrote to '\(name)'; reading the store would have to roll back its changes in the file"
      ],
      help: ["`modelc recover \(name.shellWord)` rolls them back, as the app does when it opens the store"])
  }

  private static func readFailed(_ name: String, _ reason: String) -> Diagnostic {
    Diagnostic(.storeReadFailed, .error, "'\(name)' cannot be read: \(reason)", cocoaCode: 134150)
  }

  static func writeFailed(_ name: String, _ reason: String) -> Diagnostic {
    Diagnostic(
      .storeWriteFailed, .error, "'\(name)' cannot be written: \(reason)",
      notes: ["the store is unchanged"], cocoaCode: 134160)
  }

  private static func diskFull(_ name: String) -> Diagnostic {
    Diagnostic(
      .insufficientDiskSpace, .error, "the disk became full while '\(name)' was written",
      notes: ["the store is unchanged"], help: ["free space on that disk, then try again"])
  }

  private static func exceeded(_ message: String) -> Diagnostic {
    Diagnostic(
      .budgetExceeded, .error, message, notes: ["the store is unchanged"],
      help: ["find out who made this file: its tables may compute values, which Core Data's never do"])
  }
}
