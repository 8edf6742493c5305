public import Foundation
public import Logging
public import ManagedModel
import PersistentStore

/// Migrates the stores of a program: asks, plans, migrates, clears up.
///
/// ```swift
/// let migrator = StoreMigrator(models: [try VersionedModel(bundle: url)])
/// if try !migrator.status(of: store).isCurrent {
///   let report = try await migrator.migrate(store).report
/// }
/// ```
///
/// A value without state: it may be kept, copied, and used from several threads for several stores.
public struct StoreMigrator: Sendable {
  /// The store is looked for among the versions of all of them.
  public var models: [VersionedModel]
  /// Mapping models, policies, post-processing and handlers, where inference is not enough.
  public var custom: CustomMigrations
  /// The target, the route, the backup, for all stores.
  public var options: MigrationOptions
  /// What is written here at `debug`: models found, the mapping and why, every statement with its rows and seconds.
  /// Values of the store's rows never are. Silent by default.
  public var logger = Logger(label: "modelc", factory: { _ in SwiftLogNoOpLogHandler() })

  /// - Parameters:
  ///   - models: see `VersionedModel(bundle:)`.
  ///   - custom: mapping models by the name of their model, policies, post-processing, handlers of stages.
  ///   - options: by default a migration to the current version that keeps a backup and accepts no loss.
  public init(
    models: [VersionedModel], custom: CustomMigrations, options: MigrationOptions = MigrationOptions()
  ) {
    (self.models, self.custom, self.options) = (models, custom, options)
  }

  /// - Parameters:
  ///   - models: see `VersionedModel(bundle:)`.
  ///   - mappingModels: each belongs to the model that has both of its versions and its entities, see
  ///     `readMappingModels(at:)` of ModelFormats. One that fits several models, or none, is a finding of the plan.
  ///   - policies: the classes that mapping models name.
  ///   - options: by default a migration to the current version that keeps a backup and accepts no loss.
  public init(
    models: [VersionedModel], mappingModels: [CustomMappingModel] = [],
    policies: [EntityMigrationPolicy.Type] = [], options: MigrationOptions = MigrationOptions()
  ) {
    self.init(models: models, custom: CustomMigrations(policies: PolicyRegistry(policies)), options: options)
    for mapping in mappingModels {
      let candidates = models.filter { $0.lacks(mapping).isEmpty }
      let fitting = candidates.filter { $0.hasEntities(of: mapping) }
      // What fits nothing is not dropped: the plan says what it lacks.
      let owners = fitting.isEmpty ? (candidates.isEmpty ? Array(models.prefix(1)) : candidates) : fitting
      for model in owners { custom.mappingModels[model.name, default: []].append(mapping) }
    }
  }

  /// Which version a store is, the path to the target, and post-processing that is due, by its metadata alone: it
  /// reads the file's header and one row, whatever the store's size, so a program may ask at every launch.
  ///
  /// - Throws: ``DiagnosticsError`` if there is no file (MC0009), it is not a store (MC5001 to MC5005), fits no
  ///   version at hand (MC5102), or there is no path to the target (MC3404, MC5104, MC5112); ``UnknownVersionError``
  ///   for a target that no model has.
  public func status(of store: URL) throws -> StoreStatus {
    try StoreStatus(ofStoreAt: store.path, models: models, custom: custom, options: options)
  }

  /// What a migration would do to a store, counted on this very store: what becomes of every entity, what would be lost,
  /// and what prevents it. The store is read and left without a trace.
  ///
  /// - Parameters:
  ///   - store: the store's file.
  ///   - losses: these are then marked as acknowledged, and do not prevent the migration.
  /// - Throws: ``DiagnosticsError`` if there is no file (MC0009), it is not a store, or of no known version, or of one after
  ///   the target.
  public func plan(for store: URL, accepting losses: Set<AcceptedLoss> = []) throws -> MigrationPlan {
    var plan = try planMigration(
      ofStoreAt: store.path, models: models, options: accepting(losses), custom: custom)
    plan.diagnostics = (plan.diagnostics + custom.checkNames(among: models)).ordered
    return plan
  }

