import CSQLite
import Foundation
package import GRDB

/// How long a connection's statements may work, in seconds: a base, and more for every byte of the store. Genuine
/// migrations need less than a hundredth of it. A small store that needs more was made to keep SQLite busy.
private func timeCeiling(forBytes count: Int64) -> Double { 4 + Double(count) / 500_000 }

/// Ends statements of one connection that take too long or that are cancelled.
///
/// SQLite asks every few thousand steps of its virtual machine. Only the processor's time between two questions about one
/// statement counts: idle and waiting connections spend none, and work between two statements does not count.
final class StatementGuard: @unchecked Sendable {
  var ceiling: Double
  private var spent = 0.0
  /// When the time was taken last, on the clock of which thread.
  fileprivate var last: (thread: UInt, seconds: Double)?
  /// Further reasons to end, the newest last.
  private var questions: [() -> Bool] = []

  /// - Parameter byteCount: of the store that is open, its log included; nil for a file of our own making.
  init(byteCount: Int64?) { ceiling = byteCount.map(timeCeiling) ?? .infinity }

  deinit { GuardRegister.shared.remove(self) }

  /// Sets limits and handler of a connection that must not outlive this value.
  func install(on db: Database) {
    for limit in limits { unsafe sqlite3_limit(db.sqliteConnection, limit.category, limit.value) }
    installHandler(on: db)
  }

  /// Bounds the statements on a store whose tables compute values: a single step of SQLite's may then take long.
  ///
  /// To begin and to end a transaction takes three steps, and must not be ended.
  func watchClosely(_ db: Database, byteCount: Int64) {
    ceiling = min(ceiling, timeCeiling(forBytes: byteCount))
    installHandler(on: db, every: 6)
  }

