import Foundation
package import GRDB
package import ManagedModel

/// A store's file that only this process knows of, until it is finished and becomes somebody's.
///
/// Without journal and sync, because a crash loses nothing but the file itself; therefore nothing in it can be
/// rolled back, and after an error it can only be discarded. A file that is not finished is removed with the value.
package final class PrivateStore: StoreReading {
  package let path: String
  /// The user's store, as messages name it.
  private let name: String
  private let file: OpenFile
  private var queue: DatabaseQueue?
  private var source: DatabaseQueue?
  private var sourcePath: String?
  private var earlyCheck: CheckBeside?
  /// Brings what has been written to the medium meanwhile, so that the end has less to wait for. Linux tells each failure of
  /// a descriptor's writes once, there or never.
  private var flush: BackgroundWork<Void>?
  private var state = State.open

  /// Whether the file has the name that it was published under; also after an error, where that name could not be taken
  /// back.
  package private(set) var hasName = false

  private enum State { case open, failed, finished, discarded }

  /// Makes the file, which must not exist, and lets `fill` write its first content.
  ///
  /// - Parameters:
  ///   - original: the file whose owner, permissions and extended attributes it gets.
  ///   - isNew: whether it will stand beside the original, not in its place.
  ///   - byteCount: the size that bounds the time of its statements.
  init(
    at path: String, for name: String, like original: String?, isNew: Bool = false, byteCount: Int64? = nil,
    fill: (OpenFile) throws -> Void,
    prepare: @escaping @Sendable (Database) throws -> Void = { _ in }
  ) throws {
    (self.path, self.name) = (path, name)
    try requireFree(path)
    file = try withStoreDiagnostics(for: name, .destination) {
      // A copy gets its original's permissions; a store of its own has those of any new file.
      try OpenFile(creating: path, mode: original == nil ? 0o666 : 0o600)
    }
    UnfinishedFiles.add(path)
    do {
      try withStoreDiagnostics(for: name, .destination) {
        _ = file.takeMark()
        if let original { try file.takeAttributes(of: OpenFile(reading: original), isNew: isNew) }
        try fill(file)
        if try file.status().size > 0 { try file.setJournalForm(.rollback) }
        queue = try openPrivately(path, byteCount: byteCount, prepare)
      }
    } catch {
      discard()
      throw error
    }
  }

  deinit { discard() }

  package func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try using { queue in try queue.read(body) }
  }

  /// Writes in one transaction; after an error only ``discard()`` is left.
  package func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try using { queue in try queue.writeWithoutTransaction { db in try db.inOneTransaction(body) } }
  }

  /// Throws MC6006 with the first findings where SQLite's own check does not pass.
  package func quickCheck() throws {
    let findings = try read { db in try db.quickCheckFindings() }
    if !findings.isEmpty { throw DiagnosticsError(.unproved(name, findings)) }
  }

  /// The same beside a body that reads the file.
  ///
  /// After an early check the tables that have been written to since are enough; where that one has findings, the whole file
  /// is asked.
  ///
  /// - Parameters:
  ///   - tables: those that were written to; nil for the whole file.
  ///   - shouldStop: whether the run was cancelled, asked several times a second.
  package func quickCheck<Result>(
    of tables: Set<String>? = nil, stoppingWhen shouldStop: () -> Bool, beside body: () throws -> Result
  ) throws -> Result {
    flush = BackgroundWork { [file, flush] in
      try flush?.wait()
      try file.synchronize()
    }
    let earlyCheck = tables == nil ? nil : self.earlyCheck
    let check = CheckBeside([.init(path: path, tables: earlyCheck == nil ? nil : tables)])
    let result: Result
    do { result = try body() } catch {
      check.stop()
      throw error
    }
    let findings = try using { _ in
      let found = try check.result(stoppingWhen: shouldStop)
      // A table that was written to while it was read may look like anything.
      let isSound = earlyCheck.map { (try? $0.result(stoppingWhen: shouldStop)) == [] } ?? true
      return isSound
        ? found : try CheckBeside([.init(path: path)]).result(stoppingWhen: shouldStop)
    }
    if !findings.isEmpty { throw DiagnosticsError(.unproved(name, findings)) }
    return result
  }

  /// Begins SQLite's check of the attached source, whose pages all tables have that nobody writes to, and then of tables
  /// that are finished, beside the work on others; and what was copied goes to the medium. Worth it where most stays as it
  /// is.
  ///
  /// The tables are read from the file while others are written to. Only a new or dropped table or index may move their
  /// pages: ``awaitEarlyCheck(stoppingWhen:)`` comes before.
  package func beginEarlyCheck(of finished: Set<String>) {
    earlyCheck = sourcePath.map { source in
      CheckBeside([.init(path: source)] + (finished.isEmpty ? [] : [.init(path: path, tables: finished)]))
    }
    flush = BackgroundWork { [file] in try file.synchronize() }
  }

  /// What it found is asked for by ``quickCheck(of:stoppingWhen:beside:)``.
  package func awaitEarlyCheck(stoppingWhen shouldStop: () -> Bool) {
    _ = try? earlyCheck?.result(stoppingWhen: shouldStop)
  }

  /// Writes the file anew without free pages, each table's rows together.
  package func compact() throws {
    try using { queue in
      try queue.writeWithoutTransaction { db in
        // SQLite attaches the file that it writes.
        try db.allowingAttachment { try db.execute(sql: "VACUUM main") }
      }
    }
  }

  /// Makes the tables of another file readable as schema `source`; nobody may change that file meanwhile.
  package func attachSource(_ path: String) throws {
    try using { queue in
      try queue.writeWithoutTransaction { db in
        do {
          try db.allowingAttachment {
            try db.execute(sql: "ATTACH DATABASE ? AS source", arguments: [path.uri(.immutable)])
          }
        } catch let error as DatabaseError where error.message?.contains("same text encoding") == true {
          throw DiagnosticsError(
            .writeFailed(name, "SQLite cannot read it with a store of another encoding (UTF-8, UTF-16)"))
        }
        // Lookups of related objects come in no order.
        try db.execute(sql: "PRAGMA source.cache_size = -32000")
        let byteCount = try FileStatus(atPath: path)?.size ?? 0
        try db.examineSchema(schema: "source", byteCount: byteCount)
      }
    }
    sourcePath = path
  }

  /// Reads the attached file by a connection of its own, also while this one is written to.
  package func readSource<Result>(_ body: (Database) throws -> Result) throws -> Result {
    guard let sourcePath else { throw DiagnosticsError(.writeFailed(name, "it has no source")) }
    return try withStoreDiagnostics(for: name, .source) {
      let queue =
        try source ?? openQueue(sourcePath, .immutable, connectionConfiguration(readOnly: true) { _ in })
      source = queue
      return try queue.read(body)
    }
  }

  /// Ends the work: the file is complete, on the medium, without side files, and opens in the given journal mode.
  package func finish(_ form: StoreHeader.JournalForm = .writeAhead) throws {
    earlyCheck?.stop()
    try source?.close()
    (source, earlyCheck) = (nil, nil)
    try using { queue in try queue.close() }
    queue = nil
    try withStoreDiagnostics(for: name, .destination) {
      try flush?.wait()
      if try file.status().size > 0 { try file.setJournalForm(form) }
      try file.synchronize()
    }
    state = .finished
  }

  /// Gives the finished file the name under which others find it; never replaces anything, nor takes up another file's log.
  package func publish(at output: String) throws {
    UnfinishedFiles.forget(path)
    do {
      try withStoreDiagnostics(for: output, .destination) {
        try requireFree(output)
        try addName(output, to: path)
        hasName = true
        try removeFile(path)
        try synchronizeFolder(parentFolder(of: output))
      }
    } catch {
      // What others may have found already goes first.
      if hasName, (try? removeFile(output)) == nil { throw error }
      hasName = false
      try? removeFile(path)
      throw error
    }
  }

  /// Removes the file, unless it is finished; a second time does nothing.
  package func discard() {
    guard state != .finished, state != .discarded else { return }
    remove()
  }

  /// Removes the file, finished or not.
  package func remove() {
    state = .discarded
    earlyCheck?.stop()
    try? source?.close()
    (source, earlyCheck) = (nil, nil)
    try? queue?.close()
    queue = nil
    for suffix in ["", "-journal", "-wal", "-shm"] { try? removeFile(path + suffix) }
    UnfinishedFiles.forget(path)
  }

  /// Whether the path still leads to the file that was made there.
  var isInPlace: Bool { (try? FileStatus(atPath: path))?.identity == file.identity }

  private func using<Result>(_ body: (DatabaseQueue) throws -> Result) throws -> Result {
    guard state == .open, let queue else {
      throw DiagnosticsError(.writeFailed(name, "an earlier step on its new file failed"))
    }
    do {
      return try withStoreDiagnostics(for: name, .destination) { try body(queue) }
    } catch {
      state = .failed
      throw error
    }
  }
}

