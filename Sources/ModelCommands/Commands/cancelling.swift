import Foundation
import ManagedModel
import ModelMigration

/// Runs a migration so that an interrupt (Ctrl-C), a termination or the end of the terminal cancels it: it clears up
/// after itself and says so. A second signal ends the program at once, and `modelc recover` has to clear up.
func cancelling<Result>(
  _ monitor: MigrationMonitor, onSignals output: OutputOptions, _ body: () throws -> Result
) rethrows -> Result {
  let handler = {
    if monitor.isCancelled {
      TemporaryFolder.removeAll()
      _exit(5)
    }
    monitor.cancel()
    output.say("stopping; a second signal ends at once")
  }
  return try SignalWatch.handling(by: handler, body)
}