  /// The handler alone.
  ///
  /// - Parameter steps: after how many of its virtual machine's steps SQLite asks.
  func installHandler(on db: Database, every steps: CInt = 4_000) {
    let connection = unsafe db.sqliteConnection
    GuardRegister.shared.add(self, for: UInt(bitPattern: connection))
    unsafe sqlite3_progress_handler(
      connection, steps,
      { context in
        guard let context = unsafe context else { return 0 }
        let statementGuard = unsafe Unmanaged<StatementGuard>.fromOpaque(context).takeUnretainedValue()
        return statementGuard.shouldStop() ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
    _ = unsafe sqlite3_trace_v2(
      connection, UInt32(SQLITE_TRACE_STMT),
      { _, context, _, text in
        // A trigger within a statement begins with a comment, and is not a new one.
        let isTrigger = unsafe text.map { unsafe $0.load(as: UInt8.self) == UInt8(ascii: "-") } ?? false
        if let context = unsafe context, !isTrigger {
          unsafe Unmanaged<StatementGuard>.fromOpaque(context).takeUnretainedValue().last = nil
        }
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Runs the body while one more question is asked.
  func asking<Result>(_ question: @escaping () -> Bool, _ body: () throws -> Result) rethrows -> Result {
    questions.append(question)
    defer { questions.removeLast() }
    return try body()
  }

  private func shouldStop() -> Bool {
    takeTime(counts: true)
    return spent > ceiling || questions.contains { $0() }
  }

  fileprivate func takeTime(counts: Bool) {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    let now = (thread: currentThread, seconds: Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9)
    if counts, let last, last.thread == now.thread { spent += now.seconds - last.seconds }
    last = now
  }
}

private var currentThread: UInt {
  #if canImport(Darwin)
    unsafe UInt(bitPattern: pthread_self())
  #else
    UInt(pthread_self())
  #endif
}

/// Finds the guard of a connection.
final class GuardRegister: @unchecked Sendable {
  static let shared = GuardRegister()

  /// A class: where an optional struct that holds a weak reference is looked up and not there, the address sanitizer has
  /// seen debug code take what lay on the stack for one.
  private final class Entry {
    weak var statementGuard: StatementGuard?
    let id: ObjectIdentifier

    init(_ statementGuard: StatementGuard) {
      self.statementGuard = statementGuard
      id = ObjectIdentifier(statementGuard)
    }
  }

  private let lock = NSLock()
  private var entries: [UInt: Entry] = [:]

  func add(_ statementGuard: StatementGuard, for connection: UInt) {
    lock.withLock { entries[connection] = Entry(statementGuard) }
  }

  /// Called while the guard goes. No guard is looked at here: holding another one for a moment can be what keeps it, and
  /// it would then go, and come here again, under the lock.
  func remove(_ statementGuard: StatementGuard) {
    let id = ObjectIdentifier(statementGuard)
    lock.withLock { entries = entries.filter { $0.value.id != id } }
  }

  subscript(connection: UInt) -> StatementGuard? { lock.withLock { entries[connection]?.statementGuard } }
}

/// What SQLite may be asked for on a connection of ours (https://sqlite.org/c3ref/c_limit_attached.html).
private let limits: [(category: CInt, value: CInt)] = [
  // Bytes of a value or a row.
  (SQLITE_LIMIT_LENGTH, 200_000_000),
  // Bytes of a statement; the longest of ours rename every index of a large model.
  (SQLITE_LIMIT_SQL_LENGTH, 64_000_000),
  (SQLITE_LIMIT_COLUMN, 2_000),
  (SQLITE_LIMIT_EXPR_DEPTH, 1_000),
  (SQLITE_LIMIT_COMPOUND_SELECT, 500),
  (SQLITE_LIMIT_VDBE_OP, 25_000_000),
  (SQLITE_LIMIT_FUNCTION_ARG, 127),
  (SQLITE_LIMIT_ATTACHED, 0),
  // Bytes; one comparison takes as long as this times the text.
  (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, CInt(longestGlobPattern)),
  (SQLITE_LIMIT_VARIABLE_NUMBER, 32_766),
  (SQLITE_LIMIT_TRIGGER_DEPTH, 1),
  (SQLITE_LIMIT_WORKER_THREADS, 0),
]

/// The longest pattern, in bytes, that is given to SQLite's own comparison.
package let longestGlobPattern = 256

extension Database {
  /// Runs the body while one other file can be attached; what is attached stays so.
  package func allowingAttachment(_ body: () throws -> Void) rethrows {
    // A source that is there counts as well.
    unsafe sqlite3_limit(sqliteConnection, SQLITE_LIMIT_ATTACHED, 2)
    defer { unsafe sqlite3_limit(sqliteConnection, SQLITE_LIMIT_ATTACHED, 0) }
    try body()
  }

  /// For where a row is handed over and comes back: SQLite may not ask once within a row, and what becomes of it is none
  /// of SQLite's work.
  ///
  /// - Parameter counts: whether what went on since the time was taken last is a statement's work.
  package func takeTime(counts: Bool) { ownGuard?.takeTime(counts: counts) }

  private var ownGuard: StatementGuard? { GuardRegister.shared[unsafe UInt(bitPattern: sqliteConnection)] }

  /// Runs the body; a statement in it ends with `SQLITE_INTERRUPT` as soon as `shouldStop` says so, which SQLite asks
  /// every few thousand steps of its virtual machine: some ten thousand times a second.
  package func interrupting<Result>(
    when shouldStop: @escaping () -> Bool, _ body: () throws -> Result
  ) throws -> Result {
    // A connection has one handler, which its guard has taken.
    if let ownGuard { return try ownGuard.asking(shouldStop, body) }
    let statementGuard = StatementGuard(byteCount: nil)
    statementGuard.installHandler(on: self)
    defer {
      unsafe sqlite3_progress_handler(sqliteConnection, 0, nil, nil)
      _ = unsafe sqlite3_trace_v2(sqliteConnection, 0, nil, nil)
    }
    return try statementGuard.asking(shouldStop, body)
  }
}

/// Bounds the memory of all of SQLite's connections together, so that no store takes the machine's.
///
/// The bound holds for the whole process, every use of SQLite in it included: a command sets it for as long as it runs.
/// Within an app it is the app's to set.
///
/// - Returns: the bound before; 0 for none.
package func limitMemory(to byteCount: Int64 = 384 << 20) -> Int64 { sqlite3_hard_heap_limit64(byteCount) }
