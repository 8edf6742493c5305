import Foundation
import GRDB

/// SQLite's check of files, or of tables in them, that nobody changes meanwhile, on a thread and by connections of its own,
/// beside other work: the questions about the rows, which read the whole file as well, or the steps on a clone of it.
final class CheckBeside: @unchecked Sendable {
  /// A file, and the only tables of it that are checked; nil for the whole file.
  struct Part: Sendable {
    var path: String
    var tables: Set<String>?
  }

  private let parts: [Part]
  private let lock = NSLock()
  private var isStopped = false
  /// Stay open as long as the value: closing them drops the locks that this process has on the files.
  private var queues: [DatabaseQueue] = []
  private lazy var work = BackgroundWork { try self.parts.flatMap(self.findings) }

  /// Checks one after the other.
  init(_ parts: [Part]) {
    self.parts = parts
    _ = work
  }

  private func findings(_ part: Part) throws -> [String] {
    let queue = try openQueue(part.path, .immutable, connectionConfiguration(readOnly: true) { _ in })
    lock.withLock { queues.append(queue) }
    return try queue.read { db in
      try db.interrupting(when: { self.lock.withLock { self.isStopped } }) {
        try db.quickCheckFindings(of: part.tables)
      }
    }
  }

  /// Ends it, and waits until it has ended.
  func stop() {
    lock.withLock { isStopped = true }
    _ = try? work.wait()
  }

  /// What it found, once it has ended.
  ///
  /// - Parameter shouldStop: asked several times a second; the check then ends with an error.
  func result(stoppingWhen shouldStop: () -> Bool) throws -> [String] {
    try work.wait { if shouldStop() { lock.withLock { isStopped = true } } } ?? []
  }
}

/// Work on a thread of its own, beside other work; where the system makes no thread, on the one that waits for it.
package final class BackgroundWork<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private let (beginning, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  private let work: @Sendable () throws -> Value
  /// Whoever takes it does the work.
  private let ticket = DispatchSemaphore(value: 0)
  private var outcome: Result<Value, any Error>?

  /// - Parameter detach: makes the thread. Foundation does not say if it cannot.
  package init(
    _ work: @escaping @Sendable () throws -> Value,
    on detach: (@escaping @Sendable () -> Void) -> Void = { Thread.detachNewThread($0) }
  ) {
    self.work = work
    ticket.signal()
    // Not on a queue: the system has as many threads for these as processors, and adds others late, one a second. Where each
    // has a migration that waits for such work, all would wait for it.
    detach { self.begin() }
  }

  private func begin() {
    guard ticket.wait(timeout: .now()) == .success else { return }
    beginning.signal()
    let outcome = Result(catching: work)
    lock.withLock { self.outcome = outcome }
    end.signal()
  }

  /// Waits until it has begun; for a caller that gets the result another way.
  package func waitForBeginning() {
    if beginning.wait(timeout: .now() + 2) == .timedOut { begin() }
    beginning.signal()
  }

  /// Waits for the end, a tenth of a second at a time, and throws what went wrong.
  ///
  /// - Parameter meanwhile: called after each that has not brought it.
  @discardableResult
  func wait(_ meanwhile: () -> Void = {}) throws -> Value? {
    waitForBeginning()
    while end.wait(timeout: .now() + 0.1) == .timedOut { meanwhile() }
    end.signal()
    return try lock.withLock { outcome }?.get()
  }
}
