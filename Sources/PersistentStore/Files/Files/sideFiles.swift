import Foundation
import ManagedModel

/// Refuses side files that are dangerous to open: SQLite follows links, waits for pipes, and deletes the file that a journal
/// names as its super-journal.
///
/// It runs before SQLite opens a store, for reading too: the first reader that finds a journal may undo it.
func examineSideFiles(ofStoreAt path: String, named name: String) throws {
  for suffix in ["-journal", "-shm"] {
    guard let status = try FileStatus(atPath: path + suffix), status.kind != .regular else { continue }
    throw DiagnosticsError(
      .notASQLiteFile, "'\(name)\(suffix)' is \(status.kind.words), not a SQLite file",
      notes: ["SQLite would follow it, or wait for it; nothing was read from it"], help: ["remove it"],
      cocoaCode: 134080)
  }
  guard let status = try FileStatus(atPath: path + "-journal") else { return }
  // SQLite writes into a journal, to undo it or to begin another, and so into the file that its other name leads to.
  if status.linkCount > 1 {
    throw DiagnosticsError(
      .unreadableWriteAheadLog, "'\(name)-journal' has a second name: it may belong to another store",
      notes: ["a rollback would write into that other file; nothing was changed"],
      help: ["copy the store and its journal elsewhere, and recover the copy"])
  }
  guard try namesSuperJournal(path + "-journal") else { return }
  throw DiagnosticsError(
    .unreadableWriteAheadLog,
    "'\(name)-journal' belongs to a transaction over several databases, which has a journal of its own",
    notes: [
      "a rollback would delete the file that it names as that journal, whatever that file is; nothing was changed"
    ],
    help: [
      "let the program that wrote it open the store together with its other databases",
      "if no program does that, copy the store without the journal; then check the copy with `modelc verify`",
    ])
}

/// Whether a rollback journal ends like one that names a super-journal: page number, name, the name's length and checksum,
/// and the eight bytes that a journal begins with too (`readSuperJournal` in SQLite's pager.c).
///
/// Length and checksum are not checked: a journal of one store ends with the checksum of a page.
private func namesSuperJournal(_ path: String) throws(SystemError) -> Bool {
  let file = try OpenFile(reading: path)
  let size = try file.status().size
  // Shorter than length, checksum and magic there is no name.
  guard size >= 16 else { return false }
  return try file.read(journalMagic.count, at: size - Int64(journalMagic.count)) == journalMagic
}

/// With what a rollback journal begins.
let journalMagic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
