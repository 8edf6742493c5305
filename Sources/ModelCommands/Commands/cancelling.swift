import CustomMigration
import Dispatch
import Foundation
import ManagedModel

/// Runs a migration that an interrupt (Ctrl-C), a termination or the end of the terminal cancels. The migration clears
/// up and says so. A second signal ends the program at once, and `modelc recover` has to clear up. The first signal does
/// the same where a single step of SQLite, which cannot be interrupted, takes too long.
func cancelling<Result>(
  _ monitor: MigrationMonitor, onSignals output: OutputOptions, _ body: () throws -> Result
) rethrows -> Result {
  let handler = {
    if monitor.isCancelled { endAtOnce() }
    monitor.cancel()
    output.say("stopping; a second signal ends at once")
    DispatchQueue.global().asyncAfter(deadline: .now() + patience) {
      guard !monitor.isEnding else { return }
      output.say("ended in the middle of a statement; `modelc recover STORE` clears up what is left")
      endAtOnce()
    }
  }
  return try SignalWatch.handling(by: handler, body)
}

/// Runs other work than a migration, that a signal ends in order: nothing half done is left, and no trace at a store.
func endingOnSignals<Result>(
  _ name: String, _ output: OutputOptions, _ body: () throws -> Result
) throws -> Result {
  let monitor = MigrationMonitor()
  return try monitored(monitor, naming: name) { try cancelling(monitor, onSignals: output, body) }
}

/// Seconds after a signal in which the run has to notice it.
private let patience = 1.0

private func endAtOnce() -> Never {
  TemporaryFolder.removeAll()
  _exit(5)
}
