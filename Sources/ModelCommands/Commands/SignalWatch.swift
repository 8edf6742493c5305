import Dispatch
import Foundation
import ManagedModel

/// Removes temporary folders when a signal ends the program.
///
/// While a migration runs, ``cancelling(_:onSignals:_:)`` takes the signals.
final class SignalWatch: @unchecked Sendable {
  private let lock = NSLock()
  private let queue = DispatchQueue(label: "modelc.signals")
  private var sources: [any DispatchSourceSignal] = []
  private var handler: (() -> Void)?
  /// How many runs watch: a program may have several commands at work.
  private var watchers = 0

  /// Runs the body with the signals watched.
  static func during<Result>(_ body: () throws -> Result) rethrows -> Result {
    shared.begin()
    defer { shared.end() }
    return try body()
  }

  /// Runs the body with something else to do at each signal than to end.
  ///
  /// After it, the first signal comes too late: what was done is done, and the command still has to say so.
  static func handling<Result>(
    by handler: @escaping () -> Void, _ body: () throws -> Result
  ) rethrows -> Result {
    shared.lock.withLock { shared.handler = handler }
    defer { shared.lock.withLock { shared.handler = shared.endsNext } }
    return try body()
  }

  private static let shared = SignalWatch()

  private func begin() {
    unblock()
    lock.withLock {
      watchers += 1
      if watchers == 1 { sources = [SIGINT, SIGTERM, SIGHUP].compactMap(source) }
    }
  }

  /// Nil for a signal that the caller had switched off (nohup): it stays so.
  private func source(of number: CInt) -> (any DispatchSourceSignal)? {
    if let former = signal(number, SIG_IGN), isIgnoring(former) { return nil }
    let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
    source.setEventHandler { [self] in receive(number) }
    source.resume()
    return source
  }

  private func end() {
    lock.withLock {
      watchers -= 1
      guard watchers == 0 else { return }
      for source in sources {
        source.cancel()
        _ = signal(CInt(source.handle), SIG_DFL)
      }
      sources = []
      handler = nil
    }
  }

  /// Lets one signal pass, so that the next one ends the program.
  private func endsNext() {
    lock.withLock { handler = nil }
  }

  private func receive(_ number: CInt) {
    if let handler = lock.withLock({ handler }) { return handler() }
    TemporaryFolder.removeAll()
    // Ends as it would have without us, so that a shell sees why.
    _ = signal(number, SIG_DFL)
    unblock()
    _ = raise(number)
  }
}

/// Programs that are started from a thread of Dispatch begin with signals blocked.
private func unblock() {
  var set = sigset_t()
  unsafe sigemptyset(&set)
  for number in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&set, number) }
  unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
}

private func isIgnoring(_ handler: @escaping @convention(c) (CInt) -> Void) -> Bool {
  unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
}
