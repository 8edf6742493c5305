import Foundation

/// Work on a thread of its own, beside other work.
final class BackgroundWork<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private let end = DispatchSemaphore(value: 0)
  private var outcome: Result<Value, any Error>?

  init(_ work: @escaping @Sendable () throws -> Value) {
    DispatchQueue.global(qos: .userInitiated).async {
      let outcome = Result { try work() }
      self.lock.withLock { self.outcome = outcome }
      self.end.signal()
    }
  }

  /// Waits for the end, a tenth of a second at a time, and throws what went wrong.
  ///
  /// - Parameter meanwhile: called after each that has not brought it.
  @discardableResult
  func wait(_ meanwhile: () -> Void = {}) throws -> Value? {
    while end.wait(timeout: .now() + 0.1) == .timedOut { meanwhile() }
    end.signal()
    return try lock.withLock { outcome }?.get()
  }
}
