import Foundation
import GRDB

/// SQLite's check of a file that nobody changes, on a thread and a connection of its own, beside other work: the questions
/// about the rows, which read the whole file as well, or the steps on a clone of it.
final class CheckBeside: @unchecked Sendable {
  private let lock = NSLock()
  private let end = DispatchSemaphore(value: 0)
  private var isStopped = false
  private var outcome: Result<[String], any Error> = .success([])
  /// Stays open as long as the value: closing it drops the locks that this process has on the file.
  private var queue: DatabaseQueue?

  /// - Parameter tables: the only ones that are checked; nil for the whole file.
  init(ofFileAt path: String, of tables: Set<String>? = nil) {
    DispatchQueue.global(qos: .userInitiated).async {
      let found = Result { try self.findings(path, tables) }
      self.lock.withLock { self.outcome = found }
      self.end.signal()
    }
  }

  private func findings(_ path: String, _ tables: Set<String>?) throws -> [String] {
    let queue = try openQueue(path, .immutable, connectionConfiguration(readOnly: true) { _ in })
    lock.withLock { self.queue = queue }
    return try queue.read { db in
      try db.interrupting(when: { self.lock.withLock { self.isStopped } }) {
        try quickCheckFindings(db, of: tables)
      }
    }
  }

  /// Ends it, and waits until it has ended.
  func stop() {
    lock.withLock { isStopped = true }
    end.wait()
    end.signal()
  }

  /// What it found, once it has ended.
  ///
  /// - Parameter shouldStop: asked several times a second; the check then ends with an error.
  func result(stoppingWhen shouldStop: () -> Bool) throws -> [String] {
    while end.wait(timeout: .now() + 0.1) == .timedOut {
      if shouldStop() { lock.withLock { isStopped = true } }
    }
    end.signal()
    return try lock.withLock { outcome }.get()
  }
}
