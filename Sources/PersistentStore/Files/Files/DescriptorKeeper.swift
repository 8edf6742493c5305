import Foundation

/// Keeps descriptors of stores open for as long as SQLite holds a lock on them.
///
/// Closing any descriptor of a file drops all POSIX locks that the process has on it, those of SQLite's own
/// descriptors included (sqlite.org/howtocorrupt.html, 2.2). Whoever opens a store's file itself closes it through
/// here: while a connection is open, the descriptor waits.
final class DescriptorKeeper: @unchecked Sendable {
  static let shared = DescriptorKeeper()

  private let lock = NSLock()
  private var holds: [FileIdentity: Int] = [:]
  private var waiting: [FileIdentity: [CInt]] = [:]

  /// For how long a connection to the file is open; ends with ``release()``, at the latest with the value.
  final class Hold: @unchecked Sendable {
    private let identity: FileIdentity
    private let lock = NSLock()
    private var isReleased = false

    fileprivate init(_ identity: FileIdentity) { self.identity = identity }

    func release() {
      let isFirst = lock.withLock {
        defer { isReleased = true }
        return !isReleased
      }
      if isFirst { DescriptorKeeper.shared.endHold(on: identity) }
    }

    deinit { release() }
  }

  func hold(_ identity: FileIdentity) -> Hold {
    lock.withLock { holds[identity, default: 0] += 1 }
    return Hold(identity)
  }

  /// Closes the descriptor now, or once the last connection to its file is closed.
  func close(_ descriptor: CInt, of identity: FileIdentity) {
    lock.withLock {
      if holds[identity] == nil {
        _ = Foundation.close(descriptor)
      } else {
        waiting[identity, default: []].append(descriptor)
      }
    }
  }

  private func endHold(on identity: FileIdentity) {
    lock.withLock {
      holds[identity]? -= 1
      guard holds[identity] == 0 else { return }
      holds[identity] = nil
      for descriptor in waiting.removeValue(forKey: identity) ?? [] { _ = Foundation.close(descriptor) }
    }
  }
}
