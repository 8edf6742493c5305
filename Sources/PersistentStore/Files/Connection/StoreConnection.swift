package import Foundation
package import GRDB
package import ManagedModel

/// A user's store, open for reading and left without a trace: the bytes of store and log and the listing of the
/// folder are afterwards what they were before.
///
/// Nothing that the store brings along runs (triggers, views), and nothing can be written through it.
package final class StoreConnection: OpenStore, Sendable {
  package let file: StoreFile
  let opened: OpenedStore

  /// Opens the file; see ``StoreFile`` for what is refused before, MC5003 for a SQLite file that is not a store,
  /// MC5002 for a damaged one, MC5305 for one that stays locked.
  ///
  /// - Parameter busyTimeout: seconds to wait for another program's lock.
  package convenience init(path: String, busyTimeout: TimeInterval = 1) throws {
    try self.init(StoreFile(path: path), busyTimeout: busyTimeout)
  }

  package init(_ file: StoreFile, busyTimeout: TimeInterval = 1) throws {
    let opened = try withStoreDiagnostics(for: file.name) {
      try detectingForeignWAL(besides: file) { try file.openWithoutTrace(busyTimeout: busyTimeout) }
    }
    self.opened = opened
    do {
      self.file = opened.access == .exclusive ? try file.reread() : file
      try file.requireOwnContents(opened)
    } catch {
      try? opened.close()
      throw error
    }
  }

  deinit { try? opened.close() }

  package var access: StoreAccess { opened.access }

  /// Reads in one transaction: what the body sees belongs together, though others may write meanwhile.
  package func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try withStoreDiagnostics(for: file.name) { try opened.queue.read(body) }
  }

  /// Reads this store and another one together. Damage is said of the one that has it: an error does not tell its connection,
  /// so SQLite's check does.
  package func read<Result>(
    with other: StoreConnection, _ body: (Database, Database) throws -> Result
  ) throws -> Result {
    try read { db in
      try withStoreDiagnostics(for: other.file.name) {
        try other.opened.queue.read { second in
          do { return try body(db, second) } catch let error as DatabaseError {
            let isOther = (try? second.quickCheckFindings())?.isEmpty != true
            return try withStoreDiagnostics(for: isOther ? other.file.name : file.name) { throw error }
          }
        }
      }
    }
  }

  /// Throws MC5002 with the first findings where SQLite's own check does not pass, MC5302 where a log that is not the
  /// store's own is the reason.
  package func quickCheck() throws { if let damage = try damage() { throw DiagnosticsError(damage) } }

  /// What a migration would be refused for now: another program that has the store open; nil if none can be seen.
  ///
  /// - Parameter ignoresIdle: whether resting connections to a store without a log are not obstacle.
  package func holdOfOthers(ignoresIdle: Bool) -> Diagnostic? {
    guard mayWrite(to: file.path) else { return nil }
    if file.usesWAL { return access == .shared ? .inUse(file.name) : nil }
    let others = ignoresIdle ? [] : file.status.identity.otherWriters()
    return others.isEmpty ? nil : .heldOpen(file.name, by: others)
  }

  /// Ends the connection and removes what opening had to make; at the latest this happens with the value.
  package func close() throws { try withStoreDiagnostics(for: file.name) { try opened.close() } }
}

extension StoreFile {
  /// Refuses what is no store of Core Data's, and a log that is not the store's own.
  func requireOwnContents(_ opened: OpenedStore) throws {
    try withStoreDiagnostics(for: name) {
      try detectingForeignWAL(besides: self) { try opened.queue.read { db in try db.requireCoreData(name) } }
      try opened.refuseForeignLog(besides: self)
    }
  }
}

extension Database {
  /// Refuses SQLite files that Core Data did not make.
  func requireCoreData(_ name: String) throws {
    let found: [String] = try values(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('Z_METADATA', 'Z_PRIMARYKEY')")
    let missing = ["Z_METADATA", "Z_PRIMARYKEY"].filter { !found.contains($0) }
    guard !missing.isEmpty else { return }
    let tables = missing.map { "'\($0)'" }.joined(separator: " and ")
    throw DiagnosticsError(
      .notACoreDataStore, "'\(name)' is a SQLite file, but not a Core Data store",
      notes: [Diagnostic.Note("it has no \(missing.count == 1 ? "table" : "tables") \(tables)")],
      cocoaCode: 134010)
  }
}

extension Diagnostic.Code { package static let notACoreDataStore = Self("MC5003") }

/// A user's store that is open, whatever for.
package protocol OpenStore: StoreReading {
  var file: StoreFile { get }
}

extension OpenStore {
  /// What SQLite's own check says against the store: damage (MC5002), or a log that is not its own (MC5302).
  package func damage() throws -> Diagnostic? {
    let findings = try checkFindings { try read { db in try db.quickCheckFindings() } }
    return findings.damageFinding(of: file.name, path: file.path)
  }
}
