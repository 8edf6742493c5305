public import CustomMigration
import Dispatch

/// Migrates a store without blocking the caller's task. Cancelling the task cancels the migration.
///
/// - Parameters:
///   - path: the store's file.
///   - models: the store is looked for among the versions of all of them.
///   - destination: where the result goes.
///   - options: the target, the route, losses that may be.
///   - custom: mapping models and policies, where inference is not all.
///   - monitor: sees the progress and the log, on another thread.
/// - Throws: what ``migrateStore(at:models:to:options:custom:monitor:)`` throws; MC6004 after a cancellation.
public func migrate(
  storeAt path: String, models: [VersionedModel], to destination: MigrationDestination = .inPlaceOfStore,
  options: MigrationOptions = MigrationOptions(), custom: CustomMigrations = CustomMigrations(),
  monitor: MigrationMonitor = MigrationMonitor()
) async throws -> MigrationReport {
  try await withTaskCancellationHandler {
    try await withCheckedThrowingContinuation { continuation in
      // A migration works for seconds or minutes: it gets a thread of its own, not one of the tasks'.
      DispatchQueue.global(qos: .userInitiated).async {
        continuation.resume(
          with: Result {
            try migrateStore(
              at: path, models: models, to: destination, options: options, custom: custom,
              monitor: monitor)
          })
      }
    }
  } onCancel: {
    monitor.cancel()
  }
}
