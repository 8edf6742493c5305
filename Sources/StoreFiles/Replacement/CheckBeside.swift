import Foundation
import GRDB

/// SQLite's check of a file that nobody changes, on a thread and a connection of its own: it and the questions about the
/// rows, each of which reads the whole file, take no longer than the one of them that takes longer.
final class CheckBeside: @unchecked Sendable {
  private let lock = NSLock()
  private let end = DispatchSemaphore(value: 0)
  private var isStopped = false
  private var outcome: Result<[String], any Error> = .success([])

  init(ofFileAt path: String) {
    DispatchQueue.global(qos: .userInitiated).async {
      let found = Result { try self.findings(path) }
      self.lock.withLock { self.outcome = found }
      self.end.signal()
    }
  }

  private func findings(_ path: String) throws -> [String] {
    let queue = try openQueue(path, .immutable, connectionConfiguration(readOnly: true) { _ in })
    defer { try? queue.close() }
    return try queue.read { db in
      try db.interrupting(when: { self.lock.withLock { self.isStopped } }) { try quickCheckFindings(db) }
    }
  }

  /// Ends it, and waits until it has ended.
  func stop() {
    lock.withLock { isStopped = true }
    end.wait()
  }

  /// What it found, once it has ended.
  ///
  /// - Parameter shouldStop: asked several times a second; the check then ends with an error.
  func result(stoppingWhen shouldStop: () -> Bool) throws -> [String] {
    while end.wait(timeout: .now() + 0.1) == .timedOut {
      if shouldStop() { lock.withLock { isStopped = true } }
    }
    return try lock.withLock { outcome }.get()
  }
}
