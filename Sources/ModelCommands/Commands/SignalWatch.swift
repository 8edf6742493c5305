import Dispatch
import Foundation
import ManagedModel
import ModelMigration
import PersistentStore

/// Removes temporary folders and unfinished files when a signal ends the program, and has writing to what nobody reads or
/// takes end with an error instead of a signal (`| head`, `ulimit -f`).
///
/// While a migration runs, `cancelling(onSignals:_:)` takes the signals. After the last run all of it is what it was:
/// the program may be an app's own, with handlers of its own.
final class SignalWatch: @unchecked Sendable {
  private let lock = NSLock()
  private let queue = DispatchQueue(label: "modelc.signals")
  private var sources: [any DispatchSourceSignal] = []
  private var former: [(number: CInt, action: sigaction)] = []
  private var formerHeapLimit: Int64 = 0
  private var handler: (() -> Void)?
  /// How many runs watch: a program may have several commands at work.
  private var watchers = 0

  /// Runs the body with the signals watched.
  static func during<Result>(_ body: () throws -> Result) rethrows -> Result {
    var mask = unblock()
    shared.begin()
    defer {
      shared.end()
      unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
    }
    return try body()
  }

  /// Runs the body with something else to do at each signal than to end.
  ///
  /// After it, the first signal comes too late: what was done is done, and the command still has to say so. Where a
  /// signal has ended the body, the handler stays for the next one: the command is about to say that it was ended.
  static func handling<Result>(
    by handler: @escaping () -> Void, wasTaken: () -> Bool, _ body: () throws -> Result
  ) rethrows -> Result {
    shared.lock.withLock { shared.handler = handler }
    var hasThrown = true
    defer { shared.lock.withLock { if !hasThrown || !wasTaken() { shared.handler = shared.endsNext } } }
    let result = try body()
    hasThrown = false
    return result
  }

  private static let shared = SignalWatch()

  private func begin() {
    lock.withLock {
      watchers += 1
      guard watchers == 1 else { return }
      formerHeapLimit = limitMemory()
      for number in [SIGPIPE, SIGXFSZ] { _ = ignore(number) }
      sources = [SIGINT, SIGTERM, SIGHUP].compactMap(source)
    }
  }

  /// - Returns: whether the caller had not switched it off already (nohup).
  private func ignore(_ number: CInt) -> Bool {
    var action = sigaction()
    if unsafe sigaction(number, nil, &action) == 0 { former.append((number, action)) }
    return signal(number, SIG_IGN).map(isIgnoring) != true
  }

  /// Nil for a signal that the caller had switched off: it stays so.
  private func source(of number: CInt) -> (any DispatchSourceSignal)? {
    guard ignore(number) else { return nil }
    let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
    source.setEventHandler { [self] in receive(number) }
    source.resume()
    return source
  }

  private func end() {
    lock.withLock {
      watchers -= 1
      guard watchers == 0 else { return }
      for source in sources { source.cancel() }
      for (number, action) in former {
        var action = action
        _ = unsafe sigaction(number, &action, nil)
      }
      (sources, former, handler) = ([], [], nil)
      _ = limitMemory(to: formerHeapLimit)
    }
  }

  /// Lets one signal pass, so that the next one ends the program.
  private func endsNext() { lock.withLock { handler = nil } }

  private func receive(_ number: CInt) {
    if let handler = lock.withLock({ handler }) { return handler() }
    TemporaryFolder.removeAll()
    UnfinishedFiles.removeAll {
      // Ends as it would have without us, so that a shell sees why.
      _ = signal(number, SIG_DFL)
      _ = unblock()
      _ = raise(number)
    }
  }
}

/// Programs that are started from a thread of Dispatch begin with signals blocked.
///
/// - Returns: what the thread had blocked.
private func unblock() -> sigset_t {
  var (set, former) = (sigset_t(), sigset_t())
  unsafe sigemptyset(&set)
  for number in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&set, number) }
  unsafe pthread_sigmask(SIG_UNBLOCK, &set, &former)
  return former
}

private func isIgnoring(_ handler: @escaping @convention(c) (CInt) -> Void) -> Bool {
  unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
}

extension MigrationMonitor {
  /// Runs a migration that an interrupt (Ctrl-C), a termination or the end of the terminal cancels. The migration clears
  /// up and says so. A second signal ends the program at once. The first signal does the same where code of a policy, or a
  /// single step of SQLite, does not end in time. Private files go all the same, unless the swap has begun: then
  /// `modelc recover` has to clear up.
  func cancelling<Result>(onSignals output: OutputOptions, _ body: () throws -> Result) rethrows -> Result {
    let handler = {
      if self.isCancelled { endAtOnce() }
      self.cancel()
      output.say("stopping; a second signal ends at once")
      DispatchQueue.global().asyncAfter(deadline: .now() + patience) {
        guard !self.isEnding else { return }
        output.say("ended in the middle of a step")
        endAtOnce()
      }
    }
    return try SignalWatch.handling(by: handler, wasTaken: { isCancelled }, body)
  }
}

/// Runs other work than a migration, that a signal ends in order: nothing half done is left, and no trace at a store.
func endingOnSignals<Result>(
  _ name: String, _ output: OutputOptions, _ body: (MigrationMonitor) throws -> Result
) throws -> Result {
  let monitor = MigrationMonitor()
  return try monitor.watching(naming: name) {
    try monitor.cancelling(onSignals: output) { try body(monitor) }
  }
}

/// Seconds after a signal in which the run has to notice it.
private let patience = 1.0

private func endAtOnce() -> Never {
  TemporaryFolder.removeAll()
  UnfinishedFiles.removeAll { _exit(5) }
  _exit(5)
}