  /// Starts to migrate a store, on a separate thread. Until the swap the store is only read; a run that fails or is
  /// cancelled leaves it unchanged, byte for byte.
  ///
  /// - Parameters:
  ///   - store: the store's file.
  ///   - destination: where the result goes.
  ///   - losses: data that may be lost; any other loss refuses the migration.
  /// - Returns: the migration, whose ``StoreMigration/report`` waits for its end.
  public func migrate(
    _ store: URL, to destination: MigrationDestination = .inPlaceOfStore,
    accepting losses: Set<AcceptedLoss> = []
  ) -> StoreMigration {
    let options = accepting(losses)
    return StoreMigration(logger) { [models, custom] monitor in
      let misfits = custom.checkNames(among: models)
      if misfits.hasErrors { throw DiagnosticsError(misfits) }
      var report = try migrateStore(
        at: store.path, models: models, to: destination, options: options, custom: custom, monitor: monitor)
      report.diagnostics = (report.diagnostics + misfits).ordered
      return report
    }
  }

  /// Removes what an interrupted migration left beside a store, as ``migrate(_:to:accepting:)`` does first by itself.
  /// Afterwards the store is the old one or the new one, complete. A backup is removed only if the store holds its
  /// data.
  ///
  /// - Throws: ``DiagnosticsError`` if there is no file (MC0009), the store is in use (MC5305), damaged (MC5002) or
  ///   not a store, or only a backup of it is left (MC6405).
  @discardableResult
  public func recover(_ store: URL) throws -> RecoveryReport {
    try recoverStore(at: store.path, models: models, busyTimeout: options.busyTimeout)
  }

  private func accepting(_ losses: Set<AcceptedLoss>) -> MigrationOptions {
    var options = options
    options.acceptedLosses.formUnion(losses)
    return options
  }
}

/// A migration that runs on a thread of its own.
///
/// ```swift
/// let migration = migrator.migrate(store)
/// for await progress in migration.progress { show(progress.whole ?? 0) }
/// let report = try await migration.report
/// ```
public struct StoreMigration: Sendable {
  /// How far the run is: the newest state, whenever it changes by a hundredth; it ends with the run. The last one of a run
  /// that succeeds has ``MigrationProgress/whole`` 1.
  public let progress: AsyncStream<MigrationProgress>
  private let monitor: MigrationMonitor
  private let run: Task<MigrationReport, any Error>
  /// How many run at once: each has its store open, and a clone next to it.
  private static let slots = DispatchSemaphore(value: 64)

  /// - Parameter detach: makes the thread; where the system makes none, the task's own has to do.
  init(
    _ logger: Logger,
    on detach: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { Thread.detachNewThread($0) },
    _ migrate: @escaping @Sendable (MigrationMonitor) throws -> MigrationReport
  ) {
    let (progress, continuation) = AsyncStream<MigrationProgress>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    let monitor = MigrationMonitor(logger: logger) { continuation.yield($0) }
    (self.progress, self.monitor) = (progress, monitor)
    run = Task {
      defer { continuation.finish() }
      return try await withCheckedThrowingContinuation { end in
        // A migration works for seconds or minutes: it gets a thread of its own, not one of the tasks' or of a queue's.
        let work = { @Sendable in
          var hasSlot = false
          while !hasSlot, !monitor.isCancelled {
            hasSlot = Self.slots.wait(timeout: .now() + 0.1) == .success
          }
          defer { if hasSlot { Self.slots.signal() } }
          end.resume(
            with: Result {
              let report = try migrate(monitor)
              monitor.reportEnd()
              return report
            })
        }
        BackgroundWork(work, on: detach).waitForBeginning()
      }
    }
  }

  /// Waits for the end. Cancelling the task that waits cancels the migration.
  ///
  /// - Throws: ``MigrationRefusedError`` if the plan refuses it, ``DiagnosticsError`` if the store is refused or the
  ///   migration fails or is cancelled (MC6004), ``MigrationValidationError`` if the result of a custom step breaks rules
  ///   of its model, ``UnknownVersionError`` for a target that no model has.
  public var report: MigrationReport {
    get async throws {
      try await withTaskCancellationHandler {
        try await run.value
      } onCancel: {
        monitor.cancel()
      }
    }
  }

  /// Ends the run at its next row or statement, and leaves the store unchanged; after the swap it does nothing.
  public func cancel() { monitor.cancel() }
}
