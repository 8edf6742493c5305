import Foundation
import GRDB
package import ManagedModel

/// Where a store cannot be read, or its tables are not store's, because of a log that is not its own, says that instead.
///
/// Nothing in a file says which log is its own: SQLite takes every log whose frames fit their own checksums. What tells
/// is what the two give: the file is whole without the log, and with it damaged, or another store. A log that SQLite
/// reads to a whole store with the same identity is never called foreign.
func detectingForeignWAL<Result>(besides file: StoreFile, _ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch  where file.wal?.hasFrames == true && meansOtherContents(error) {
    guard file.path.findingsWithoutLog().isEmpty else { throw error }
    throw DiagnosticsError(.foreignLog(file, besides: [reason(error)]))
  }
}

extension OpenedStore {
  /// Refuses with MC5302 a log that makes a damaged store of a whole file, or another store.
  ///
  /// A small store is read for it; of a large one only where what the log says of the file contradicts the file.
  func refuseForeignLog(besides file: StoreFile) throws {
    guard [.exclusive, .privateCopy].contains(access), file.wal?.hasFrames == true,
      let frames = try LogPages(ofLogAt: file.path + "-wal", judging: file.header)
    else { return }
    let contradictions = frames.contradictions(to: file.header)
    guard !contradictions.isEmpty || file.byteCount <= smallFile else { return }
    let damage = try checkFindings { try queue.read { db in try db.quickCheckFindings() } }
    if !damage.isEmpty {
      guard file.path.findingsWithoutLog().isEmpty else { return }
      throw DiagnosticsError(.foreignLog(file, besides: contradictions + damage.prefix(1)))
    }
    // A whole store of another identity may have been copied into this one, through its log; its count then goes on.
    guard frames.contradictsChangeCount(of: file.header),
      let alone = try? readWithoutLog(file.path, { try $0.storeUUID() }),
      let now = try queue.read({ try $0.storeUUID() }), alone != now
    else { return }
    throw DiagnosticsError(
      .foreignLog(file, besides: contradictions + ["with it this is another store: \(now), not \(alone)"]))
  }
}

/// Bytes that are read in passing.
private let smallFile: Int64 = 16 << 20

/// What SQLite's check finds, also where it does not get as far as beginning.
func checkFindings(_ check: () throws -> [String]) throws -> [String] {
  do { return try check() } catch  where meansOtherContents(error) { return [reason(error)] }
}

extension [String] {
  /// What SQLite's own check says against a store: damage, or a log that is not its own.
  package func damageFinding(of name: String, path: String) -> Diagnostic? {
    if isEmpty { return nil }
    guard let file = try? StoreFile(path: path), file.wal?.hasFrames == true,
      path.findingsWithoutLog().isEmpty
    else { return .malformed(name, self) }
    return .foreignLog(file, named: name, besides: Array(prefix(1)))
  }
}

/// What a log says of the file that it belongs to.
extension LogPages {
  func contradictions(to header: StoreHeader) -> [String] {
    if let first = changeCounts.first, let last = changeCounts.last, contradictsChangeCount(of: header) {
      let counts = first == last ? "\(first)" : "\(first) to \(last)"
      return [
        "it was written at change \(counts) of its store, but the file is at change \(header.changeCount)"
      ]
    }
    // Whoever changes the number of pages writes the first one.
    if changeCounts.isEmpty, let pageCount, let own = header.pageCount, pageCount != own {
      return ["its store has \(pageCount) pages, but the file has \(own)"]
    }
    return []
  }

  /// A log begins one after the file that it belongs to, and the file may have been given some of it.
  fileprivate func contradictsChangeCount(of header: StoreHeader) -> Bool {
    guard let first = changeCounts.first, let last = changeCounts.last else { return false }
    return !(first - 1...max(last, first)).contains(header.changeCount)
  }
}

extension String {
  /// What is amiss with a store's file where it is read without its log; empty if it is whole, and Core Data's.
  func findingsWithoutLog() -> [String] {
    do {
      return try readWithoutLog(self) { db in
        try db.requireCoreData(self)
        return try db.quickCheckFindings()
      }
    } catch {
      return [reason(error)]
    }
  }
}

extension Database {
  func storeUUID() throws -> String? { try value("SELECT Z_UUID FROM Z_METADATA") }
}

/// SQLite asks for no log beside a file that it is told nobody changes.
private func readWithoutLog<Result>(_ path: String, _ body: (Database) throws -> Result) throws -> Result {
  guard let status = try FileStatus(atPath: path) else { throw SystemError(ENOENT, "open", path) }
  let hold = DescriptorKeeper.shared.hold(status.identity)
  defer { hold.release() }
  return try withStoreDiagnostics(for: path) {
    let configuration = connectionConfiguration(readOnly: true, byteCount: status.size) { _ in }
    let queue = try openQueue(path, .immutable, configuration)
    defer { try? queue.close() }
    return try queue.read(body)
  }
}

/// Whether an error is about what stands in a store, and not about reaching it.
private func meansOtherContents(_ error: any Error) -> Bool {
  switch error {
  case is ForgedSchema: true
  case let error as DatabaseError:
    [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR].contains(error.resultCode)
  case let error as DiagnosticsError:
    error.diagnostics.contains { [.malformedStore, .notACoreDataStore, .notASQLiteFile].contains($0.code) }
  default: false
  }
}

private func reason(_ error: any Error) -> String {
  switch error {
  case let error as ForgedSchema: "the schema's row '\(error.name)': \(error.reason)"
  case let error as DatabaseError: (error.message ?? error.resultCode.description).lowercased()
  case let error as DiagnosticsError:
    error.diagnostics.first.map { $0.notes.first?.message ?? $0.message } ?? "it cannot be read"
  default: "\(error)"
  }
}

extension Diagnostic.Code { package static let foreignWriteAheadLog = Self("MC5302") }

extension Diagnostic {
  /// - Parameter reasons: what is said of the store with the log.
  fileprivate static func foreignLog(
    _ file: StoreFile, named name: String? = nil, besides reasons: [String]
  ) -> Self {
    foreignLog(of: name ?? file.name, path: file.path, reasons.map { "with it: \($0)" }, alone: [])
  }

  /// - Parameters:
  ///   - path: of the file, every link followed.
  ///   - alone: what is amiss with the file where it is read without the log.
  static func foreignLog(of name: String, path: String, _ reasons: [String], alone: [String]) -> Self {
    let hasLogBesideName = (try? FileStatus(atPath: name + "-wal")) != nil
    let log = hasLogBesideName ? name + "-wal" : path + "-wal"
    let place = (1...999).lazy.map { log + ".aside" + ($0 == 1 ? "" : "-\($0)") }
      .first { (try? FileStatus(atPath: $0)) == nil }
    let command = "`mv \(log.shellWord) \((place ?? log + ".aside-1000").shellWord)`"
    let judgement =
      alone.first.map { "'\(name)' is not intact without it either: \($0)" }
      ?? "without it '\(name)' is intact: SQLite's check passes, and it is a Core Data store"
    return Self(
      .foreignWriteAheadLog, .error, "'\(name)-wal' is not the log of '\(name)'",
      notes: (reasons.prefix(3) + [
        judgement,
        "another store of that name left it, or it belongs to another state of this one; a program that opens the "
          + "store writes it into the file", "nothing was written",
      ]).map { Note($0) },
      help: alone.isEmpty
        ? ["move the log aside, and keep it until you know that the store is right: \(command)"]
        : ["copy '\(name)' and its log together from their source; \(command) moves the log aside"])
  }
}
