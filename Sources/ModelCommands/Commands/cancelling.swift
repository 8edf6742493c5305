import Dispatch
import Foundation
import ModelMigration

/// Runs a migration so that an interrupt (Ctrl-C), a termination or the end of the terminal cancels it: it clears up
/// after itself and says so. A second signal ends the program at once, and `modelc recover` has to clear up; so does the
/// first where a single step of SQLite's, which nobody can interrupt, goes on for too long.
func cancelling<Result>(
  _ monitor: MigrationMonitor, onSignals output: OutputOptions, _ body: () throws -> Result
) rethrows -> Result {
  let queue = DispatchQueue(label: "modelc.signals")
  let sources = [SIGINT, SIGTERM, SIGHUP].compactMap { number -> (any DispatchSourceSignal)? in
    // What the caller had switched off (nohup) stays so.
    if let former = signal(number, SIG_IGN), isIgnoring(former) { return nil }
    let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
    source.setEventHandler {
      if monitor.isCancelled { _exit(5) }
      monitor.cancel()
      output.say("stopping; a second signal ends at once")
      queue.asyncAfter(deadline: .now() + patience) {
        guard !monitor.isEnding else { return }
        output.say("ended in the middle of a statement; 'modelc recover' clears up what is left")
        _exit(5)
      }
    }
    source.resume()
    return source
  }
  defer {
    for source in sources {
      source.cancel()
      _ = signal(CInt(source.handle), SIG_DFL)
    }
  }
  return try body()
}

/// Seconds after a signal in which the run has to notice it.
private let patience = 1.0

private func isIgnoring(_ handler: @escaping @convention(c) (CInt) -> Void) -> Bool {
  unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
}
