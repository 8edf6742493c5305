import Foundation

/// Work that a thread of its own does beside the run's: reading what the run leaves alone meanwhile.
///
/// Whoever begins it also ends it, with ``value()`` or ``giveUp()``, before what it reads is gone.
final class SideWork<Value: Sendable>: @unchecked Sendable {
  private let condition = NSCondition()
  private var outcome: Result<Value, any Error>?
  private var isGivenUp = false

  /// - Parameter body: asks `shouldStop` in between, which is true once nobody wants the value any more.
  init(_ body: @escaping @Sendable (_ shouldStop: @escaping @Sendable () -> Bool) throws -> Value) {
    let monitor = MigrationMonitor.current
    Thread.detachNewThread { [self] in
      let outcome = Result {
        try MigrationMonitor.$current.withValue(monitor) {
          try body { [self] in condition.withLock { isGivenUp } || monitor?.isCancelled == true }
        }
      }
      condition.withLock {
        self.outcome = outcome
        condition.broadcast()
      }
    }
  }

  /// Waits for the end of the work.
  func value() throws -> Value { try wait().get() }

  /// Ends the work where it is, and returns once it has ended.
  func giveUp() {
    condition.withLock { isGivenUp = true }
    _ = wait()
  }

  private func wait() -> Result<Value, any Error> {
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let outcome { return outcome }
      condition.wait()
    }
  }
}
