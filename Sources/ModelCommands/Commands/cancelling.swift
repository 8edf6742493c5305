import Dispatch
import Foundation
import ManagedModel
import ModelMigration
import PersistentStore

/// Runs a migration that an interrupt (Ctrl-C), a termination or the end of the terminal cancels. The migration clears
/// up and says so. A second signal ends the program at once. The first signal does the same where code of a policy, or a
/// single step of SQLite, does not end in time. Private files go all the same, unless the swap has begun: then
/// `modelc recover` has to clear up.
func cancelling<Result>(
  _ monitor: MigrationMonitor, onSignals output: OutputOptions, _ body: () throws -> Result
) rethrows -> Result {
  let handler = {
    if monitor.isCancelled { endAtOnce() }
    monitor.cancel()
    output.say("stopping; a second signal ends at once")
    DispatchQueue.global().asyncAfter(deadline: .now() + patience) {
      guard !monitor.isEnding else { return }
      output.say("ended in the middle of a step")
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
  UnfinishedFiles.removeAll { _exit(5) }
  _exit(5)
}
