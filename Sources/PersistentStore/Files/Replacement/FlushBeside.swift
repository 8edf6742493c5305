import Foundation

/// Brings what has been written to a file to the medium, beside other work, so that the end has less to wait for.
final class FlushBeside: @unchecked Sendable {
  private let lock = NSLock()
  private let end = DispatchSemaphore(value: 0)
  private var outcome: Result<Void, any Error>?

  /// - Parameter former: one that may be at work still.
  init(of file: OpenFile, after former: FlushBeside?) {
    DispatchQueue.global(qos: .userInitiated).async {
      let outcome = Result {
        try former?.wait()
        try file.synchronize()
      }
      self.lock.withLock { self.outcome = outcome }
      self.end.signal()
    }
  }

  /// Waits for the end and throws what went wrong: Linux tells each failure of a descriptor's writes once, here or never.
  func wait() throws {
    end.wait()
    end.signal()
    try lock.withLock { outcome }?.get()
  }
}
