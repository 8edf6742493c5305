import Dispatch
import Foundation
import ManagedModel
import ModelMigration
import PersistentStore

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