/// A name in the store's folder, so that a rename is enough to swap; ``findLeftovers(ofStoreAt:)`` knows it by its
/// shape.
package func privatePath(besides store: String) -> String {
  let random = (0..<8).map { _ in String(UInt8.random(in: 0...15), radix: 16) }.joined()
  let path = ".\(store.lastComponent).modelc-\(random)"
  return (parentFolder(of: store) as NSString).appendingPathComponent(path)
}

private func openPrivately(
  _ path: String, byteCount: Int64?, _ prepare: @escaping @Sendable (Database) throws -> Void
) throws -> DatabaseQueue {
  let settings = [
    "locking_mode = EXCLUSIVE", "journal_mode = OFF", "synchronous = OFF",
    // What a freed page held is in the old store as well, which stays or goes as a whole.
    "secure_delete = OFF",
    // Tables of the run's own grow with the store, so they do not stay in memory.
    "temp_store = FILE",
  ]
  let configuration = connectionConfiguration(
    readOnly: false, isDefensive: false, byteCount: byteCount
  ) { db in
    try prepare(db)
    try db.set(settings)
    db.registerTriggerFunctions()
  }
  return try openQueue(path, .readWrite, configuration)
}

extension Diagnostic.Code { package static let unprovedResult = Self("MC6006") }

extension Diagnostic {
  fileprivate static func unproved(_ name: String, _ findings: [String]) -> Diagnostic {
    Diagnostic(
      .unprovedResult, .error, "the new file for '\(name)' does not pass SQLite's check",
      notes: findings.map { Note($0) } + ["the store is unchanged"])
  }
}
